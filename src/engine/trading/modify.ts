import { FLAG } from "../command.ts";
import * as eventForm from "../event.ts";
import type { Market } from "../listing/market.ts";
import * as money from "../money/int64.ts";
import { refusalNumber } from "../refusal.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import type { WordBuffer } from "../words.ts";
import type { Book } from "./book.ts";
import * as checks from "./check.ts";
import * as emits from "./emit.ts";
import * as fillings from "./fills.ts";
import { refuseDisplay } from "./iceberg.ts";
import * as matching from "./match.ts";
import * as moving from "./move.ts";
import type { OrderOutcome } from "./place.ts";
import * as resting from "./resting.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { crosses, ACTION, refuseTrading } = checks;
const { emitOrder } = emits;
const { ORDER_EVENT, STATUS } = eventForm;
const { freeOrder, noteChanged } = fillings;
const { match } = matching;
const { moveOrder } = moving;
const { findNamed, rest, unrest } = resting;
const MODIFY = ACTION.modify;
const PRICE_GIVEN = FLAG.priceGiven;
const AMOUNT_GIVEN = FLAG.amountGiven;

const MARKET_NOT_FOUND = refusalNumber("market_not_found");
const ORDER_NOT_FOUND = refusalNumber("order_not_found");
const NOTHING_TO_MODIFY = refusalNumber("nothing_to_modify");
const AMOUNT_BELOW_FILLED = refusalNumber("amount_below_filled");

/**
 * Changes price, total amount or both of a resting order, which keeps its id. A smaller amount at the same price keeps
 * its place in the queue; everything else goes to the back. A limit order whose new price crosses trades as a taker
 * first. Any refusal leaves the order exactly as it was. Source: domain 2.10.
 */
export function modifyOrder(
  state: State,
  scratch: Scratch,
  record: WordBuffer,
  at: number,
  outcome: OrderOutcome,
): void {
  const { draft } = scratch;
  if (moveOrder(state, scratch, record, at, outcome)) return;
  const market = state.markets[record.i32[at * 2 + 2] as number];
  if (market === undefined) {
    outcome.refusal = MARKET_NOT_FOUND;
    return;
  }
  const slot = findNamed(state, record, at);
  if (slot < 0) {
    outcome.refusal = ORDER_NOT_FOUND;
    return;
  }
  const book = state.books[market.id] as Book;
  const refusal = refuseChange(state, scratch, market, slot, record, at);
  if (refusal !== 0) {
    outcome.refusal = refusal;
    return;
  }

  // Nothing is refused below this line.
  const { orders, fills } = state;
  const moves = draft.price !== orders.price(slot);
  if (moves || draft.left !== orders.left(slot)) {
    noteChanged(state, slot);
    // In an auction the book may cross: nothing matches before it opens.
    if (moves && crosses(state, scratch, market, orders.flags(slot)) && market.status === "online") {
      outcome.orderEvent = take(state, scratch, market, slot);
      return;
    }
    reposition(state, scratch, market, book, slot, moves);
  }
  const isFilled = fills.isFilled(orders.fillRow(slot));
  outcome.orderEvent = emitOrder(state, slot, ORDER_EVENT.modify, isFilled ? STATUS.part_filled : STATUS.open);
}

/** Drafts the changed order and checks it like a new one; 0 = nothing to object. */
function refuseChange(
  state: State,
  scratch: Scratch,
  market: Market,
  slot: number,
  record: WordBuffer,
  at: number,
): number {
  const { draft } = scratch;
  const { orders, fills } = state;
  let refusal = refuseTrading(state, record.i32[at * 2 + 1] as number, market, MODIFY, orders.flags(slot));
  if (refusal !== 0) return refusal;
  const given = record.i32[at * 2 + 3] as number;
  if ((given & (PRICE_GIVEN | AMOUNT_GIVEN)) === 0) return NOTHING_TO_MODIFY;

  const row = orders.fillRow(slot);
  if ((given & PRICE_GIVEN) === 0) draft.price = orders.price(slot);
  else draft.price = record.i64[at + 3] as bigint;
  // The amount is the new total, of which what is filled is gone.
  if ((given & AMOUNT_GIVEN) === 0) draft.left = int64(orders.left(slot) + fills.filledLots(row));
  else draft.left = record.i64[at + 4] as bigint;
  refusal = market.settlement.refuseLots(scratch, market, orders.flags(slot));
  if (refusal !== 0) return refusal;
  if ((given & AMOUNT_GIVEN) !== 0 && orders.isIceberg(slot)) {
    refusal = refuseDisplay(market, orders.iceberg(slot).peak, draft.left);
    if (refusal !== 0) return refusal;
  }
  if (draft.left <= fills.filledLots(row)) return AMOUNT_BELOW_FILLED;
  draft.left = int64(draft.left - fills.filledLots(row));
  return market.settlement.refuseChange(state, scratch, market, slot);
}

/** Makes an order that does not trade what its draft says, and lets it hold what that costs. */
function reposition(state: State, scratch: Scratch, market: Market, book: Book, slot: number, moves: boolean): void {
  const { draft } = scratch;
  const { orders } = state;
  const { settlement } = market;
  if (moves || draft.left > orders.left(slot)) orders.setPrio(slot, state.nextPrio++);
  settlement.beforeChange(state, market, slot);
  if (moves) book.move(slot, draft);
  else book.resize(slot, draft.left);
  settlement.afterChange(state, scratch, market, slot);
}

/** Takes the order out, lets it trade at its new price and puts back what is left. Returns the word of its event. */
function take(state: State, scratch: Scratch, market: Market, slot: number): number {
  const { draft, trade } = scratch;
  const { orders, fills } = state;
  unrest(state, market, slot);
  orders.setPrice(slot, draft.price);
  orders.setLeft(slot, draft.left);
  orders.setPrio(slot, state.nextPrio++);
  market.settlement.redraft(state, scratch, slot);
  trade.bound = draft.price;
  const stopped = match(state, scratch, market, slot);
  const isFilled = fills.isFilled(orders.fillRow(slot));
  if (orders.hasLeft(slot) && !stopped) {
    rest(state, market, slot);
    return emitOrder(state, slot, ORDER_EVENT.modify, isFilled ? STATUS.part_filled : STATUS.open);
  }
  state.seats.remove(orders, slot);
  orders.leave(slot);
  const status = !orders.hasLeft(slot) ? STATUS.filled : isFilled ? STATUS.part_canceled : STATUS.canceled;
  const event = emitOrder(state, slot, ORDER_EVENT.finish, status);
  freeOrder(state, slot);
  return event;
}
