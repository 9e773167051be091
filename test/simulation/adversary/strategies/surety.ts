import type { Action } from "../step.ts";
import type { Strategy } from "../strategy.ts";
import { fundsIn, type Leg, open } from "./pair.ts";

/**
 * A cross account with positions in two markets, of which one is silent while its price jumps: before the index is
 * back, its money goes to a friend far from the mark of the other market, or into isolated margin there.
 */
export const surety: Strategy = {
  name: "surety",
  terms: (terms) => ({
    ...terms,
    lastsMs: Math.max(terms.lastsMs, 200_000),
    path: "jumps",
    maintenance: undefined,
    delisting: undefined,
    outage: { fromMs: 20_000, toMs: 140_000, of: ["BTC"] },
  }),
  play: (hand) => {
    const { random, terms } = hand;
    const account = (money: number, leverage: number): Leg => ({
      user: hand.account(fundsIn("perp", money)),
      mode: "cross",
      leverage,
    });
    const player = account(60_000, 20);
    const [friend, partner] = [account(120_000, terms.maxLeverage), account(300_000, 5)];
    const isLong = random.chance(50);
    open(hand, 1_000, "perp", isLong ? player : partner, isLong ? partner : player, random.pick([10, 20]));
    const fast = { ...player, leverage: terms.maxLeverage };
    open(hand, 1_100, "other", fast, friend, random.pick([5, 10]));
    for (let atMs = 82_000; atMs < 140_000; atMs += random.pick([5_000, 20_000])) {
      const far = random.pick([2_000, 45_000, 90_000]);
      const lower = { of: "mark", ppm: -far } as const;
      const upper = { of: "mark", ppm: far } as const;
      const whole = { of: "position", percent: 100 } as const;
      const much = { of: "power", percent: random.pick([5, 10]) } as const;
      const order = { do: "order", market: "other" } as const;
      const plays: readonly (readonly Action[])[] = [
        [
          { ...order, user: friend.user, side: "buy", type: "limit", price: lower, lots: whole },
          { do: "close", user: player.user, market: "other", percent: 100, price: lower },
        ],
        [
          { ...order, user: friend.user, side: "sell", type: "limit", price: upper, lots: much },
          { ...order, user: player.user, side: "buy", type: "ioc", price: upper, lots: much },
        ],
        [
          { ...order, user: player.user, side: "sell", type: "limit", price: lower, lots: whole },
          { ...order, user: friend.user, side: "buy", type: "ioc", price: lower, lots: whole },
        ],
        [
          { do: "close", user: player.user, market: "other", percent: 100 },
          { do: "leverage", user: player.user, market: "other", mode: "isolated", leverage: 1 },
          { ...order, user: player.user, side: "buy", type: "limit", price: upper, lots: much },
        ],
      ];
      for (const [at, action] of random.pick(plays).entries()) hand.at(atMs + at, action);
      hand.at(atMs + 10, { do: "cancel", user: friend.user, market: "other" });
      hand.at(atMs + 11, { do: "transfer", user: friend.user, ccy: "USDT", out: true, percent: 100 });
    }
  },
};
