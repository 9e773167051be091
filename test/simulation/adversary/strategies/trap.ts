import type { Strategy } from "../strategy.ts";
import { anyFutures, leg, moving, open } from "./pair.ts";

/**
 * Take profits, stop losses and stop orders set so that they fire in the instant in which the venue sells what it took
 * over, or by deals of a lot between accounts of one owner: they would buy from the insurance fund, or sell to it,
 * before anybody can see it.
 */
export const trap: Strategy = {
  name: "trap",
  terms: moving,
  play: (hand) => {
    const { random, terms } = hand;
    const market = anyFutures(hand);
    const money = random.pick([5_000, 30_000]);
    const falls = random.chance(50);
    const weak = { ...leg(hand, market, money), leverage: terms.maxLeverage };
    const strong = { ...leg(hand, market, money * 5), leverage: random.pick([5, 20]) };
    open(hand, 1_000, market, falls ? weak : strong, falls ? strong : weak, random.pick([60, 95]));
    const [one, other] = [leg(hand, market, money), leg(hand, market, money)];
    const way = falls ? -1 : 1;
    const [reduces, opposite] = falls ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
    const initial = Number(terms.initialRate) * 1_000_000;
    for (let atMs = 3_000; atMs < terms.lastsMs; atMs += random.pick([5_000, 15_000, 40_000])) {
      // About where the weak leg is let go, counted from where the mark is now.
      const ppm = Math.round(way * initial * random.pick([0.1, 0.5, 0.8, 1, 1.2]));
      const trigger = { of: "mark", ppm } as const;
      const by = random.pick(["latest_price", "mark_price"] as const);
      hand.at(atMs, { do: "exit", user: strong.user, market, exit: "take_profit", trigger, by });
      hand.at(atMs + 1, { do: "exit", user: weak.user, market, exit: "stop_loss", trigger, by });
      const { user } = random.pick([strong, one, other]);
      hand.at(atMs + 2, {
        do: "stop",
        user,
        market,
        side: random.pick([reduces, reduces, opposite]),
        type: random.pick(["market", "limit"] as const),
        price: trigger,
        trigger,
        by: random.pick(["latest_price", "mark_price", "index_price"] as const),
        lots: random.chance(50) ? { of: "power", percent: 60 } : { of: "position", percent: 100 },
      });
      if (random.chance(60)) {
        // A lot between two of one owner is a latest price.
        const price = { of: "mark", ppm: Math.round(way * random.pick([3_000, 20_000, 48_000, 90_000])) } as const;
        const lots = { is: 100 } as const;
        hand.at(atMs + 3, { do: "order", user: one.user, market, side: reduces, type: "limit", price, lots });
        hand.at(atMs + 4, { do: "order", user: other.user, market, side: opposite, type: "ioc", price, lots });
        hand.at(atMs + 5, { do: "cancel", user: one.user, market });
      }
      if (random.chance(30)) {
        const price = { of: "mark", ppm: Math.round(-way * random.pick([1_000, 30_000])) } as const;
        const lots = { of: "power", percent: 50 } as const;
        hand.at(atMs + 6, {
          do: "order",
          user: random.pick([one, other]).user,
          market,
          side: opposite,
          type: "limit",
          price,
          lots,
        });
      }
    }
  },
};
