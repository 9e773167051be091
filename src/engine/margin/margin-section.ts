import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import type { State } from "../state.ts";
import { WordBuffer } from "../words.ts";
import { restoreLoan } from "./lending.ts";
import type { LoanSpec, MarginLiquidation, MarginSpec, MarginState } from "./margin-state.ts";
import { arm } from "./watch.ts";

const ACCOUNT_WORDS = 3;
const LOAN_WORDS = 8;
const WARNED = 1;

interface Stored {
  readonly terms: readonly StoredSpec[];
  readonly nextBorrowId: number;
  /** Account and what is left of it, in the order of their next steps. */
  readonly liquidations: readonly StoredLiquidation[];
  /** Ids of loans that wait for their repayment, by market. */
  readonly expired: readonly (readonly number[])[];
  /** Ids of debts, by asset, the oldest first. */
  readonly debts: readonly (readonly [assetId: number, borrowIds: readonly number[]])[];
  /** From version 2 on: what the insurance fund holds for sale, by ascending key, and the times of fund.ts. */
  readonly holdings?: readonly (readonly [key: number, units: string, cost: string])[];
  readonly sellsAt?: number;
  readonly debtsDueAt?: number;
}
type Plain<All> = { readonly [Name in keyof All]: All[Name] extends bigint ? string : All[Name] };
type StoredLoanSpec = Plain<LoanSpec>;
interface StoredSpec extends Omit<Plain<MarginSpec>, "base" | "quote"> {
  readonly marketId: number;
  readonly base: StoredLoanSpec | null;
  readonly quote: StoredLoanSpec | null;
}
interface StoredLiquidation extends Omit<Plain<MarginLiquidation>, "insolventAt"> {
  readonly account: number;
  readonly insolventAt?: number;
}

/**
 * Chunks: terms and what is rare, as JSON; accounts in the order in which they came; loans by id. Sums and thresholds
 * follow.
 */
export const marginSection: Section = {
  name: "margin",
  version: 2,
  write: ({ margin }) => [jsonChunk(rareOf(margin)), accountBytes(margin), loanBytes(margin)],
  read: (state, [json, accounts, loans]) => {
    const stored = jsonOf(json) as Stored;
    const { margin } = state;
    margin.nextBorrowId = stored.nextBorrowId;
    for (const terms of stored.terms) margin.terms.set(terms.marketId, readTerms(terms));
    loadAccounts(state, WordBuffer.over(accounts as Uint8Array));
    loadLoans(state, WordBuffer.over(loans as Uint8Array));
    for (const { account, baseFee, quoteFee, insolventAt = 0, ...rest } of stored.liquidations) {
      const fees = { baseFee: BigInt(baseFee), quoteFee: BigInt(quoteFee) };
      margin.liquidations.set(account, { ...rest, ...fees, insolventAt });
    }
    for (const [key, units, cost] of stored.holdings ?? []) {
      margin.holdings.set(key, { units: BigInt(units), cost: BigInt(cost) });
    }
    margin.sellsAt = stored.sellsAt ?? 0;
    margin.debtsDueAt = stored.debtsDueAt ?? 0;
    const slotOf = (borrowId: number) => margin.loans.find(borrowId);
    for (const borrowId of stored.expired.flat()) margin.awaitRepayment(slotOf(borrowId));
    for (const [assetId, borrowIds] of stored.debts) margin.debts.set(assetId, new Set(borrowIds.map(slotOf)));
    for (let row = 0; row < margin.accounts.count; row++) if (margin.accounts.owes(row)) arm(state, row);
  },
};

function rareOf(margin: MarginState): Stored {
  const { loans } = margin;
  const ids = (slots: Iterable<number>) => [...slots].map((slot) => loans.borrowId(slot));
  return {
    terms: [...margin.terms].map(([marketId, terms]) => ({
      marketId,
      accountId: terms.accountId,
      leverage: terms.leverage,
      liqRateE8: terms.liqRateE8.toString(),
      warnRateE8: terms.warnRateE8.toString(),
      transferRateE8: terms.transferRateE8.toString(),
      base: writeLoanTerms(terms.base),
      quote: writeLoanTerms(terms.quote),
    })),
    nextBorrowId: margin.nextBorrowId,
    liquidations: [...margin.liquidations].map(([account, its]) => ({
      account,
      stepAt: its.stepAt,
      baseFee: its.baseFee.toString(),
      quoteFee: its.quoteFee.toString(),
      expiredLoan: its.expiredLoan,
      hasTraded: its.hasTraded,
      insolventAt: its.insolventAt,
    })),
    expired: [...margin.expired.values()].map(ids),
    debts: [...margin.debts].map(([assetId, slots]) => [assetId, ids(slots)] as const),
    holdings: [...margin.holdings]
      .sort(([one], [other]) => one - other)
      .map(([key, { units, cost }]) => [key, units.toString(), cost.toString()] as const),
    sellsAt: margin.sellsAt,
    debtsDueAt: margin.debtsDueAt,
  };
}

