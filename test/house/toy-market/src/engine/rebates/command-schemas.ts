/** The command about markets with rebates. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { decimal, text, whole } from "../field.ts";

export const REBATE_SCHEMAS = {
  /**
   * Lists a spot market whose makers are paid `unitsPerLot` units of a third currency for each lot. Answers as
   * list_market.
   */
  list_rebate_market: commandSchema({
    by: "operator",
    fields: {
      market: text,
      baseCcy: text,
      quoteCcy: text,
      amountPrecision: whole,
      pricePrecision: whole,
      minAmount: decimal,
      makerFeeRate: decimal,
      takerFeeRate: decimal,
      rebateCcy: text,
      unitsPerLot: whole,
    },
    words: ({ market, rebateCcy, unitsPerLot }) =>
      `list ${market}, which pays makers ${unitsPerLot} units of ${rebateCcy} a lot`,
  }),
};

export type ListRebateMarket = CommandOf<typeof REBATE_SCHEMAS, "list_rebate_market">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof REBATE_SCHEMAS> {}
}
