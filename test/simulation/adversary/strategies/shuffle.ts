import type { Strategy } from "../strategy.ts";
import { anyFutures, leg, leverageOf, open } from "./pair.ts";

/**
 * Money taken out, margin moved, leverage and mode turned at every chance: whatever is free is not there when it is
 * needed.
 */
export const shuffle: Strategy = {
  name: "shuffle",
  play: (hand) => {
    const { random, terms } = hand;
    const market = anyFutures(hand);
    const legs = [leg(hand, market, 20_000), leg(hand, market, 20_000)] as const;
    open(hand, 1_000, market, legs[0], legs[1], random.pick([10, 50, 95]));
    const ccy = market === "inverse" ? "BTC" : "USDT";
    for (let atMs = 2_000; atMs < terms.lastsMs; atMs += random.pick([500, 3_000, 9_000])) {
      const { user } = random.pick(legs);
      switch (random.whole(0, 6)) {
        case 0:
        case 1:
          hand.at(atMs, { do: "transfer", user, ccy, out: true, percent: random.pick([50, 100]) });
          break;
        case 2:
          hand.at(atMs, { do: "transfer", user, ccy, out: false, percent: random.pick([10, 100]) });
          break;
        case 3:
          hand.at(atMs, { do: "margin", user, market, percent: random.pick([-100, -50, -10, 50, 300]) });
          break;
        case 4:
          hand.at(atMs, {
            do: "leverage",
            user,
            market,
            mode: random.pick(["cross", "isolated"] as const),
            leverage: leverageOf(hand, terms.maxLeverage),
          });
          break;
        case 5: {
          const side = random.pick(["buy", "sell"] as const);
          const ppm = random.whole(-9_000, 9_000);
          hand.at(atMs, {
            do: "order",
            user,
            market,
            side,
            type: "limit",
            price: { of: "mark", ppm },
            lots: { of: "position", percent: random.pick([10, 100, 190]) },
          });
          break;
        }
        default:
          hand.at(atMs, { do: "cancel", user, market });
      }
    }
  },
};
