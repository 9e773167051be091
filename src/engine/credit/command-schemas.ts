/** Commands about credit. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { decimal, optional, text, whole } from "../field.ts";

export const CREDIT_SCHEMAS = {
  /**
   * Lends `amount` out of the credit pool into a user's SPOT account, at simple interest by the hour. Answers `{ loanId
   * }`.
   */
  grant_credit: commandSchema({
    by: "operator",
    fields: {
      userId: whole,
      ccy: text,
      amount: decimal,
      dailyRate: decimal,
      note: text,
      /** Sent again with it, the loan is made once. */
      reference: optional(text),
    },
    words: ({ userId, ccy, amount, dailyRate }) => `lend user ${userId} ${amount} ${ccy} at ${dailyRate} a day`,
  }),
  /**
   * Pays loans of a currency back out of what the user has available in SPOT: the one named, or one after the other;
   * what is beyond the debt is left. Answers `{ repaid }`.
   */
  repay_credit: commandSchema({
    by: "operator",
    fields: {
      userId: whole,
      ccy: text,
      amount: decimal,
      loanId: optional(whole),
      note: text,
      reference: optional(text),
    },
  }),
  /**
   * The risk rates above which a user with credit may withdraw and trade; without `userId` those of all who have none
   * of their own.
   */
  set_credit_terms: commandSchema({
    by: "operator",
    isQuiet: true,
    fields: { userId: optional(whole), withdrawalRisk: decimal, tradeRisk: decimal },
  }),
};

export type GrantCredit = CommandOf<typeof CREDIT_SCHEMAS, "grant_credit">;
export type RepayCredit = CommandOf<typeof CREDIT_SCHEMAS, "repay_credit">;
export type SetCreditTerms = CommandOf<typeof CREDIT_SCHEMAS, "set_credit_terms">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof CREDIT_SCHEMAS> {}
}
