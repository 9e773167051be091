import { momentOf, type Strategy } from "../strategy.ts";

/**
 * Two accounts trade the deduction coin with each other, each time dearer, and then pay their fees with little of it.
 */
export const washDeduction: Strategy = {
  name: "wash_deduction",
  play: (hand) => {
    const { random } = hand;
    const one = hand.account({ usdt: 500_000, btc: 10, dsc: 5_000, deducts: true });
    const other = hand.account({ usdt: 500_000, btc: 10, dsc: 5_000, deducts: true });
    const start = momentOf(hand);
    const rise = random.pick([90_000, 290_000, 490_000]);
    let ppm = 0;
    for (let step = 0; step < random.whole(1, 12); step++) {
      ppm = Math.round(((1_000_000 + ppm) * (1_000_000 + rise)) / 1_000_000) - 1_000_000;
      const price = { of: "fair", ppm } as const;
      const lots = { is: random.pick([100, 1_000]) };
      hand.at(start, { do: "order", user: one, market: "coin", side: "sell", type: "limit", price, lots });
      hand.at(start, { do: "order", user: other, market: "coin", side: "buy", type: "limit", price, lots });
    }
    const price = { of: "fair", ppm: 0 } as const;
    const lots = { is: random.pick([10_000, 1_000_000]) };
    hand.at(start + 10, { do: "order", user: one, market: "spot", side: "sell", type: "limit", price, lots });
    hand.at(start + 10, { do: "order", user: other, market: "spot", side: "buy", type: "limit", price, lots });
  },
};
