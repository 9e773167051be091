import type { Action } from "../step.ts";
import { momentOf, type Strategy } from "../strategy.ts";
import { anyFutures, leg, open } from "./pair.ts";

/**
 * A hedged pair, a coin held, and a volley of everything there is in the instants at which a window begins, protects
 * and ends.
 */
export const edges: Strategy = {
  name: "edges",
  play: (hand) => {
    const { random, terms } = hand;
    const market = anyFutures(hand);
    const [one, other] = [leg(hand, market, 30_000), leg(hand, market, 30_000)];
    open(hand, 500, market, one, other, random.pick([40, 95]));
    const ccy = market === "inverse" ? "BTC" : "USDT";
    const { maintenance } = terms;
    const instants =
      maintenance === undefined
        ? []
        : [maintenance.fromMs, maintenance.toMs, maintenance.toMs + maintenance.protectsMs];
    const actions: ((user: string) => Action)[] = [
      (user) => ({ do: "transfer", user, ccy, out: true, percent: 100 }),
      (user) => ({ do: "margin", user, market, percent: -90 }),
      (user) => ({ do: "close", user, market, percent: 100, price: { of: "mark", ppm: random.whole(-9_000, 9_000) } }),
      (user) => ({ do: "modify", user, market, price: { of: "mark", ppm: random.whole(-30_000, 30_000) } }),
      (user) => ({ do: "modify", user, market, percent: 200 }),
      (user) => ({ do: "cancel", user, market }),
      (user) => ({ do: "leverage", user, market, mode: one.mode, leverage: terms.maxLeverage }),
      (user) => ({
        do: "order",
        user,
        market,
        side: random.pick(["buy", "sell"] as const),
        type: random.pick(["limit", "maker_only", "ioc"] as const),
        price: { of: "mark", ppm: random.whole(-9_000, 9_000) },
        lots: { of: "position", percent: 100 },
      }),
    ];
    for (let volley = 0; volley < 6; volley++) {
      const atMs = Math.max(
        1_000,
        (instants.length > 0 ? random.pick(instants) : momentOf(hand)) + random.pick([-1, 0, 0, 1, 900]),
      );
      for (let shot = 0; shot < 10; shot++) hand.at(atMs, random.pick(actions)(random.pick([one, other]).user));
    }
  },
};
