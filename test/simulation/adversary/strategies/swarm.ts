import type { Action } from "../step.ts";
import type { Strategy } from "../strategy.ts";
import { type Leg, moving } from "./pair.ts";

/**
 * A position of several levels in pieces: accounts of one owner, some of them sub-accounts, each within the first level
 * and at its leverage, against one account that has more behind it. Let go one after the other, what the venue then
 * sells the owner's other accounts wait for.
 */
export const swarm: Strategy = {
  name: "swarm",
  terms: moving,
  play: (hand) => {
    const { random, terms } = hand;
    const market = "perp";
    const isLong = random.chance(50);
    const pieces = random.whole(3, 8);
    const money = random.pick([5_000, 20_000]);
    const leverage = terms.maxLeverage;
    const main = hand.account({ futures: money });
    const mode = random.pick(["cross", "isolated"] as const);
    const bulk: Leg = { user: hand.account({ futures: money * pieces * 30 }), mode: "cross", leverage: 5 };
    const legs = Array.from({ length: pieces }, (_, at): Leg => {
      const user = at === 0 ? main : hand.account({ futures: money, ...(random.chance(60) ? { under: main } : {}) });
      return { user, mode, leverage };
    });
    const [buys, sells] = isLong ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
    const fair = { of: "fair", ppm: 0 } as const;
    hand.at(900, { do: "leverage", ...bulk, market });
    for (const [at, one] of legs.entries()) {
      const atMs = 1_000 + at * 10;
      const [lots, all] = [
        { of: "power", percent: random.pick([60, 95]) } as const,
        { of: "depth", percent: 100 } as const,
      ];
      hand.at(atMs, { do: "leverage", ...one, market });
      hand.at(atMs, { do: "order", user: one.user, market, side: buys, type: "limit", price: fair, lots });
      hand.at(atMs, { do: "order", user: bulk.user, market, side: sells, type: "ioc", price: fair, lots: all });
      hand.at(atMs, { do: "cancel", user: one.user, market });
    }
    const away = Math.round(Number(terms.maintenanceRate) * 1_000_000);
    for (let atMs = 4_000; atMs < terms.lastsMs + 30_000; atMs += random.pick([1_900, 5_000, 12_000])) {
      // The one who is left takes what the venue sells, and between them the pieces change hands and levels.
      const ppm = Math.round(away * random.pick([0.2, 0.9, 1.5, 4])) * (isLong ? -1 : 1);
      const price = { of: "mark", ppm } as const;
      const lots = { of: "inventory", percent: random.pick([50, 100]) } as const;
      hand.at(atMs, { do: "cancel", user: bulk.user, market });
      hand.at(atMs + 1, { do: "order", user: bulk.user, market, side: buys, type: "limit", price, lots });
      const [one, other] = [random.pick(legs), random.pick(legs)];
      hand.at(
        atMs + 2,
        random.pick<Action>([
          { do: "margin", user: one.user, market, percent: -90 },
          { do: "transfer", user: one.user, ccy: "USDT", out: true, percent: 100 },
          {
            do: "order",
            user: one.user,
            market,
            side: sells,
            type: "limit",
            price,
            lots: { of: "position", percent: 50 },
          },
          { do: "leverage", user: one.user, market, mode, leverage: random.pick([1, 5, leverage]) },
        ]),
      );
      hand.at(atMs + 3, {
        do: "order",
        user: other.user,
        market,
        side: buys,
        type: random.pick(["ioc", "limit"] as const),
        price,
        lots: { of: "power", percent: random.pick([10, 60]) },
      });
    }
  },
};
