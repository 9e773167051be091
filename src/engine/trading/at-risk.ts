import type { Market } from "../listing/market.ts";
import { divCeil } from "../money/rounding.ts";
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
  for (const { slot, turn, lots, fills } of inPriority(state, userId, marketId, side)) {
    const isShown = turn === TURN.displayed && (before === undefined || orders.prio(slot) < before);
    if (limitReached(terms, filled) === undefined) {
      const sum = filled.lots + lots;
      filled = { fills: filled.fills + fills, lots: sum, delta: sum };
    } else if (isShown) {
      const price = orders.price(slot);
      withheld.set(price, (withheld.get(price) ?? 0n) + lots);
    }
  }
}

/** The order in which the quotes of one price are filled. */
const TURN = { displayed: 0, behindSlice: 1, hidden: 2 } as const;

/** A quote, or a part of one, that is filled in so many fills once it is its turn. */
interface Standing {
  readonly slot: number;
  readonly turn: number;
  readonly lots: bigint;
  readonly fills: number;
}

/** The quotes of a user on a side, in the order in which they would be filled. */
function inPriority(state: State, userId: number, marketId: number, side: number): Standing[] {
  const { orders } = state;
  const way = side === 0 ? -1 : 1;
  const slots = quotesOf(state, userId, marketId).filter((slot) => orders.side(slot) === side);
  return slots
    .flatMap((slot) => partsOf(state, slot))
    .sort((one, other) => {
      const apart = orders.price(one.slot) - orders.price(other.slot);
      if (apart !== 0n) return apart < 0n ? -way : way;
      return one.turn - other.turn || orders.prio(one.slot) - orders.prio(other.slot);
    });
}

/** An iceberg stands twice: with its slice, and behind the displayed orders of its price with the rest. */
function partsOf({ orders }: State, slot: number): Standing[] {
  const lots = orders.left(slot);
  if (!orders.isIceberg(slot))
    return [{ slot, turn: orders.isHidden(slot) ? TURN.hidden : TURN.displayed, lots, fills: 1 }];
  const { peak, shown } = orders.iceberg(slot);
  const slice = { slot, turn: TURN.displayed, lots: shown, fills: 1 };
  const behind = lots - shown;
  if (behind === 0n) return [slice];
  return [slice, { slot, turn: TURN.behindSlice, lots: behind, fills: Number(divCeil(behind, peak)) }];
}
