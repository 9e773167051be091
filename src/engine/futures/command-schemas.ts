/**
 * Commands about futures accounts, their positions and the exits of these; orders come in binary ones, see command.ts.
 */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { decimal, flag, optional, text, whole } from "../field.ts";

/** Names an open position of a user, and take_profit or stop_loss. */
const OF_EXITS = { userId: whole, marketId: whole, positionSide: optional(text), exit: text };

export const FUTURES_SCHEMAS = {
  /** How a user trades futures, in all markets; what is absent stays. */
  change_futures_settings: commandSchema({
    by: "user",
    fields: {
      userId: whole,
      /** one_way or hedge. */
      positionMode: optional(text),
      settleSwitch: optional(flag),
    },
  }),
  /** Sets margin mode (cross or isolated) and leverage of one futures market. Answers `{ marginMode, leverage }`. */
  set_leverage: commandSchema({
    by: "user",
    fields: { userId: whole, marketId: whole, marginMode: text, leverage: whole },
  }),
  /** Adds to the margin of an isolated position, or takes from it. Answers `{ positionId }`. */
  adjust_margin: commandSchema({
    by: "user",
    fields: {
      userId: whole,
      marketId: whole,
      positionSide: optional(text),
      /** A decimal of the settlement asset, with a minus sign to take away. */
      amount: text,
    },
  }),
  /** Closes a position once a price reaches a trigger. Answers `{ positionId, exitId }`. */
  set_exit: commandSchema({
    by: "user",
    fields: {
      ...OF_EXITS,
      /** latest_price or mark_price. */
      triggerType: text,
      price: decimal,
      /** Absent: the whole position. */
      amount: optional(decimal),
    },
  }),
  /** Changes an exit; absent fields stay as they are. Answers `{ positionId, exitId }`. */
  modify_exit: commandSchema({
    by: "user",
    fields: {
      ...OF_EXITS,
      exitId: whole,
      triggerType: optional(text),
      price: optional(decimal),
      amount: optional(decimal),
    },
  }),
  /** Without an id all of the kind. Answers `{ positionId }`. */
  cancel_exits: commandSchema({ by: "user", fields: { ...OF_EXITS, exitId: optional(whole) } }),
};

export type ChangeFuturesSettings = CommandOf<typeof FUTURES_SCHEMAS, "change_futures_settings">;
export type SetLeverage = CommandOf<typeof FUTURES_SCHEMAS, "set_leverage">;
export type AdjustMargin = CommandOf<typeof FUTURES_SCHEMAS, "adjust_margin">;
export type SetExit = CommandOf<typeof FUTURES_SCHEMAS, "set_exit">;
export type ModifyExit = CommandOf<typeof FUTURES_SCHEMAS, "modify_exit">;
export type CancelExits = CommandOf<typeof FUTURES_SCHEMAS, "cancel_exits">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof FUTURES_SCHEMAS> {}
}
