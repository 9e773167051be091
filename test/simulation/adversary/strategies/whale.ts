import type { Strategy } from "../strategy.ts";
import { leg, open } from "./pair.ts";

/**
 * A position of several levels, which is reduced step by step for its owner: into quotes of the owner's other accounts.
 */
export const whale: Strategy = {
  name: "whale",
  play: (hand) => {
    const { random, terms } = hand;
    const market = "perp";
    const leverage = random.pick([5, 10, 20]);
    // More than the first level has room for: 50 coins of 60,000.
    const money = (3_000_000 * random.pick([1.5, 3])) / leverage;
    const big = { ...leg(hand, market, money), leverage };
    const other = { ...leg(hand, market, money * 4), leverage: 5 };
    const isLong = random.chance(50);
    const [long, short] = isLong ? [big, other] : [other, big];
    open(hand, 1_000, market, long, short, 95);
    const quoter = hand.account({ futures: money });
    const side = isLong ? "buy" : "sell";
    for (let atMs = 3_000; atMs < terms.lastsMs; atMs += random.pick([2_000, 7_000])) {
      const ppm = random.pick([0, 2_000, 20_000, 60_000]) * (isLong ? -1 : 1);
      hand.at(atMs, { do: "cancel", user: quoter, market });
      const lots = { of: "power", percent: random.pick([5, 90]) } as const;
      hand.at(atMs, {
        do: "order",
        user: quoter,
        market,
        side,
        type: "limit",
        price: { of: "mark", ppm },
        lots,
        hidden: random.chance(50),
      });
      // Anyone who takes margin away is let go sooner.
      if (random.chance(40))
        hand.at(atMs + 1, { do: "transfer", user: big.user, ccy: "USDT", out: true, percent: 100 });
      if (random.chance(20)) hand.at(atMs + 1, { do: "margin", user: big.user, market, percent: -100 });
      if (random.chance(20)) hand.at(atMs + 2, { do: "close", user: big.user, market, percent: 30 });
    }
  },
};
