import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { type LiabilityCount, liabilityCounts } from "./counts.ts";

interface Words {
  readonly pending: LiabilityCount | null;
  readonly published: readonly LiabilityCount[];
  readonly lastAtMs: number | null;
}

/** The counts that are remembered, oldest first, and the one whose roots are still to come. */
export const liabilitiesSection: Section = {
  name: "liabilities",
  version: 1,
  write: (state) => {
    const { pending = null, published, lastAtMs = null } = liabilityCounts.of(state);
    return [jsonChunk({ pending, published, lastAtMs } satisfies Words)];
  },
  read: (state, [json]) => {
    const { pending, published, lastAtMs } = jsonOf(json) as Words;
    const own = liabilityCounts.of(state);
    own.pending = pending ?? undefined;
    own.published = [...published];
    own.lastAtMs = lastAtMs ?? undefined;
  },
};
