import type { Strategy } from "../strategy.ts";
import { leg, open } from "./pair.ts";

/** Hundreds of the smallest operations there are: what each rounds must never be rounded his way. */
export const dust: Strategy = {
  name: "dust",
  play: (hand) => {
    const { random } = hand;
    const market = random.pick(["perp", "inverse", "spot", "coin"] as const);
    const isFutures = market === "perp" || market === "inverse";
    const money = { usdt: 10_000, btc: 1, dsc: 10_000 };
    const users = isFutures
      ? ([leg(hand, market, 5_000), leg(hand, market, 5_000)] as const).map(({ user }) => user)
      : [hand.account(money), hand.account({ ...money, deducts: true })];
    const [one, other] = users as [string, string];
    if (isFutures && random.chance(50)) {
      const of = { mode: random.pick(["cross", "isolated"] as const), leverage: random.pick([3, 10]) };
      open(hand, 500, market, { user: one, ...of }, { user: other, ...of }, 5);
    }
    const least = { perp: 1, inverse: 10, spot: 100, coin: 100 }[market];
    const ppm = random.pick([0, 17, -333]);
    for (let at = 0; at < 120; at++) {
      const atMs = 1_000 + at * random.pick([1, 50]);
      const [seller, buyer] = random.chance(50) ? [one, other] : [other, one];
      const lots = { is: least + random.whole(0, 3) };
      const price = { of: "fair", ppm } as const;
      hand.at(atMs, { do: "order", user: seller, market, side: "sell", type: "limit", price, lots });
      hand.at(atMs, { do: "order", user: buyer, market, side: "buy", type: "limit", price, lots });
    }
  },
};
