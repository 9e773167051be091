/**
 * The ledger of budgets of all insurance funds, that of futures and that of margin: a fund loses in a market within an
 * hour, and in a currency on a day, no more than a share of what it was before. Source: domain 3.5 and 4.14.
 */
import { type Answer, accepted, refused } from "../answer.ts";
import { formatDecimal } from "../money/decimal.ts";
import { parseRateE8, RATE_SCALE } from "../money/rate.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import type { SetFundBudget } from "./command-schemas.ts";
import { type Fund, insuranceOf, type Loss } from "./insurance-state.ts";

const ONE_E8 = 100_000_000n;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Changes one share, or both, for all funds. */
export function setFundBudget(state: State, { hourRate, dayRate }: SetFundBudget): Answer {
  const insurance = insuranceOf.of(state);
  const { shares: before } = insurance;
  const hourShareE8 = hourRate === undefined ? before.hourShareE8 : parseRateE8(hourRate);
  const dayShareE8 = dayRate === undefined ? before.dayShareE8 : parseRateE8(dayRate);
  if (hourShareE8 === undefined || dayShareE8 === undefined) {
    return refused("invalid_command", "hour_rate and day_rate are decimals from 0 to below 1 with at most 8 decimals.");
  }
  insurance.shares = { hourShareE8, dayShareE8 };
  const rates = { hourRate: rateText(hourShareE8), dayRate: rateText(dayShareE8) };
  emitRareEvent(state, { type: "fund_budget_set", ...rates });
  return accepted(rates);
}

function rateText(shareE8: number): string {
  return formatDecimal(BigInt(shareE8), RATE_SCALE);
}

/** The units that a fund may still lose for its market now. */
export function budgetLeft(state: State, fund: Fund): bigint {
  const [hour, day] = [leftInHour(state, fund), leftToday(state, fund)];
  return hour < day ? hour : day;
}

/** The units left of what a fund may lose for its market in a rolling hour. */
export function leftInHour(state: State, fund: Fund): bigint {
  return shareLeft(heldBy(state, fund), lostInHour(state, fund), insuranceOf.of(state).shares.hourShareE8);
}

/** The units left of what a fund may lose in a day. */
export function leftToday(state: State, fund: Pick<Fund, "cellKind" | "assetId">): bigint {
  return shareLeft(heldBy(state, fund), lostToday(state, fund), insuranceOf.of(state).shares.dayShareE8);
}

/** Counts a loss of a fund; what it gains gives nothing back. */
export function noteLoss(state: State, fund: Fund, units: bigint): void {
  if (units <= 0n) return;
  const insurance = insuranceOf.of(state);
  const losses = insurance.openHours(fund);
  const minuteMs = Math.floor(state.timeMs / MINUTE_MS) * MINUTE_MS;
  while (losses[0] !== undefined && isGone(state, losses[0])) losses.shift();
  const last = losses.at(-1);
  if (last?.atMs === minuteMs) last.units += units;
  else losses.push({ atMs: minuteMs, units });
  const today = lostToday(state, fund) + units;
  insurance.setDay(fund, { atMs: Math.floor(state.timeMs / DAY_MS) * DAY_MS, units: today });
}

/** The units that a fund lost for its market within the last hour. */
export function lostInHour(state: State, fund: Fund): bigint {
  let units = 0n;
  for (const loss of insuranceOf.of(state).hoursOf(fund)) if (!isGone(state, loss)) units += loss.units;
  return units;
}

/** The units that a fund lost since midnight. */
export function lostToday(state: State, fund: Pick<Fund, "cellKind" | "assetId">): bigint {
  const day = insuranceOf.of(state).dayOf(fund);
  return day !== undefined && state.timeMs - day.atMs < DAY_MS ? day.units : 0n;
}

/** Hours count in whole minutes, and never less than an hour. */
function isGone({ timeMs }: State, { atMs }: Loss): boolean {
  return timeMs - atMs >= HOUR_MS + MINUTE_MS;
}

/** The rest of a share of what the fund was before these losses. */
function shareLeft(held: bigint, lost: bigint, shareE8: number): bigint {
  const left = ((held + lost) * BigInt(shareE8)) / ONE_E8 - lost;
  return left > 0n ? left : 0n;
}

function heldBy({ ledger }: State, { cellKind, assetId }: Pick<Fund, "cellKind" | "assetId">): bigint {
  return ledger.heldByVenue(cellKind, assetId);
}
