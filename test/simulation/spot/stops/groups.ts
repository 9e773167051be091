/** Orders of which one ends others, once more. Domain 2.20. */

import type { Refusal } from "../../../../src/engine/refusal.ts";
import type { CancelGroup } from "../../../../src/engine/stops/command-schemas.ts";
import type { ModelMarket, ModelOrder, ModelStop } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { endResting } from "../orders/book.ts";
import { cancelFault } from "../orders/changing.ts";
import { keptBy } from "../part.ts";
import { endStop, tell } from "./stopping.ts";

export interface ModelGroup {
  readonly id: number;
  readonly kind: "oco" | "bracket";
  orderId: number | undefined;
  stops: ModelStop[];
}

/** Groups of which one can still end another, and how many there have ever been. */
export const groups = keptBy(() => ({ all: [] as ModelGroup[], count: 0 }));

function groupOf(venue: ModelVenue, stop: ModelStop): ModelGroup | undefined {
  return groups(venue).all.find((group) => group.stops.includes(stop));
}

/** Forgets groups in which nobody is left to end another. */
function tidy(venue: ModelVenue): void {
  const own = groups(venue);
  own.all = own.all.filter(
    ({ orderId, stops }) => stops.length > 0 && stops.length + (orderId === undefined ? 0 : 1) > 1,
  );
}

export function leaveGroup(venue: ModelVenue, stop: ModelStop): void {
  const group = groupOf(venue, stop);
  if (group === undefined) return;
  group.stops = group.stops.filter((other) => other !== stop);
  tidy(venue);
}

/** Whether a stop order belongs to an entry that can still be filled. */
export function protectsEntry(venue: ModelVenue, stop: ModelStop): boolean {
  const group = groupOf(venue, stop);
  return group?.kind === "bracket" && group.orderId !== undefined;
}

/** A stop order is triggered. */
export function endOthers(venue: ModelVenue, stop: ModelStop): void {
  const group = groupOf(venue, stop);
  if (group === undefined) return;
  group.stops = group.stops.filter((other) => other !== stop);
  endGroup(venue, group);
}

function endGroup(venue: ModelVenue, group: ModelGroup): void {
  const own = groups(venue);
  own.all = own.all.filter((other) => other !== group);
  for (const market of venue.markets) {
    const order = [...market.buys, ...market.sells].find(({ orderId }) => orderId === group.orderId);
    if (order !== undefined) endResting(venue, market, order);
  }
  for (const stop of [...group.stops]) endStop(venue, stop);
}

/** An order has been told of: its first fill ends a pair, each fill of an entry is protected. */
export function heardOf(venue: ModelVenue, order: ModelOrder, isOver: boolean): void {
  const own = groups(venue);
  const group = own.all.find(({ orderId }) => orderId === order.orderId);
  if (group === undefined) return;
  const isFilled = order.filledLots > 0n;
  const isKept = group.kind === "bracket" && isFilled && protect(venue, group, order);
  const isDone = group.kind === "bracket" ? isOver && !isKept : isFilled;
  if (isDone) {
    own.all = own.all.filter((other) => other !== group);
    for (const stop of group.stops) endStop(venue, stop);
  } else if (isOver) {
    group.orderId = undefined;
    tidy(venue);
  }
}

function protect(venue: ModelVenue, { stops }: ModelGroup, order: ModelOrder): boolean {
  const market = venue.markets[order.marketId] as ModelMarket;
  const lots = (order.filledLots * market.lot - order.baseFee) / market.lot;
  if (lots < market.minAmount) return false;
  for (const stop of stops) {
    if (stop.amount === lots) continue;
    stop.amount = lots;
    stop.updatedAt = venue.timeMs;
    if (stop.waits === "sleeps") stop.waits = stop.activation === 0n && stop.trigger === 0n ? "to begin" : "for price";
    tell(venue, "modify", stop);
  }
  return true;
}

export function cancelGroup(venue: ModelVenue, { userId, groupId }: CancelGroup): Refusal | undefined {
  const group = groups(venue).all.find(({ id, stops }) => id === groupId && stops[0]?.userId === userId);
  if (group === undefined) return "order_not_found";
  const refusal = cancelFault(venue, venue.markets[(group.stops[0] as ModelStop).marketId] as ModelMarket);
  if (refusal !== undefined) return refusal;
  endGroup(venue, group);
  return undefined;
}
