import { part } from "../part.ts";
import { LIABILITY_SCHEMAS } from "./command-schemas.ts";
import { countLiabilities, publishLiabilities } from "./commands.ts";
import { checkLiabilities } from "./liabilities-invariants.ts";
import { liabilitiesSection } from "./liabilities-section.ts";

/**
 * Proof of liabilities: when what the venue owes was counted, and the roots of the sum trees over it. The trees are
 * made outside the engine.
 */
export const liabilities = part({
  name: "liabilities",
  commandSchemas: LIABILITY_SCHEMAS,
  commands: { count_liabilities: countLiabilities, publish_liabilities: publishLiabilities },
  sections: [liabilitiesSection],
  check: checkLiabilities,
});
