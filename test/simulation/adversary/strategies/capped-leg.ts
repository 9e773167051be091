import type { Strategy } from "../strategy.ts";
import { anyFutures, leg } from "./pair.ts";

const INTERVAL_MS = 28_800_000;
const HELD_MS = 1_200_000;

/**
 * Thin legs on the side that pays funding, at prices so near each other that some stand just above their liquidation
 * when it is collected.
 */
export const cappedLeg: Strategy = {
  name: "capped_leg",
  // A premium counts by the minutes that it is held: it takes some to come to more than nothing.
  terms: (terms) => ({
    ...terms,
    startMs: Math.ceil(terms.startMs / INTERVAL_MS) * INTERVAL_MS - HELD_MS,
    lastsMs: HELD_MS + 60_000,
    feedEveryMs: 30_000,
  }),
  play: (hand) => {
    const { random, terms } = hand;
    const market = anyFutures(hand);
    const pays = random.pick(["buy", "sell"] as const);
    const sign = pays === "buy" ? 1 : -1;
    const mode = terms.seed % 4 === 1 ? "cross" : "isolated";
    const instant = INTERVAL_MS - (terms.startMs % INTERVAL_MS);
    const receiver = { ...leg(hand, market, 400_000), leverage: 10 };
    // The premium is of his own making: he quotes on the side that pays.
    const quoter = hand.account(market === "inverse" ? { futuresBtc: 20 } : { futures: 1_000_000 });
    hand.at(300, {
      do: "order",
      user: quoter,
      market,
      side: pays,
      type: "limit",
      price: { of: "fair", ppm: random.pick([30_000, 90_000]) * sign },
      lots: { of: "power", percent: 20 },
    });
    for (let at = 0; at < 12; at++) {
      const payer = { ...leg(hand, market, 2_000), mode, leverage: terms.maxLeverage } as const;
      const openedMs = random.whole(500, Math.max(600, Math.min(instant, terms.lastsMs) - 2_000));
      const price = { of: "fair", ppm: 0 } as const;
      const other = pays === "buy" ? "sell" : "buy";
      for (const one of [payer, receiver]) hand.at(openedMs, { do: "leverage", market, ...one });
      hand.at(
        openedMs,
        { do: "order", user: payer.user, market, side: pays, type: "limit", price, lots: { of: "power", percent: 95 } },
        {
          do: "order",
          user: receiver.user,
          market,
          side: other,
          type: "ioc",
          price,
          lots: { of: "depth", percent: 100 },
        },
        { do: "cancel", user: payer.user, market },
      );
      hand.at(openedMs + 50, { do: "margin", user: payer.user, market, percent: -random.pick([1, 10]) });
      hand.at(openedMs + 60, {
        do: "transfer",
        user: payer.user,
        ccy: market === "inverse" ? "BTC" : "USDT",
        out: true,
        percent: 100,
      });
    }
  },
};
