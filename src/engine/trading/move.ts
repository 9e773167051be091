import { FLAG } from "../command.ts";
import * as eventForm from "../event.ts";
import * as money from "../money/int64.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import type { WordBuffer } from "../words.ts";
import type { Book } from "./book.ts";
import * as checks from "./check.ts";
import * as emits from "./emit.ts";
import * as fillings from "./fills.ts";
import type { OrderOutcome } from "./place.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { ACTION, isHeld, refuseAction } = checks;
const { emitOrder } = emits;
const { ORDER_EVENT, STATUS } = eventForm;
const { noteChanged } = fillings;
const MODIFY = ACTION.modify;
const SELL = FLAG.sell;
const PRICE_GIVEN = FLAG.priceGiven;
const GIVEN = FLAG.priceGiven | FLAG.amountGiven | FLAG.accountGiven;

/**
 * The fast path of moves: a resting order goes to another price and trades nothing. Eight in ten commands of market
 * makers are this, so it is written in one piece and asks only whether all is well. Of everything else, refusals
 * included, it changes nothing and returns false; the general way of modify.ts, which does the same in its own steps,
 * then finds the reason. Venues on a plain book and markets with quotes have no fast path: two-books.test.ts holds the
 * one to the events of the other.
 */
export function moveOrder(
  state: State,
  scratch: Scratch,
  record: WordBuffer,
  at: number,
  outcome: OrderOutcome,
): boolean {
  const { draft } = scratch;
  const { orders, seats, fills, terms } = state;
  const userId = record.i32[at * 2 + 1] as number;
  const marketId = record.i32[at * 2 + 2] as number;
  if (((record.i32[at * 2 + 3] as number) & GIVEN) !== PRICE_GIVEN) return false;
  const slot = orders.find(record.f64[at + 2] as number);
  if (slot < 0) return false;
  const seat = orders.seat(slot);
  if (seats.userId(seat) !== userId || seats.marketId(seat) !== marketId) return false;
  const market = state.markets[marketId];
  const book = state.books[marketId] as Book;
  if (market === undefined || book.isPlain || market.quotes !== undefined) return false;
  const flags = orders.flags(slot);
  if (isHeld(state, userId) || refuseAction(state, market, MODIFY) !== 0) return false;

  // The new price, and the amount, which is still held to the bounds that the market has now.
  const side = flags & SELL;
  const from = orders.price(slot);
  const left = orders.left(slot);
  const price = record.i64[at + 3] as bigint;
  const lots = int64(left + fills.filledLots(orders.fillRow(slot)));
  if (price <= int64(0n) || price > terms.maxPrice(marketId) || price === from) return false;
  if (lots < terms.minAmount(marketId) || lots > terms.maxAmount(marketId)) return false;
  const opposite = book.bestPrice[side ^ 1] as bigint;
  if (side === 0 ? opposite <= price : opposite >= price) return false;
  draft.price = price;
  draft.left = left;
  if (!market.settlement.canMove(state, scratch, market, slot, seat, flags)) return false;

  // Nothing is refused below this line.
  book.move(slot, draft);
  market.settlement.afterMove(state, scratch, slot, seat, side);
  outcome.orderEvent = tellMoved(state, slot);
  return true;
}

/** Sends a moved order to the back of its queue and tells of it. */
function tellMoved(state: State, slot: number): number {
  const { orders, fills } = state;
  orders.setPrio(slot, state.nextPrio++);
  const row = noteChanged(state, slot);
  const isFilled = row > 0 && fills.isFilled(row);
  return emitOrder(state, slot, ORDER_EVENT.modify, isFilled ? STATUS.part_filled : STATUS.open);
}
