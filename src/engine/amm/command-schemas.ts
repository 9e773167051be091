/** Commands about the pools of spot markets. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { decimal, optional, text, whole } from "../field.ts";

export const AMM_SCHEMAS = {
  /**
   * Gives a spot market a pool, or an empty pool other terms. `type` is infinite or finite; a finite one has a range of
   * prices, from `low` to `high`, and the `price` that it begins with. Prices of the pool have `gridDigits` digits, 3
   * unless it is said.
   */
  set_pool: commandSchema({
    by: "operator",
    fields: {
      market: text,
      type: text,
      low: optional(decimal),
      high: optional(decimal),
      price: optional(decimal),
      gridDigits: optional(whole),
    },
    words: ({ market, type }) => `give ${market} a pool of the type ${type}`,
  }),
  /**
   * Adds at most these amounts to a market's pool, in its ratio. Answers nothing: what the user has in it is in the
   * state.
   */
  add_liquidity: commandSchema({
    by: "user",
    fields: { userId: whole, market: text, baseAmount: decimal, quoteAmount: decimal },
    words: ({ market, baseAmount, quoteAmount }) =>
      `add up to ${baseAmount} and ${quoteAmount} to the pool of ${market}`,
  }),
  /** Takes all that the user has in a market's pool out of it, with its dividends. */
  remove_liquidity: commandSchema({
    by: "user",
    fields: { userId: whole, market: text },
    words: ({ market }) => `take all out of the pool of ${market}`,
  }),
};

export type SetPool = CommandOf<typeof AMM_SCHEMAS, "set_pool">;
export type AddLiquidity = CommandOf<typeof AMM_SCHEMAS, "add_liquidity">;
export type RemoveLiquidity = CommandOf<typeof AMM_SCHEMAS, "remove_liquidity">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof AMM_SCHEMAS> {}
}
