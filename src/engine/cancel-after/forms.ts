/** Commands about cancelling by the clock. */
import { text, whole } from "../field.ts";
import { type CommandOf, type CommandsOf, form } from "../form.ts";

export const CANCEL_AFTER_FORMS = {
  /**
   * Unless it is given again in time, all open orders of the user in this scope are cancelled `timeoutMs` from now; 0 ends it. A user has one
   * timer for each scope. Answers `{ cancelsAtMs }`, 0 where there is none.
   */
  set_cancel_after: form({
    by: "user",
    since: "cancelAfter",
    isQuiet: true,
    fields: { userId: whole, scope: text, timeoutMs: whole },
    words: ({ userId, scope, timeoutMs }) =>
      timeoutMs === 0
        ? `end the timer of user ${userId} that cancels ${scope}`
        : `cancel the open orders of user ${userId} in ${scope} after ${timeoutMs} ms, unless told again`,
  }),
};

export type SetCancelAfter = CommandOf<typeof CANCEL_AFTER_FORMS, "set_cancel_after">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof CANCEL_AFTER_FORMS> {}
}
