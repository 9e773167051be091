import type { Strategy } from "../strategy.ts";
import { anyFutures, fundsIn, leg, open } from "./pair.ts";

/**
 * Large orders of which a part is shown: a small part leans on the mark while the rest is at no risk that anybody sees,
 * a second account eats parts so that the next one is new at the instant of a tick, and sweeps run through the parts of
 * several. Positions beside them gain if a mark moves.
 */
export const icebergs: Strategy = {
  name: "icebergs",
  play: (hand) => {
    const { random, terms } = hand;
    const market = anyFutures(hand);
    const [one, other] = [leg(hand, market, 50_000), leg(hand, market, 50_000)];
    open(hand, 500, market, one, other, random.pick([30, 80]));
    const shower = leg(hand, market, 500_000);
    const { user } = shower;
    hand.at(600, { do: "leverage", user, market, mode: shower.mode, leverage: shower.leverage });
    const eater = hand.account(fundsIn(market, 50_000));
    for (let atMs = 1_000; atMs < terms.lastsMs; atMs += random.pick([900, 4_000, 33_000])) {
      const side = random.pick(["buy", "sell"] as const);
      const ppm = random.pick([0, 500, 9_000, 60_000]) * random.pick([1, -1]);
      const order = {
        side,
        price: { of: "fair", ppm },
        lots: { of: "power", percent: random.pick([1, 30, 90]) },
      } as const;
      const type = random.pick(["limit", "limit", "maker_only"] as const);
      const parts = random.pick([2, 5, 20, 20]);
      hand.at(atMs, { do: "together", user, market, shape: "single", legs: [{ ...order, type, parts }] });
      const touch = { of: side === "buy" ? "bid" : "ask", ppm: 0 } as const;
      const lots = random.pick([{ is: 1 }, { of: "depth", percent: 5 }, { of: "power", percent: 50 }] as const);
      const taker = {
        do: "order",
        user: eater,
        market,
        side: side === "buy" ? "sell" : "buy",
        price: touch,
        lots,
      } as const;
      if (random.chance(60))
        hand.at(atMs + random.pick([1, 400, 900]), { ...taker, type: random.pick(["ioc", "fok"]) });
      if (random.chance(30)) hand.at(atMs + 600, { do: "modify", user, market, percent: random.pick([20, 90, 150]) });
      if (random.chance(20)) hand.at(atMs + 700, { do: "modify", user, market, price: { of: "fair", ppm: -ppm } });
      if (random.chance(40)) hand.at(atMs + 800, { do: "cancel", user, market });
      if (random.chance(20)) hand.at(atMs + 850, { do: "close", user: eater, market, percent: 100 });
    }
  },
};
