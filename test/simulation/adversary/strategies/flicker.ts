import type { Hand, Strategy } from "../strategy.ts";
import { anyFutures, leg, open } from "./pair.ts";

/**
 * Orders that never mean to trade: they are shown around the instants at which the book is looked at, the beginnings of
 * minutes or every tick, and changed away before and after; or they stand all the time as one lot, and grow for the
 * instant.
 */
export const flicker: Strategy = {
  name: "flicker",
  play: (hand) => {
    const { random } = hand;
    const market = anyFutures(hand);
    const [one, other] = [leg(hand, market, 50_000), leg(hand, market, 50_000)];
    open(hand, 500, market, one, other, random.pick([30, 80]));
    const { user } = leg(hand, market, 500_000);
    const side = random.pick(["buy", "sell"] as const);
    const away = random.pick([3_000, 30_000, 95_000]) * (side === "buy" ? 1 : -1);
    const shows = { of: "fair", ppm: away } as const;
    const hides = { of: "fair", ppm: -away } as const;
    const grows = random.chance(40);
    const lots = { of: "power", percent: grows ? 1 : 50 } as const;
    hand.at(900, { do: "order", user, market, side, type: "maker_only", price: grows ? shows : hides, lots });
    for (const atMs of instants(hand)) {
      const before = random.pick([1, 100, 900, 4_000]);
      const after = random.pick([0, 1, 400, 5_000]);
      if (grows) {
        hand.at(atMs - before, { do: "modify", user, market, percent: 4_000 });
        hand.at(atMs + after, { do: "modify", user, market, percent: 3 });
        continue;
      }
      hand.at(atMs - before, { do: "modify", user, market, price: shows });
      hand.at(atMs + after, { do: "modify", user, market, price: hides });
      if (random.chance(30)) hand.at(atMs + after, { do: "modify", user, market, percent: 50 });
    }
  },
};

/**
 * Whole minutes, at the first command of which the book was looked at; or all ticks, which come with the prices of
 * sources.
 */
function instants({ random, terms }: Hand): number[] {
  const minute = 60_000 - (terms.startMs % 60_000);
  const [first, every] = random.chance(50) ? [minute, 60_000] : [terms.feedEveryMs, terms.feedEveryMs];
  const count = Math.min(80, Math.ceil((terms.lastsMs - first) / every));
  return Array.from({ length: Math.max(0, count) }, (_, at) => first + at * every).filter((atMs) => atMs > 5_000);
}
