import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { points } from "./points.ts";

/** Points of each user in ascending id, how many there are, and the next midnight. */
export const pointsSection: Section = {
  name: "points",
  version: 1,
  write: (state) => {
    const { of, issued, earnsAt } = points.of(state);
    return [jsonChunk({ of: [...of].sort(([one], [other]) => one - other), issued, earnsAt })];
  },
  read: (state, [json]) => {
    const stored = jsonOf(json) as { of: [number, number][]; issued: number; earnsAt: number };
    const own = points.of(state);
    for (const [userId, held] of stored.of) own.of.set(userId, held);
    own.issued = stored.issued;
    own.earnsAt = stored.earnsAt;
  },
};
