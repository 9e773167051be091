/**
 * What a user with credit is worth, and what that lets him do. Everything is valued by indexes (4.11), never by a deal or a book: what has
 * no fresh index counts nothing as an asset, and a debt without one lets nothing leave and nothing be traded, so that no silence
 * makes anybody richer. Source: domain 6.6.
 */
import { type Answer, refused } from "../answer.ts";
import type { Asset } from "../listing/asset.ts";
import { USD_SCALE, usdPriceOf, usdValue, usdValueUp } from "../listing/usd-price.ts";
import { formatDecimal } from "../money/decimal.ts";
import { divFloor } from "../money/rounding.ts";
import type { Leaving } from "../part.ts";
import type { Refusal } from "../refusal.ts";
import type { State } from "../state.ts";
import { holdingsOf } from "../wallet/leaving.ts";
import { creditOf } from "./credit-state.ts";
import { interestDue } from "./loan.ts";

const ONE_E8 = 100_000_000n;

/** Values in USD, units of 10^-8. */
export interface CreditStanding {
  readonly equity: bigint;
  readonly debt: bigint;
  /** Whether every debt has a fresh index. */
  readonly isDebtKnown: boolean;
  /** floor(equity / debt) in 10^-8; undefined without a debt. */
  readonly riskRateE8: bigint | undefined;
  /** What may leave. */
  readonly withdrawable: bigint;
  readonly mayTrade: boolean;
}

/** How a user stands. Linear in the assets of the venue and in the user's loans. */
export function standingOf(state: State, userId: number): CreditStanding {
  const credit = creditOf(state);
  let debt = 0n;
  let isDebtKnown = true;
  for (const loan of credit.loansOf(userId)) {
    const price = usdPriceOf(state, loan.assetId);
    if (price?.isFresh !== true) isDebtKnown = false;
    if (price === undefined) continue;
    const units = loan.principal + interestDue(loan, state.timeMs);
    debt += usdValueUp(state.assets[loan.assetId] as Asset, units, price);
  }
  let equity = 0n;
  for (const [assetId, units] of holdingsOf(state, userId)) {
    const price = usdPriceOf(state, assetId);
    if (price === undefined || (!price.isFresh && units > 0n)) continue;
    equity += usdValue(state.assets[assetId] as Asset, units, price);
  }
  const { withdrawalRiskE8, tradeRiskE8 } = credit.termsOf(userId);
  const riskRateE8 = debt === 0n ? undefined : divFloor(equity * ONE_E8, debt);
  // The exact fraction decides: rounded down it could stand at the bound and still be above it.
  const isAbove = (boundE8: bigint) => isDebtKnown && equity * ONE_E8 > boundE8 * debt;
  const free = equity - debt;
  return {
    equity,
    debt,
    isDebtKnown,
    riskRateE8,
    withdrawable: isAbove(withdrawalRiskE8) && free > 0n ? free : 0n,
    mayTrade: isAbove(tradeRiskE8),
  };
}

/** Why so much may not leave a user. */
export function refuseBorrowedLeaving(state: State, userId: number, leaving: readonly Leaving[]): Answer | undefined {
  if (creditOf(state).loansOf(userId).length === 0) return undefined;
  const { withdrawable, isDebtKnown } = standingOf(state, userId);
  let value = 0n;
  let isKnown = isDebtKnown;
  for (const [asset, units] of leaving) {
    const price = usdPriceOf(state, asset.id);
    if (price?.isFresh === true) value += usdValueUp(asset, units, price);
    else isKnown = false;
  }
  if (!isKnown) {
    return refused("index_stale", "While an index that a credit is valued by is stale, nothing leaves its user.");
  }
  if (value <= withdrawable) return undefined;
  const most = formatDecimal(withdrawable, USD_SCALE);
  return refused("credit_withdrawal_risk", `The credit lets ${most} USD leave its user at most.`);
}

/** Why a user may not trade. */
export function refuseBorrowedTrading(state: State, userId: number): Refusal | undefined {
  if (creditOf(state).loansOf(userId).length === 0) return undefined;
  return standingOf(state, userId).mayTrade ? undefined : "credit_trade_risk";
}
