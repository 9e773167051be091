import { Random } from "../../random.ts";
import type { Terms } from "../terms.ts";

/** When a market takes bids, is locked, opens and leaves, ms from the start of the play. */
export interface Life {
  readonly biddingMs: number;
  readonly lockedMs: number;
  readonly onlineMs: number;
  readonly leavesMs: number;
}

export function lifeOf({ seed, lastsMs }: Terms): Life {
  const random = new Random(seed ^ 0x11fe);
  const biddingMs = random.whole(5, 15) * 1_000;
  const lockedMs = biddingMs + random.whole(5, 20) * 1_000;
  const onlineMs = lockedMs + random.pick([1, 1_000, 15_000]);
  return { biddingMs, lockedMs, onlineMs, leavesMs: random.whole(onlineMs + 1, lastsMs) };
}
