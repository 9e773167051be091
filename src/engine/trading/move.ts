import { USER_FLAG } from "../accounts/user.ts";
import { FLAG } from "../command.ts";
import * as eventForm from "../event.ts";
import * as contracts from "../futures/orders/move-contract.ts";
import * as money from "../money/int64.ts";
import type { State } from "../state.ts";
import type { WordBuffer } from "../words.ts";
import type { Book } from "./book.ts";
import * as checks from "./check.ts";
import * as drafts from "./draft.ts";
import * as emits from "./emit.ts";
import * as matching from "./match.ts";
import type { OrderOutcome } from "./place.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { DEED, HIGHEST_BUY_PERCENT, LOWEST_SELL_PERCENT, refuseTrading } = checks;
const { draft } = drafts;
const { holdMoved, mayMove } = contracts;
const { emitOrder } = emits;
const { ORDER_EVENT, STATUS } = eventForm;
const { noteChanged } = matching;
const MODIFY = DEED.modify;
const MARGIN = FLAG.margin;
const OWES = USER_FLAG.indebted;
const FUTURES = FLAG.futures;
const PRICE_GIVEN = FLAG.priceGiven;
const GIVEN = FLAG.priceGiven | FLAG.amountGiven | FLAG.accountGiven;

/**
 * The lane for moves: a resting order goes to another price and trades nothing. Eight in ten commands of market makers are
 * this, so it is written in one piece and asks only whether all is well. Of everything else, refusals included, it changes
 * nothing and returns false; the general way of modify.ts, which does the same in its own steps, then finds the reason.
 * Venues on a plain book and markets with a pool have no lane: two-books.test.ts holds the one to the events of the other.
 */
export function moveOrder(state: State, record: WordBuffer, at: number, outcome: OrderOutcome): boolean {
  const { orders, seats, fills, ledger, terms } = state;
  const userId = record.i32[at * 2 + 1] as number;
  const marketId = record.i32[at * 2 + 2] as number;
  if (((record.i32[at * 2 + 3] as number) & GIVEN) !== PRICE_GIVEN) return false;
  const slot = orders.find(record.f64[at + 2] as number);
  if (slot < 0) return false;
  const seat = orders.seat(slot);
  if (seats.userId(seat) !== userId || seats.marketId(seat) !== marketId) return false;
  const market = state.markets[marketId];
  const book = state.books[marketId] as Book;
  if (market === undefined || book.isPlain || market.pool !== undefined) return false;
  const flags = orders.flags(slot);
  // True of every order. Asked early, since its row is one of many and comes from afar while all else is looked at.
  if ((flags & FUTURES) !== 0 && state.futures.seats.seat(state.futures.held.row(slot)) !== seat) return false;
  if (refuseTrading(state, userId, market, MODIFY) !== 0) return false;

  // The new price, and the amount, which is still held to the bounds that the market has now.
  const side = orders.side(slot);
  const from = orders.price(slot);
  const left = orders.left(slot);
  const price = record.i64[at + 3] as bigint;
  const lots = int64(left + fills.filledLots(orders.fillRow(slot)));
  if (price <= int64(0n) || price > terms.maxPrice(marketId) || price === from) return false;
  if (lots < terms.minAmount(marketId) || lots > terms.maxAmount(marketId)) return false;
  // What these come to is looked at.
  if ((flags & MARGIN) !== 0 || (state.users.flags(userId) & OWES) !== 0) return false;
  const opposite = book.bestPrice[side ^ 1] as bigint;
  if (side === 0 ? opposite <= price : opposite >= price) return false;
  draft.price = price;
  draft.left = left;
  if ((flags & FUTURES) !== 0) {
    if (!mayMove(state, market, slot)) return false;
    book.move(slot);
    holdMoved(state, slot);
    outcome.orderEvent = tellMoved(state, slot);
    return true;
  }
  const scaled = int64(price * 100n);
  const band = terms.bandIndex(marketId);
  if (band !== int64(0n)) {
    if (scaled > int64(band * HIGHEST_BUY_PERCENT) || scaled < int64(band * LOWEST_SELL_PERCENT)) return false;
  } else {
    const last = state.lastPrice[marketId] as bigint;
    if (scaled > int64(last * HIGHEST_BUY_PERCENT) || scaled < int64(last * LOWEST_SELL_PERCENT)) return false;
  }

  // A buy freezes as much more as its value grows, a sell the same as before.
  const buys = BigInt((1 - side) | 0);
  const change = int64(int64(left * int64(price - from)) * int64(terms.unitsPerLotTick(marketId) * buys));
  const cell = seats.givingCell(seat, side);
  if (ledger.available(cell) < change) return false;

  // Nothing is refused below this line.
  book.move(slot);
  if (change !== int64(0n)) ledger.freeze(state.events, cell, change, orders.orderId(slot));
  outcome.orderEvent = tellMoved(state, slot);
  return true;
}

/** Sends a moved order to the back of its queue and tells of it. */
function tellMoved(state: State, slot: number): number {
  const { orders, fills } = state;
  orders.setPrio(slot, state.nextPrio++);
  noteChanged(state, slot);
  const isFilled = fills.isFilled(orders.fillRow(slot));
  return emitOrder(state, slot, ORDER_EVENT.modify, isFilled ? STATUS.part_filled : STATUS.open);
}
