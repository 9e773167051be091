import type { Strategy } from "../strategy.ts";
import { anyFutures, leg, open } from "./pair.ts";

/**
 * Long and short of oneself at the highest leverage, opened anew whenever a leg is let go: an option on a jump of the
 * index.
 */
export const straddle: Strategy = {
  name: "straddle",
  play: (hand) => {
    const { random, terms } = hand;
    const market = anyFutures(hand);
    const money = random.pick([2_000, 50_000]);
    const everyMs = random.pick([30_000, 60_000, 120_000]);
    for (let atMs = 1_000; atMs < terms.lastsMs; atMs += everyMs) {
      // Accounts of which one lost its margin have nothing to begin with again: it is others' turn.
      const legs = [leg(hand, market, money), leg(hand, market, money)] as const;
      const [long, short] = legs.map((one) => ({ ...one, mode: "isolated" as const, leverage: terms.maxLeverage }));
      if (long !== undefined && short !== undefined) open(hand, atMs, market, long, short, 95);
      for (const { user } of legs) hand.at(atMs + everyMs - 500, { do: "close", user, market, percent: 100 });
    }
  },
};
