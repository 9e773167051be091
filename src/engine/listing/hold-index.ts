/** Sources that are said to go on as they stand, for jumps of a virtual clock without a feed. Source: domain 4.11. */
import { type Answer, accepted } from "../answer.ts";
import type { State } from "../state.ts";
import type { HoldIndex } from "./command-schemas.ts";
import { losesIndexAt } from "./index-freshness.ts";
import { recomputeIndex } from "./price-index.ts";

/**
 * Takes it that every source that has ever spoken says the same price until a time, ms, or just now if that is over:
 * none of them falls silent on the way there. To an index that was stale this is an update like any other.
 */
export function holdIndex(state: State, { untilMs }: HoldIndex): Answer {
  const heardAt = Math.max(untilMs, state.timeMs);
  for (const market of state.markets) {
    const known = market.index.sources.filter(({ price }) => price > 0n);
    if (market.delisted || known.length === 0) continue;
    for (const source of known) source.updatedAt = heardAt;
    recomputeIndex(state, market, true);
    state.nextDueMs = Math.min(state.nextDueMs, losesIndexAt(state, market));
  }
  return accepted({});
}
