/**
 * What open orders of futures markets hold back. Nothing moves in the ledger: each seat keeps the sums of its orders, from
 * which its freeze F follows, and each account the sum of those. Source: domain 4.4.
 *
 * Whoever changes what is left of a resting order, or its freeze price, takes it out of the sums before and puts it back
 * after; whoever changes sums, a position or the leverage of a seat refreshes its freeze.
 */
import { FLAG } from "../../command.ts";
import type { Market } from "../../listing/market.ts";
import * as money from "../../money/int64.ts";
import * as rates from "../../money/rate.ts";
import type { State } from "../../state.ts";
import * as drafts from "../../trading/draft.ts";
import { NONE } from "../../trading/order.ts";
import { type FuturesTerms, tradeValue } from "../positions/contract.ts";
import { heldLots, isHedge } from "../positions/futures-seat.ts";
import { freezeOfSide, openingLots } from "./freeze.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { feeOn } = rates;
const { draft } = drafts;

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
  const lots = int64(sign * orders.left(slot));
  if (isReducing(orders.flags(slot))) {
    seats.setReducing(row, side, int64(seats.reducing(row, side) + lots));
    return;
  }
  const value = tradeValue(market.futures as FuturesTerms, futures.freezePrice(slot), orders.left(slot));
  const fees = feeOn(value, BigInt(orders.takerFeeRateE8(slot) | 0));
  seats.setLots(row, side, int64(seats.lots(row, side) + lots));
  seats.setValue(row, side, int64(seats.value(row, side) + int64(sign * value)));
  seats.setFees(row, side, int64(seats.fees(row, side) + int64(sign * fees)));
}

/** An order has begun to rest. */
export function holdOrder(state: State, market: Market, slot: number): void {
  weigh(state, market, slot, 1n);
  refreshFreeze(state, state.futures.seats.rowOf(state.orders.seat(slot)));
}

/** An order rests no more. */
export function releaseOrder(state: State, market: Market, slot: number): void {
  weigh(state, market, slot, -1n);
  refreshFreeze(state, state.futures.seats.rowOf(state.orders.seat(slot)));
}

/** Works out F of a seat anew, and of its account, after its orders, its position or its leverage have changed. */
export function refreshFreeze(state: State, row: number): void {
  const { seats, accounts } = state.futures;
  const change = int64(int64(freezeOn(state, row, 0) + freezeOn(state, row, 1)) - seats.frozen(row));
  const account = seats.account(row);
  if (change === int64(0n)) return;
  seats.setFrozen(row, int64(seats.frozen(row) + change));
  accounts.setFrozen(account, int64(accounts.frozen(account) + change));
  state.futures.noteFreeze(account);
}

/** What one side of a seat adds to its F. */
function freezeOn(state: State, row: number, side: number): bigint {
  const { seats } = state.futures;
  const lots = seats.lots(row, side);
  if (lots === int64(0n)) return 0n;
  const opening = openOn(state, row, side, lots);
  return freezeOfSide(lots, seats.value(row, side), seats.fees(row, side), opening, seats.leverage(row));
}

/** How many of `lots` regular lots on a side can open a position. */
export function openOn(state: State, row: number, side: number, lots: bigint): bigint {
  const { seats } = state.futures;
  const userId = state.seats.userId(seats.seat(row));
  return openingLots(lots, heldLots(state, row, side === 0), seats.reducing(row, side), isHedge(state, userId));
}

/**
 * Notes in the draft by how much the freeze of a seat grows by the drafted order, on top of all that rests or in place of the
 * order in `slot`. `opened` and `opens` are the lots of its side that can open before and after.
 */
export function noteGrowth(
  state: State,
  market: Market,
  row: number,
  side: number,
  slot: number,
  takerRateE8: number,
  opened: bigint,
  opens: bigint,
): void {
  const { seats } = state.futures;
  const terms = market.futures as FuturesTerms;
  const leverage = seats.leverage(row);
  noteWorth(state, terms, slot, takerRateE8);
  const [lots, value, fees] = [seats.lots(row, side), seats.value(row, side), seats.fees(row, side)];
  const before = lots === 0n ? 0n : freezeOfSide(lots, value, fees, opened, leverage);
  const gone = slot === NONE ? 0n : state.orders.left(slot);
  const after = int64(lots + int64(draft.left - gone));
  draft.moreFrozen = int64(
    freezeOfSide(after, int64(value + draft.moreValue), int64(fees + draft.moreFees), opens, leverage) - before,
  );
}

/** Notes what the drafted order is worth at its freeze price, and the fee on that, less the same of the order in `slot`. */
function noteWorth(state: State, terms: FuturesTerms, slot: number, takerRateE8: number): void {
  const { futures, orders } = state;
  const rate = BigInt(takerRateE8 | 0);
  draft.moreValue = tradeValue(terms, draft.freezePrice, draft.left);
  draft.moreFees = feeOn(draft.moreValue, rate);
  if (slot === NONE) return;
  const value = tradeValue(terms, futures.freezePrice(slot), orders.left(slot));
  draft.moreValue = int64(draft.moreValue - value);
  draft.moreFees = int64(draft.moreFees - feeOn(value, rate));
}
