import type { Strategy } from "../strategy.ts";
import { fundsIn, leg, open } from "./pair.ts";

/**
 * Positions in a market that is about to leave, which closes them at its mark, and quotes that would move that mark.
 */
export const lastMark: Strategy = {
  name: "last_mark",
  play: (hand) => {
    const { random, terms } = hand;
    const market = "perp";
    const long = leg(hand, market, 20_000);
    const short = leg(hand, market, 20_000);
    const up = random.chance(50);
    if (random.chance(50)) open(hand, 1_000, market, long, short, random.pick([50, 90]));
    else {
      // Against anyone who quotes, and not against oneself.
      const [one, side] = up ? ([long, "buy"] as const) : ([short, "sell"] as const);
      hand.at(1_000, { do: "leverage", user: one.user, market, mode: one.mode, leverage: one.leverage });
      const price = { of: "fair", ppm: up ? 3_000 : -3_000 } as const;
      const lots = { of: "power", percent: 60 } as const;
      hand.at(1_000, { do: "order", user: one.user, market, side, type: "ioc", price, lots });
    }
    const quoter = hand.account(fundsIn(market, 500_000));
    const price = { of: "fair", ppm: random.pick([5_000, 60_000, 99_000]) * (up ? 1 : -1) } as const;
    const lots = { is: random.pick([1, 6_000]) };
    for (let atMs = 2_000; atMs < terms.lastsMs; atMs += 55_000) {
      hand.at(atMs, { do: "cancel", user: quoter, market });
      hand.at(atMs, { do: "order", user: quoter, market, side: up ? "buy" : "sell", type: "limit", price, lots });
    }
    // One leg leaves with what it has before the market does, if that is the one that would lose.
    const atMs = (terms.delisting?.atMs ?? terms.lastsMs) - random.pick([1, 900, 10_000]);
    const loser = up ? short.user : long.user;
    hand.at(atMs, { do: "transfer", user: loser, ccy: "USDT", out: true, percent: 100 });
    hand.at(atMs, { do: "margin", user: loser, market, percent: -100 });
  },
};
