/** Commands of market makers. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { decimal, listOf, optional, recordOf, whole } from "../field.ts";

/** A quote of a market; without both prices it asks for none. */
const quote = recordOf({
  marketId: whole,
  bidPrice: optional(decimal),
  bidAmount: optional(decimal),
  askPrice: optional(decimal),
  askAmount: optional(decimal),
});

export const MARKET_MAKER_SCHEMAS = {
  /**
   * From now on at most this may be filled of the quotes of the user in this market within a window, 0 ms: whatever.
   * Answers nothing.
   */
  set_protection: commandSchema({
    by: "user",
    since: "makerProtection",
    isQuiet: true,
    fields: {
      userId: whole,
      marketId: whole,
      windowMs: whole,
      fills: optional(whole),
      amount: optional(decimal),
      delta: optional(decimal),
    },
    words: ({ userId, marketId, windowMs, fills, amount, delta }) =>
      windowMs === 0
        ? `end the protection of the quotes of user ${userId} in market ${marketId}`
        : `pull the quotes of user ${userId} in market ${marketId} after ${[
            fills === undefined ? [] : `${fills} fills`,
            amount === undefined ? [] : `an amount of ${amount}`,
            delta === undefined ? [] : `a net of ${delta}`,
          ]
            .flat()
            .join(", ")} within ${windowMs} ms`,
  }),
  /** The user may quote again in this market, and its window begins anew. */
  reset_protection: commandSchema({
    by: "user",
    since: "makerProtection",
    isQuiet: true,
    fields: { userId: whole, marketId: whole },
    words: ({ userId, marketId }) => `reset the protection of the quotes of user ${userId} in market ${marketId}`,
  }),
  /** In each market that is named these quotes take the place of those that the user has by this command. */
  mass_quote: commandSchema({
    by: "user",
    since: "massQuotes",
    fields: { userId: whole, quotes: listOf("quotes", quote) },
    words: ({ userId, quotes }) => `replace the quotes of user ${userId} by ${quotes.length} pairs`,
  }),
};

export type SetProtection = CommandOf<typeof MARKET_MAKER_SCHEMAS, "set_protection">;
export type ResetProtection = CommandOf<typeof MARKET_MAKER_SCHEMAS, "reset_protection">;
export type MassQuote = CommandOf<typeof MARKET_MAKER_SCHEMAS, "mass_quote">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof MARKET_MAKER_SCHEMAS> {}
}
