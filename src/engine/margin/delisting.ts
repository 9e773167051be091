import { STEP_WORDS } from "../event.ts";
import { emitHappening } from "../happening.ts";
import { CELL } from "../ledger/cell.ts";
import { POSTING } from "../ledger/posting.ts";
import type { Asset } from "../listing/asset.ts";
import type { Market } from "../listing/market.ts";
import { formatDecimal } from "../money/decimal.ts";
import type { State } from "../state.ts";
import { least, loansOf, makeDebt, owedIn, pay, payFromAvailable } from "./lending.ts";
import { takeRemainder } from "./liquidate.ts";
import { arm } from "./watch.ts";

/**
 * Ends all margin accounts of a market that leaves: each pays its loans with what it has; for what then is missing of one currency
 * the insurance fund takes the other by the last index, and pays. What remains goes to the spot account.
 */
export function leaveMargin(state: State, market: Market): void {
  const { margin } = state;
  if (!margin.terms.has(market.id)) return;
  const { accounts } = margin;
  for (let row = 0; row < accounts.count; row++) {
    if (accounts.marketId(row) !== market.id) continue;
    state.events.reserve(STEP_WORDS);
    settleAll(state, market, row);
    margin.liquidations.delete(row);
    margin.warned.delete(row);
    if (accounts.debts(row) === 0) empty(state, market, row);
    arm(state, row);
  }
}

function settleAll(state: State, market: Market, row: number): void {
  const { margin, ledger } = state;
  for (const isQuote of [false, true]) payFromAvailable(state, row, isQuote, "finish");
  for (const isQuote of [false, true]) {
    if (owedIn(state, row, isQuote) > 0n && market.index.price > 0n) takeRemainder(state, market, row, isQuote);
  }
  for (const slot of [...loansOf(state, row)]) {
    if (margin.loans.isDebt(slot)) continue;
    const borrowId = margin.loans.borrowId(slot);
    const assetId = margin.loans.isQuote(slot) ? market.quoteAssetId : market.baseAssetId;
    const fund = ledger.heldByVenue(CELL.insurance_margin, assetId);
    pay(state, slot, least(margin.loans.owed(slot), fund), "fund", "liquidated");
    if (margin.loans.find(borrowId) >= 0) makeDebt(state, slot);
  }
}

/** Moves what an account holds to the spot account of its user. */
function empty(state: State, market: Market, row: number): void {
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
  emitHappening(state, { type: "margin_account_emptied", userId, marketId: market.id, base, quote });
}
