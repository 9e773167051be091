/** Something that is due by the clock, of a market or of the venue (id -1). Running it moves its time into the future. */
export interface Due {
  readonly atMs: number;
  readonly rank: number;
  readonly id: number;
  readonly run: () => void;
}

/** Of what is due at one time the lower rank comes first. Source: domain 11.3. */
export const DUE_RANK = {
  funding: 1,
  settlement: 2,
  sample: 4,
  interval: 5,
  ladder: 6,
  delisting: 7,
  opening: 8,
} as const;

export function isBefore(left: Due, right: Due): boolean {
  if (left.atMs !== right.atMs) return left.atMs < right.atMs;
  return left.rank === right.rank ? left.id < right.id : left.rank < right.rank;
}
