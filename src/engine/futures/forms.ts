/**
 * Commands about futures accounts, their positions and the exits of these; orders come in binary ones, see command.ts.
 */
import { decimal, flag, optional, text, whole } from "../field.ts";
import { type CommandOf, type CommandsOf, form } from "../form.ts";

/** Names an open position of a user, and take_profit or stop_loss. */
const OF_EXITS = { userId: whole, marketId: whole, positionSide: optional(text), exit: text };

export const FUTURES_FORMS = {
  /** How a user trades futures, in all markets; what is absent stays. */
  change_futures_settings: form({
    by: "user",
    fields: {
      userId: whole,
      /** one_way or hedge. */
      positionMode: optional(text),
      settleSwitch: optional(flag),
    },
  }),
  /** Sets margin mode (cross or isolated) and leverage of one futures market. Answers `{ marginMode, leverage }`. */
  set_leverage: form({ by: "user", fields: { userId: whole, marketId: whole, marginMode: text, leverage: whole } }),
  /** Adds to the margin of an isolated position, or takes from it. Answers `{ positionId }`. */
  adjust_margin: form({
    by: "user",
    fields: {
      userId: whole,
      marketId: whole,
      positionSide: optional(text),
      /** A decimal of the settlement asset, with a minus sign to take away. */
      amount: text,
    },
  }),
  /** Lets a position be closed once a price reaches a trigger. Answers `{ positionId, exitId }`. */
  set_exit: form({
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
  modify_exit: form({
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
  cancel_exits: form({ by: "user", fields: { ...OF_EXITS, exitId: optional(whole) } }),
};

export type ChangeFuturesSettings = CommandOf<typeof FUTURES_FORMS, "change_futures_settings">;
export type SetLeverage = CommandOf<typeof FUTURES_FORMS, "set_leverage">;
export type AdjustMargin = CommandOf<typeof FUTURES_FORMS, "adjust_margin">;
export type SetExit = CommandOf<typeof FUTURES_FORMS, "set_exit">;
export type ModifyExit = CommandOf<typeof FUTURES_FORMS, "modify_exit">;
export type CancelExits = CommandOf<typeof FUTURES_FORMS, "cancel_exits">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof FUTURES_FORMS> {}
}
