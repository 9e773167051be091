import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { type SubSpec, subTerms } from "./sub-account.ts";

/**
 * Terms given to sub-accounts when they were made, by ascending user id. The section of users tells that they are
 * sub-accounts.
 */
export const subsSection: Section = {
  name: "subs",
  version: 1,
  write: (state) => [jsonChunk([...subTerms.of(state)].sort(([one], [other]) => one - other))],
  read: (state, [json]) => {
    for (const [userId, terms] of jsonOf(json) as [number, SubSpec][]) subTerms.of(state).set(userId, terms);
  },
};
