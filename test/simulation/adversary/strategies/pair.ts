/** Two accounts on opposite sides of each other: what one loses the other wins, unless somebody else can be made to pay. */
import type { Price } from "../step.ts";
import type { Hand, Money } from "../strategy.ts";
import type { MarketKey } from "../terms.ts";

export interface Leg {
  readonly user: string;
  readonly mode: "cross" | "isolated";
  readonly leverage: number;
}

const FAIR: Price = { of: "fair", ppm: 0 };

/** Opens a long of one leg against a short of the other at the fair price, of as much as the first can carry. */
export function open(hand: Hand, atMs: number, market: MarketKey, long: Leg, short: Leg, percent: number): void {
  for (const { user, mode, leverage } of [long, short]) hand.at(atMs, { do: "leverage", user, market, mode, leverage });
  const lots = { of: "power", percent } as const;
  hand.at(atMs, { do: "order", user: short.user, market, side: "sell", type: "limit", price: FAIR, lots });
  hand.at(atMs, {
    do: "order",
    user: long.user,
    market,
    side: "buy",
    type: "ioc",
    price: FAIR,
    lots: { of: "depth", percent: 100 },
  });
  hand.at(atMs, { do: "cancel", user: short.user, market });
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
  return random.chance(75) ? "perp" : "inverse";
}
