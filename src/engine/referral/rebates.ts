/**
 * Rebates: at 00:00 UTC the shares of the fees of invited users, paid in the currencies in which the fees were taken,
 * out of the fee cell. No price enters into what is paid. What the cell has not any more is due with the next midnight.
 * Some users a second are paid, so that no command costs more than they. Source: domain 6.7.
 */
import type { Due } from "../due.ts";
import type { Asset } from "../listing/asset.ts";
import { USD_SCALE, usdPriceOf, usdValue } from "../listing/usd-price.ts";
import { formatDecimal } from "../money/decimal.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { REFERRAL_POSTING, REFERRAL_RANK } from "./codes.ts";
import type { RebateSums, RebateTold } from "./events.ts";
import {
  assetOf,
  DAY_MS,
  KIND,
  keyOf,
  kindOf,
  type ReferCode,
  type Referral,
  referralOf,
  type Traded,
} from "./referral-state.ts";
import { tradedBy } from "./trades.ts";

/** Invited users that are paid for at once, and how long after them the next are. */
export const BATCH = 1_000;
const BATCH_EVERY_MS = 1_000;
const ONE_E8 = 100_000_000n;
const ONE_TO_ONE = { numerator: 1n, denominator: 1n, isFresh: true };

/** The next midnight, or the next users of the last one. */
export function rebatesDue(state: State): Due[] {
  const own = referralOf(state);
  if (own.referees.size === 0) return [];
  const isPaying = own.closing.length > 0;
  const atMs = isPaying ? own.nextAt : (own.day + 1) * DAY_MS;
  const run = () => {
    if (!isPaying) close(state, own);
    payBatch(state, own);
  };
  return [{ atMs, rank: REFERRAL_RANK.rebates, id: -1, run }];
}

/**
 * A midnight: what was traded before is paid for, and counted anew. Midnights on which nobody traded are passed over at
 * once.
 */
function close(state: State, own: Referral): void {
  own.closingDay = own.day;
  own.day = Math.floor(state.timeMs / DAY_MS);
  own.closing = [...own.today];
  own.today = new Map();
  own.nextAt = state.timeMs;
}

function payBatch(state: State, own: Referral): void {
  for (const [userId, traded] of own.closing.splice(0, BATCH)) payFor(state, own, userId, traded);
  own.nextAt = state.timeMs + BATCH_EVERY_MS;
}

function payFor(state: State, own: Referral, refereeId: number, { units, firstDeal }: Traded): void {
  const code = own.codeOf(refereeId) as ReferCode;
  const agent = own.agents.get(code.userId);
  const paid: RebateTold[] = [];
  for (const [key, fees] of units) {
    const kind = kindOf(key);
    if (kind !== KIND.spotDue && kind !== KIND.futuresDue) continue;
    const assetId = assetOf(key);
    const [referrer, referee, upline] = [code.referrerRateE8, code.refereeRateE8, agent?.rateE8 ?? 0].map((rateE8) =>
      shareOf(fees, rateE8),
    ) as [bigint, bigint, bigint];
    const all = referrer + referee + upline;
    const cell = state.ledger.feeCell(assetId);
    if (state.ledger.available(cell) < all) {
      const later = tradedBy(own.today, refereeId).units;
      later.set(key, (later.get(key) ?? 0n) + fees);
      continue;
    }
    pay(state, own.closingDay, assetId, cell, [
      [code.userId, referrer],
      [refereeId, referee],
      [agent?.ofUserId ?? 0, upline],
    ]);
    paid.push({
      ccy: (state.assets[assetId] as Asset).ccy,
      isFutures: kind === KIND.futuresDue,
      fees: fees.toString(),
      referrer: referrer.toString(),
      referee: referee.toString(),
      upline: upline.toString(),
    });
  }
  const value = (kind: number) => usdOf(state, units, kind);
  emitRareEvent(state, {
    type: "rebates_paid",
    dayMs: own.closingDay * DAY_MS,
    refereeId,
    referrerId: code.userId,
    uplineId: agent?.ofUserId ?? null,
    spotValue: value(KIND.spotValue),
    spotFee: value(KIND.spotFee),
    futuresValue: value(KIND.futuresValue),
    futuresFee: value(KIND.futuresFee),
    firstDeal:
      firstDeal === undefined
        ? null
        : { atMs: firstDeal.atMs, value: usdOf(state, new Map([[keyOf(firstDeal.assetId, 0), firstDeal.units]]), 0) },
    paid,
    referrer: sumsOf(state, paid, "referrer"),
    upline: sumsOf(state, paid, "upline"),
  });
}

/** Returns the rebates that one of them got, valued for display. */
function sumsOf(state: State, paid: readonly RebateTold[], who: "referrer" | "upline"): RebateSums {
  const sum = (isFutures: boolean, isCoin: boolean) => {
    let all = 0n;
    for (const told of paid) {
      const asset = state.assetByCcy.get(told.ccy) as Asset;
      if (told.isFutures !== isFutures || (told.ccy === state.deduction.ccy) !== isCoin) continue;
      const price = isCoin ? ONE_TO_ONE : usdPriceOf(state, asset.id);
      if (price !== undefined) all += usdValue(asset, BigInt(told[who]), price);
    }
    return all.toString();
  };
  return {
    spotUsd: sum(false, false),
    spotCoin: sum(false, true),
    futuresUsd: sum(true, false),
    futuresCoin: sum(true, true),
  };
}

/** floor(fees · share): who splits his trades gains nothing. */
export function shareOf(fees: bigint, rateE8: number): bigint {
  return (fees * BigInt(rateE8)) / ONE_E8;
}

function pay(
  { ledger, events }: State,
  day: number,
  assetId: number,
  from: number,
  shares: readonly (readonly [userId: number, units: bigint])[],
): void {
  const { rebate } = REFERRAL_POSTING;
  let sum = 0n;
  for (const [userId, units] of shares) {
    if (units === 0n) continue;
    sum += units;
    ledger.post(events, ledger.spotCell(userId, assetId), units, 0n, rebate, day);
  }
  if (sum > 0n) ledger.post(events, from, -sum, 0n, rebate, day);
}

/**
 * Returns the sum of a kind, in USD by the last indexes that there were; for display. Assets that never had an index
 * are left out.
 */
function usdOf(state: State, units: ReadonlyMap<number, bigint>, kind: number): string {
  let sum = 0n;
  for (const [key, amount] of units) {
    if (kindOf(key) !== kind) continue;
    const price = usdPriceOf(state, assetOf(key));
    if (price !== undefined) sum += usdValue(state.assets[assetOf(key)] as Asset, amount, price);
  }
  return formatDecimal(sum, USD_SCALE);
}
