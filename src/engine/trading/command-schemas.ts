/** JSON commands about trading as a whole; orders come in binary ones, see command.ts. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { flag, text } from "../field.ts";

export const TRADING_SCHEMAS = {
  /** Set by the venue when an invariant broke: from then on only cancels are accepted, until an operator lifts it. */
  set_cancel_only: commandSchema({ by: "venue", fields: { cancelOnly: flag, reason: text } }),
};

export type SetCancelOnly = CommandOf<typeof TRADING_SCHEMAS, "set_cancel_only">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof TRADING_SCHEMAS> {}
}
