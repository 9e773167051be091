import { FLAG } from "../command.ts";
import { type Market, marketTypeOf } from "../listing/market.ts";
import { refusalNumber } from "../refusal.ts";
import type { State } from "../state.ts";
import { readAscii, type WordBuffer } from "../words.ts";
import { refuseCancelling, refuseLocked } from "./check.ts";
import { NONE, placeOf } from "./order.ts";
import type { OrderOutcome } from "./place.ts";
import { endResting, findNamed } from "./resting.ts";

const MARKET_NOT_FOUND = refusalNumber("market_not_found");
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
  outcome.refusal = refuseCancelling(state, market.settlement.marketType) || refuseLocked(state, market);
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
  const { settlement } = market;
  outcome.refusal =
    settlement.refuseAccount(state, market, flags) ||
    refuseCancelling(state, settlement.marketType) ||
    refuseLocked(state, market);
  if (outcome.refusal !== 0) return;
  const seat = state.seats.find(record.i32[at * 2 + 1] as number, market.id, placeOf(flags));
  if (seat === NONE) return;
  const side = flags & FLAG.sideGiven ? flags & FLAG.sell : undefined;
  endWhere(state, seat, (slot) => {
    const of = state.orders.flags(slot);
    return (side === undefined || (of & FLAG.sell) === side) && isForSide(of, flags);
  });
}

/**
 * Cancels every resting order of the caller with this client id, in one market or in all, oldest first. Those that an
 * auction has locked stay; where there are no others, that is the answer.
 */
export function cancelByClientId(state: State, record: WordBuffer, at: number, outcome: OrderOutcome): void {
  const { orders, seats } = state;
  const marketId = record.i32[at * 2 + 2] as number;
  const flags = record.i32[at * 2 + 3] as number;
  const marketType = marketTypeOf(flags);
  outcome.refusal = refuseCancelling(state, marketType);
  if (outcome.refusal !== 0) return;
  const clientId = readAscii(record, at + 2, (flags >> FLAG.clientIdLengthShift) & FLAG.clientIdLengthMask);
  const place = placeOf(flags);
  const named: number[] = [];
  if (clientId !== "") {
    for (const seat of seats.ofUser(record.i32[at * 2 + 1] as number)) {
      const market = state.markets[seats.marketId(seat)] as Market;
      if (marketId >= 0 && market.id !== marketId) continue;
      if (seats.place(seat) !== place || market.settlement.marketType !== marketType) continue;
      const isNamed = (slot: number) => orders.clientId.get(slot) === clientId && isForSide(orders.flags(slot), flags);
      named.push(...ordersWhere(state, seat, isNamed));
    }
  }
  named.sort((left, right) => orders.orderId(left) - orders.orderId(right));
  const marketOf = (slot: number) => state.markets[seats.marketId(orders.seat(slot))] as Market;
  outcome.refusal = endFree(state, named, marketOf, (slot) => endResting(state, marketOf(slot), slot));
}

/**
 * Ends what a client id names, orders or stop orders, but for those that an auction has locked. The refusal when
 * nothing could be ended, else 0.
 */
export function endFree(
  state: State,
  named: readonly number[],
  marketOf: (slot: number) => Market,
  end: (slot: number) => void,
): number {
  const refusals = named.map((slot) => refuseLocked(state, marketOf(slot)));
  named.forEach((slot, at) => {
    if (refusals[at] === 0) end(slot);
  });
  return refusals.includes(0) ? 0 : (refusals[0] ?? ORDER_NOT_FOUND);
}

/** Whether an order, or a stop order, is for the position side that a command names, if it names one. */
export function isForSide(order: number, command: number): boolean {
  return (command & FLAG.sided) === 0 || ((order ^ command) & (FLAG.sided | FLAG.short)) === 0;
}

/** Ends the orders of a seat that `matches` picks, oldest first. */
export function endWhere(state: State, seat: number, matches: (slot: number) => boolean): void {
  endAll(state, ordersWhere(state, seat, matches));
}

/** The slots of the orders of a seat that `matches` picks, oldest first. */
function ordersWhere({ orders, seats }: State, seat: number, matches: (slot: number) => boolean): number[] {
  const slots: number[] = [];
  for (let slot = seats.head(seat); slot !== NONE; slot = orders.seatNext(slot)) if (matches(slot)) slots.push(slot);
  return slots;
}

function endAll(state: State, slots: readonly number[]): void {
  for (const slot of slots) {
    endResting(state, state.markets[state.seats.marketId(state.orders.seat(slot))] as Market, slot);
  }
}
