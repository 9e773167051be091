import { momentOf, type Strategy } from "../strategy.ts";

/**
 * Calls an interruption without a deal, opens at a price of two accounts' own, and trades with anyone who comes at it.
 */
export const holdAuction: Strategy = {
  name: "hold_auction",
  play: (hand) => {
    const { random, terms } = hand;
    const market = random.pick(["spot", "coin"] as const);
    const money = { usdt: 2_000_000, btc: 40, dsc: 2_000_000, deducts: random.chance(50) };
    const [one, other] = [hand.account(money), hand.account(money)];
    let atMs = momentOf(hand);
    const far = random.pick([120_000, 300_000, 480_000]) * random.pick([-1, 1]);
    for (let time = 0; time < 3 && atMs < terms.lastsMs; time++) {
      const price = { of: random.chance(50) ? "fair" : "last", ppm: far } as const;
      const lots = { is: random.pick([100, 5_000]) };
      hand.at(atMs, { do: "order", user: one, market, side: "sell", type: "limit", price, lots });
      hand.at(atMs, { do: "order", user: other, market, side: "buy", type: "limit", price, lots });
      hand.at(atMs + 1, {
        do: "order",
        user: other,
        market,
        side: far > 0 ? "sell" : "buy",
        type: "limit",
        price,
        lots: { of: "power", percent: 30 },
      });
      atMs += random.pick([121_000, 125_000]);
      hand.at(atMs, {
        do: "order",
        user: other,
        market,
        side: "sell",
        type: "ioc",
        price: { of: "bid", ppm: 0 },
        lots: { of: "depth", percent: 100 },
      });
      hand.at(atMs, {
        do: "order",
        user: one,
        market,
        side: "buy",
        type: "ioc",
        price: { of: "ask", ppm: 0 },
        lots: { of: "depth", percent: 100 },
      });
      hand.at(atMs + 5, { do: "cancel", user: other, market });
    }
  },
};
