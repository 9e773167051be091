import type { Hand, Strategy } from "../strategy.ts";
import { anyFutures, fundsIn, leg, open } from "./pair.ts";

/**
 * Orders that wait, and deals of one lot that wake them: trails, pairs and brackets on both sides, followed and fired
 * by a second account with tiny deals far away, met by a wall of the same owner, cancelled as a group in the same
 * instant, with money that several of them count on.
 */
export const hairTrigger: Strategy = {
  name: "hair_trigger",
  play: (hand) => {
    const { random, terms } = hand;
    const market = anyFutures(hand);
    const [one, other] = [leg(hand, market, 100_000), leg(hand, market, 100_000)];
    open(hand, 500, market, one, other, random.pick([20, 60]));
    const [mover, wall] = [hand.account(fundsIn(market, 10_000)), hand.account(fundsIn(market, 300_000))];
    for (let atMs = 1_000; atMs < terms.lastsMs; atMs += random.pick([800, 5_000, 40_000])) {
      for (const { user } of [one, other]) if (random.chance(60)) placeTogether(hand, atMs, user, market);
      const ppm = random.pick([100, 2_000, 20_000, 70_000]) * random.pick([1, -1]);
      const price = { of: "fair", ppm } as const;
      const lot = { lots: { is: 1 }, price } as const;
      hand.at(atMs + 100, { do: "order", user: wall, market, side: "sell", type: "limit", ...lot });
      hand.at(atMs + 101, { do: "order", user: mover, market, side: "buy", type: "ioc", ...lot });
      const side = random.pick(["buy", "sell"] as const);
      const lots = { of: "power", percent: random.pick([10, 80]) } as const;
      if (random.chance(50)) hand.at(atMs + 90, { do: "order", user: wall, market, side, type: "limit", price, lots });
      if (random.chance(50)) hand.at(atMs + 500, { do: "cancel", user: wall, market });
      if (random.chance(20)) hand.at(atMs + 600, { do: "close", user: one.user, market, percent: 50 });
    }
  },
};

function placeTogether(hand: Hand, atMs: number, user: string, market: ReturnType<typeof anyFutures>): void {
  const { random } = hand;
  const by = random.pick(["latest_price", "latest_price", "mark_price", "index_price"] as const);
  const side = random.pick(["buy", "sell"] as const);
  const away = side === "buy" ? "sell" : "buy";
  const lots = random.pick([{ is: 2 }, { of: "position", percent: 100 }, { of: "power", percent: 40 }] as const);
  const at = (ppm: number) => ({ of: "fair", ppm }) as const;
  const sign = side === "buy" ? 1 : -1;
  const trail = {
    side,
    type: "market",
    lots,
    by,
    trailPpm: random.pick([100, 2_000, 50_000]),
    reduces: random.chance(60),
  } as const;
  const limit = {
    side,
    type: "limit",
    lots,
    price: at(-sign * 3_000),
    ...(random.chance(40) ? { parts: 5 } : {}),
  } as const;
  const stop = (of: "buy" | "sell", ppm: number) =>
    ({ side: of, type: "market", lots, by, trigger: at(ppm), reduces: random.chance(60) }) as const;
  const [shape, legs] = random.pick([
    ["single", [trail]],
    ["oco", [limit, stop(side, sign * 3_000)]],
    ["oco", [stop(side, sign * 500), stop(side, -sign * 500)]],
    ["bracket", [limit, stop(away, sign * 4_000), stop(away, -sign * 4_000)]],
    ["bracket", [{ ...limit, price: at(sign * 500) }, stop(away, sign * 900), { ...trail, side: away }]],
  ] as const);
  hand.at(atMs, { do: "together", user, market, shape, legs });
}
