import { FLAG } from "../command.ts";
import * as eventForm from "../event.ts";
import type { Market } from "../listing/market.ts";
import type { State } from "../state.ts";
import type { WordBuffer } from "../words.ts";
import type { Book } from "./book.ts";
import * as emits from "./emit.ts";
import { freeOrder } from "./fills.ts";
import { NONE } from "./order.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { emitOrder } = emits;
const { ORDER_EVENT, STATUS } = eventForm;
/** The bits of flags that name an account. */
const ACCOUNT = FLAG.margin | FLAG.futures;
const ACCOUNT_GIVEN = FLAG.accountGiven;

/** Puts what is left of an accepted order into the book and holds what it may cost. */
export function rest(state: State, market: Market, slot: number): void {
  market.settlement.hold(state, market, slot);
  (state.books[market.id] as Book).insert(slot);
}

/** Takes a resting order out of the book and releases what it held. It stays in its seat's list and in the index. */
export function unrest(state: State, market: Market, slot: number): void {
  (state.books[market.id] as Book).remove(slot);
  market.settlement.release(state, market, slot);
}

/** Ends a resting order before it is filled. Returns the word of its last event. */
export function endResting(state: State, market: Market, slot: number): number {
  const { orders, fills } = state;
  unrest(state, market, slot);
  state.seats.remove(orders, slot);
  orders.leave(slot);
  const isFilled = fills.isFilled(orders.fillRow(slot));
  const at = emitOrder(state, slot, ORDER_EVENT.finish, isFilled ? STATUS.part_canceled : STATUS.canceled);
  freeOrder(state, slot);
  return at;
}

/** The resting order that the cancel or modify command at `at` names, if it is its user's own; else NONE. */
export function findNamed(state: State, record: WordBuffer, at: number): number {
  const slot = state.orders.find(record.f64[at + 2] as number);
  const userId = record.i32[at * 2 + 1] as number;
  const marketId = record.i32[at * 2 + 2] as number;
  const isOwn = slot >= 0 && isOwnOrder(state, slot, userId, marketId, record.i32[at * 2 + 3] as number);
  return isOwn ? slot : NONE;
}

/** The resting order with this id if it is this user's in this market and account (undefined = either); else NONE. */
export function findOwn(
  state: State,
  userId: number,
  marketId: number,
  margin: boolean | undefined,
  orderId: number,
): number {
  const slot = state.orders.find(orderId);
  const given = margin === undefined ? 0 : ACCOUNT_GIVEN | (margin ? FLAG.margin : 0);
  return slot >= 0 && isOwnOrder(state, slot, userId, marketId, given) ? slot : NONE;
}

function isOwnOrder({ orders, seats }: State, slot: number, userId: number, marketId: number, given: number): boolean {
  const seat = orders.seat(slot);
  if (seats.userId(seat) !== userId || seats.marketId(seat) !== marketId) return false;
  return (given & ACCOUNT_GIVEN) === 0 || ((given ^ orders.flags(slot)) & ACCOUNT) === 0;
}

/** Cancels every order of a market, buys first, in priority. */
export function endAllResting(state: State, market: Market): void {
  const book = state.books[market.id] as Book;
  for (const side of [0, 1]) {
    for (let slot = book.first(side); slot !== NONE; slot = book.first(side)) {
      endResting(state, market, slot);
    }
  }
}
