/**
 * The ends of the others of a group when one of it is filled, triggered or ended. Source: domain 2.20.
 *
 * All of it happens within the command of its cause. While an order is being matched only stop orders are touched,
 * which stand in no book.
 */
import { FLAG } from "../command.ts";
import type { Market } from "../listing/market.ts";
import { divCeil } from "../money/rounding.ts";
import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";
import { endResting } from "../trading/resting.ts";
import { emitStop } from "./emit-stop.ts";
import type { Group } from "./groups.ts";
import { STOP_FLAG } from "./stop-event.ts";

/** Ends a waiting stop order, which leaves its group. Returns the word of its last event. */
export function endStop(state: State, slot: number): number {
  const { stops } = state;
  leaveGroup(state, slot);
  stops.setUpdatedAt(slot, state.timeMs);
  const at = emitStop(state, slot, "cancel");
  stops.remove(slot);
  return at;
}

/**
 * An order of a group has been told of: it rests, has been filled in part or to its end, or `isOver`. The first fill of
 * one of a pair cancels the other; each fill of an entry lets what protects it grow.
 */
export function onGroupedOrder(state: State, slot: number, isOver: boolean): void {
  const { orders, fills } = state;
  const { groups } = state.stops;
  const group = groups.ofOrder(orders.orderId(slot)) as Group;
  const isFilled = fills.isFilled(orders.fillRow(slot));
  if (group.kind === "bracket") {
    const isProtected = isFilled && protect(state, group, slot);
    if (!isOver) return;
    if (isProtected) groups.dropOrder(group);
    else endStops(state, group);
  } else if (isFilled) {
    endStops(state, group);
    ungroup(state, slot);
  } else if (isOver) groups.dropOrder(group);
}

/** A stop order is triggered: all others of its group end before its order is placed. */
export function endOthers(state: State, slot: number): void {
  const group = state.stops.groups.ofStop(state.stops.stopId(slot));
  if (group === undefined) return;
  leaveGroup(state, slot);
  endGroup(state, group);
}

/** Ends all that are in a group, the order first. */
export function endGroup(state: State, group: Group): void {
  const { orders, seats } = state;
  const order = group.orderId === 0 ? NONE : orders.find(group.orderId);
  if (order !== NONE) {
    ungroup(state, order);
    endResting(state, state.markets[seats.marketId(orders.seat(order))] as Market, order);
  }
  endStops(state, group);
}

/** Ends the stop orders of a group, and the group. */
function endStops(state: State, group: Group): void {
  const { groups } = state.stops;
  groups.dissolve(group);
  for (const stopId of group.stopIds) endStop(state, state.stops.find(stopId));
}

/** A stop order waits no more. An order that is left alone by it is one like any other. */
function leaveGroup(state: State, slot: number): void {
  const { groups } = state.stops;
  const stopId = state.stops.stopId(slot);
  const group = groups.ofStop(stopId);
  if (group === undefined) return;
  groups.dropStop(group, stopId);
  if (group.stopIds.length === 0 && group.orderId > 0) ungroup(state, state.orders.find(group.orderId));
}

function ungroup({ orders }: State, slot: number): void {
  orders.setFlags(slot, orders.flags(slot) & ~FLAG.grouped);
}

/**
 * Lets the stop orders of a bracket close what has been filled of its entry, less the fee that was taken out of it: in
 * whole lots, what is left over stays with the user. Returns whether that is an amount that the market takes.
 */
function protect(state: State, { stopIds }: Group, entry: number): boolean {
  const { orders, fills, seats, stops } = state;
  const market = state.markets[seats.marketId(orders.seat(entry))] as Market;
  const row = orders.fillRow(entry);
  const fee = fills.baseFee(row);
  const lots = fills.filledLots(row) - (fee === 0n ? 0n : divCeil(fee, market.unitsPerLot));
  const isEnough = lots >= (market.futures === undefined ? market.minAmount : 1n);
  for (const stopId of stopIds) {
    const slot = stops.find(stopId);
    if (lots === stops.amount(slot) || !isEnough) continue;
    stops.setAmount(slot, lots);
    stops.setUpdatedAt(slot, state.timeMs);
    if ((stops.flags(slot) & STOP_FLAG.dormant) !== 0) stops.wake(slot);
    emitStop(state, slot, "modify");
  }
  return isEnough;
}
