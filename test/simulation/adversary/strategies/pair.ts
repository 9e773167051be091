/**
 * Two accounts on opposite sides of each other: what one loses the other wins, unless somebody else can be made to pay.
 */
import type { Price } from "../step.ts";
import type { Hand, Money } from "../strategy.ts";
import type { MarketKey, Terms } from "../terms.ts";

export interface Leg {
  readonly user: string;
  readonly mode: "cross" | "isolated";
  readonly leverage: number;
}

const FAIR: Price = { of: "fair", ppm: 0 };

/** Opens a long of one leg against a short of the other at the fair price, of as much as both can carry. */
export function open(hand: Hand, atMs: number, market: MarketKey, long: Leg, short: Leg, percent: number): void {
  for (const { user, mode, leverage } of [long, short]) hand.at(atMs, { do: "leverage", user, market, mode, leverage });
  const [weaker, stronger] = long.leverage < short.leverage ? [long, short] : [short, long];
  const sideOf = (one: Leg) => (one === long ? "buy" : "sell");
  const order = { market, price: FAIR } as const;
  const lots = { of: "power", percent } as const;
  hand.at(atMs, { do: "order", ...order, user: weaker.user, side: sideOf(weaker), type: "limit", lots });
  const all = { of: "depth", percent: 100 } as const;
  hand.at(atMs, { do: "order", ...order, user: stronger.user, side: sideOf(stronger), type: "ioc", lots: all });
  hand.at(atMs, { do: "cancel", user: weaker.user, market });
}

export function leg(hand: Hand, market: MarketKey, money: number): Leg {
  const { random, terms } = hand;
  const mode = random.pick(["cross", "isolated"] as const);
  return { user: hand.account(fundsIn(market, money)), mode, leverage: leverageOf(hand, terms.maxLeverage) };
}

export function fundsIn(market: MarketKey, money: number): Money {
  return market === "inverse" ? { futuresBtc: money / 50_000 } : { futures: money };
}

/** Mostly the highest there is. */
export function leverageOf({ random }: Hand, most: number): number {
  return random.chance(60) ? most : random.pick([1, 5, 10, 20].filter((leverage) => leverage <= most));
}

export function anyFutures({ random }: Hand): MarketKey {
  return random.weighted({ perp: 6, inverse: 2, other: 1 });
}

/** A play in which prices do not stand still, so that somebody is let go. */
export function moving(terms: Terms): Terms {
  const path = terms.path === "still" ? "jumps" : terms.path;
  return { ...terms, path, trend: terms.trend === 0 ? (terms.seed % 2 === 0 ? 0.3 : -0.3) : terms.trend };
}
