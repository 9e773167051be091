/** Commands about savings. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { decimal, text, whole } from "../field.ts";

export const SAVINGS_SCHEMAS = {
  /**
   * Moves money between the SPOT and the FINANCIAL account of a user, `to` being one of the two. Answers `{ transferId
   * }`.
   */
  move_savings: commandSchema({
    by: "operator",
    fields: { userId: whole, to: text, ccy: text, amount: decimal, note: text },
    words: ({ userId, to, ccy, amount }) => `move ${amount} ${ccy} of user ${userId} to ${to}`,
  }),
  /**
   * The interest of a day, as a share of what lies in FINANCIAL at midnight; 0: none. Holds from the next midnight on.
   */
  set_savings_rate: commandSchema({ by: "operator", isQuiet: true, fields: { ccy: text, dailyRate: decimal } }),
};

export type MoveSavings = CommandOf<typeof SAVINGS_SCHEMAS, "move_savings">;
export type SetSavingsRate = CommandOf<typeof SAVINGS_SCHEMAS, "set_savings_rate">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof SAVINGS_SCHEMAS> {}
}
