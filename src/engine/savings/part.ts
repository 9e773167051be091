import { part } from "../part.ts";
import "./events.ts";
import { holdingsIn } from "../wallet/outflow.ts";
import { SAVINGS_CELL } from "./codes.ts";
import { SAVINGS_SCHEMAS } from "./command-schemas.ts";
import { savingsDue } from "./interest.ts";
import { moveSavings, setSavingsRate } from "./savings.ts";
import { SavingsAudit } from "./savings-audit.ts";
import { checkSavings } from "./savings-invariants.ts";
import { savingsSection } from "./savings-section.ts";

/** Funds that users put aside in FINANCIAL, and the interest on them. */
export const savings = part({
  name: "savings",
  commandSchemas: SAVINGS_SCHEMAS,
  commands: { move_savings: moveSavings, set_savings_rate: setSavingsRate },
  sections: [savingsSection],
  check: checkSavings,
  audits: (state) => [new SavingsAudit(state)],
  due: savingsDue,
  holdings: holdingsIn(SAVINGS_CELL.financial),
});
