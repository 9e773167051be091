import { isSure } from "../margin/account.ts";
import { least } from "../model/numbers.ts";
import type { ModelMarket, ModelOrder } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { freezeOf } from "./book.ts";
import { against, meets } from "./checks.ts";
import { isSureToStaySolvent } from "./solvency.ts";

type Taking = Pick<ModelOrder, "userId" | "account" | "side" | "type" | "amountIn" | "left" | "price" | "stpMode">;

/**
 * What an order that takes, or is about to, needs for all that is left of it, in units of what it gives; a market order
 * trades up to `bound`. Domain 2.3 and 2.4.
 */
export function neededTo(venue: ModelVenue, market: ModelMarket, order: Taking, bound: bigint): bigint {
  const { side, type, amountIn, stpMode } = order;
  if (type !== "market") return freezeOf(market, order);
  if (side === "buy" && amountIn === "quote") return order.left;
  if (side === "sell" && amountIn === "base") return order.left * market.lot;
  let { left } = order;
  let sum = 0n;
  // Orders that may not be met, and the worst of their prices.
  let [unsure, worst] = [0n, 0n];
  if (bound === 0n) return sum;
  for (const other of against(market, side)) {
    if (!meets(side, bound, other.price)) break;
    if (other.left === 0n) continue;
    if (other.userId === order.userId && stpMode !== "none") {
      if (stpMode === "cm") continue;
      break;
    }
    if (!isSure(venue, market, other) || !isSureToStaySolvent(venue, market, other)) {
      unsure += other.left;
      worst = other.price;
      continue;
    }
    const worth = other.price * market.lotTick;
    const lots = least(other.left, amountIn === "base" ? left : left / worth);
    if (lots === 0n) break;
    left -= amountIn === "base" ? lots : lots * worth;
    sum += side === "buy" ? lots * worth : lots * market.lot;
    if (left === 0n) break;
  }
  if (unsure === 0n || left === 0n) return sum;
  // As if they were met at the worst of their prices, as far as the others do not suffice.
  const lots = least(unsure, amountIn === "base" ? left : left / (worst * market.lotTick));
  return sum + (side === "buy" ? lots * worst * market.lotTick : lots * market.lot);
}
