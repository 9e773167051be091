import type { Market } from "../listing/market.ts";
import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import type { Book } from "../trading/book.ts";
import { NONE } from "../trading/order.ts";
import { SpotSettlement } from "./settlement.ts";
import { freezeOf } from "./value.ts";

/**
 * Counts the units that every resting order of a spot market has frozen in the ledger: the value of a buy, the lots of
 * a sell.
 */
export function checkSpot(state: State, census: Census): void {
  for (const market of state.markets) {
    if (market.settlement instanceof SpotSettlement) countFrozen(state, market, census);
  }
}

function countFrozen(state: State, market: Market, census: Census): void {
  const { orders, seats, books } = state;
  const book = books[market.id] as Book;
  // A book whose queue never ends is found by the checks of trading.
  let left = orders.live;
  for (const side of [0, 1]) {
    for (let slot = book.first(side); slot !== NONE && left > 0; slot = book.next(slot)) {
      left--;
      const seat = orders.seat(slot);
      if (seat < 0 || seat >= seats.count) continue;
      census.freezes(
        seats.givingCell(seat, side),
        freezeOf(market, orders.flags(slot), orders.price(slot), orders.left(slot)),
      );
    }
  }
}
