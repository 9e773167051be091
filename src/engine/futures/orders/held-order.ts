/**
 * The money that open orders of futures markets hold back. Nothing moves in the ledger: each seat keeps the sums of its
 * orders, from which its freeze F follows, and each account the sum of those. Source: domain 4.4.
 *
 * Code that changes the lots left of a resting order, or its freeze price, takes the order out of the sums before and
 * puts it back after. Code that changes sums, a position or the leverage of a seat refreshes its freeze.
 */
import { FLAG } from "../../command.ts";
import type { Market } from "../../listing/market.ts";
import * as money from "../../money/int64.ts";
import * as rates from "../../money/rate.ts";
import type { Scratch } from "../../scratch.ts";
import type { State } from "../../state.ts";
import { NONE } from "../../trading/order.ts";
import * as contracts from "../positions/contract.ts";
import * as settings from "../positions/futures-seat.ts";
import type { FuturesSeats } from "../positions/futures-seats.ts";
import * as freezes from "./freeze.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { feeOn } = rates;
const { tradeValue } = contracts;
const { isHedge } = settings;
const { noteFreezeOfSide, openingLots } = freezes;
type FuturesSpec = contracts.FuturesSpec;

/** Whether an order of these flags never opens a position. */
export function isReducing(flags: number): boolean {
  return ((flags >> FLAG.aimShift) & FLAG.aimMask) !== 0;
}

/** Adds what is left of an order to the sums of its seat, or with -1n takes it away. */
export function weigh(state: State, market: Market, slot: number, sign: 1n | -1n): void {
  const { orders, futures } = state;
  const { seats } = futures;
  const row = futures.held.row(slot);
  const side = orders.side(slot);
  const lots = int64(sign * orders.left(slot));
  if (isReducing(orders.flags(slot))) {
    seats.setReducing(row, side, int64(seats.reducing(row, side) + lots));
    return;
  }
  const value = tradeValue(market.futures as FuturesSpec, futures.held.freezePrice(slot), orders.left(slot));
  const fees = feeOn(value, BigInt(orders.takerFeeRateE8(slot) | 0));
  seats.setLots(row, side, int64(seats.lots(row, side) + lots));
  seats.setValue(row, side, int64(seats.value(row, side) + int64(sign * value)));
  seats.setFees(row, side, int64(seats.fees(row, side) + int64(sign * fees)));
}

/** An order has begun to rest. */
export function holdOrder(state: State, market: Market, slot: number): void {
  weigh(state, market, slot, 1n);
  refreshFreeze(state, state.futures.held.row(slot));
}

/** An order rests no more. */
export function releaseOrder(state: State, market: Market, slot: number): void {
  weigh(state, market, slot, -1n);
  refreshFreeze(state, state.futures.held.row(slot));
}

/** Works out F of a seat anew, and of its account, after its orders, its position or its leverage have changed. */
export function refreshFreeze(state: State, row: number): void {
  const { contract, sums } = state.scratch;
  const { seats, accounts } = state.futures;
  noteFreezeOn(state, state.scratch, row, 0);
  contract.frozen = sums.freeze;
  noteFreezeOn(state, state.scratch, row, 1);
  const change = int64(int64(contract.frozen + sums.freeze) - seats.frozen(row));
  if (change === int64(0n)) return;
  const account = seats.account(row);
  seats.setFrozen(row, int64(seats.frozen(row) + change));
  accounts.setFrozen(account, int64(accounts.frozen(account) + change));
  state.futures.noteFreeze(account);
}

/** Notes what one side of a seat adds to its F. */
function noteFreezeOn(state: State, scratch: Scratch, row: number, side: number): void {
  const { sums } = scratch;
  const { seats } = state.futures;
  sums.freeze = 0n;
  sums.lots = seats.lots(row, side);
  if (sums.lots === int64(0n)) return;
  sums.value = seats.value(row, side);
  sums.fees = seats.fees(row, side);
  sums.opening = int64(sums.lots - opposedOn(state, row, side));
  if (sums.opening < int64(0n)) sums.opening = 0n;
  noteFreezeOfSide(sums, seats.leverage(row));
}

/** How many of `lots` regular lots on a side can open a position. */
export function openOn(state: State, row: number, side: number, lots: bigint): bigint {
  return openingLots(lots, opposedOn(state, row, side));
}

/** Lots of the position on the other side that regular orders of a side close before they open one; 0 in hedge mode. */
export function opposedOn(state: State, row: number, side: number): bigint {
  const { seats } = state.futures;
  return opposedIn(seats, row, side, isHedge(state, state.seats.userId(seats.seat(row))));
}

/** As `opposedOn`, of a seat that is known to be in hedge mode or not. */
export function opposedIn(seats: FuturesSeats, row: number, side: number, hedges: boolean): bigint {
  return int64(int64(seats.closable(row, side) - seats.reducing(row, side)) * BigInt((hedges ? 0 : 1) | 0));
}

/**
 * Notes in the draft by how much the freeze of a seat grows by the drafted order, on top of all that rests or in place
 * of the order in `slot`. What of its side can open before and after is drafted.
 */
export function noteGrowth(
  state: State,
  scratch: Scratch,
  market: Market,
  row: number,
  side: number,
  slot: number,
  takerRateE8: number,
): void {
  const { contract, draft, sums } = scratch;
  const { seats } = state.futures;
  const leverage = seats.leverage(row);
  noteWorth(state, scratch, market, slot, takerRateE8);
  sums.lots = int64(seats.lots(row, side) + int64(draft.left - contract.freed));
  sums.value = int64(seats.value(row, side) + contract.moreValue);
  sums.fees = int64(seats.fees(row, side) + contract.moreFees);
  sums.opening = contract.opens;
  noteFreezeOfSide(sums, leverage);
  contract.moreFrozen = sums.freeze;
  sums.lots = seats.lots(row, side);
  if (sums.lots === int64(0n)) return;
  sums.value = seats.value(row, side);
  sums.fees = seats.fees(row, side);
  sums.opening = contract.opened;
  noteFreezeOfSide(sums, leverage);
  contract.moreFrozen = int64(contract.moreFrozen - sums.freeze);
}

/**
 * Notes what the drafted order is worth at its freeze price, and the fee on that, less the same of the order in `slot`.
 */
function noteWorth(
  state: State,
  { contract, draft }: Scratch,
  market: Market,
  slot: number,
  takerRateE8: number,
): void {
  const { futures } = state;
  const rate = BigInt(takerRateE8 | 0);
  const terms = market.futures as FuturesSpec;
  contract.moreValue = tradeValue(terms, contract.freezePrice, draft.left);
  contract.moreFees = feeOn(contract.moreValue, rate);
  if (slot === NONE) return;
  contract.freedValue = tradeValue(terms, futures.held.freezePrice(slot), contract.freed);
  contract.moreValue = int64(contract.moreValue - contract.freedValue);
  contract.moreFees = int64(contract.moreFees - feeOn(contract.freedValue, rate));
}
