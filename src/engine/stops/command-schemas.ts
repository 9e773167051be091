/** JSON commands about stop orders with trails and about groups of orders; plain stop orders come in binary ones. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { decimal, flag, listOf, optional, recordOf, text, whole } from "../field.ts";

/**
 * One order of those that a command places together. With a trigger, a trail or a trail rate it is a stop order, else
 * it is placed at once. Amounts are of the base currency.
 */
const leg = recordOf({
  side: text,
  type: text,
  amount: decimal,
  /** Of every type but market. */
  price: optional(decimal),
  trigger: optional(decimal),
  /** The distance of the trigger from the best price since the trail began: as a price, or as a share of that price. */
  trail: optional(decimal),
  trailRate: optional(decimal),
  /** The price that the trail begins at; absent: at once. */
  activation: optional(decimal),
  /** latest_price, index_price or mark_price; absent: the first. */
  triggerType: optional(text),
  /** Of futures: it only reduces a position. */
  reduces: optional(flag),
  positionSide: optional(text),
  hidden: optional(flag),
  /** Of limit and maker_only: the book shows so much of it at a time, an iceberg. */
  display: optional(decimal),
  stpMode: optional(text),
  clientId: optional(text),
});

export const CONDITIONAL_SCHEMAS = {
  /**
   * Places orders that belong together: `single` is one stop order, or one order of which a part is displayed; `oco`
   * two of which one cancels the other, at most one of them without a trigger; `bracket` an entry, its take profit and
   * its stop loss. All or none is taken. Answers `{ groupId, orderId, stopIds }`, 0 where there is none.
   */
  place_conditional: commandSchema({
    by: "user",
    since: "conditionalOrders",
    fields: { userId: whole, marketId: whole, account: text, shape: text, legs: listOf("orders", leg) },
    words: ({ userId, marketId, shape, legs }) =>
      `place ${shape} of ${legs.map(({ side, type, amount }) => `${side} ${amount} ${type}`).join(", ")} for ` +
      `user ${userId} in market ${marketId}`,
  }),
  /** Cancels all that is left of a group. */
  cancel_group: commandSchema({
    by: "user",
    since: "conditionalOrders",
    isQuiet: true,
    /** Absent: a group of whatever market. */
    fields: { userId: whole, groupId: whole, marketType: optional(text) },
  }),
};

export type PlaceConditional = CommandOf<typeof CONDITIONAL_SCHEMAS, "place_conditional">;
export type Leg = PlaceConditional["legs"][number];
export type CancelGroup = CommandOf<typeof CONDITIONAL_SCHEMAS, "cancel_group">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof CONDITIONAL_SCHEMAS> {}
}
