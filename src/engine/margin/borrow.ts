import { type Answer, accepted, refused } from "../answer.ts";
import { CELL } from "../ledger/cell.ts";
import { isIndexFresh } from "../listing/index-freshness.ts";
import type { Market } from "../listing/market.ts";
import { formatDecimal } from "../money/decimal.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { refuseOwing } from "../trading/check.ts";
import { NONE } from "../trading/order.ts";
import { askedOf, isRefused } from "./access.ts";
import type { Borrow } from "./command-schemas.ts";
import { lend } from "./lending.ts";
import { LOANS_MAX } from "./margin-state.ts";
import { figuresOf, loanLimit } from "./risk.ts";
import { loanTermsOf } from "./terms.ts";

/** Borrows into a margin account, as much as its worth by the index allows and the pool has. Source: domain 3.3. */
export function borrow(state: State, command: Borrow): Answer {
  const asked = askedOf(state, command);
  if (isRefused(asked)) return asked;
  const { market, terms, asset, isQuote, amount, row } = asked;
  const { margin, ledger } = state;
  const { accounts } = margin;
  if (row < 0)
    return refused("margin_account_missing", `Transfer something to the margin account of ${market.name} first.`);
  const lent = loanTermsOf(terms, isQuote);
  if (lent === undefined) return refused("loan_not_offered", `${asset.ccy} is not lent in ${market.name}.`);
  const show = (units: bigint) => `${formatDecimal(units, asset.scale)} ${asset.ccy}`;
  if (amount < lent.minAmount) return refused("loan_too_small", `A loan is at least ${show(lent.minAmount)}.`);
  if (principalOf(state, command.userId, market, row, isQuote) + amount > lent.maxAmount) {
    return refused(
      "loan_too_large",
      `Loans of an account, its main account and sub-accounts together come to at most ${show(lent.maxAmount)}.`,
    );
  }
  if (accounts.debts(row) > 0) return refused("margin_debt", "The account has a debt, which is to be paid first.");
  if (margin.liquidations.has(row)) return refused("margin_liquidating", "The account is being liquidated.");
  if (accounts.loans(row) >= LOANS_MAX) return refused("too_many_loans", `An account has at most ${LOANS_MAX} loans.`);
  const owing = holds(state, "reducingGoesOn") ? refuseOwing(state, command.userId) : undefined;
  if (owing !== undefined) return refused(owing, "At the risk rate of the user's credit nothing more is lent to him.");
  if (!isIndexFresh(market)) return refused("margin_index_stale", "While the index is stale, nothing is lent.");
  if (amount > ledger.heldByVenue(CELL.lending_pool, asset.id)) {
    return refused("lending_pool_short", "The lending pool has not so much left.");
  }
  const limit = loanLimit(market, market.index.price, figuresOf(state, row), terms.leverage, isQuote);
  if (amount > limit) return refused("loan_exceeds_worth", `The account can borrow ${show(limit)} more.`);

  // Nothing is refused below this line.
  const borrowId = lend(state, row, isQuote, amount, lent, command.isAutoRenew);
  return accepted({ borrowId });
}

/**
 * Returns the units that an account has borrowed, with those of its relatives in the same market: many accounts of one
 * owner are one borrower.
 */
function principalOf(
  { users, margin, rulesVersion }: State,
  userId: number,
  { id }: Market,
  row: number,
  isQuote: boolean,
): bigint {
  const { accounts } = margin;
  let principal = accounts.principal(row, isQuote);
  if (!holds({ rulesVersion }, "familyCounts") || !users.hasFamily(userId)) return principal;
  for (const relative of users.relativesOf(userId)) {
    const own = accounts.find(relative, id);
    if (own !== NONE) principal += accounts.principal(own, isQuote);
  }
  return principal;
}
