/** Commands about insurance funds. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { decimal, optional } from "../field.ts";

export const INSURANCE_SCHEMAS = {
  /** Sets the shares that insurance funds may lose; what is absent stays. Answers `{ hourRate, dayRate }`. */
  set_fund_budget: commandSchema({
    by: "operator",
    isQuiet: true,
    fields: {
      /** Per market and rolling hour. */
      hourRate: optional(decimal),
      /** Per currency and day (UTC). */
      dayRate: optional(decimal),
    },
  }),
};

export type SetFundBudget = CommandOf<typeof INSURANCE_SCHEMAS, "set_fund_budget">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof INSURANCE_SCHEMAS> {}
}
