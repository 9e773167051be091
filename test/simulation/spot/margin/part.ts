import { loansOf as loansOfEngine } from "../../../../src/engine/margin/lending.ts";
import type { State } from "../../../../src/engine/state.ts";
import type { Differ } from "../compare-records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { changes, market as marketOrder, order, place } from "../orders/actions.ts";
import type { SpotPart } from "../part.ts";
import { picking } from "../step.ts";
import { placeStop } from "../stops/actions.ts";
import { lending, loansOf, type MarginLoan } from "./account.ts";
import { asked, fund, leaving, oneSource, setup, terms } from "./actions.ts";
import { marginDue } from "./liquidation.ts";
import { borrow, repay, setTerms, transfer } from "./loans.ts";

/** Margin trading once more, in plain words. Domain 3. */
export const margin: SpotPart = {
  name: "margin",
  setup,
  actions: {
    margin_index: { often: { usual: [0, 2, 10], margin: [200] }, make: (draw) => ({ command: oneSource(draw) }) },
    margin_terms: { often: { usual: [0, 1], margin: [1] }, make: (draw) => ({ command: terms(draw) }) },
    margin_fund: { often: { usual: [0, 1], margin: [3] }, make: (draw) => ({ command: fund(draw) }) },
    margin_leaves: { often: { usual: [0], margin: [3] }, make: (draw) => ({ command: leaving(draw) }) },
    margin_transfer: {
      often: { usual: [0, 2], margin: [25] },
      make: (draw) => ({
        command: { kind: "transfer_margin", ...asked(draw), isIn: draw.random.chance(65) },
      }),
    },
    borrow: {
      often: { usual: [0, 2], margin: [90] },
      make: (draw) => ({ command: { kind: "borrow", ...asked(draw), isAutoRenew: draw.random.chance(50) } }),
    },
    repay: {
      often: { usual: [0, 1], margin: [12] },
      make: (draw) => ({
        command: {
          kind: "repay",
          ...asked(draw),
          borrowId: draw.random.chance(70) ? undefined : draw.random.whole(1, 20),
        },
      }),
    },
    margin_order: {
      often: { usual: [0, 10], margin: [200] },
      make: (draw) => ({
        command: place(draw, { ...order(draw), account: "margin" }),
        all: draw.random.chance(40),
      }),
    },
    margin_market_order: {
      often: { usual: [0, 2], margin: [20] },
      make: (draw) => ({
        command: { kind: "place_order", ...order(draw), ...marketOrder(draw), account: "margin" },
      }),
    },
    margin_stop: {
      often: { usual: [0, 2], margin: [15] },
      make: (draw) => ({ command: placeStop(draw, { ...order(draw), account: "margin" as const }) }),
    },
    margin_modify: {
      often: { usual: [0, 2], margin: [20] },
      make: (draw) => {
        const whose = { userId: draw.userId(), marketId: draw.marketId(), account: undefined };
        return picking(draw.random, { kind: "modify_order", orderId: 0, ...whose, ...changes(draw) });
      },
    },
    margin_cancel: {
      often: { usual: [0, 1], margin: [3] },
      make: (draw) => ({
        command: {
          kind: "cancel_all_orders",
          userId: draw.userId(),
          marketId: draw.marketId(),
          account: "margin",
          side: draw.random.pick([undefined, "buy", "sell"]),
        },
      }),
    },
  },
  ofUsers: { transfer_margin: transfer, borrow, repay },
  ofVenue: { set_margin_market: setTerms },
  due: marginDue,
  compare: compareMargin,
  faults: [
    {
      name: "the first hour of a loan is free",
      file: "margin/lending.ts",
      code: "  charge(state, slot);\n",
      instead: "  if (amount < 0n) charge(state, slot);\n",
    },
    {
      name: "an hour of interest is rounded in the borrower's favour",
      file: "margin/lending.ts",
      code: "const hour = divCeil(loans.principal(slot) * BigInt(loans.dailyRateE8(slot)), HOURS_PER_DAY * ONE_E8);",
      instead: "const hour = (loans.principal(slot) * BigInt(loans.dailyRateE8(slot))) / (HOURS_PER_DAY * ONE_E8);",
    },
    {
      name: "principal of a margin loan is repaid before its interest",
      file: "margin/lending.ts",
      code: "const interest = smaller(amount, loans.interest(slot));",
      instead:
        "const interest = smaller(amount > loans.principal(slot) ? " +
        "amount - loans.principal(slot) : 0n, loans.interest(slot));",
    },
    {
      name: "the newest loan is repaid first",
      file: "margin/repay.ts",
      code: "for (const slot of paid) left",
      instead: "for (const slot of paid.reverse()) left",
    },
    {
      name: "money leaves an account that its loans need",
      file: "margin/transfer.ts",
      code: ": refuseOutflow(state, asked);",
      instead: ": refuseOutflow(state, { ...asked, amount: 0n });",
    },
    {
      name: "who is in debt is lent as much as his account is worth with the loan",
      file: "margin/risk.ts",
      code: "const free = (assets - debt) * BigInt(leverage - 1) - debt;",
      instead: "const free = assets * BigInt(leverage - 1) - debt;",
    },
    {
      name: "an account trades at any price, whatever it owes",
      file: "margin/margin-check.ts",
      code: "return !isAtRisk(market, index, after, liqRateE8);",
      instead: "return !isAtRisk(market, index, after, 0n * liqRateE8);",
    },
    {
      name: "a liquidation sells a tenth below the index",
      from: 9,
      file: "margin/sale.ts",
      code: "const BAND_PERCENT = 5n;",
      instead: "const BAND_PERCENT = 10n;",
    },
    {
      name: "who owes a margin debt withdraws all the same",
      file: "margin/part.ts",
      code: 'holds(state, "debtBarsWithdrawal") && hasMarginDebt(state, userId)',
      instead: "hasMarginDebt(state, -userId)",
    },
    {
      name: "the margin fund takes all that an account has, whatever it can pay",
      file: "margin/fund.ts",
      code: "const takes = short > 0n ? divCeil(other * pays, owed) :",
      instead: "const takes = short > 0n ? other :",
    },
    {
      name: "the margin fund pays for accounts beyond its budget",
      file: "margin/fund.ts",
      code: "const budget = short > 0n ? budgetLeft(state, fund) : 0n;",
      instead: "const budget = short;",
    },
    {
      name: "an insolvent account is sold below the index",
      file: "margin/sale.ts",
      code: "if (breaksEven > index.price) return isByIndex ? index.price : bound;",
      instead: "if (breaksEven > index.price) return bound;",
    },
    {
      name: "an interruption holds a liquidation up for as long as it is extended",
      file: "trading/interruption.ts",
      code: "return more.length > 0 || state.timeMs - first >= interruption.auctionMs;",
      instead: "return more.length > 9 || state.timeMs - first < 0;",
    },
    {
      name: "an account of a market that has left keeps what it holds when its debt is paid",
      file: "margin/debt.ts",
      code: "if (holdsSome) emptyAccount",
      instead: "if (holdsSome && market.id < 0) emptyAccount",
    },
    {
      name: "the last source of the index of a margin market is taken away",
      from: 67,
      file: "listing/list.ts",
      code: "sources.length === 0 && state.margin.terms.has(market.id)",
      instead: "sources.length === 0 && state.margin.terms.has(-1)",
    },
    {
      name: "a liquidation costs nothing",
      from: 9,
      file: "margin/liquidate.ts",
      code: "const FEE_PERCENT = 2n;",
      instead: "const FEE_PERCENT = 0n;",
    },
  ],
};

