import { momentOf, type Strategy } from "../strategy.ts";
import { anyFutures, leg, open } from "./pair.ts";

/**
 * A pair of which one is let go: the other makes itself last in the queue of deleveraging, or first where that pays.
 */
export const queueJump: Strategy = {
  name: "queue_jump",
  play: (hand) => {
    const { random, terms } = hand;
    const market = anyFutures(hand);
    const weak = { ...leg(hand, market, 3_000), mode: "isolated" as const, leverage: terms.maxLeverage };
    const strong = leg(hand, market, 100_000);
    const isLong = random.chance(50);
    open(hand, random.chance(50) ? 1_000 : momentOf(hand), market, isLong ? weak : strong, isLong ? strong : weak, 95);
    for (let atMs = 5_000; atMs < terms.lastsMs + 50_000; atMs += random.pick([4_000, 11_000])) {
      switch (random.whole(0, 4)) {
        case 0:
          hand.at(atMs, {
            do: "leverage",
            user: strong.user,
            market,
            mode: strong.mode,
            leverage: random.pick([1, 5, terms.maxLeverage]),
          });
          break;
        case 1:
          hand.at(atMs, { do: "margin", user: strong.user, market, percent: random.pick([-90, 200]) });
          break;
        case 2:
          // Trades with itself what renews its entry price.
          hand.at(atMs, { do: "close", user: strong.user, market, percent: 50, price: { of: "mark", ppm: 0 } });
          break;
        default:
          hand.at(atMs, { do: "cancel", user: strong.user, market });
          hand.at(atMs, {
            do: "order",
            user: strong.user,
            market,
            side: isLong ? "buy" : "sell",
            type: "limit",
            price: { of: "mark", ppm: random.whole(-9_000, 9_000) },
            lots: { of: "inventory", percent: random.pick([30, 100]) },
          });
      }
    }
  },
};
