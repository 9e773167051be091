import { part } from "../part.ts";
import { CONDITIONAL_SCHEMAS } from "./command-schemas.ts";
import { cancelGroup, placeConditional } from "./conditional-commands.ts";
import { conditionsSection } from "./conditions-section.ts";
import { fireStops } from "./fire-stops.ts";
import { onGroupedOrder } from "./grouped.ts";
import { StopAudit } from "./stop-audit.ts";
import { endStopsOf } from "./stop-commands.ts";
import { checkStops } from "./stop-invariants.ts";
import { stopsSection } from "./stop-snapshot.ts";

/**
 * Orders that the venue places once a price reaches their trigger. Their commands are binary, but for those of trails
 * and of groups.
 */
export const stops = part({
  name: "stops",
  commandSchemas: CONDITIONAL_SCHEMAS,
  commands: { place_conditional: placeConditional, cancel_group: cancelGroup },
  sections: [stopsSection, conditionsSection],
  check: (state, { expect }) => checkStops(state, expect),
  audits: (state) => [new StopAudit(state)],
  fire: fireStops,
  onIndexPrice: ({ stops }, { id }) => void stops.dirty.add(id),
  onDelisting: endStopsOf,
  onGroupedOrder,
});
