/** What anybody can do with a pool, as actions of a play. */
import type { Side } from "../../../../src/engine/command.ts";
import type { Action, OrderAction } from "../step.ts";
import { MARKETS } from "../terms.ts";
import { amountsOf, type PooledMarket } from "./pooled.ts";

/** Adds so many dollars of each currency at most, in the ratio of the pool; with `percent` so much of the quote. */
export function add(user: string, market: PooledMarket, dollars: number, percent = 100): Action {
  const { baseAmount } = amountsOf(market, dollars);
  const { quoteAmount } = amountsOf(market, (dollars * percent) / 100);
  // The runner puts the id in.
  const userId = user as unknown as number;
  const command = { kind: "add_liquidity", userId, market: MARKETS[market].name, baseAmount, quoteAmount } as const;
  return { do: "command", command };
}

export function remove(user: string, market: PooledMarket): Action {
  const userId = user as unknown as number;
  return { do: "command", command: { kind: "remove_liquidity", userId, market: MARKETS[market].name } };
}

/** Takes whatever stands between here and so far from the fair price, with so much of the user's money. */
export function take(
  user: string,
  market: PooledMarket,
  side: Side,
  ppm: number,
  percent: number,
  more: Partial<OrderAction> = {},
): Action {
  const price = { of: "fair", ppm } as const;
  return { do: "order", user, market, side, type: "ioc", price, lots: { of: "power", percent }, ...more };
}
