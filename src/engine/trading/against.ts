/** The other side of an order: the orders of the book, and the quotes where the market has some. */
import { FLAG } from "../command.ts";
import type { Market } from "../listing/market.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import type { Book } from "./book.ts";
import { NONE } from "./order.ts";
import { Sweep } from "./sweep.ts";

/** An order or a quote at one price: ticks and lots, and the slot of the order; NONE of a quote. */
export interface Standing {
  readonly price: bigint;
  readonly lots: bigint;
  readonly slot: number;
}

/** The best price that an order with these flags would meet, in ticks; undefined when there is none. */
export function bestAgainst(state: State, market: Market, flags: number): bigint | undefined {
  const side = (flags & FLAG.sell) ^ 1;
  const book = state.books[market.id] as Book;
  const level = market.quotes?.before(state, market, side, book.bestPrice[side] as bigint);
  if (level !== undefined) return level.price;
  return book.first(side) === NONE ? undefined : (book.bestPrice[side] as bigint);
}

/** Whether an order of these flags at the drafted price would meet the quotes of a market that has some. */
export function crossesQuotes(state: State, { draft }: Scratch, market: Market, flags: number): boolean {
  const side = (flags & FLAG.sell) ^ 1;
  const level = market.quotes?.best(state, market, side);
  if (level === undefined) return false;
  return side === 1 ? level.price <= draft.price : level.price >= draft.price;
}

/**
 * All that an order with these flags would meet, hidden orders too, in the priority of matching; icebergs slice by
 * slice.
 */
export function* against(state: State, market: Market, flags: number): Generator<Standing> {
  const side = (flags & FLAG.sell) ^ 1;
  const { orders } = state;
  const book = state.books[market.id] as Book;
  const levels = market.quotes?.levels(state, market, side);
  let level = levels?.next().value;
  for (const sweep = new Sweep(state, book, side); sweep.slot !== NONE; sweep.next()) {
    const { slot, lots } = sweep;
    const price = orders.price(slot);
    // At one price orders come first.
    for (; level && (side === 1 ? level.price < price : level.price > price); level = levels?.next().value) {
      yield { ...level, slot: NONE };
    }
    yield { price, lots, slot };
  }
  for (; level; level = levels?.next().value) yield { ...level, slot: NONE };
}
