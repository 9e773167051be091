import { part } from "../part.ts";
import { fireStops } from "./fire-stops.ts";
import { StopAudit } from "./stop-audit.ts";
import { endStopsOf } from "./stop-commands.ts";
import { checkStops } from "./stop-invariants.ts";
import { stopsSection } from "./stop-snapshot.ts";

/** Orders that the venue places once a price reaches their trigger. Their commands are binary. */
export const stops = part({
  name: "stops",
  forms: {},
  commands: {},
  sections: [stopsSection],
  check: (state, { expect }) => checkStops(state, expect),
  audits: (state) => [new StopAudit(state)],
  fire: fireStops,
  onIndexPrice: ({ stops }, { id }) => void stops.stirred.add(id),
  onDelisting: endStopsOf,
});
