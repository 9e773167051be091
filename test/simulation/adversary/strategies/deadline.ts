import { command, id } from "../credit/line.ts";
import type { Action } from "../step.ts";
import { type Hand, momentOf, type Strategy } from "../strategy.ts";
import type { MarketKey } from "../terms.ts";

/**
 * Lets the clock take back what is shown: orders whose timer runs out just before they would be met, at the instants of
 * samples, fundings, windows and auctions; many at once, and others of the same owner that trade on what they made of
 * the book.
 */
export const deadline: Strategy = {
  name: "deadline",
  play: (hand) => {
    const { random, terms } = hand;
    const money = { futures: 100_000, usdt: 100_000, btc: 3, dsc: 100_000 };
    const [shows, trades] = [hand.account(money), hand.account(money)] as const;
    for (let round = 0; round < 12; round++) {
      // A timer counts from its command, so that it ends in the instant that is meant.
      const endsMs = Math.max(2_000, random.pick([momentOf(hand), random.whole(2, terms.lastsMs / 1_000) * 1_000]));
      const timeoutMs = random.pick([1_000, 1_000, 1_999, 5_000]);
      const atMs = Math.max(500, endsMs - timeoutMs + random.pick([-1, 0, 1]));
      const market = random.pick(["perp", "perp", "spot", "coin", "inverse"] as const);
      show(hand, atMs, shows, market);
      hand.at(atMs, timer(shows, timeoutMs));
      takeBeside(hand, atMs, endsMs, trades, market);
      // Told again in the last instant, or ended, the orders stay for anyone who counted on their going.
      if (random.chance(30)) hand.at(endsMs - 1, timer(shows, random.pick([0, 1_000])));
    }
  },
};

function timer(user: string, timeoutMs: number): Action {
  return command({ kind: "set_cancel_after", userId: id(user), scope: "ALL", timeoutMs });
}

/** Orders of a size that others go by, which something takes back. */
export function show(hand: Hand, atMs: number, user: string, market: MarketKey): void {
  const { random } = hand;
  const side = random.pick(["buy", "sell"] as const);
  const away = random.pick([100, 2_000, 9_000, 45_000]) * (side === "buy" ? -1 : 1);
  const count = random.pick([1, 1, 5, 40]);
  for (let level = 1; level <= count; level++) {
    const ppm = random.chance(20) ? -away : away * level;
    const price = { of: random.pick(["fair", "mark"] as const), ppm: Math.max(-90_000, Math.min(90_000, ppm)) };
    const lots = { of: "power", percent: Math.ceil(90 / count) } as const;
    hand.at(atMs, { do: "order", user, market, side, type: "limit", price, lots, hidden: random.chance(10) });
  }
}

/** Trades while they stand, in the instant of their going, or right after it. */
export function takeBeside(hand: Hand, atMs: number, endsMs: number, user: string, market: MarketKey): void {
  const { random } = hand;
  const side = random.pick(["buy", "sell"] as const);
  const whenMs = random.pick([atMs + 1, endsMs - 1, endsMs, endsMs + 1]);
  const price = { of: random.pick(["fair", "bid", "ask"] as const), ppm: random.pick([0, 1_000, -1_000]) };
  const lots = { of: "power", percent: random.pick([5, 50]) } as const;
  hand.at(whenMs, {
    do: "order",
    user,
    market,
    side,
    type: random.pick(["ioc", "limit", "market"] as const),
    price,
    lots,
  });
  if (random.chance(30)) hand.at(whenMs + 5, { do: "close", user, market, percent: 100 });
  if (random.chance(20)) hand.at(whenMs + 6, { do: "transfer", user, ccy: "USDT", out: true, percent: 100 });
}
