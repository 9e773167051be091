import { momentOf, type Strategy } from "../strategy.ts";
import { fundsIn } from "./pair.ts";

/**
 * Hidden bids, or asks, far from the price, and small deals of two accounts that walk the latest price towards others'
 * stops.
 */
export const ambush: Strategy = {
  name: "ambush",
  play: (hand) => {
    const { random, terms } = hand;
    const market = random.pick(["spot", "coin", "perp"] as const);
    const money = market === "perp" ? fundsIn(market, 300_000) : { usdt: 500_000, btc: 10, dsc: 500_000 };
    const [one, other, third] = [hand.account(money), hand.account(money), hand.account(money)];
    const down = random.chance(50);
    const [waits, walks] = down ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
    const sign = down ? -1 : 1;
    const start = Math.max(1_000, momentOf(hand));
    const deep = random.pick([45_000, 90_000, 280_000]) * sign;
    const price = { of: "fair", ppm: deep } as const;
    const lots = { of: "power", percent: 60 } as const;
    hand.at(start, { do: "order", user: one, market, side: waits, type: "limit", price, lots, hidden: true });
    const least = { is: market === "coin" ? 100 : 100 };
    let ppm = 0;
    const stride = random.pick([9_000, 30_000, 48_000]);
    for (let step = 1; step <= 12; step++) {
      ppm += stride * sign;
      if (Math.abs(ppm) >= Math.abs(deep)) break;
      const at = start + step * random.pick([100, 6_000, 61_000]);
      if (at > terms.lastsMs) break;
      const near = { of: "fair", ppm } as const;
      hand.at(at, { do: "order", user: third, market, side: waits, type: "limit", price: near, lots: least });
      hand.at(at, {
        do: "order",
        user: other,
        market,
        side: walks,
        type: random.pick(["limit", "ioc", "market"] as const),
        price: near,
        lots: least,
      });
    }
    hand.at(start + 250_000, { do: "cancel", user: one, market });
  },
};
