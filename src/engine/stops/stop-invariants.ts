/** The invariants of the waiting stop orders between two commands. Source: domain 2.11, and 10 numbers 23 and 31. */
import { FLAG } from "../command.ts";
import type { Market } from "../listing/market.ts";
import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";
import { isLookedAt, isStopDue } from "./fire-stops.ts";
import { STOP_ORDERS_MAX } from "./stop-commands.ts";
import { STOP_FLAG } from "./stop-event.ts";

/**
 * Says what does not hold. That stop orders freeze nothing follows from what orders freeze, which is checked to the
 * unit.
 */
export function checkStops(state: State, expect: (holds: boolean, breach: () => string) => void): void {
  const { stops } = state;
  const seen = new Set<number>();
  for (const market of state.markets) {
    const slots = stops.ofMarket(market.id);
    expect(!market.delisted || slots.length === 0, () => `${market.name} is delisted and has stop orders.`);
    expect(isLookedAt(state, market, stops), () => `A price in ${market.name} has reached a stop order unnoticed.`);
    for (const slot of slots) {
      expect(!seen.has(slot), () => `Stop order ${stops.stopId(slot)} waits twice.`);
      seen.add(slot);
      checkStop(state, market, slot, expect);
    }
  }
  expect(seen.size === stops.live, () => `${stops.live} stop orders can be found by id and ${seen.size} wait.`);
  for (const slot of stops.condition.keys()) {
    expect(seen.has(slot), () => `A condition is stored of slot ${slot}, where no stop order waits.`);
  }
  checkGroups(state, expect);
  for (const slot of stops.clientId.keys()) {
    expect(seen.has(slot), () => `A client id is stored of slot ${slot}, where no stop order waits.`);
  }
}

function checkStop(
  state: State,
  market: Market,
  slot: number,
  expect: (holds: boolean, breach: () => string) => void,
): void {
  const { stops } = state;
  const id = stops.stopId(slot);
  const report = (what: string) => () => `Stop order ${id} in ${market.name} ${what}.`;
  const userId = stops.userId(slot);
  expect(id > 0 && id < state.nextStopId, report("has an id that was never given out"));
  expect(stops.find(id) === slot, report("cannot be found by its id"));
  if (stops.marketId(slot) !== market.id) {
    expect(false, report("waits in the heap of another market"));
    return;
  }
  expect(state.users.has(userId), report("belongs to nobody"));
  const isDormant = (stops.flags(slot) & STOP_FLAG.dormant) !== 0;
  expect(stops.amount(slot) > 0n !== isDormant, report(isDormant ? "sleeps with an amount" : "is of no amount"));
  expect(stops.trigger(slot) > 0 || stops.isTrailing(slot), report("has no trigger"));
  const isConditional = (stops.flags(slot) & STOP_FLAG.conditional) !== 0;
  expect(stops.condition.has(slot) === isConditional, report("has lost its condition, or has one of another"));
  expect(stops.createdAt(slot) <= stops.updatedAt(slot), report("was changed before it was created"));
  expect(stops.updatedAt(slot) <= state.timeMs, report("comes from the future"));
  const idLength = (stops.flags(slot) >> FLAG.clientIdLengthShift) & FLAG.clientIdLengthMask;
  expect((stops.clientId.get(slot)?.length ?? 0) === idLength, report("has lost or changed its client id"));

  if (stops.waitsForPrice(slot)) {
    const heap = stops.heapOf(slot);
    const place = stops.place(slot);
    expect(heap.at(place) === slot, report("does not stand where it says"));
    const above = heap.at((place - 1) >> 1);
    expect(
      place === 0 || (above !== undefined && heap.precedes(above, slot)),
      report("stands below one that fires later"),
    );
  }
  expect(!isStopDue(state, slot), report("has been reached by the price and has not fired"));

  const own = stops.ofAccount(userId, market.id, stops.account(slot));
  const at = own.indexOf(slot);
  expect(at >= 0, report("is not listed with its account"));
  expect(at <= 0 || stops.stopId(own[at - 1] as number) < id, report("is listed out of order"));
  expect(own.length <= STOP_ORDERS_MAX, report("is one of more than its account may have"));
}

/**
 * Of a group each member is there, is of one account and market, and can end another. That no other order is marked as
 * one of a group is checked with the orders that rest.
 */
function checkGroups(state: State, expect: (holds: boolean, breach: () => string) => void): void {
  const { orders, seats, stops } = state;
  for (const { id, kind, orderId, stopIds } of stops.groups.all) {
    const report = (what: string) => () => `Group ${id} ${what}.`;
    expect(id < stops.groups.nextId, report("has an id that was never given out"));
    expect(stopIds.length + (orderId > 0 ? 1 : 0) > 1 && stopIds.length > 0, report("has nobody to end"));
    const order = orderId === 0 ? NONE : orders.find(orderId);
    if (orderId > 0) {
      expect(order !== NONE && (orders.flags(order) & FLAG.grouped) !== 0, report(`has lost order ${orderId}`));
    }
    for (const stopId of stopIds) {
      const slot = stops.find(stopId);
      expect(slot !== NONE && stops.groups.ofStop(stopId)?.id === id, report(`has lost stop order ${stopId}`));
      if (slot === NONE) continue;
      expect(stops.conditionOf(slot).groupId === id, report(`has stop order ${stopId} of another group`));
      const isDormant = (stops.flags(slot) & STOP_FLAG.dormant) !== 0;
      expect(!isDormant || (kind === "bracket" && orderId > 0), report(`lets stop order ${stopId} sleep for ever`));
      if (order === NONE) continue;
      const seat = orders.seat(order);
      const isOwn = seats.userId(seat) === stops.userId(slot) && seats.marketId(seat) === stops.marketId(slot);
      expect(isOwn, report(`has stop order ${stopId} of another account`));
    }
  }
}
