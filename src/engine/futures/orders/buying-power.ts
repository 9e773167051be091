/**
 * The amount that an account can surely still spend. The exact figure is a sum over all its cross positions. A bound of
 * it, noted whenever that sum has been made, answers nearly every order. The bound holds until the account's money or
 * positions change, and shrinks with each move of any mark by more than the account can have lost by it.
 */
import * as money from "../../money/int64.ts";
import { divCeil } from "../../money/rounding.ts";
import type { State } from "../../state.ts";
import type { Draft } from "../../trading/draft.ts";
import { ROUNDING_SLACK } from "../liquidation/risk-threshold.ts";
import { accountSumsOf } from "../positions/account-sums.ts";
import { type AccountSums, crossMargin, haircutOf, isolatedMargin, type PositionAtMark } from "../positions/figures.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;

/** Moves of marks are counted in 2^-30 of the price. */
const MOVE_UNIT = 2 ** 30;
const UNITS = 1n << 30n;
/** Beyond moves of a sixteenth together nothing is said: up to there, moves add up nearly as they multiply. */
const MOVE_MOST = MOVE_UNIT / 16;
/** Sums of moves stay whole numbers. */
const MOVED_MOST = 2 ** 52;
/**
 * By how much of the value of its positions the means of an account change with a mark, at most: profit by the whole
 * value, and margins by no more than that again and the haircut of transfers; twice that allows for moves that
 * multiply.
 */
const PER_VALUE = 4n;
const LARGEST = 1n << 61n;
/** Of a position that is not there. */
const NO_FIGURES: PositionAtMark = { value: 0n, unrealized: 0n, initial: 0n, maintenanceRateE8: 0, maintenance: 0n };
/** Of which a sixteenth fits beside them. */
const SHRINKAGE_MOST = 1n << 34n;

/** How far a mark has moved, in units that `noteMove` adds up, rounded up. */
export function moveOf(from: bigint, to: bigint): number {
  const [low, high] = from < to ? [from, to] : [to, from];
  return low === 0n ? MOVE_MOST : Number(divCeil((high - low) * UNITS, low));
}

/** Adds up that a mark has moved. */
export function noteMove(state: State, from: bigint, to: bigint): void {
  const { futures } = state;
  futures.moved += moveOf(from, to);
  if (futures.moved <= MOVED_MOST) return;
  futures.moved = 0;
  for (let account = 0; account < futures.accounts.count; account++) futures.accounts.forgetBuyingPower(account);
}

/** The exact sums of an account, which are noted as its means. */
function addUp(state: State, account: number): AccountSums {
  const { accounts, moved } = state.futures;
  const sums = accountSumsOf(state, account);
  const slack = ROUNDING_SLACK * BigInt(accounts.crossPositions(account));
  const cross = crossMargin(sums) + sums.frozen - slack;
  const isolated = isolatedMargin(sums) + sums.frozen - slack;
  keepBuyingPower(state, account, cross, isolated, shrinkageOf(sums.value), moved);
  return sums;
}

/** Units by which the means of an account can shrink with each unit of moves, for what its positions are worth. */
function shrinkageOf(value: bigint): bigint {
  return (PER_VALUE * value) / UNITS + 1n;
}

/** Forgets them where they could leave the numbers that are worked with. */
function keepBuyingPower(
  state: State,
  account: number,
  cross: bigint,
  isolated: bigint,
  shrinkage: bigint,
  at: number,
): void {
  const { accounts } = state.futures;
  const fits = isKept(cross) && isKept(isolated) && shrinkage < SHRINKAGE_MOST;
  if (fits) accounts.setBuyingPower(account, cross, isolated, shrinkage, at);
  else accounts.forgetBuyingPower(account);
}

function isKept(means: bigint): boolean {
  return means < LARGEST && means > -LARGEST;
}

/**
 * Takes over what a change of a position does to the means of its account: cash that came or went, and the figures of a
 * cross position before and after, undefined where there is none.
 */
export function changeBuyingPower(
  state: State,
  account: number,
  cash: bigint,
  before: PositionAtMark | undefined,
  after: PositionAtMark | undefined,
): void {
  const { accounts } = state.futures;
  const at = accounts.powerAt(account);
  if (at === Number.POSITIVE_INFINITY) return;
  const was = before ?? NO_FIGURES;
  const is = after ?? NO_FIGURES;
  const unrealized = is.unrealized - was.unrealized;
  const initial = is.initial - was.initial;
  const maintenance = is.maintenance - was.maintenance;
  const value = is.value - was.value;
  const theoretical = (unrealized < 0n ? unrealized : 0n) - initial;
  const risked = unrealized - maintenance - haircutOf(value);
  keepBuyingPower(
    state,
    account,
    accounts.crossPower(account) + cash + unrealized - initial - ROUNDING_SLACK,
    accounts.isolatedPower(account) + cash + (theoretical < risked ? theoretical : risked) - ROUNDING_SLACK,
    accounts.shrinkage(account) + (value > 0n ? shrinkageOf(value) : 0n),
    at,
  );
}

/** Whether an account can surely pay what the drafted order needs, besides all that its orders freeze already. */
export function surelyCovers(state: State, draft: Draft, account: number, isIsolated: boolean): boolean {
  const { futures, ledger } = state;
  const { accounts } = futures;
  if (accounts.crossPositions(account) === 0) {
    return int64(ledger.available(accounts.cell(account)) - accounts.frozen(account)) >= draft.needs;
  }
  const moved = futures.moved - accounts.powerAt(account);
  if (!(moved >= 0 && moved < MOVE_MOST)) return false;
  const needs = int64(
    int64(accounts.frozen(account) + draft.needs) + int64(accounts.shrinkage(account) * BigInt(moved | 0)),
  );
  return isIsolated ? accounts.isolatedPower(account) >= needs : accounts.crossPower(account) >= needs;
}

/** Whether the cash and the profit of an account exceed a loss. */
export function canLose(state: State, account: number, loss: bigint): boolean {
  // Margins count against them here, which is on the safe side.
  const sure = sureBuyingPower(state, account);
  if (sure !== undefined && sure.cross - state.futures.accounts.frozen(account) >= loss) return true;
  const sums = addUp(state, account);
  return sums.cash + sums.unrealized >= loss;
}

/** Whether it can pay them, by the exact sum over its positions. */
export function covers(state: State, account: number, isIsolated: boolean, units: bigint): boolean {
  const sums = addUp(state, account);
  return (isIsolated ? isolatedMargin(sums) : crossMargin(sums)) >= units;
}

/** The bound that `surelyCovers` takes for granted. Undefined while nothing is known. */
export function sureBuyingPower(state: State, account: number): { cross: bigint; isolated: bigint } | undefined {
  const { accounts, moved } = state.futures;
  const since = moved - accounts.powerAt(account);
  if (!(since >= 0 && since < MOVE_MOST)) return undefined;
  const shrunk = accounts.shrinkage(account) * BigInt(since);
  return { cross: accounts.crossPower(account) - shrunk, isolated: accounts.isolatedPower(account) - shrunk };
}
