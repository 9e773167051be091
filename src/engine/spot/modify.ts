import { FLAG } from "../command.ts";
import type { Market } from "../listing/market.ts";
import { int64 } from "../money/int64.ts";
import { refusalNumber } from "../refusal.ts";
import type { State } from "../state.ts";
import type { WordBuffer } from "../words.ts";
import type { Book } from "./book.ts";
import { marginGiven } from "./cancel.ts";
import { bestOpposite, CHECK, crosses, refuseLots, refusePrice, refuseTrading, TYPE } from "./check.ts";
import { emitOrder, ORDER_EVENT, STATUS } from "./emit.ts";
import { emitLevelOf, fillRow, freeOrder, match } from "./match.ts";
import { NONE } from "./order.ts";
import type { OrderOutcome } from "./place.ts";
import { findOwn, rest, unrest } from "./resting.ts";
import { freezeOf, givingCell } from "./value.ts";

const MARKET_NOT_FOUND = refusalNumber("market_not_found");
const ORDER_NOT_FOUND = refusalNumber("order_not_found");
const NOTHING_TO_MODIFY = refusalNumber("nothing_to_modify");
const AMOUNT_BELOW_FILLED = refusalNumber("amount_below_filled");

/**
 * Changes price, total amount or both of a resting order, which keeps its id. A smaller amount at the same price keeps its
 * place in the queue; everything else goes to the back. A limit order whose new price crosses trades as a taker first.
 * Any refusal leaves the order exactly as it was. Source: domain 2.10.
 */
export function modifyOrder(state: State, record: WordBuffer, at: number, outcome: OrderOutcome): void {
  const { orders } = state;
  const given = record.i32[at * 2 + 3] as number;
  const market = state.markets[record.i32[at * 2 + 2] as number];
  if (market === undefined) {
    outcome.refusal = MARKET_NOT_FOUND;
    return;
  }
  const userId = record.i32[at * 2 + 1] as number;
  const slot = findOwn(state, userId, market.id, marginGiven(given), record.f64[at + 2] as number);
  if (slot === NONE) {
    outcome.refusal = ORDER_NOT_FOUND;
    return;
  }
  outcome.refusal = refuseTrading(state, userId, market);
  if (outcome.refusal !== 0) return;
  if ((given & (FLAG.priceGiven | FLAG.amountGiven)) === 0) {
    outcome.refusal = NOTHING_TO_MODIFY;
    return;
  }

  const flags = orders.flags(slot);
  const oldPrice = orders.price(slot);
  const oldLeft = orders.left(slot);
  const filled = filledLots(state, slot);
  const price = (given & FLAG.priceGiven) === 0 ? oldPrice : (record.i64[at + 3] as bigint);
  const amount = (given & FLAG.amountGiven) === 0 ? int64(filled + oldLeft) : (record.i64[at + 4] as bigint);
  outcome.refusal = refuseLots(market, amount);
  if (outcome.refusal !== 0) return;
  if (amount <= filled) {
    outcome.refusal = AMOUNT_BELOW_FILLED;
    return;
  }
  outcome.refusal = refusePrice(state, market, flags, price);
  if (outcome.refusal !== 0) return;
  const left = int64(amount - filled);
  const cell = givingCell(state, orders.seat(slot), flags);
  const change = int64(freezeOf(market, flags, price, left) - freezeOf(market, flags, oldPrice, oldLeft));
  if (state.ledger.available(cell) < change) {
    outcome.refusal = CHECK.insufficient;
    return;
  }
  const takes = price !== oldPrice && crosses(state, bestOpposite(state, market, flags), flags, price);
  if (takes && ((flags >> FLAG.typeShift) & FLAG.typeMask) === TYPE.makerOnly) {
    outcome.refusal = CHECK.wouldTake;
    return;
  }

  // Nothing is refused below this line.
  if (price === oldPrice && left === oldLeft) {
    outcome.orderEvent = emitOrder(state, slot, ORDER_EVENT.modify, restingStatus(filled));
    return;
  }
  state.fills.setUpdatedAt(fillRow(state, slot), state.timeMs);
  if (takes) outcome.orderEvent = take(state, market, slot, price, left);
  else {
    reposition(state, market, slot, price, left, change);
    outcome.orderEvent = emitOrder(state, slot, ORDER_EVENT.modify, restingStatus(filled));
  }
}

/** Moves an order that does not trade, posting only the change of its freeze. */
function reposition(state: State, market: Market, slot: number, price: bigint, left: bigint, change: bigint): void {
  const { orders } = state;
  const book = state.books[market.id] as Book;
  if (price === orders.price(slot) && left < orders.left(slot)) {
    book.reduce(slot, int64(orders.left(slot) - left));
    orders.setLeft(slot, left);
  } else {
    book.remove(slot);
    if (price !== orders.price(slot)) emitLevelOf(state, market, slot);
    orders.setPrice(slot, price);
    orders.setLeft(slot, left);
    orders.setPrio(slot, state.nextPrio++);
    book.insert(slot);
  }
  emitLevelOf(state, market, slot);
  if (change !== 0n) {
    const cell = givingCell(state, orders.seat(slot), orders.flags(slot));
    state.ledger.freeze(state.events, cell, change, orders.orderId(slot));
  }
}

/** Takes the order out, lets it trade at its new price and puts back what is left. Returns the word of its event. */
function take(state: State, market: Market, slot: number, price: bigint, left: bigint): number {
  const { orders } = state;
  unrest(state, market, slot);
  orders.setPrice(slot, price);
  orders.setLeft(slot, left);
  orders.setPrio(slot, state.nextPrio++);
  const stopped = match(state, market, slot, price);
  if (orders.left(slot) > 0n && !stopped) {
    rest(state, market, slot);
    return emitOrder(state, slot, ORDER_EVENT.modify, restingStatus(filledLots(state, slot)));
  }
  state.seats.remove(orders, slot);
  orders.leave(slot);
  const status =
    orders.left(slot) === 0n ? STATUS.filled : filledLots(state, slot) === 0n ? STATUS.canceled : STATUS.partCanceled;
  const event = emitOrder(state, slot, ORDER_EVENT.finish, status);
  freeOrder(state, slot);
  return event;
}

function restingStatus(filled: bigint): number {
  return filled === 0n ? STATUS.open : STATUS.partFilled;
}

function filledLots(state: State, slot: number): bigint {
  const row = state.orders.fill(slot);
  return row === NONE ? 0n : state.fills.filledLots(row);
}
