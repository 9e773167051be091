/** Commands about points. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { text, whole } from "../field.ts";

export const POINTS_SCHEMAS = {
  /** Gives a user points. Answers `{ points }`, what he has then; so do the others. */
  grant_points: commandSchema({ by: "operator", isQuiet: true, fields: { userId: whole, points: whole, note: text } }),
  /** Moves points from one user to another. */
  move_points: commandSchema({
    by: "user",
    isQuiet: true,
    fields: { userId: whole, toUserId: whole, points: whole },
    words: ({ toUserId, points }) => `move ${points} points to user ${toUserId}`,
  }),
  /** Turns points into money of a currency, a unit each, as far as the fund has it. */
  redeem_points: commandSchema({ by: "user", fields: { userId: whole, ccy: text, points: whole } }),
};

export type GrantPoints = CommandOf<typeof POINTS_SCHEMAS, "grant_points">;
export type MovePoints = CommandOf<typeof POINTS_SCHEMAS, "move_points">;
export type RedeemPoints = CommandOf<typeof POINTS_SCHEMAS, "redeem_points">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof POINTS_SCHEMAS> {}
}
