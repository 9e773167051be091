/** Finding and making the seats of accounts in futures markets, and what is read of them everywhere. */
import { USER_FLAG } from "../../accounts/user.ts";
import type { Market } from "../../listing/market.ts";
import type { State } from "../../state.ts";
import { NONE } from "../../trading/order.ts";
import type { FuturesSpec } from "./contract.ts";
import { LIQUIDATOR } from "./futures-account.ts";
import { DEFAULT_LEVERAGE } from "./futures-seats.ts";

/** Row of `FuturesSeats` of a user in a futures market, or NONE. */
export function rowOf({ seats, futures }: State, userId: number, marketId: number): number {
  const seat = seats.find(userId, marketId, 0);
  return seat === NONE ? NONE : futures.seats.rowOf(seat);
}

/** The row, made on first use with its seat and its account. */
export function openRow(state: State, userId: number, market: Market): number {
  const { futures, ledger, seats } = state;
  const found = rowOf(state, userId, market.id);
  if (found !== NONE) return found;
  const terms = market.futures as FuturesSpec;
  const account = futures.accounts.of(ledger, userId, terms.settleAssetId);
  // Orders of both sides draw on the same cash.
  const cell = futures.accounts.cell(account);
  const seat = seats.add(userId, market.id, 0, cell, cell);
  return futures.seats.add(seat, account, defaultLeverage(terms));
}

/** The leverage of an account that has set none. */
export function defaultLeverage({ leverages, levels }: FuturesSpec): number {
  const highest = Math.min(DEFAULT_LEVERAGE, levels[0]?.leverage ?? 1);
  return leverages.findLast((leverage) => leverage <= highest) ?? (leverages[0] as number);
}

/** Lots of the long or short position of a seat. */
export function heldLots({ futures }: State, row: number, isShort: boolean): bigint {
  return row === NONE ? 0n : futures.seats.closable(row, isShort ? 0 : 1);
}

/** Whether a user holds a long and a short position of a market apart, as the venue does with what it takes over. */
export function isHedge({ users }: State, userId: number): boolean {
  return userId === LIQUIDATOR || (users.flags(userId) & USER_FLAG.hedge) !== 0;
}
