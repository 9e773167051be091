import { isFastRing } from "./ring.ts";

/**
 * In the fast ring of tests a property is tried this many times less often, which its first cases decide most of the
 * time.
 */
const FAST_SHARE = 5;

/**
 * How often a property is tried, and from which seed: always the same cases, so that a red run speaks of the change and
 * not of the day's luck. PROPERTY_RUNS looks longer and at cases of its own; a failure prints its seed and the shortest
 * case, and PROPERTY_SEED tries that seed again.
 */
export function runs(everyDay: number): { readonly numRuns: number; readonly seed: number } {
  const { PROPERTY_RUNS, PROPERTY_SEED } = process.env;
  const isEveryDay = PROPERTY_RUNS === undefined && PROPERTY_SEED === undefined;
  return {
    numRuns: Number(PROPERTY_RUNS ?? (isFastRing ? Math.ceil(everyDay / FAST_SHARE) : everyDay)),
    seed: isEveryDay ? 1 : Number(PROPERTY_SEED ?? Date.now() % 2 ** 31),
  };
}
