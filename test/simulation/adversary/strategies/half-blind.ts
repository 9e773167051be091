import { momentOf, type Strategy } from "../strategy.ts";
import { leg, open } from "./pair.ts";

/**
 * Cross positions in two markets, of which one may be silent while the other is not: one stands surety for the other,
 * or not.
 */
export const halfBlind: Strategy = {
  name: "half_blind",
  play: (hand) => {
    const { random, terms } = hand;
    const legs = [leg(hand, "perp", 30_000), leg(hand, "perp", 30_000)] as const;
    const cross = legs.map((one) => ({ ...one, mode: "cross" as const }));
    const [one, two] = cross as [(typeof cross)[number], (typeof cross)[number]];
    open(hand, 1_000, "perp", one, two, random.pick([20, 45, 70]));
    const turned = random.chance(50);
    open(hand, 1_001, "other", turned ? two : one, turned ? one : two, random.pick([20, 45, 90]));
    for (let time = 0; time < 6; time++) {
      const atMs = Math.max(2_000, momentOf(hand) + random.whole(0, 20_000));
      const { user } = random.pick(cross);
      const market = random.pick(["perp", "other"] as const);
      switch (random.whole(0, 3)) {
        case 0:
          hand.at(atMs, { do: "transfer", user, ccy: "USDT", out: true, percent: 100 });
          break;
        case 1:
          hand.at(atMs, {
            do: "close",
            user,
            market,
            percent: 100,
            price: { of: "mark", ppm: random.whole(-9_000, 9_000) },
          });
          break;
        case 2:
          hand.at(atMs, { do: "leverage", user, market, mode: "cross", leverage: terms.maxLeverage });
          break;
        default:
          hand.at(atMs, {
            do: "order",
            user,
            market,
            side: random.pick(["buy", "sell"] as const),
            type: "limit",
            price: { of: "mark", ppm: random.whole(-9_000, 9_000) },
            lots: { of: "position", percent: 150 },
          });
      }
    }
  },
};
