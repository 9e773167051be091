/** Commands about insurance funds. */
import { decimal, optional } from "../field.ts";
import { type CommandOf, type CommandsOf, form } from "../form.ts";

export const INSURANCE_FORMS = {
  /** Sets the shares that insurance funds may lose; what is absent stays. Answers `{ hourRate, dayRate }`. */
  set_fund_budget: form({
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

export type SetFundBudget = CommandOf<typeof INSURANCE_FORMS, "set_fund_budget">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof INSURANCE_FORMS> {}
}
