import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { type SubTerms, subTerms } from "./sub-account.ts";

/** What was said of sub-accounts when they were made, by ascending user id. That they are sub-accounts stands with the users. */
export const subsSection: Section = {
  name: "subs",
  version: 1,
  write: (state) => [jsonChunk([...subTerms.of(state)].sort(([one], [other]) => one - other))],
  read: (state, [json]) => {
    for (const [userId, terms] of jsonOf(json) as [number, SubTerms][]) subTerms.of(state).set(userId, terms);
  },
};
