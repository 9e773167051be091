import type { Hand, Strategy } from "../strategy.ts";
import { anyFutures, leg, open } from "./pair.ts";

/**
 * Quotes that are shown and are not there: a wall of many by one command, pulled by a first small fill of a second
 * account or by the next mass quote, around the instants of ticks; replaced to be first in the queue, far from the fair
 * price to lean on the mark, and with money that earlier ones hold. Positions beside them gain if a mark moves.
 */
export const pulledQuotes: Strategy = {
  name: "pulled_quotes",
  play: (hand) => {
    const { random, terms } = hand;
    const market = anyFutures(hand);
    const [one, other] = [leg(hand, market, 50_000), leg(hand, market, 50_000)];
    open(hand, 500, market, one, other, random.pick([30, 80]));
    const { user } = leg(hand, market, 500_000);
    const { user: prober } = leg(hand, market, 5_000);
    const windowMs = random.pick([100, 1_000, 60_000]);
    hand.at(700, { do: "protect", user, market, windowMs, ...limits(hand) });
    for (let atMs = 1_000; atMs < terms.lastsMs; atMs += random.pick([700, 5_000, 31_000])) {
      quoteOnce(hand, atMs, user, market);
      const side = random.pick(["buy", "sell"] as const);
      const touch = { of: side === "buy" ? "ask" : "bid", ppm: 0 } as const;
      const lots = random.pick([{ is: 1 }, { of: "power", percent: 50 }] as const);
      const type = random.pick(["ioc", "limit", "fok"] as const);
      if (random.chance(60))
        hand.at(atMs + random.pick([1, 400, 900]), {
          do: "order",
          user: prober,
          market,
          side,
          type,
          price: touch,
          lots,
        });
      if (random.chance(50)) hand.at(atMs + 950, { do: "reset", user, market });
      if (random.chance(10)) hand.at(atMs + 960, { do: "protect", user, market, windowMs, ...limits(hand) });
      if (random.chance(10)) hand.at(atMs + 970, { do: "protect", user, market, windowMs: 0 });
      if (random.chance(20)) hand.at(atMs + 980, { do: "close", user, market, percent: 100 });
    }
  },
};

function limits({ random }: Hand) {
  return random.pick([{ fills: 1 }, { fills: 5 }, { fills: 1_000, lots: 1 }, { lots: 10_000 }]);
}

/** Quotes around the fair price, or all of them beyond it, in whichever accounts have money for. */
function quoteOnce(hand: Hand, atMs: number, user: string, market: ReturnType<typeof anyFutures>): void {
  const { random } = hand;
  const around = {
    of: random.pick(["fair", "fair", "mark"] as const),
    ppm: random.pick([0, 0, 3_000, -30_000, 90_000]),
  };
  const awayPpm = random.pick([20, 500, 900]);
  const lots = { of: "power", percent: random.pick([1, 40, 90, 200]) } as const;
  hand.at(atMs, { do: "quotes", user, market, pairs: random.pick([0, 1, 10, 40, 100]), around, awayPpm, lots });
}
