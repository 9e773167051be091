/** Commands that bring money into the venue, correct it and move it between accounts. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { decimal, optional, text, whole } from "../field.ts";

export const WALLET_SCHEMAS = {
  /**
   * Credits `amount` against the outside world, to a user's spot account or to a cell of the venue. Answers `{
   * depositId }`.
   */
  deposit: commandSchema({
    by: "operator",
    fields: {
      userId: optional(whole),
      cell: optional(text),
      ccy: text,
      amount: decimal,
      note: text,
      /** Sent again with it, the deposit is made once. */
      reference: optional(text),
    },
  }),
  /**
   * Adds `amount`, which may have a minus before it, to what a user has available: against the outside world, or
   * against a cell of the venue. `note` is never empty. Answers `{ adjustmentId }`.
   */
  adjust_balance: commandSchema({
    by: "operator",
    fields: {
      userId: whole,
      cell: optional(text),
      ccy: text,
      amount: decimal,
      note: text,
      reference: optional(text),
    },
  }),
  /** Moves money between accounts of one user; one of the two is SPOT. */
  transfer: commandSchema({ by: "user", fields: { userId: whole, from: text, to: text, ccy: text, amount: decimal } }),
};

export type Deposit = CommandOf<typeof WALLET_SCHEMAS, "deposit">;
export type AdjustBalance = CommandOf<typeof WALLET_SCHEMAS, "adjust_balance">;
export type Transfer = CommandOf<typeof WALLET_SCHEMAS, "transfer">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof WALLET_SCHEMAS> {}
}
