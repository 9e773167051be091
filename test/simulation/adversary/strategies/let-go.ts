import type { Strategy } from "../strategy.ts";
import { anyFutures, leg, open } from "./pair.ts";

/** A hedged pair of which one is let go when the price moves; the other waits for what the venue then has to sell. */
export const letGo: Strategy = {
  name: "let_go",
  play: (hand) => {
    const { random, terms } = hand;
    const market = anyFutures(hand);
    const money = random.pick([2_000, 20_000]);
    const one = { ...leg(hand, market, money), leverage: terms.maxLeverage };
    const other = { ...leg(hand, market, money), leverage: terms.maxLeverage };
    open(hand, random.whole(1, 20) * 1_000, market, one, other, random.pick([60, 95]));
    // The ladder once went to twice the maintenance rate.
    const away = Math.round(Number(terms.maintenanceRate) * 1_000_000 * random.pick([0.3, 0.9, 1.4, 1.98]));
    const everyMs = random.pick([1_900, 4_000, 10_000]);
    const lots = { of: "position", percent: 100 } as const;
    for (let atMs = 22_000; atMs < terms.lastsMs + 60_000; atMs += everyMs) {
      // The one who is left sells what is long, or buys what is short.
      for (const { user } of [one, other]) {
        const [side, ppm] = user === one.user ? (["sell", away] as const) : (["buy", -away] as const);
        hand.at(atMs, { do: "cancel", user, market });
        hand.at(atMs, { do: "order", user, market, side, type: "limit", price: { of: "mark", ppm }, lots });
      }
    }
  },
};
