/**
 * Timers that have run out, and connections that have ended, cancel what their users had open by then. Source: domain
 * 2.16 and 2.17.
 *
 * What the second phase of an auction holds stays until it ends: nobody may take an order back there, a timer neither.
 * Maintenance does not hold a timer up. Thousands of clients can be cut off at once, so that a command lets so many
 * timers run out and cancels so many orders at most, and the next one, a millisecond later, the next: no order of
 * anybody else waits for all of them.
 */
import type { Due } from "../due.ts";
import type { Market } from "../listing/market.ts";
import { isLocked } from "../listing/status.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";
import { endResting } from "../trading/resting.ts";
import { CANCEL_AFTER_RANK } from "./codes.ts";
import { connectionsOf } from "./connections.ts";
import { endOverdue } from "./ended.ts";
import { type CancelTimers, cancelTimers, type Firing, type Held, isIn } from "./timers.ts";

/**
 * Orders that timers cancel within one command at most, timers and graces that run out in it, and how long after it the
 * next are.
 */
export const ORDERS_PER_COMMAND = 1_000;
export const TIMERS_PER_COMMAND = 1_000;
const BATCH_EVERY_MS = 1;

/** Returns the next cancellation by timers; empty when there is none. */
export function cancelAfterDue(state: State): Due[] {
  const own = cancelTimers.of(state);
  const atMs = nextAtMs(state, own);
  if (atMs === undefined) return [];
  return [
    { atMs, rank: CANCEL_AFTER_RANK.cancel_after, id: -1, run: () => fire(state, own, atMs), staysInMarket: true },
  ];
}

/**
 * Returns the cancellations that an auction has held up until now; empty when there are none, or while the market is
 * locked.
 */
export function heldDue(state: State, market: Market): Due[] {
  const own = cancelTimers.of(state);
  const held = own.held.get(market.id);
  if (held === undefined || isLocked(state, market)) return [];
  const run = () => {
    own.held.delete(market.id);
    for (const [, orders] of [...held].sort(([one], [other]) => one - other)) endHeld(state, market, orders);
  };
  return [{ atMs: state.timeMs, rank: CANCEL_AFTER_RANK.cancel_after, id: market.id, run, staysInMarket: true }];
}

/** Whether the auction that held something has ended; undefined where nothing is held. */
export function isHeldFree(state: State, market: Market): boolean | undefined {
  return cancelTimers.of(state).held.has(market.id) ? !isLocked(state, market) : undefined;
}

/** When something is next to be cancelled; undefined when nothing is. */
function nextAtMs(state: State, own: CancelTimers): number | undefined {
  const first = own.firing[0]?.atMs ?? earlier(own.heap.nextAtMs, connectionsOf.of(state).nextAtMs);
  return first === undefined ? undefined : Math.max(first, own.notBeforeMs);
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** Cancels what this command still may of that which is to be cancelled by now. */
export function fireNow(state: State): void {
  const own = cancelTimers.of(state);
  if (own.notBeforeMs <= state.timeMs) cancelNext(state, own);
}

/** Cancels for the timers that have run out by `atMs`, and the connections that are over by then. */
function fire(state: State, own: CancelTimers, atMs: number): void {
  begin(state, own);
  for (; own.runOut < TIMERS_PER_COMMAND; own.runOut++) {
    const timer = own.takeDue(atMs);
    if (timer === undefined) break;
    const { userId, scope } = timer;
    own.firing.push({ userId, scope, atMs: timer.atMs, beforeOrderId: state.nextOrderId });
    emitRareEvent(state, { type: "cancel_after_fired", userId, scope, atMs: timer.atMs });
  }
  own.runOut += endOverdue(state, atMs, TIMERS_PER_COMMAND - own.runOut);
  if (own.runOut >= TIMERS_PER_COMMAND) own.notBeforeMs = state.timeMs + BATCH_EVERY_MS;
  cancelNext(state, own);
}

/** A command has spent nothing yet. */
function begin({ seq }: State, own: CancelTimers): void {
  if (own.spentSeq === seq) return;
  own.spentSeq = seq;
  own.spent = 0;
  own.runOut = 0;
}

function cancelNext(state: State, own: CancelTimers): void {
  begin(state, own);
  let ended = 0;
  for (const firing of own.firing) {
    if (!endOrders(state, own, firing)) {
      own.notBeforeMs = state.timeMs + BATCH_EVERY_MS;
      break;
    }
    ended++;
  }
  own.firing.splice(0, ended);
}

/** Cancels what this command still may, in order of listing, spot before margin; whether that was all. */
function endOrders(state: State, own: CancelTimers, { userId, scope, marketIds = [], beforeOrderId }: Firing): boolean {
  const { seats } = state;
  const inOrder = [...seats.ofUser(userId)].sort((one, other) => seats.keyOf(one) - seats.keyOf(other));
  for (const seat of inOrder) {
    const market = state.markets[seats.marketId(seat)] as Market;
    const isMargin = seats.place(seat) === 1;
    if (seats.head(seat) === NONE || !isIn(scope, market, isMargin)) continue;
    if (marketIds.length > 0 && !marketIds.includes(market.id)) continue;
    if (isLocked(state, market)) {
      own.hold(market.id, { userId, isMargin, beforeOrderId });
      state.waiting.add(market.id);
      continue;
    }
    const left = ORDERS_PER_COMMAND - own.spent;
    const slots = oldest(state, seat, beforeOrderId, left + 1);
    for (const slot of slots.slice(0, left)) endResting(state, market, slot);
    own.spent += Math.min(slots.length, left);
    if (slots.length > left) return false;
  }
  return true;
}

/** One account's orders in one market, which are few enough to be cancelled at once. */
function endHeld(state: State, market: Market, { userId, isMargin, beforeOrderId }: Held): void {
  const seat = state.seats.find(userId, market.id, isMargin ? 1 : 0);
  for (const slot of oldest(state, seat, beforeOrderId, Number.POSITIVE_INFINITY)) endResting(state, market, slot);
}

/** Slots of at most `most` orders of a seat with ids below this, oldest first. */
function oldest({ orders, seats }: State, seat: number, beforeOrderId: number, most: number): number[] {
  const slots: number[] = [];
  for (let slot = seats.head(seat); slot !== NONE && slots.length < most; slot = orders.seatNext(slot)) {
    if (orders.orderId(slot) < beforeOrderId) slots.push(slot);
  }
  return slots;
}
