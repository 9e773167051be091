import type { Market } from "../listing/market.ts";
import type { State } from "../state.ts";
import type { Book, Level } from "./book.ts";
import { limitReached, type Protection, protections, quotesOf } from "./protections.ts";

/**
 * Displayed levels of a side, best first, of orders with a priority number below `before`: without those quotes that
 * are pulled before anybody can fill them, with an empty window. Costs a sort of the quotes of who is protected in the
 * market. Source: domain 2.18.
 */
export function* levelsAtRisk(state: State, market: Market, side: number, before?: number): Generator<Level> {
  const book = state.books[market.id] as Book;
  const inMarket = protections.of(state).in(market.id);
  if (inMarket === undefined) {
    yield* book.levels(side, before);
    return;
  }
  const withheld = new Map<bigint, bigint>();
  for (const protection of inMarket.values()) noteWithheld(state, protection, side, before, withheld);
  for (const { price, lots } of book.levels(side, before)) {
    const atRisk = lots - (withheld.get(price) ?? 0n);
    if (atRisk > 0n) yield { price, lots: atRisk };
  }
}

/** Adds the quotes that a protection pulls once those before them have been filled, by price. */
function noteWithheld(
  state: State,
  { userId, marketId, terms }: Protection,
  side: number,
  before: number | undefined,
  withheld: Map<bigint, bigint>,
): void {
  const { orders } = state;
  let filled = { fills: 0, lots: 0n, delta: 0n };
  for (const slot of inPriority(state, userId, marketId, side)) {
    const lots = orders.left(slot);
    const isShown = !orders.isHidden(slot) && (before === undefined || orders.prio(slot) < before);
    if (limitReached(terms, filled) === undefined) {
      const { fills, lots: sum } = filled;
      filled = { fills: fills + 1, lots: sum + lots, delta: sum + lots };
    } else if (isShown) {
      const price = orders.price(slot);
      withheld.set(price, (withheld.get(price) ?? 0n) + lots);
    }
  }
}

/** The quotes of a user on a side, in the order in which they would be filled. */
function inPriority(state: State, userId: number, marketId: number, side: number): number[] {
  const { orders } = state;
  const way = side === 0 ? -1 : 1;
  const slots = quotesOf(state, userId, marketId).filter((slot) => orders.side(slot) === side);
  return slots.sort((one, other) => {
    const apart = orders.price(one) - orders.price(other);
    if (apart !== 0n) return apart < 0n ? -way : way;
    return orders.queue(one) - orders.queue(other) || orders.prio(one) - orders.prio(other);
  });
}