function writeLoanTerms(terms: LoanSpec | undefined): StoredLoanSpec | null {
  if (terms === undefined) return null;
  const { minAmount, maxAmount, dailyRateE8 } = terms;
  return { minAmount: minAmount.toString(), maxAmount: maxAmount.toString(), dailyRateE8 };
}

function readTerms(stored: StoredSpec): MarginSpec {
  const lent = (terms: StoredLoanSpec | null): LoanSpec | undefined =>
    terms === null ? undefined : { ...terms, minAmount: BigInt(terms.minAmount), maxAmount: BigInt(terms.maxAmount) };
  return {
    accountId: stored.accountId,
    leverage: stored.leverage,
    liqRateE8: BigInt(stored.liqRateE8),
    warnRateE8: BigInt(stored.warnRateE8),
    transferRateE8: BigInt(stored.transferRateE8),
    base: lent(stored.base),
    quote: lent(stored.quote),
  };
}

/** An account: user and market, its two cells, and whether it has been warned. */
function accountBytes({ accounts, warned }: MarginState): Uint8Array<ArrayBuffer> {
  const out = new WordBuffer(accounts.count * ACCOUNT_WORDS);
  for (let row = 0; row < accounts.count; row++) {
    const at = row * ACCOUNT_WORDS * 2;
    out.i32[at] = accounts.userId(row);
    out.i32[at + 1] = accounts.marketId(row);
    out.i32[at + 2] = accounts.baseCell(row);
    out.i32[at + 3] = accounts.quoteCell(row);
    out.i32[at + 4] = warned.has(row) ? WARNED : 0;
  }
  return out.bytes;
}

function loadAccounts({ margin }: State, rows: WordBuffer): void {
  for (let at = 0; at < rows.length * 2; at += ACCOUNT_WORDS * 2) {
    const word = (place: number) => rows.i32[at + place] as number;
    const row = margin.accounts.add(word(0), word(1), word(2), word(3));
    if (word(4) === WARNED) margin.warned.add(row);
  }
}

/** A loan: id, account and flags, amount, principal, interest, rate and accruals, and its two times. */
function loanBytes({ accounts, loans }: MarginState): Uint8Array<ArrayBuffer> {
  const slots: number[] = [];
  for (let row = 0; row < accounts.count; row++) {
    for (let slot = accounts.head(row); slot >= 0; slot = loans.next(slot)) slots.push(slot);
  }
  slots.sort((left, right) => loans.borrowId(left) - loans.borrowId(right));
  const out = new WordBuffer(slots.length * LOAN_WORDS);
  slots.forEach((slot, place) => {
    const at = place * LOAN_WORDS;
    out.f64[at] = loans.borrowId(slot);
    out.i32[at * 2 + 2] = loans.account(slot);
    out.i32[at * 2 + 3] = loans.flags(slot);
    out.i64[at + 2] = loans.amount(slot);
    out.i64[at + 3] = loans.principal(slot);
    out.i64[at + 4] = loans.interest(slot);
    out.i32[at * 2 + 10] = loans.dailyRateE8(slot);
    out.i32[at * 2 + 11] = loans.accruals(slot);
    out.f64[at + 6] = loans.createdAt(slot);
    out.f64[at + 7] = loans.expiredAt(slot);
  });
  return out.bytes;
}

function loadLoans(state: State, rows: WordBuffer): void {
  const { loans } = state.margin;
  for (let at = 0; at < rows.length; at += LOAN_WORDS) {
    const slot = loans.allocate(rows.f64[at] as number);
    loans.setAccount(slot, rows.i32[at * 2 + 2] as number);
    loans.setFlags(slot, rows.i32[at * 2 + 3] as number);
    loans.setAmount(slot, rows.i64[at + 2] as bigint);
    loans.setPrincipal(slot, rows.i64[at + 3] as bigint);
    loans.setInterest(slot, rows.i64[at + 4] as bigint);
    loans.setDailyRateE8(slot, rows.i32[at * 2 + 10] as number);
    loans.setAccruals(slot, rows.i32[at * 2 + 11] as number);
    loans.setCreatedAt(slot, rows.f64[at + 6] as number);
    loans.setExpiredAt(slot, rows.f64[at + 7] as number);
    restoreLoan(state, slot);
  }
}
