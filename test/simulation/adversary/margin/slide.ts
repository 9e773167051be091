import type { Action } from "../step.ts";
import type { Hand, Strategy } from "../strategy.ts";
import { lots, transferMargin } from "./borrowed.ts";

const market = "spot" as const;

/**
 * Borrows to the limit, buys from a friend at the index, and waits for the index to drift: the friend alone stands in
 * the book, far beyond it, for what the venue then has to sell or buy.
 */
export const slide: Strategy = {
  name: "slide",
  play: (hand) => {
    const { random, terms } = hand;
    const debtor = hand.account({ usdt: 20_000, btc: 0.4 });
    const friend = hand.account({ usdt: 1_000_000, btc: 20 });
    const isLong = random.chance(60);
    const [gives, takes] = isLong ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
    const [ccy, amount] = isLong ? (["USDT", "20000"] as const) : (["BTC", "0.33"] as const);
    hand.at(500, transferMargin(debtor, ccy, amount, true));
    hand.at(600, { do: "borrow", user: debtor, market, isQuote: isLong, percent: 100 });
    const price = { of: "index", ppm: 0 } as const;
    hand.at(700, { do: "order", user: friend, market, side: takes, type: "limit", price, lots: lots(90) });
    hand.at(710, { do: "order", user: debtor, market, side: gives, type: "ioc", price, lots: lots(99), margin: true });
    hand.at(720, { do: "cancel", user: friend, market });
    if (random.chance(70)) grind(hand, debtor, friend, isLong ? 1 : -1);
    // What the account could not do itself the venue may do for it.
    const every = random.pick([terms.feedEveryMs, 2_000]);
    const wait = random.pick([0, 0.3, 0.6]) * terms.lastsMs;
    const sign = isLong ? -1 : 1;
    for (let atMs = 2_000 + wait; atMs < terms.lastsMs; atMs += every) {
      hand.at(atMs, { do: "cancel", user: friend, market }, bid(hand, friend, gives, sign));
    }
  },
};

/**
 * Gives the friend as much as the account can bear: so little is left that a small step of the index takes the rest.
 */
function grind(hand: Hand, debtor: string, friend: string, sign: 1 | -1): void {
  const sides = sign === 1 ? (["sell", "buy"] as const) : (["buy", "sell"] as const);
  for (let round = 0; round < 12; round++) {
    for (const [at, side] of sides.entries()) {
      const price = { of: "index", ppm: (round < 6 ? 20_000 : 3_000) * (side === "buy" ? 1 : -1) } as const;
      const other = side === "buy" ? "sell" : "buy";
      const atMs = 730 + round * 20 + at * 10;
      hand.at(atMs, { do: "order", user: friend, market, side: other, type: "limit", price, lots: lots(90) });
      hand.at(atMs + 1, { do: "order", user: debtor, market, side, type: "ioc", price, lots: lots(99), margin: true });
      hand.at(atMs + 2, { do: "cancel", user: friend, market });
    }
  }
}

function bid({ random }: Hand, user: string, side: "buy" | "sell", sign: number): Action {
  const price = { of: "index", ppm: random.pick([49_000, 49_000, 30_000, 10_000]) * sign } as const;
  return { do: "order", user, market, side, type: "limit", price, lots: lots(80) };
}
