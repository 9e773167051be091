/**
 * Loans of margin accounts as they stand now: read from the engine while something is owed, so that interest is that of
 * now.
 */
import type { Asset } from "../../engine/listing/asset.ts";
import type { Market } from "../../engine/listing/market.ts";
import { assetOfLoan, statusOf } from "../../engine/margin/lending.ts";
import type { LoanStatus } from "../../engine/margin/loan.ts";
import { parseDecimal } from "../../engine/money/decimal.ts";
import type { State } from "../../engine/state.ts";
import type { LoanRow } from "../../history/margin/margin-queries.ts";

export interface Loan {
  readonly borrowId: number;
  readonly market: Market;
  readonly asset: Asset;
  /** Units that were lent, and that are owed of them and of interest. */
  readonly amount: bigint;
  readonly principal: bigint;
  readonly interest: bigint;
  readonly dailyRateE8: number;
  readonly createdAt: number;
  readonly expiredAt: number;
  readonly isAutoRenew: boolean;
  readonly status: LoanStatus;
}

/** A loan that is not paid off; `slot` is the engine's. */
export function loanAt(state: State, slot: number): Loan {
  const { accounts, loans } = state.margin;
  return {
    borrowId: loans.borrowId(slot),
    market: state.markets[accounts.marketId(loans.account(slot))] as Market,
    asset: assetOfLoan(state, slot),
    amount: loans.amount(slot),
    principal: loans.principal(slot),
    interest: loans.interest(slot),
    dailyRateE8: loans.dailyRateE8(slot),
    createdAt: loans.createdAt(slot),
    expiredAt: loans.expiredAt(slot),
    isAutoRenew: loans.isAutoRenew(slot),
    status: statusOf(state, slot),
  };
}

/** A loan out of history: as the engine has it while it is not paid off, else as it ended, with nothing owed. */
export function loanNow(state: State, row: LoanRow): Loan {
  const slot = state.margin.loans.find(row.borrowId);
  if (slot >= 0) return loanAt(state, slot);
  const { marketId, ccy, amount, userId: _userId, ...rest } = row;
  const asset = state.assetByCcy.get(ccy) as Asset;
  const market = state.markets[marketId] as Market;
  return { ...rest, market, asset, amount: parseDecimal(amount, asset.scale) as bigint, principal: 0n, interest: 0n };
}
