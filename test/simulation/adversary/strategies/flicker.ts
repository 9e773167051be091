import type { Strategy } from "../strategy.ts";
import { anyFutures, leg, open } from "./pair.ts";

/** Orders that never mean to trade: they are shown around the instants at which the book is sampled, and changed away before and after. */
export const flicker: Strategy = {
  name: "flicker",
  play: (hand) => {
    const { random, terms } = hand;
    const market = anyFutures(hand);
    const [one, other] = [leg(hand, market, 50_000), leg(hand, market, 50_000)];
    open(hand, 500, market, one, other, random.pick([30, 80]));
    const quoter = leg(hand, market, 500_000);
    const side = random.pick(["buy", "sell"] as const);
    const away = random.pick([3_000, 30_000, 95_000]) * (side === "buy" ? 1 : -1);
    const lots = { of: "power", percent: 50 } as const;
    hand.at(900, {
      do: "order",
      user: quoter.user,
      market,
      side,
      type: "maker_only",
      price: { of: "fair", ppm: -away },
      lots,
    });
    // Whole minutes, at the first command of which the book is looked at.
    const minute = 60_000 - (terms.startMs % 60_000);
    for (let atMs = minute; atMs < terms.lastsMs; atMs += 60_000) {
      const before = random.pick([1, 100, 4_000]);
      hand.at(atMs - before, { do: "modify", user: quoter.user, market, price: { of: "fair", ppm: away } });
      const after = random.pick([0, 1, 5_000]);
      hand.at(atMs + after, { do: "modify", user: quoter.user, market, price: { of: "fair", ppm: -away } });
      if (random.chance(30)) hand.at(atMs + after, { do: "modify", user: quoter.user, market, percent: 50 });
    }
  },
};
