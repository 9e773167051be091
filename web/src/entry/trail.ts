/** The trigger that a trail would begin with, and what the venue is told of it. */
import { tickerOf } from "../market/markets.ts";
import { type Decimal, isDecimal, isPositive, minus, onGrid, over, plus, times } from "../number/decimal.ts";
import type { Draft } from "./draft.ts";

/** The distance as the venue counts it: a share of the price, or a price; undefined until one is typed. */
export function trailOf({ trail, trailUnit }: Draft): { trail_rate: Decimal } | { trail: Decimal } | undefined {
  const text = trail();
  if (!isDecimal(text) || !isPositive(text)) return undefined;
  return trailUnit() === "percent" ? { trail_rate: over(text, "100", 8) } : { trail: text };
}

/** The price that a trigger or a trail looks at, as far as the page knows it. */
export function followed({ market, triggerType, isFutures }: Draft): Decimal | undefined {
  const ticker = tickerOf(market().key);
  if (!isFutures()) return ticker?.last;
  if (triggerType() === "mark_price") return ticker?.mark_price;
  return triggerType() === "index_price" ? ticker?.index_price : ticker?.last;
}

/**
 * Returns the trigger that the trail has if it begins now: away from the price by the distance, rounded away from it
 * (domain 2.20).
 */
export function firstTrigger(draft: Draft): Decimal | undefined {
  return trailedFrom(draft, followed(draft), draft.side() === "buy");
}

/** Returns the trigger of the trail that begins at a price, of an order that buys or sells. */
export function trailedFrom(draft: Draft, price: Decimal | undefined, isBuy: boolean): Decimal | undefined {
  const distance = trailOf(draft);
  if (price === undefined || !isPositive(price) || distance === undefined) return undefined;
  const away = "trail" in distance ? distance.trail : times(price, distance.trail_rate);
  const found = onGrid(isBuy ? plus(price, away) : minus(price, away), draft.market().tick, isBuy ? "up" : "down");
  return isPositive(found) ? found : undefined;
}
