import type { Strategy } from "../strategy.ts";
import { fundsIn, leg, open } from "./pair.ts";

/**
 * Deals far from the fair price in spot while the sources of the index are silent, and positions that would gain by
 * them.
 */
export const silentIndex: Strategy = {
  name: "silent_index",
  play: (hand) => {
    const { random, terms } = hand;
    const market = "perp";
    const buyer = hand.account({ usdt: 200_000, btc: 3 });
    const seller = hand.account({ usdt: 200_000, btc: 3 });
    const one = leg(hand, market, 20_000);
    open(hand, 1_000, market, one, leg(hand, market, 20_000), 90);
    const outage = terms.outage ?? { fromMs: 20_000, toMs: 90_000 };
    const up = random.chance(50);
    const start = outage.fromMs + random.pick([-15_000, 1_000, 61_000, 63_000]);
    // A resting order may only lie so far from the last price: in steps one gets anywhere.
    const factor = random.pick([60_000, 95_000, 300_000, 450_000]);
    let ppm = 0;
    for (let step = 0; step < random.whole(1, 4); step++) {
      ppm = up ? ppm + factor : Math.round(((1_000_000 + ppm) * (1_000_000 - factor)) / 1_000_000) - 1_000_000;
      const price = { of: "fair", ppm } as const;
      const lots = { is: random.pick([100, 1_000]) };
      hand.at(start + step, { do: "order", user: seller, market: "spot", side: "sell", type: "limit", price, lots });
      hand.at(start + step, { do: "order", user: buyer, market: "spot", side: "buy", type: "limit", price, lots });
    }
    const reaper = random.chance(50) ? one.user : hand.account(fundsIn(market, 100_000));
    for (const atMs of [start + 100, outage.fromMs + 62_000, outage.toMs - 1_000, outage.toMs + 200]) {
      const side = up ? "sell" : "buy";
      hand.at(atMs, {
        do: "order",
        user: reaper,
        market,
        side,
        type: "limit",
        price: { of: "mark", ppm: up ? 90_000 : -90_000 },
        lots: { of: "power", percent: 50 },
      });
    }
  },
};
