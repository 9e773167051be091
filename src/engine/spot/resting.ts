import { FLAG } from "../command.ts";
import type { Market } from "../listing/market.ts";
import { int64 } from "../money/int64.ts";
import type { State } from "../state.ts";
import type { Book } from "./book.ts";
import { emitOrder, ORDER_EVENT, STATUS } from "./emit.ts";
import { emitLevelOf, freeOrder } from "./match.ts";
import { NONE } from "./order.ts";
import { freezeOf, givingCell } from "./value.ts";

/** Puts what is left of an accepted order into the book and freezes what it may cost. */
export function rest(state: State, market: Market, slot: number): void {
  const { orders } = state;
  const flags = orders.flags(slot);
  const seat = orders.seat(slot);
  const amount = freezeOf(market, flags, orders.price(slot), orders.left(slot));
  state.ledger.freeze(state.events, givingCell(state, seat, flags), amount, orders.orderId(slot));
  (state.books[market.id] as Book).insert(slot);
  emitLevelOf(state, market, slot);
}

/** Takes a resting order out of the book and releases what it froze. It stays in its seat's list and in the index. */
export function unrest(state: State, market: Market, slot: number): void {
  const { orders } = state;
  const flags = orders.flags(slot);
  const seat = orders.seat(slot);
  (state.books[market.id] as Book).remove(slot);
  emitLevelOf(state, market, slot);
  const amount = freezeOf(market, flags, orders.price(slot), orders.left(slot));
  state.ledger.freeze(state.events, givingCell(state, seat, flags), int64(0n - amount), orders.orderId(slot));
}

/** Ends a resting order before it is filled. Returns the word of its last event. */
export function endResting(state: State, market: Market, slot: number): number {
  const { orders, fills } = state;
  unrest(state, market, slot);
  state.seats.remove(orders, slot);
  orders.leave(slot);
  const row = orders.fill(slot);
  const filled = row !== NONE && fills.filledLots(row) !== 0n;
  if (row !== NONE) fills.setUpdatedAt(row, state.timeMs);
  const at = emitOrder(state, slot, ORDER_EVENT.finish, filled ? STATUS.partCanceled : STATUS.canceled);
  freeOrder(state, slot);
  return at;
}

/** The resting order with this id if it is this user's in this market and account (undefined = either); else NONE. */
export function findOwn(
  state: State,
  userId: number,
  marketId: number,
  margin: boolean | undefined,
  orderId: number,
): number {
  const { orders, seats } = state;
  const slot = orders.find(orderId);
  if (slot === NONE) return NONE;
  const seat = orders.seat(slot);
  if (seats.userId(seat) !== userId || seats.marketId(seat) !== marketId) return NONE;
  if (margin !== undefined && ((orders.flags(slot) & FLAG.margin) !== 0) !== margin) return NONE;
  return slot;
}
