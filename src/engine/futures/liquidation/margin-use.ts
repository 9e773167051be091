/**
 * The margin use of one seat in its account, before and after a change of its position. The thresholds of an account
 * share its surplus out among its markets and leave a part in reserve, which covers freezes to come. A change that the
 * reserve can bear leaves all other thresholds as they are, and needs no look at the whole account.
 */
import type { Market } from "../../listing/market.ts";
import { INT64_MAX } from "../../money/int64.ts";
import type { State } from "../../state.ts";
import { NONE } from "../../trading/order.ts";
import { markOf } from "../funding/mark.ts";
import { changeBuyingPower } from "../orders/buying-power.ts";
import { accountSumsOf, atMark, cashOf, crossOf } from "../positions/account-sums.ts";
import type { FuturesSpec } from "../positions/contract.ts";
import type { PositionAtMark } from "../positions/figures.ts";
import { LIQUIDATOR } from "../positions/futures-account.ts";
import { lossUntil, ROUNDING_SLACK, surplusOf, usedUpAt } from "./risk-threshold.ts";
import { WAY } from "./thresholds.ts";
import { armIsolated, isNear, isolatedOf, needsOf, slopeOfRow } from "./watch.ts";

export interface MarginUse {
  /** Units. */
  readonly cash: bigint;
  /** The position, if it is cross and there is one. */
  readonly figures: PositionAtMark | undefined;
  /**
   * By how much the surplus of the account changes with the value of a lot of the market, and what it loses until the
   * threshold there.
   */
  readonly slope: bigint;
  readonly loss: bigint;
}

/** Returns the margin use of a seat before a change of its long or short position. */
export function marginUseOf(state: State, market: Market, row: number, isShort: boolean): MarginUse {
  const { seats } = state.futures;
  const account = seats.account(row);
  const cash = cashOf(state, account);
  const slot = seats.position(row, isShort);
  const figures = seats.isIsolated(row) || slot === NONE ? undefined : atMark(state, slot);
  if (seats.isIsolated(row) || !hasCover(state, account)) return { cash, figures, slope: 0n, loss: 0n };
  const slope = slopeOfRow(state, market, row);
  return { cash, figures, slope, loss: lossOf(state, market, row, slope) };
}

/** Whether the thresholds of the account hold, and are of cross positions. */
function hasCover(state: State, account: number): boolean {
  const covered = state.futures.coveredFreeze(account);
  return covered >= 0n && covered !== INT64_MAX;
}

/** Returns the part of the surplus, in quarters of a unit, that a position adds; 0 where there is none. */
function surplusIn(figures: PositionAtMark | undefined, needs: bigint): bigint {
  return figures === undefined ? 0n : surplusOf(figures.unrealized, figures.maintenance, needs);
}

function wayOf(market: Market, slope: bigint): number {
  return slope > 0n === ((market.futures as FuturesSpec).contractType === "linear") ? WAY.falls : WAY.rises;
}

function lossOf(state: State, market: Market, row: number, slope: bigint): bigint {
  if (slope === 0n) return 0n;
  const ticks = state.futures.thresholds.at(row, wayOf(market, slope));
  return lossUntil(market.futures as FuturesSpec, markOf(state, market), ticks, slope, market.maxPrice);
}

/**
 * Sees to the thresholds, and to what is known of the account, after a change of a seat's position; `after` are the
 * figures of a cross position now, if it is still there.
 */
export function settleMarginUse(
  state: State,
  market: Market,
  row: number,
  isShort: boolean,
  before: MarginUse,
  after: PositionAtMark | undefined,
): void {
  const { futures } = state;
  const { accounts, seats } = futures;
  const account = seats.account(row);
  if (accounts.userId(account) === LIQUIDATOR) return;
  const cash = cashOf(state, account);
  const gained = cash - before.cash;
  changeBuyingPower(state, account, gained, before.figures, after);
  if (cash < 0n) futures.note(account);
  if (seats.isIsolated(row)) {
    countLoss(state, account, 4n * gained);
    const slot = seats.position(row, isShort);
    if (slot !== NONE) watchIsolated(state, slot);
    return;
  }
  // What a mark has reached is looked at, whatever becomes of the position until then.
  const isReached = before.slope !== 0n && before.loss === 0n;
  if (isReached || !hasCover(state, account) || accounts.crossPositions(account) === 0) {
    futures.note(account);
    return;
  }
  const needs = needsOf(state, account);
  const slope = slopeOfRow(state, market, row);
  const change = 4n * gained + surplusIn(after, needs) - surplusIn(before.figures, needs) + before.loss;
  const keeps = slope > 0n === before.slope > 0n && slope < 0n === before.slope < 0n;
  if (!keeps) armAnew(state, market, row, slope, change);
  countLoss(state, account, change - lossOf(state, market, row, slope));
}

/** Gives a seat whose position has turned or is new a threshold, half of what the reserve can spare away. */
function armAnew(state: State, market: Market, row: number, slope: bigint, gained: bigint): void {
  const { futures } = state;
  const account = futures.seats.account(row);
  for (const way of [WAY.falls, WAY.rises]) futures.thresholds.disarm(market.id, row, way);
  if (slope === 0n) return;
  const spare = 4n * (futures.coveredFreeze(account) - futures.accounts.frozen(account)) + gained;
  const mark = markOf(state, market);
  const found = usedUpAt(market.futures as FuturesSpec, mark, spare / 2n, slope, market.maxPrice);
  if (found !== undefined) futures.thresholds.arm(market.id, row, found.way, found.ticks);
}

/** Takes a change of the surplus out of the reserve; an account that has not so much left has to be looked at. */
function countLoss(state: State, account: number, change: bigint): void {
  const { futures } = state;
  if (!hasCover(state, account)) return;
  const covered = futures.coveredFreeze(account) + ((change - ROUNDING_SLACK) >> 2n);
  if (covered < futures.accounts.frozen(account)) futures.note(account);
  else futures.coverFreeze(account, covered);
}

/** Sets the threshold of an isolated position, or has it looked at when it has come near its end. */
function watchIsolated(state: State, slot: number): void {
  const { futures } = state;
  const watched = isolatedOf(state, slot);
  const isAlerted = futures.alertedPositions.has(futures.positions.positionId(slot));
  if (isAlerted || isNear(watched)) futures.noteWritten(slot);
  else armIsolated(state, slot, watched);
}

/**
 * By how much the surplus of an account exceeds what its thresholds and its reserve allow it to lose, in quarters, for
 * invariants: below 0 a threshold could come too late. Undefined where there is nothing to hold.
 */
export function spareSurplus(state: State, account: number): bigint | undefined {
  if (!hasCover(state, account)) return undefined;
  const { futures, markets } = state;
  const { cash, unrealized, maintenance } = accountSumsOf(state, account);
  let spare = surplusOf(cash + unrealized, maintenance, needsOf(state, account)) - 4n * futures.coveredFreeze(account);
  const rows = new Set(crossOf(state, account).map((slot) => futures.positions.seat(slot)));
  for (const row of rows) {
    const market = markets[state.seats.marketId(futures.seats.seat(row))] as Market;
    spare -= lossOf(state, market, row, slopeOfRow(state, market, row));
  }
  return spare;
}
