import type { Strategy } from "../strategy.ts";
import { anyFutures, leg, open } from "./pair.ts";

/**
 * Pairs of which one leg is let go while the index goes on its way: nobody bids for what the venue takes over, so that
 * it carries the drift until the other legs are deleveraged. Several pairs at prices near each other, so that some leg
 * is due wherever the path goes, and each again when it is gone.
 */
export const drift: Strategy = {
  name: "drift",
  play: (hand) => {
    const { random, terms } = hand;
    const market = anyFutures(hand);
    const pairs = Array.from({ length: random.pick([1, 3]) }, () => {
      const mode = random.pick(["isolated", "isolated", "cross"] as const);
      const most = { mode, leverage: terms.maxLeverage };
      const money = random.pick([3_000, 30_000]);
      return {
        one: { ...leg(hand, market, money), ...most },
        other: { ...leg(hand, market, money * 20), leverage: 5 },
      };
    });
    for (let atMs = 1_000; atMs < terms.lastsMs; atMs += random.pick([15_000, 40_000])) {
      for (const { one, other } of pairs) {
        const [long, short] = random.chance(50) ? [one, other] : [other, one];
        open(hand, atMs, market, long, short, random.pick([60, 95]));
        // What was won with one leg keeps the next one as thin as the first.
        if (random.chance(50)) hand.at(atMs + 10, { do: "margin", user: one.user, market, percent: -90 });
        if (random.chance(30))
          hand.at(atMs + 11, {
            do: "transfer",
            user: one.user,
            ccy: market === "inverse" ? "BTC" : "USDT",
            out: true,
            percent: 100,
          });
      }
    }
  },
};
