import { part } from "../part.ts";
import { MARKET_MAKER_SCHEMAS } from "./command-schemas.ts";
import { massQuote } from "./mass-quote.ts";
import { endProtectionsIn, resetProtection, setProtection } from "./protect.ts";
import { checkProtections } from "./protection-invariants.ts";
import { protectionsSection } from "./protections-section.ts";

/** Services for market makers: protection from too many fills at once, and quotes of many markets by one command. */
export const marketMaker = part({
  name: "market-maker",
  commandSchemas: MARKET_MAKER_SCHEMAS,
  commands: { set_protection: setProtection, reset_protection: resetProtection, mass_quote: massQuote },
  sections: [protectionsSection],
  check: checkProtections,
  onDelisting: (state, { id }) => endProtectionsIn(state, id),
});
