/**
 * How often a property is tried: as often as is quick enough for every day, or as PROPERTY_RUNS says for a long look.
 * A failure prints its seed and the shortest case; PROPERTY_SEED tries that seed again.
 */
export function runs(everyDay: number): { readonly numRuns: number; readonly seed?: number } {
  const { PROPERTY_RUNS, PROPERTY_SEED } = process.env;
  return {
    numRuns: PROPERTY_RUNS === undefined ? everyDay : Number(PROPERTY_RUNS),
    ...(PROPERTY_SEED === undefined ? {} : { seed: Number(PROPERTY_SEED) }),
  };
}
