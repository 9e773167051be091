import { momentOf, type Strategy } from "../strategy.ts";
import { fundsIn } from "./pair.ts";

/**
 * Two accounts trade a lot with each other far from the fair price, so that stops by the latest price fire into their
 * quotes.
 */
export const fright: Strategy = {
  name: "fright",
  play: (hand) => {
    const { random } = hand;
    const market = random.pick(["perp", "perp", "spot", "coin"] as const);
    const isFutures = market === "perp";
    const money = isFutures ? fundsIn(market, 200_000) : { usdt: 500_000, btc: 10, dsc: 500_000 };
    const [one, other] = [hand.account(money), hand.account(money)];
    const far = random.pick([25_000, 60_000, 90_000, 290_000]) * random.pick([-1, 1]);
    const atMs = momentOf(hand);
    const price = { of: "fair", ppm: far } as const;
    const lots = { is: isFutures ? 10 : 500 };
    const [quotes, takes] = far > 0 ? (["sell", "buy"] as const) : (["buy", "sell"] as const);
    hand.at(atMs, {
      do: "order",
      user: one,
      market,
      side: quotes,
      type: "limit",
      price,
      lots: { of: "power", percent: 60 },
    });
    hand.at(atMs + 1, { do: "order", user: other, market, side: takes, type: "limit", price, lots });
    hand.at(atMs + random.pick([2, 200_000]), { do: "cancel", user: one, market });
  },
};
