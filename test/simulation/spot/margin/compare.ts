import { loansOf as loansOfEngine } from "../../../../src/engine/margin/lending.ts";
import type { State } from "../../../../src/engine/state.ts";
import type { Differ } from "../compare-records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { lending, loansOf, type MarginLoan } from "./account.ts";

/** Lays all margin accounts and what they owe beside the model's. */
export function compareMargin({ margin, ledger }: State, venue: ModelVenue, differ: Differ): void {
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
      say({
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
    differ(`loans ${who}`, ours.join("; "), loansOf(venue, account).map(say).join("; "));
  }
}

function say(loan: Omit<MarginLoan, "account" | "since" | "hours">): string {
  const { id, asset, principal, interest, rate, until, renews, extended, state } = loan;
  const terms = `at ${rate} until ${until}${renews ? ", renewed" : ""}${extended ? ", extended" : ""}`;
  return `${id}: ${principal} and ${interest} ${asset.ccy} ${terms}${state === "debt" ? ", a debt" : ""}`;
}
