/**
 * What open orders of futures markets hold back. Nothing moves in the ledger: each seat keeps the sums of its orders, from
 * which its freeze F follows, and each account the sum of those. Source: domain 4.4.
 *
 * Whoever changes what is left of a resting order, or its freeze price, takes it out of the sums before and puts it back
 * after; whoever changes sums, a position or the leverage of a seat refreshes its freeze.
 */
import { FLAG } from "../command.ts";
import type { Market } from "../listing/market.ts";
import { feeOn } from "../money/rate.ts";
import type { State } from "../state.ts";
import { type FuturesTerms, tradeValue } from "./contract.ts";
import { freezeOfSide, openingLots, type SideSums } from "./freeze.ts";
import { heldLots, isHedge } from "./futures-seat.ts";

/** Whether an order of these flags never opens a position. */
export function isReducing(flags: number): boolean {
  return ((flags >> FLAG.aimShift) & FLAG.aimMask) !== 0;
}

/** Adds what is left of an order to the sums of its seat, or with -1n takes it away. */
export function weigh(state: State, market: Market, slot: number, sign: 1n | -1n): void {
  const { orders, futures } = state;
  const { seats } = futures;
  const row = seats.rowOf(orders.seat(slot));
  const side = orders.side(slot);
  const lots = sign * orders.left(slot);
  if (isReducing(orders.flags(slot))) {
    seats.setReducing(row, side, seats.reducing(row, side) + lots);
    return;
  }
  const value = tradeValue(market.futures as FuturesTerms, futures.freezePrice(slot), orders.left(slot));
  const fees = feeOn(value, BigInt(orders.takerFeeRateE8(slot)));
  seats.setLots(row, side, seats.lots(row, side) + lots);
  seats.setValue(row, side, seats.value(row, side) + sign * value);
  seats.setFees(row, side, seats.fees(row, side) + sign * fees);
}

/** An order has begun to rest. */
export function holdOrder(state: State, market: Market, slot: number): void {
  weigh(state, market, slot, 1n);
  freezeAnew(state, state.futures.seats.rowOf(state.orders.seat(slot)));
}

/** An order rests no more. */
export function releaseOrder(state: State, market: Market, slot: number): void {
  weigh(state, market, slot, -1n);
  freezeAnew(state, state.futures.seats.rowOf(state.orders.seat(slot)));
}

/** Works out F of a seat anew, and of its account, after its position or its leverage has changed. */
export function refreshFreeze(state: State, row: number): void {
  freezeAnew(state, row);
  state.futures.note(state.futures.seats.account(row));
}

function freezeAnew(state: State, row: number): void {
  const { seats, accounts } = state.futures;
  const frozen = freezeOfSeat(state, row, sumsOf(state, row, 0), sumsOf(state, row, 1));
  const change = frozen - seats.frozen(row);
  const account = seats.account(row);
  if (change === 0n) return;
  seats.setFrozen(row, frozen);
  accounts.setFrozen(account, accounts.frozen(account) + change);
  state.futures.noteFreeze(account);
}

/** F of a seat with these sums, by its position and leverage. */
export function freezeOfSeat(state: State, row: number, buys: SideSums, sells: SideSums): bigint {
  const leverage = state.futures.seats.leverage(row);
  return (
    freezeOfSide(buys, openOn(state, row, 0, buys.lots), leverage) +
    freezeOfSide(sells, openOn(state, row, 1, sells.lots), leverage)
  );
}

/** How many of `lots` regular lots on a side can open a position. */
export function openOn(state: State, row: number, side: number, lots: bigint): bigint {
  const { seats } = state.futures;
  const userId = state.seats.userId(seats.seat(row));
  return openingLots(lots, heldLots(state, row, side === 0), seats.reducing(row, side), isHedge(state, userId));
}

export function sumsOf({ futures }: State, row: number, side: number): SideSums {
  const { seats } = futures;
  return { lots: seats.lots(row, side), value: seats.value(row, side), fees: seats.fees(row, side) };
}
