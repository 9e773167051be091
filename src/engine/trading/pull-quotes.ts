import { emitHappening } from "../happening.ts";
import type { Market } from "../listing/market.ts";
import type { State } from "../state.ts";
import { NONE } from "./order.ts";
import { flagProtected, isQuote, type Protection, protections } from "./protections.ts";
import { endResting } from "./resting.ts";

/** Cancels the quotes of those whose limits have just been reached, spot before margin, oldest first. */
export function pullQuotes(state: State): void {
  const own = protections.of(state);
  state.hasTripped = false;
  for (const { userId, marketId, reached } of own.tripped.splice(0)) {
    const { limit, atMs } = reached as NonNullable<Protection["reached"]>;
    flagProtected(state, own, userId);
    emitHappening(state, { type: "quotes_pulled", userId, marketId, limit, atMs });
    for (const place of [0, 1]) endQuotes(state, state.seats.find(userId, marketId, place));
  }
}

function endQuotes(state: State, seat: number): void {
  const { orders, seats } = state;
  const quotes: number[] = [];
  for (let slot = seat === NONE ? NONE : seats.head(seat); slot !== NONE; slot = orders.seatNext(slot)) {
    if (isQuote(orders.flags(slot))) quotes.push(slot);
  }
  for (const slot of quotes) endResting(state, state.markets[seats.marketId(seat)] as Market, slot);
}
