/** Commands about margin accounts and their loans; orders of a margin account are those of spot. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { decimal, flag, listOf, optional, recordOf, text, whole } from "../field.ts";

export const MARGIN_SCHEMAS = {
  /**
   * Makes a spot market a margin market, or changes its terms; what is left out of a new one follows from the leverage.
   * `loans` says which of its two currencies are lent, and how; without a currency no new loan of it is given.
   */
  set_margin_market: commandSchema({
    by: "operator",
    fields: {
      market: text,
      leverage: whole,
      liqRate: optional(decimal),
      warnRate: optional(decimal),
      transferRate: optional(decimal),
      loans: listOf(
        "loans, each with ccy, minAmount, maxAmount and dailyInterestRate",
        recordOf({ ccy: text, minAmount: decimal, maxAmount: decimal, dailyInterestRate: decimal }),
      ),
    },
  }),
  /**
   * Moves money between the spot account and the margin account of a market. The first transfer in makes the account.
   */
  transfer_margin: commandSchema({
    by: "user",
    fields: { userId: whole, market: text, ccy: text, amount: decimal, isIn: flag },
    words: ({ isIn, amount, ccy, market }) => `transfer ${amount} ${ccy} ${isIn ? "to" : "from"} margin ${market}`,
  }),
  /** Borrows from the lending pool into a margin account. Answers `{ borrowId }`. */
  borrow: commandSchema({
    by: "user",
    fields: { userId: whole, market: text, ccy: text, amount: decimal, isAutoRenew: flag },
  }),
  /** Repays one loan, or the oldest first; more than is owed is cut to it. */
  repay: commandSchema({
    by: "user",
    fields: { userId: whole, market: text, ccy: text, amount: decimal, borrowId: optional(whole) },
  }),
};

export type SetMarginMarket = CommandOf<typeof MARGIN_SCHEMAS, "set_margin_market">;
export type TransferMargin = CommandOf<typeof MARGIN_SCHEMAS, "transfer_margin">;
export type Borrow = CommandOf<typeof MARGIN_SCHEMAS, "borrow">;
export type Repay = CommandOf<typeof MARGIN_SCHEMAS, "repay">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof MARGIN_SCHEMAS> {}
}
