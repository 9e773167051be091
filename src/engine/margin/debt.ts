/**
 * Debts that neither an account nor the margin insurance fund can pay at once, and their later payment.
 * Source: domain 3.5.
 */

import { CELL } from "../ledger/cell.ts";
import { POSTING } from "../ledger/posting.ts";
import type { Asset } from "../listing/asset.ts";
import type { Market } from "../listing/market.ts";
import { formatDecimal } from "../money/decimal.ts";
import { smaller } from "../money/extremes.ts";
import { divCeil } from "../money/rounding.ts";
import { emitRareEvent } from "../rare-event.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";
import { payDebtsWithinBudget, takeOverAccount } from "./fund.ts";
import { assetOfLoan, loansOf, makeDebt, owedIn, pay, takeForFund } from "./lending.ts";
import type { LoanStatus } from "./loan.ts";

/**
 * Pays from the insurance fund what an account still owes, by ascending id, as far as it has the asset; what it does
 * not have stays as a debt. For what it pays it takes the other currency of the account by the index, as far as there
 * is some.
 */
export function settleByFund(state: State, market: Market, row: number): void {
  const { margin, ledger } = state;
  const { loans } = margin;
  if (holds(state, "soldAtIndex")) {
    takeOverAccount(state, market, row);
    for (const slot of [...loansOf(state, row)]) if (!loans.isDebt(slot)) makeDebt(state, slot);
    return;
  }
  const isByPayment = holds(state, "fundPaysInOrder");
  for (const isQuote of isByPayment ? [] : [false, true]) {
    takeWorth(state, market, row, isQuote, owedIn(state, row, isQuote));
  }
  for (const slot of [...loansOf(state, row)]) {
    if (loans.isDebt(slot)) continue;
    const borrowId = loans.borrowId(slot);
    if (isByPayment) payByFund(state, slot, "liquidated", true);
    else {
      const fund = ledger.heldByVenue(CELL.insurance_margin, assetOfLoan(state, slot).id);
      pay(state, slot, smaller(loans.owed(slot), fund), "fund", "liquidated");
    }
    if (loans.find(borrowId) !== NONE) makeDebt(state, slot);
  }
}

/**
 * The insurance fund pays debts of each asset in the order in which they came to be, as far as it has the asset. What
 * it gets for that may be owed to it elsewhere, so that it looks again until it pays nothing more.
 */
export function payDebts(state: State): void {
  if (holds(state, "soldAtIndex")) {
    payDebtsWithinBudget(state);
    return;
  }
  const { margin, ledger, markets } = state;
  const { accounts, loans } = margin;
  const fundOf = (assetId: number) => ledger.heldByVenue(CELL.insurance_margin, assetId);
  if (!holds(state, "fundPaysInOrder")) {
    for (const [assetId, debts] of [...margin.debts]) {
      for (const slot of debts) {
        if (fundOf(assetId) === 0n) break;
        pay(state, slot, smaller(fundOf(assetId), loans.owed(slot)), "fund", "finish");
      }
    }
    return;
  }
  for (let hasPaid = true; hasPaid; ) {
    hasPaid = false;
    for (const assetId of [...margin.debts.keys()].sort((one, other) => one - other)) {
      for (const slot of margin.debts.get(assetId) ?? []) {
        if (fundOf(assetId) === 0n) break;
        const { delisted } = markets[accounts.marketId(loans.account(slot))] as Market;
        payByFund(state, slot, "finish", delisted);
        hasPaid = true;
      }
    }
  }
}

/**
 * Pays a loan from the fund until it is paid or the fund has nothing: a share of the interest that it pays comes back
 * to it, and pays on. With `takes` the fund gets the other currency of the account for it.
 */
function payByFund(state: State, slot: number, paidAs: LoanStatus, takes: boolean): void {
  const { margin, ledger, markets } = state;
  const { accounts, loans } = margin;
  const borrowId = loans.borrowId(slot);
  const row = loans.account(slot);
  const market = markets[accounts.marketId(row)] as Market;
  const { id } = assetOfLoan(state, slot);
  for (;;) {
    const amount = smaller(loans.owed(slot), ledger.heldByVenue(CELL.insurance_margin, id));
    if (amount === 0n) return;
    if (takes) takeWorth(state, market, row, loans.isQuote(slot), amount);
    pay(state, slot, amount, "fund", paidAs);
    if (loans.find(borrowId) === NONE) return;
  }
}

/**
 * Takes of the other currency what so much of one is worth by the index, for the fund that pays it; nothing where there
 * is none.
 */
function takeWorth(state: State, market: Market, row: number, isQuote: boolean, units: bigint): void {
  const perBase = market.index.price * market.unitsPerLotTick;
  if (units === 0n || perBase === 0n) return;
  const available = state.ledger.available(state.margin.accounts.cell(row, !isQuote));
  const worth = isQuote ? divCeil(units * market.unitsPerLot, perBase) : divCeil(units * perBase, market.unitsPerLot);
  takeForFund(state, market, row, !isQuote, smaller(worth, available), "remainder");
}

/** Moves what an account of a market that leaves, or has left, holds to the spot account of its user. */
export function emptyAccount(state: State, market: Market, row: number): void {
  const { margin, ledger, events, assets } = state;
  const { accounts } = margin;
  const userId = accounts.userId(row);
  const amounts = [false, true].map((isQuote) => {
    const cell = accounts.cell(row, isQuote);
    const asset = assets[isQuote ? market.quoteAssetId : market.baseAssetId] as Asset;
    const units = ledger.available(cell);
    if (units > 0n) {
      ledger.post(events, cell, -units, 0n, POSTING.transfer, 0);
      ledger.post(events, ledger.spotCell(userId, asset.id), units, 0n, POSTING.transfer, 0);
    }
    return formatDecimal(units, asset.scale);
  }) as [string, string];
  const [base, quote] = amounts;
  emitRareEvent(state, { type: "margin_account_emptied", userId, marketId: market.id, base, quote });
}

/** Empties an account of a market that has left when its last debt is paid. */
export function releaseIfPaid(state: State, row: number): void {
  const { margin, ledger, markets } = state;
  const { accounts } = margin;
  const market = markets[accounts.marketId(row)] as Market;
  if (!market.delisted || accounts.owes(row) || !holds(state, "leftDebtsPaid")) return;
  const holdsSome = [false, true].some((isQuote) => ledger.available(accounts.cell(row, isQuote)) > 0n);
  if (holdsSome) emptyAccount(state, market, row);
}

/** Whether a margin account of the user owes a debt. Linear in the margin markets of the venue. Reads only. */
export function hasMarginDebt(state: State, userId: number): boolean {
  return marketsInDebt(state, userId).next().done !== true;
}

/** The market of this name that has left, and in which the user owes a debt. Reads only. */
export function leftInDebt(state: State, userId: number, name: string): Market | undefined {
  if (!holds(state, "leftDebtsPaid")) return undefined;
  return marketsInDebt(state, userId).find((market) => market.delisted && market.name === name);
}

/**
 * Markets in which a liquidation has left a debt, or found that there will be one and waits for the budget of the fund.
 */
function* marketsInDebt({ margin, markets }: State, userId: number): Generator<Market> {
  const { accounts, debts, liquidations, terms } = margin;
  if (debts.size + liquidations.size === 0) return;
  for (const marketId of terms.keys()) {
    const row = accounts.find(userId, marketId);
    const owes = row !== NONE && (accounts.debts(row) > 0 || (liquidations.get(row)?.insolventAt ?? 0) > 0);
    if (owes) yield markets[marketId] as Market;
  }
}
