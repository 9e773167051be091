/** The sums of accounts and positions at the present marks. Reads only. Source: domain 4.7 and 4.8. */
import { waitsForIndex } from "../../listing/index-freshness.ts";
import type { Market } from "../../listing/market.ts";
import { holds } from "../../rules-version.ts";
import type { State } from "../../state.ts";
import { NONE } from "../../trading/order.ts";
import type { FuturesSpec } from "./contract.ts";
import { type AccountSums, crossBacking, type PositionAtMark, type PositionFacts, positionAtMark } from "./figures.ts";

/** The facts of an open position. */
export function factsOf({ futures }: State, slot: number): PositionFacts {
  const { positions, seats } = futures;
  return {
    isShort: positions.isShort(slot),
    amount: positions.amount(slot),
    entryCost: positions.entryCost(slot),
    settleCost: positions.settleCost(slot),
    leverage: seats.leverage(positions.seat(slot)),
  };
}

export function atMark(state: State, slot: number): PositionAtMark {
  const marketId = state.futures.positions.marketId(slot);
  return positionAtMark(termsOf(state, marketId), factsOf(state, slot), state.futures.live.mark(marketId));
}

export function termsOf(state: State, marketId: number): FuturesSpec {
  return state.markets[marketId]?.futures as FuturesSpec;
}

/** Open positions of an account, newest first. */
export function* positionsOf({ futures }: State, account: number): Generator<number> {
  const { accounts, positions } = futures;
  for (let slot = accounts.head(account); slot !== NONE; slot = positions.nextOfAccount(slot)) yield slot;
}

/** Open positions of a market, newest first. */
export function* positionsIn({ futures }: State, marketId: number): Generator<number> {
  const { live, positions } = futures;
  for (let slot = live.head(marketId); slot !== NONE; slot = positions.nextOfMarket(slot)) yield slot;
}

/** Cash, freezes and the sums over the cross positions of an account. */
export function accountSumsOf(state: State, account: number): AccountSums {
  const { accounts, positions } = state.futures;
  const sums: AccountSums = {
    cash: cashOf(state, account),
    frozen: accounts.frozen(account),
    unrealized: 0n,
    initial: 0n,
    maintenance: 0n,
    value: 0n,
  };
  let left = accounts.crossPositions(account);
  for (let slot = accounts.head(account); left > 0; slot = positions.nextOfAccount(slot)) {
    if (positions.isIsolated(slot)) continue;
    left--;
    const at = atMark(state, slot);
    sums.unrealized += at.unrealized;
    sums.initial += at.initial;
    sums.maintenance += at.maintenance;
    sums.value += at.value;
  }
  return sums;
}

/** CB. */
export function cashOf({ futures, ledger }: State, account: number): bigint {
  return ledger.available(futures.accounts.cell(account));
}

/** M: 0 of a cross position. */
export function marginOf({ futures, ledger }: State, slot: number): bigint {
  const cell = futures.positions.marginCell(slot);
  return cell === NONE ? 0n : ledger.available(cell);
}

/** X: what stands behind a position: its own margin, or all of its account that other positions do not need. */
export function backingOf(state: State, slot: number): bigint {
  const { positions } = state.futures;
  if (positions.isIsolated(slot)) return marginOf(state, slot);
  return crossBacking(accountSumsOf(state, positions.account(slot)), atMark(state, slot));
}

/**
 * Returns the loss, in units, that the close of so many lots may make before the insurance fund has to pay: the equity
 * of the account, or that of an isolated position. The paper profit of an isolated position counts only for the lots
 * that are closed, because the rest of it cannot be paid with. Free cash beside an isolated position does not count: a
 * part of the close takes it only when the margin is gone.
 */
export function backingOfClose(state: State, slot: number, lots: bigint): bigint {
  const { positions } = state.futures;
  if (positions.isIsolated(slot)) {
    const { unrealized } = atMark(state, slot);
    const closed = unrealized < 0n ? unrealized : (unrealized * lots) / positions.amount(slot);
    return marginOf(state, slot) + closed;
  }
  const { cash, unrealized } = accountSumsOf(state, positions.account(slot));
  return cash + unrealized;
}

/**
 * Whether what a user has in futures of a currency hangs on an index that is stale: what it is worth is known to
 * everybody then but to the venue, so nothing leaves it. Source: domain 4.11.
 */
export function leansOnStaleIndex(state: State, userId: number, assetId: number): boolean {
  const { accounts, positions } = state.futures;
  const account = accounts.find(userId, assetId);
  if (account === NONE) return false;
  for (const slot of positionsOf(state, account)) {
    if (waitsForIndex(state, state.markets[positions.marketId(slot)] as Market)) return true;
  }
  return false;
}

/**
 * Whether what stands behind the cross positions of an account hangs on a stale index, that of one market aside.
 * Nothing of it goes into other positions then, nor is it lost there: anyone who knows the price could save it from a
 * loss that the insurance fund pays. Source: domain 4.11.
 */
export function isEquityUnknown(state: State, account: number, besides: number = NONE): boolean {
  const { accounts, positions, silent } = state.futures;
  if (silent.size === 0 || account === NONE || accounts.crossPositions(account) === 0) return false;
  if (!holds(state, "silenceHoldsAccount")) return false;
  for (const slot of positionsOf(state, account)) {
    const marketId = positions.marketId(slot);
    if (positions.isIsolated(slot) || marketId === besides) continue;
    if (waitsForIndex(state, state.markets[marketId] as Market)) return true;
  }
  return false;
}

/** The cross positions of an account, newest first. */
export function crossOf(state: State, account: number): number[] {
  if (!hasCross(state, account)) return [];
  return [...positionsOf(state, account)].filter((slot) => !state.futures.positions.isIsolated(slot));
}

/** Whether an account has a cross position. */
export function hasCross(state: State, account: number): boolean {
  return state.futures.accounts.crossPositions(account) > 0;
}
