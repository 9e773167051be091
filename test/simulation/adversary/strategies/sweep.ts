import { momentOf, type Strategy } from "../strategy.ts";

/**
 * Many orders at once through a thin book, each as far as one may go, so that others' stops fire into quotes of his
 * own.
 */
export const sweep: Strategy = {
  name: "sweep",
  play: (hand) => {
    const { random } = hand;
    const market = random.pick(["spot", "coin"] as const);
    const money = { usdt: 2_000_000, btc: 40, dsc: 2_000_000 };
    const quoter = hand.account(money);
    const sweeper = hand.account(money);
    const up = random.chance(50);
    const start = momentOf(hand);
    const levels = random.whole(2, 12);
    const gap = random.pick([60_000, 95_000, 200_000]);
    const [quotes, takes] = up ? (["sell", "buy"] as const) : (["buy", "sell"] as const);
    const everyMs = random.pick([0, 0, 1_000, 21_000]);
    const lots = { is: market === "spot" ? 200 : 500 };
    let ppm = 0;
    for (let level = 1; level <= levels; level++) {
      ppm = up
        ? Math.round(((1_000_000 + ppm) * (1_000_000 + gap)) / 1_000_000) - 1_000_000
        : Math.round(((1_000_000 + ppm) * (1_000_000 - gap)) / 1_000_000) - 1_000_000;
      hand.at(start + level * everyMs, {
        do: "order",
        user: quoter,
        market,
        side: quotes,
        type: "limit",
        price: { of: "fair", ppm },
        lots,
      });
      const type = random.pick(["market", "limit"] as const);
      hand.at(start + level * everyMs + (everyMs === 0 ? 1 : 0), {
        do: "order",
        user: sweeper,
        market,
        side: takes,
        type,
        price: { of: "fair", ppm },
        lots,
      });
    }
    const after = start + (levels + 1) * everyMs + 500;
    hand.at(after, { do: "cancel", user: quoter, market });
    // An order that waits at the far end meets the stops.
    hand.at(start - 500, {
      do: "order",
      user: quoter,
      market,
      side: quotes,
      type: "limit",
      price: { of: "fair", ppm },
      lots: { of: "power", percent: 20 },
    });
    hand.at(after, {
      do: "order",
      user: sweeper,
      market,
      side: quotes,
      type: "limit",
      price: { of: "fair", ppm: 0 },
      lots: { of: "power", percent: 5 },
    });
  },
};
