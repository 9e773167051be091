/** The times of this generation: whole seconds on spot paths, seconds with a fraction on futures paths. */

/** Whole seconds. */
export function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}

/** Seconds with a fraction. */
export function exactSeconds(ms: number): number {
  return ms / 1_000;
}
