import { part } from "../part.ts";
import { holds } from "../rules-version.ts";
import "./events.ts";
import "./order-account.ts";
import { borrow } from "./borrow.ts";
import { MARGIN_SCHEMAS } from "./command-schemas.ts";
import { hasMarginDebt } from "./debt.ts";
import { leaveMargin } from "./delisting.ts";
import { marginHoldings } from "./holdings.ts";
import { hasExpired, marginDue } from "./interest.ts";
import { MarginAudit } from "./margin-audit.ts";
import { checkMargin } from "./margin-invariants.ts";
import { marginSection } from "./margin-section.ts";
import { repay } from "./repay.ts";
import { setMarginMarket } from "./terms.ts";
import { transferMargin } from "./transfer.ts";
import { settleMargin } from "./watch.ts";

/** Margin trading: accounts of spot markets that borrow, and whose orders stand in the books of spot. */
export const margin = part({
  name: "margin",
  commandSchemas: MARGIN_SCHEMAS,
  commands: { set_margin_market: setMarginMarket, transfer_margin: transferMargin, borrow, repay },
  sections: [marginSection],
  check: checkMargin,
  audits: (state) => [new MarginAudit(state)],
  due: marginDue,
  isOverdue: hasExpired,
  lookAfterAccounts: (state, everywhere) => {
    const looksEverywhere = everywhere && state.margin.accounts.count > 0;
    if (state.margin.isTouched || looksEverywhere) settleMargin(state, looksEverywhere);
  },
  barsWithdrawal: (state, userId) =>
    holds(state, "debtBarsWithdrawal") && hasMarginDebt(state, userId)
      ? "A margin account was liquidated and left a debt; while that is owed nothing is withdrawn."
      : undefined,
  holdings: marginHoldings,
  isLeveraged: true,
  onDelisting: leaveMargin,
  onIndexPrice: ({ margin: { terms, moved, thresholds } }, { id }) => {
    if (!terms.has(id)) return;
    moved.add(id);
    thresholds.dirty.add(id);
  },
});
