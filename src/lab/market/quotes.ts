import { poolLevelBefore } from "../../engine/amm/quotes.ts";
import type { Market } from "../../engine/listing/market.ts";
import type { State } from "../../engine/state.ts";
import type { Book } from "../../engine/trading/book.ts";
import { NONE } from "../../engine/trading/order.ts";

/** The first order, or a level of the pool, at the best price of a side: ticks and lots. */
export interface Best {
  readonly price: bigint;
  readonly lots: bigint;
}

/**
 * The best of a side (0 buys): its first order, or a level of the pool that is better; undefined when nobody is there.
 */
export function bestOf(state: State, market: Market, side: number): Best | undefined {
  const { orders, books } = state;
  const book = books[market.id] as Book;
  const slot = book.first(side);
  const level = market.pool && poolLevelBefore(state, market, market.pool, side, book.bestPrice[side] as bigint);
  if (level !== undefined) return level;
  return slot === NONE ? undefined : { price: orders.price(slot), lots: orders.left(slot) };
}
