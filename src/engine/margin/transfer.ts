import { type Answer, accepted, refused } from "../answer.ts";
import { CELL } from "../ledger/cell.ts";
import { POSTING } from "../ledger/posting.ts";
import { isIndexFresh } from "../listing/index-freshness.ts";
import type { Market } from "../listing/market.ts";
import { formatDecimal } from "../money/decimal.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { refusePledging } from "../wallet/outflow.ts";
import { type Asked, askedOf, isRefused } from "./access.ts";
import type { TransferMargin } from "./command-schemas.ts";
import { owedIn } from "./lending.ts";
import { figuresOf, isBelowRate, type MarginFigures } from "./risk.ts";

/**
 * Moves money between the spot account and a margin account. Out of one that owes something only as much as leaves it
 * at its transfer rate by a fresh index, and nothing while it has a debt or is being liquidated. Into one of a market
 * that has left only what it owes. Source: domain 3.2 and 3.5.
 */
export function transferMargin(state: State, command: TransferMargin): Answer {
  const { userId, isIn } = command;
  const asked = askedOf(state, command, isIn);
  if (isRefused(asked)) return asked;
  const { market, asset, isQuote, amount, row } = asked;
  const { ledger, margin, events } = state;
  if (!isIn && row < 0) return refused("margin_account_missing", "There is no such margin account.");
  const spot = ledger.findSpotCell(userId, asset.id);
  const from = isIn ? spot : margin.accounts.cell(row, isQuote);
  if (from < 0 || ledger.available(from) < amount) {
    return refused("insufficient_balance", "The account cannot cover the transfer.");
  }
  if (market.delisted && amount > owedIn(state, row, isQuote)) {
    return refused("transfer_not_possible", "The market has left: its account takes no more than it owes.");
  }
  const kept = isIn ? refusePledging(state, userId, [[asset, amount]], "leverage") : refuseOutflow(state, asked);
  if (kept !== undefined) return kept;

  // Nothing is refused below this line.
  const account = row >= 0 ? row : openAccount(state, userId, market);
  const change = isIn ? amount : -amount;
  const transferId = state.nextTransferId++;
  ledger.post(events, ledger.spotCell(userId, asset.id), -change, 0n, POSTING.transfer, transferId);
  ledger.post(events, margin.accounts.cell(account, isQuote), change, 0n, POSTING.transfer, transferId);
  emitRareEvent(state, {
    type: "margin_transferred",
    transferId,
    userId,
    marketId: market.id,
    isIn,
    ccy: asset.ccy,
    amount: formatDecimal(amount, asset.scale),
  });
  margin.note(userId, market.id);
  return accepted({ transferId });
}

/** Why so much may not leave an account that owes something. */
function refuseOutflow(state: State, { market, terms, isQuote, amount, row }: Asked): Answer | undefined {
  const { accounts, liquidations } = state.margin;
  if (!accounts.owes(row)) return undefined;
  if (accounts.debts(row) > 0) return refused("margin_debt", "The account has a debt, which is to be paid first.");
  if (liquidations.has(row)) return refused("margin_liquidating", "The account is being liquidated.");
  if (!isIndexFresh(market)) {
    return refused("margin_index_stale", "While the index is stale, nothing leaves an account that owes something.");
  }
  const before = figuresOf(state, row);
  const after: MarginFigures = isQuote
    ? { ...before, quoteHave: before.quoteHave - amount }
    : { ...before, baseHave: before.baseHave - amount };
  return isBelowRate(market, market.index.price, after, terms.transferRateE8)
    ? refused("insufficient_balance", "What is left would be too little for the loans of the account.")
    : undefined;
}

function openAccount({ ledger, margin }: State, userId: number, market: Market): number {
  const cell = (assetId: number, place: number) =>
    ledger.cell(CELL.margin, userId, market.id * 2 + place, assetId, market.id);
  return margin.accounts.add(userId, market.id, cell(market.baseAssetId, 0), cell(market.quoteAssetId, 1));
}
