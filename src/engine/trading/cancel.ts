import { FLAG } from "../command.ts";
import { STEP_WORDS } from "../event.ts";
import type { Market } from "../listing/market.ts";
import { refusalNumber } from "../refusal.ts";
import type { State } from "../state.ts";
import { readAscii, type WordBuffer } from "../words.ts";
import { refuseCancelling } from "./check.ts";
import { NONE } from "./order.ts";
import type { OrderOutcome } from "./place.ts";
import { endResting, findNamed } from "./resting.ts";

const MARKET_NOT_FOUND = refusalNumber("market_not_found");
const MARGIN_NOT_AVAILABLE = refusalNumber("margin_not_available");
const ORDER_NOT_FOUND = refusalNumber("order_not_found");

/** Cancels one resting order of the caller; anybody else's is as if it were not there. */
export function cancelOrder(state: State, record: WordBuffer, at: number, outcome: OrderOutcome): void {
  const market = state.markets[record.i32[at * 2 + 2] as number];
  if (market === undefined) {
    outcome.refusal = MARKET_NOT_FOUND;
    return;
  }
  const slot = findNamed(state, record, at);
  if (slot === NONE) {
    outcome.refusal = ORDER_NOT_FOUND;
    return;
  }
  outcome.refusal = refuseCancelling(state);
  if (outcome.refusal !== 0) return;
  outcome.orderEvent = endResting(state, market, slot);
}

/** Cancels every resting order of the caller in one market, or one side of them, oldest first. */
export function cancelAllOrders(state: State, record: WordBuffer, at: number, outcome: OrderOutcome): void {
  const flags = record.i32[at * 2 + 3] as number;
  const market = state.markets[record.i32[at * 2 + 2] as number];
  if (market === undefined) {
    outcome.refusal = MARKET_NOT_FOUND;
    return;
  }
  outcome.refusal = (flags & FLAG.margin) === 0 ? refuseCancelling(state) : MARGIN_NOT_AVAILABLE;
  if (outcome.refusal !== 0) return;
  const seat = state.seats.find(record.i32[at * 2 + 1] as number, market.id, 0);
  if (seat === NONE) return;
  const side = flags & FLAG.sideGiven ? flags & FLAG.sell : undefined;
  endWhere(state, market, seat, (slot) => side === undefined || (state.orders.flags(slot) & FLAG.sell) === side);
}

/** Cancels every resting order of the caller with this client id, in one market or in all. */
export function cancelByClientId(state: State, record: WordBuffer, at: number, outcome: OrderOutcome): void {
  outcome.refusal = refuseCancelling(state);
  if (outcome.refusal !== 0) return;
  const marketId = record.i32[at * 2 + 2] as number;
  const flags = record.i32[at * 2 + 3] as number;
  const clientId = readAscii(record, at + 2, (flags >> FLAG.clientIdLengthShift) & FLAG.clientIdLengthMask);
  const margin = (flags & FLAG.margin) !== 0;
  let cancelled = 0;
  if (clientId !== "") {
    for (const seat of state.seats.ofUser(record.i32[at * 2 + 1] as number)) {
      const market = state.markets[state.seats.marketId(seat)] as Market;
      if ((marketId >= 0 && market.id !== marketId) || state.seats.isMargin(seat) !== margin) continue;
      cancelled += endWhere(state, market, seat, (slot) => state.orders.clientId.get(slot) === clientId);
    }
  }
  if (cancelled === 0) outcome.refusal = ORDER_NOT_FOUND;
}

/** Ends the orders of a seat that `matches` picks, oldest first; returns how many. */
export function endWhere(state: State, market: Market, seat: number, matches: (slot: number) => boolean): number {
  let ended = 0;
  for (let slot = state.seats.head(seat); slot !== NONE; ) {
    const next = state.orders.seatNext(slot);
    if (matches(slot)) {
      state.events.reserve(STEP_WORDS);
      endResting(state, market, slot);
      ended++;
    }
    slot = next;
  }
  return ended;
}
