import { Codes } from "./codes.ts";

/**
 * Something that is due by the clock, of a market or of the venue (id -1). Running it moves its time into the future.
 */
export interface Due {
  readonly atMs: number;
  readonly rank: number;
  readonly id: number;
  readonly run: () => void;
  /** Running it moves no times of markets but its own: no other market needs to be looked at again. */
  readonly staysInMarket?: true;
}

/** Of what is due at one time the lower rank comes first; a part declares its own. Source: domain 11.3. */
export const DUE_RANKS = new Codes<object>("rank of what is due", 255);

export const DUE_RANK = DUE_RANKS.declare({
  funding: { code: 1 },
  settlement: { code: 2 },
  sample: { code: 4 },
  interval: { code: 5 },
  ladder: { code: 6 },
  delisting: { code: 7 },
  opening: { code: 8 },
});

export function isBefore(left: Due, right: Due): boolean {
  if (left.atMs !== right.atMs) return left.atMs < right.atMs;
  return left.rank === right.rank ? left.id < right.id : left.rank < right.rank;
}
