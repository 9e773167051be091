/**
 * `node test/golden/record-forms.ts` records what new versions of sections write; part of every release that has some.
 */
import { recordForms } from "./forms.ts";
import { goldenVenues } from "./golden.ts";
import { replayed } from "./replay.ts";

for (const venue of goldenVenues()) recordForms(`${venue.rulesVersion}/${venue.name}`, replayed(venue).engine.state);
