/**
 * What the insurance fund may lose to jumps of an index: in a market within an hour, and in a currency on a day, no more than a
 * share of what the fund was before. What it does not bear is deleveraged. Source: domain 4.14.
 */
import { type Answer, accepted, refused } from "../../answer.ts";
import { emitHappening } from "../../happening.ts";
import { CELL } from "../../ledger/cell.ts";
import type { Market } from "../../listing/market.ts";
import { formatDecimal } from "../../money/decimal.ts";
import { parseRateE8, RATE_SCALE } from "../../money/rate.ts";
import { holds } from "../../rules-version.ts";
import type { State } from "../../state.ts";
import type { SetFundBudget } from "../forms.ts";
import { cycleOf, MINUTE_MS } from "../funding/cycle.ts";
import type { FuturesTerms } from "../positions/contract.ts";

/** Shares of an insurance fund, 10^-8; 0 = it pays nothing. */
export interface FundBudget {
  /** Per market and rolling hour. */
  readonly hourShareE8: number;
  /** Per currency and day (UTC). */
  readonly dayShareE8: number;
}

/** What holds until an operator says otherwise. */
export const STANDARD_BUDGET: FundBudget = { hourShareE8: 2_000_000, dayShareE8: 10_000_000 };

const ONE_E8 = 100_000_000n;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What was lost in one minute, units of the settlement asset; `atMs` is its start. */
export interface Loss {
  readonly atMs: number;
  units: bigint;
}

/** Changes one share, or both. */
export function setFundBudget(state: State, { hourRate, dayRate }: SetFundBudget): Answer {
  const { fundBudget: before } = state.futures;
  const hourShareE8 = hourRate === undefined ? before.hourShareE8 : parseRateE8(hourRate);
  const dayShareE8 = dayRate === undefined ? before.dayShareE8 : parseRateE8(dayRate);
  if (hourShareE8 === undefined || dayShareE8 === undefined) {
    return refused("invalid_command", "hour_rate and day_rate are decimals from 0 to below 1 with at most 8 decimals.");
  }
  state.futures.fundBudget = { hourShareE8, dayShareE8 };
  const rates = { hourRate: rateText(hourShareE8), dayRate: rateText(dayShareE8) };
  emitHappening(state, { type: "fund_budget_set", ...rates });
  return accepted(rates);
}

function rateText(shareE8: number): string {
  return formatDecimal(BigInt(shareE8), RATE_SCALE);
}

/** What the insurance fund may still lose in a market now, units. */
export function budgetLeft(state: State, market: Market): bigint {
  const assetId = settleAssetOf(market);
  if (!holds(state, "guardedFund")) return fundOf(state, assetId);
  const [hour, day] = [leftInHour(state, market), leftToday(state, assetId)];
  return hour < day ? hour : day;
}

/** Units of what it may lose in a market and rolling hour that are left. */
export function leftInHour(state: State, market: Market): bigint {
  const fund = fundOf(state, settleAssetOf(market));
  return shareLeft(fund, lostInHour(state, market), state.futures.fundBudget.hourShareE8);
}

/** Units of what it may lose in a currency and day that are left. */
export function leftToday(state: State, assetId: number): bigint {
  return shareLeft(fundOf(state, assetId), lostToday(state, assetId), state.futures.fundBudget.dayShareE8);
}

/** Counts a loss of what the venue has taken over; a gain does not give anything back. */
export function noteResult(state: State, market: Market, result: bigint): void {
  if (result >= 0n || !holds(state, "guardedFund")) return;
  const { losses } = cycleOf(state, market);
  const minuteMs = Math.floor(state.timeMs / MINUTE_MS) * MINUTE_MS;
  while (losses[0] !== undefined && isGone(state, losses[0])) losses.shift();
  const last = losses.at(-1);
  if (last?.atMs === minuteMs) last.units -= result;
  else losses.push({ atMs: minuteMs, units: -result });

  const assetId = settleAssetOf(market);
  const units = lostToday(state, assetId) - result;
  state.futures.dayLosses.set(assetId, { atMs: Math.floor(state.timeMs / DAY_MS) * DAY_MS, units });
}

/** Units lost in a market within the last hour. */
export function lostInHour(state: State, market: Market): bigint {
  let units = 0n;
  for (const loss of cycleOf(state, market).losses) if (!isGone(state, loss)) units += loss.units;
  return units;
}

/** Units lost in a currency since midnight. */
export function lostToday({ futures, timeMs }: State, assetId: number): bigint {
  const day = futures.dayLosses.get(assetId);
  return day !== undefined && timeMs - day.atMs < DAY_MS ? day.units : 0n;
}

/** Hours count in whole minutes, and never less than an hour. */
function isGone({ timeMs }: State, { atMs }: Loss): boolean {
  return timeMs - atMs >= HOUR_MS + MINUTE_MS;
}

/** What is left of a share of what the fund was before these losses. */
function shareLeft(fund: bigint, lost: bigint, shareE8: number): bigint {
  const left = ((fund + lost) * BigInt(shareE8)) / ONE_E8 - lost;
  return left > 0n ? left : 0n;
}

/** Units in the insurance fund of a currency. */
function fundOf({ ledger }: State, assetId: number): bigint {
  return ledger.heldByVenue(CELL.insurance_futures, assetId);
}

function settleAssetOf(market: Market): number {
  return (market.futures as FuturesTerms).settleAssetId;
}
