/** Commands about referral. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { decimal, text, textOrNull, whole } from "../field.ts";

export const REFERRAL_SCHEMAS = {
  /**
   * Gives a user a code to invite with, and what its owner and whom it invites get of the fees of the latter. Never
   * changed.
   */
  create_refer_code: commandSchema({
    by: "operator",
    isQuiet: true,
    fields: { userId: whole, code: text, referrerRate: decimal, refereeRate: decimal },
  }),
  /** Says who invited a user, for ever. */
  bind_referee: commandSchema({ by: "operator", isQuiet: true, fields: { userId: whole, code: text } }),
  /** Makes a user an agent of another, who gets a share of the fees of whom the agent invites; `rate` null ends it. */
  set_agent: commandSchema({
    by: "operator",
    isQuiet: true,
    fields: { userId: whole, ofUserId: whole, rate: textOrNull, remark: text },
  }),
};

export type CreateReferCode = CommandOf<typeof REFERRAL_SCHEMAS, "create_refer_code">;
export type BindReferee = CommandOf<typeof REFERRAL_SCHEMAS, "bind_referee">;
export type SetAgent = CommandOf<typeof REFERRAL_SCHEMAS, "set_agent">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof REFERRAL_SCHEMAS> {}
}
