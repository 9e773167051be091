/** Whether the fast ring of tests runs (`npm test`), and not all of them or a file by its name. */
export const isFastRing = process.env["BOURSE_TEST_RING"] === "fast";

/** How many of something a test tries: `fast` in the fast ring, `all` where there is time. */
export function budget(fast: number, all: number): number {
  return isFastRing ? fast : all;
}

/**
 * In the fast ring the first of each family, everywhere else all of them: for faults that are planted, of which each
 * costs as much as a test.
 */
export function onePerFamily<T>(items: readonly T[], familyOf: (item: T) => string): readonly T[] {
  if (!isFastRing) return items;
  return [...new Map(items.toReversed().map((item) => [familyOf(item), item])).values()].reverse();
}
