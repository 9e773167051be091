/**
 * The equity of a user with credit, and what the user may do with it. Only funds in spot and savings back a credit:
 * leverage may lose the rest to a friend, which is why nothing goes there that could not leave. Source: domain 6.6.
 */
import { type Answer, refused } from "../answer.ts";
import type { Asset } from "../listing/asset.ts";
import { USD_SCALE, usdPriceOf, usdValueUp } from "../listing/usd-price.ts";
import { formatDecimal } from "../money/decimal.ts";
import { divFloor } from "../money/rounding.ts";
import type { Change, Outflow, Outlet } from "../part.ts";
import type { Refusal } from "../refusal.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { changed, holdingsOf, leveragedHoldingsOf, steadyHoldingsOf, worthByIndex } from "../wallet/worth.ts";
import { creditOf } from "./credit-state.ts";
import { interestDue } from "./loan.ts";

const ONE_E8 = 100_000_000n;

/** Values in USD, units of 10^-8. */
export interface CreditStatus {
  readonly equity: bigint;
  /** The part of the equity that backs the debt; before rules version 5 all. */
  readonly backing: bigint;
  readonly debt: bigint;
  /** Whether every debt has a fresh index. */
  readonly isDebtKnown: boolean;
  /** floor(equity / debt) in 10^-8; undefined without a debt. */
  readonly riskRateE8: bigint | undefined;
  /**
   * The value that may leave: backing less debt. 0 at or below the withdrawal risk rate, or when a debt has no fresh
   * index.
   */
  readonly withdrawable: bigint;
  readonly mayTrade: boolean;
}

/**
 * How a user stands, with these changes to its spot account. Linear in the assets of the venue and in the user's loans.
 */
export function statusOf(state: State, userId: number, changes: readonly Change[] = []): CreditStatus {
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
  const byResult = holds(state, "ordersByResult");
  const equity = worthByIndex(state, changed(holdingsOf(state, userId), changes));
  const backing = byResult ? backingOf(state, userId, changes) : equity;
  const { withdrawalRiskE8, tradeRiskE8 } = credit.termsOf(userId);
  const riskRateE8 = debt === 0n ? undefined : divFloor(equity * ONE_E8, debt);
  // The exact fraction decides: rounded down it could stand at the bound and still be above it.
  const isAbove = (boundE8: bigint) => backing * ONE_E8 > boundE8 * debt;
  const free = backing - debt;
  return {
    equity,
    backing,
    debt,
    isDebtKnown,
    riskRateE8,
    withdrawable: isDebtKnown && isAbove(withdrawalRiskE8) && free > 0n ? free : 0n,
    mayTrade: (isDebtKnown || byResult) && isAbove(tradeRiskE8),
  };
}

/**
 * The value that backs a debt. A positive value of the accounts with leverage adds nothing to it; a negative one lowers
 * it.
 */
function backingOf(state: State, userId: number, changes: readonly Change[]): bigint {
  const steady = worthByIndex(state, changed(steadyHoldingsOf(state, userId), changes));
  const leveraged = worthByIndex(state, leveragedHoldingsOf(state, userId));
  return leveraged < 0n ? steady + leveraged : steady;
}

/** Why so much may not leave a user. What was put aside for it has left what backs the debt already. */
export function refuseBorrowedOutflow(
  state: State,
  userId: number,
  outflow: readonly Outflow[],
  outlet: Outlet,
): Answer | undefined {
  if (creditOf(state).loansOf(userId).length === 0) return undefined;
  const aside: readonly Change[] = outlet === "aside" ? outflow.map(([{ id }, units]) => [id, units]) : [];
  const { withdrawable, isDebtKnown } = statusOf(state, userId, aside);
  let value = 0n;
  let isKnown = isDebtKnown;
  for (const [asset, units] of outflow) {
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

/** Why a user may not trade, but by what only reduces. */
export function refuseBorrowedTrading(state: State, userId: number): Refusal | undefined {
  if (creditOf(state).loansOf(userId).length === 0) return undefined;
  return statusOf(state, userId).mayTrade ? undefined : "credit_trade_risk";
}

/** Why an order may not leave the spot account of a user with these changes. */
export function refuseBorrowedResult(
  state: State,
  userId: number,
  changes: readonly Change[],
  isFair: boolean,
): Refusal | undefined {
  if (isFair || creditOf(state).loansOf(userId).length === 0) return undefined;
  return statusOf(state, userId, changes).mayTrade ? undefined : "credit_trade_risk";
}

/** Whether a user has a loan. */
export function owesCredit(state: State, userId: number): boolean {
  return creditOf(state).loansOf(userId).length > 0;
}

/** Whether a user has a loan of an asset. */
export function owesCreditIn(state: State, userId: number, assetId: number): boolean {
  return creditOf(state)
    .loansOf(userId)
    .some((loan) => loan.assetId === assetId);
}