/** Lays all margin accounts and what they owe beside the model's. */
function compareMargin({ margin, ledger }: State, venue: ModelVenue, differ: Differ): void {
  const { accounts, loans: told } = lending(venue);
  differ("margin accounts", margin.accounts.count, accounts.length);
  differ("loans", margin.loans.live, told.length);
  for (const account of accounts) {
    const { userId, market, base, quote } = account;
    const row = margin.accounts.find(userId, market.id);
    const who = `of the margin account of user ${userId} in ${market.name}`;
    if (row < 0) {
      differ(`existence ${who}`, false, true);
      continue;
    }
    for (const [isQuote, { available, frozen }] of [
      [false, base],
      [true, quote],
    ] as const) {
      const cell = margin.accounts.cell(row, isQuote);
      const what = isQuote ? "quote" : "base";
      differ(`available ${what} ${who}`, ledger.available(cell), available);
      differ(`frozen ${what} ${who}`, ledger.frozen(cell), frozen);
    }
    differ(`liquidation ${who}`, margin.liquidations.has(row), lending(venue).liquidations.has(account));
    const { loans } = margin;
    const ours = [...loansOfEngine({ margin } as State, row)].map((slot) =>
      report({
        id: loans.borrowId(slot),
        asset: loans.isQuote(slot) ? market.quote : market.base,
        principal: loans.principal(slot),
        interest: loans.interest(slot),
        rate: BigInt(loans.dailyRateE8(slot)),
        until: loans.expiredAt(slot),
        renews: loans.isAutoRenew(slot),
        extended: loans.isExtended(slot),
        state: loans.isDebt(slot) ? "debt" : "runs",
      }),
    );
    differ(`loans ${who}`, ours.join("; "), loansOf(venue, account).map(report).join("; "));
  }
}

function report(loan: Omit<MarginLoan, "account" | "since" | "hours">): string {
  const { id, asset, principal, interest, rate, until, renews, extended, state } = loan;
  const terms = `at ${rate} until ${until}${renews ? ", renewed" : ""}${extended ? ", extended" : ""}`;
  return `${id}: ${principal} and ${interest} ${asset.ccy} ${terms}${state === "debt" ? ", a debt" : ""}`;
}
