import type { Strategy } from "../strategy.ts";
import { anyFutures, leg, open } from "./pair.ts";

/** There when funding is paid out, gone a second before it is due, with quotes that move the premium meanwhile. */
export const fundingEdge: Strategy = {
  name: "funding_edge",
  play: (hand) => {
    const { random, terms } = hand;
    const market = anyFutures(hand);
    const one = leg(hand, market, 50_000);
    const other = leg(hand, market, 50_000);
    // The next instant at which an interval ends.
    const instant = 28_800_000 - (terms.startMs % 28_800_000);
    const up = random.chance(50);
    open(hand, 500, market, one, other, 80);
    const far = random.pick([500, 5_000, 60_000]) * (up ? 1 : -1);
    const quote = up ? "buy" : "sell";
    hand.at(600, {
      do: "order",
      user: one.user,
      market,
      side: quote,
      type: "limit",
      price: { of: "fair", ppm: far },
      lots: { of: "power", percent: 5 },
    });
    const ccy = market === "inverse" ? "BTC" : "USDT";
    for (const [before, after] of [
      [1_000, 1_000],
      [1, 1],
    ] as const) {
      const payer = random.chance(50) ? one : other;
      switch (random.whole(0, 3)) {
        case 0:
          hand.at(instant - before, { do: "transfer", user: payer.user, ccy, out: true, percent: 100 });
          hand.at(instant + after, { do: "transfer", user: payer.user, ccy, out: false, percent: 100 });
          break;
        case 1:
          hand.at(instant - before, {
            do: "order",
            user: one.user,
            market,
            side: "sell",
            type: "limit",
            price: { of: "fair", ppm: 0 },
            lots: { of: "position", percent: 100 },
          });
          hand.at(instant - before, {
            do: "order",
            user: other.user,
            market,
            side: "buy",
            type: "limit",
            price: { of: "fair", ppm: 0 },
            lots: { of: "position", percent: 100 },
          });
          hand.at(instant + after, {
            do: "order",
            user: other.user,
            market,
            side: "sell",
            type: "limit",
            price: { of: "fair", ppm: 0 },
            lots: { of: "power", percent: 50 },
          });
          hand.at(instant + after, {
            do: "order",
            user: one.user,
            market,
            side: "buy",
            type: "ioc",
            price: { of: "fair", ppm: 0 },
            lots: { of: "depth", percent: 100 },
          });
          break;
        case 2:
          hand.at(instant - before, { do: "margin", user: payer.user, market, percent: -90 });
          hand.at(instant + after, { do: "margin", user: payer.user, market, percent: 90 });
          break;
        default:
          hand.at(instant - before, {
            do: "leverage",
            user: payer.user,
            market,
            mode: payer.mode,
            leverage: terms.maxLeverage,
          });
          hand.at(instant + after, { do: "leverage", user: payer.user, market, mode: payer.mode, leverage: 1 });
      }
    }
  },
};
