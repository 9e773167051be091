/**
 * The effects of fills on orders: the figures that each order keeps of its fills, the lots taken off it, and its end.
 */
import { USER_FLAG } from "../accounts/user.ts";
import { FLAG } from "../command.ts";
import * as eventForm from "../event.ts";
import type { Market } from "../listing/market.ts";
import * as money from "../money/int64.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import type { Book } from "./book.ts";
import * as emits from "./emit.ts";
import { fillSlice } from "./iceberg.ts";
import type { Orders } from "./order.ts";
import { countQuoteFill } from "./protections.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { emitOrder } = emits;
const { ORDER_EVENT, STATUS } = eventForm;
const IN_QUOTE = FLAG.inQuote;
const PROTECTED = USER_FLAG.quotesProtected;
const ICEBERG = FLAG.iceberg;
/** Flags of orders of which something stands beside their rows. */
const KEPT_ASIDE = FLAG.iceberg | (FLAG.clientIdLengthMask << FLAG.clientIdLengthShift);
const INT32_MAX = 2 ** 31 - 1;

/** The row of an order's fills, made at the first. */
export function fillsOf({ orders, fills }: State, slot: number): number {
  let row = orders.fillRow(slot);
  if (row === 0) {
    row = fills.allocate();
    orders.setFill(slot, row);
  }
  return row;
}

/** Adds lots and value of the trade to a row of fills; fees and results are the settlement's. */
export function rememberLots({ fills, timeMs }: State, { trade }: Scratch, row: number): void {
  fills.setFilledLots(row, int64(fills.filledLots(row) + trade.lots));
  fills.setFilledValue(row, int64(fills.filledValue(row) + trade.value));
  fills.setLastLots(row, trade.lots);
  fills.setLastPrice(row, trade.price);
  fills.setUpdatedAt(row, timeMs);
}

/** Takes the trade off what a taker that is in no book has left. */
export function lowerTaker({ orders }: State, { trade }: Scratch, taker: number): void {
  if ((orders.flags(taker) & IN_QUOTE) !== 0) orders.setLeft(taker, int64(orders.left(taker) - trade.value));
  else orders.setLeft(taker, int64(orders.left(taker) - trade.lots));
}

/** Takes the trade's lots off a resting order, which stays in the book with the rest or is finished. */
export function lowerResting(state: State, { trade }: Scratch, market: Market, slot: number): void {
  const { orders, seats } = state;
  const book = state.books[market.id] as Book;
  const userId = seats.userId(orders.seat(slot));
  if ((state.users.flags(userId) & PROTECTED) !== 0) {
    countQuoteFill(state, userId, market.id, orders.flags(slot), trade.lots);
  }
  if (trade.lots < orders.left(slot)) {
    if ((orders.flags(slot) & ICEBERG) !== 0) fillSlice(state, book, slot, trade.lots);
    else book.resize(slot, int64(orders.left(slot) - trade.lots));
    emitOrder(state, slot, ORDER_EVENT.update, STATUS.part_filled);
    return;
  }
  book.remove(slot);
  orders.setLeft(slot, 0n);
  seats.remove(orders, slot);
  orders.leave(slot);
  emitOrder(state, slot, ORDER_EVENT.finish, STATUS.filled);
  freeOrder(state, slot);
}

/** Notes the time of a change that filled nothing. Returns the row of the order's fills; 0 = it has none. */
export function noteChanged({ orders, fills, timeMs }: State, slot: number): number {
  const row = orders.fillRow(slot);
  const after = timeMs - orders.createdAt(slot);
  if (row > 0) fills.setUpdatedAt(row, timeMs);
  else if (after <= INT32_MAX) orders.setChangedAfter(slot, after);
  else {
    const made = fills.allocate();
    fills.setUpdatedAt(made, timeMs);
    orders.setFill(slot, made);
  }
  return row;
}

/** Forgets what few orders have: a client id, the figures of an iceberg. */
function forgetAside(orders: Orders, slot: number): void {
  orders.clientId.delete(slot);
  orders.icebergs.delete(orders.orderId(slot));
}

/** Gives the rows of an order back; nothing may point to it any more. */
export function freeOrder(state: State, slot: number): void {
  const { orders, fills } = state;
  const row = orders.fillRow(slot);
  if (row > 0) fills.free(row);
  if ((orders.flags(slot) & KEPT_ASIDE) !== 0) forgetAside(orders, slot);
  orders.free(slot);
}
