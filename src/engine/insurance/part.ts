import { part } from "../part.ts";
import { setFundBudget } from "./budget.ts";
import { INSURANCE_SCHEMAS } from "./command-schemas.ts";
import "./events.ts";
import { insuranceSection } from "./insurance-section.ts";

/** Insurance funds of futures and margin: what they may lose. */
export const insurance = part({
  name: "insurance",
  commandSchemas: INSURANCE_SCHEMAS,
  commands: { set_fund_budget: setFundBudget },
  sections: [insuranceSection],
});
