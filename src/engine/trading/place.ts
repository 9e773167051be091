import { FLAG, TYPE } from "../command.ts";
import * as eventForm from "../event.ts";
import type { Market } from "../listing/market.ts";
import { refusalNumber } from "../refusal.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import { readAscii, type WordBuffer } from "../words.ts";
import * as checks from "./check.ts";
import * as emits from "./emit.ts";
import * as fillings from "./fills.ts";
import * as matching from "./match.ts";
import { placeOf } from "./order.ts";
import * as resting from "./resting.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { crosses } = checks;
const { emitOrder } = emits;
const { ORDER_EVENT, STATUS } = eventForm;
const { freeOrder } = fillings;
const { match } = matching;
const { rest } = resting;
const TYPE_SHIFT = FLAG.typeShift;
const TYPE_MASK = FLAG.typeMask;
const ID_LENGTH_SHIFT = FLAG.clientIdLengthShift;
const ID_LENGTH_MASK = FLAG.clientIdLengthMask;
const LIMIT = TYPE.limit;
const MARKET = TYPE.market;
const MAKER_ONLY = TYPE.maker_only;

const AIM = FLAG.aimMask << FLAG.aimShift;
/** Flags that stop orders give the orders that they become, and no command does. */
const OF_STOPS = AIM | FLAG.iceberg;

const MARKET_NOT_FOUND = refusalNumber("market_not_found");

/**
 * The bits of a command's flags that belong to the order. What it is for is not the command's to say; a stop order
 * knows.
 */
const ORDER_FLAGS =
  511 | FLAG.futures | FLAG.sided | FLAG.short | (FLAG.clientIdLengthMask << FLAG.clientIdLengthShift);

/** Only market orders may count their amount in the quote currency. */
export function orderFlagsOf(flags: number): number {
  const type = (flags >> FLAG.typeShift) & FLAG.typeMask;
  return flags & (type === TYPE.market ? ORDER_FLAGS : ORDER_FLAGS & ~FLAG.inQuote);
}

/**
 * Result of a command that concerns one order: a refusal number (0 = accepted) and the word of the order's last event.
 */
export interface OrderOutcome {
  refusal: number;
  orderEvent: number;
}

/**
 * Places the order in the record at `at`: checks, matches, then rests, cancels or finishes what is left. `isFired`: a
 * stop order that the price has reached asks for it.
 */
export function placeOrder(
  state: State,
  scratch: Scratch,
  record: WordBuffer,
  at: number,
  outcome: OrderOutcome,
  isFired = false,
): void {
  const { draft } = scratch;
  const userId = record.i32[at * 2 + 1] as number;
  const market = state.markets[record.i32[at * 2 + 2] as number];
  const given = record.i32[at * 2 + 3] as number;
  const flags = isFired ? orderFlagsOf(given) | (given & OF_STOPS) : orderFlagsOf(given);
  const type = (flags >> TYPE_SHIFT) & TYPE_MASK;
  if (market === undefined || market.delisted || !state.users.has(userId)) {
    outcome.refusal = MARKET_NOT_FOUND;
    return;
  }
  const { settlement } = market;
  const refusal = settlement.refuseAccount(state, market, flags) || settlement.refuseUser(state, userId, market, flags);
  if (refusal !== 0) {
    outcome.refusal = refusal;
    return;
  }
  draft.isFired = isFired;
  draft.left = record.i64[at + 3] as bigint;
  if (type === MARKET) draft.price = 0n;
  else draft.price = record.i64[at + 2] as bigint;
  if ((flags & AIM) !== 0) settlement.cutToReduce(state, scratch, userId, market, flags);
  const idLength = (flags >> ID_LENGTH_SHIFT) & ID_LENGTH_MASK;
  const clientId = idLength > 0 ? readAscii(record, at + 4, idLength) : "";
  enterOrder(state, scratch, userId, market, settlement.orderFlags(flags), clientId, outcome);
}

/** Places the order that is drafted. */
export function enterOrder(
  state: State,
  scratch: Scratch,
  userId: number,
  market: Market,
  flags: number,
  clientId: string,
  outcome: OrderOutcome,
): void {
  const seat = state.seats.find(userId, market.id, placeOf(flags));
  const refusal = market.settlement.refuseOrder(state, scratch, userId, market, seat, flags);
  if (refusal !== 0) {
    outcome.refusal = refusal;
    return;
  }

  outcome.orderEvent = enterAccepted(state, scratch, userId, market, seat, flags, clientId);
}

/**
 * As `enterOrder`, for an order that has nothing against it; `seat` is that of its user, NONE before the first order.
 * Returns the word of its event.
 */
export function enterAccepted(
  state: State,
  scratch: Scratch,
  userId: number,
  market: Market,
  seat: number,
  flags: number,
  clientId: string,
): number {
  const type = (flags >> TYPE_SHIFT) & TYPE_MASK;
  const slot = accept(
    state,
    scratch,
    market,
    seat >= 0 ? seat : market.settlement.openSeat(state, userId, market, flags),
    flags,
    type,
  );
  if (clientId !== "") state.orders.clientId.set(slot, clientId);
  // In an auction the book may cross: nothing matches before it opens.
  const takes = (type === MARKET || crosses(state, scratch, market, flags)) && market.status === "online";
  const stopped = takes && match(state, scratch, market, slot);
  return settle(state, market, slot, type, stopped);
}

/**
 * Makes the drafted order, with the next order id and the fee rates of its account and market, which it keeps for life.
 */
function accept(state: State, scratch: Scratch, market: Market, seat: number, flags: number, type: number): number {
  const { draft } = scratch;
  const { orders } = state;
  const slot = orders.allocate();
  orders.setOrderId(slot, state.nextOrderId++);
  orders.setFlags(slot, flags);
  orders.setSeat(slot, seat);
  orders.setPrice(slot, draft.price);
  orders.setLeft(slot, draft.left);
  orders.setCreatedAt(slot, state.timeMs);
  orders.setPrio(slot, state.nextPrio++);
  orders.setChangedAfter(slot, 0);
  market.settlement.enter(state, scratch, market, slot);
  // A market order never makes: its maker rate is shown as 0.
  if (type === MARKET) orders.setMakerFeeRateE8(slot, 0);
  return slot;
}

/** Rests or ends an order that has matched as far as it could. Returns the word of its event. */
function settle(state: State, market: Market, slot: number, type: number, stopped: boolean): number {
  const { orders, fills } = state;
  const traded = fills.isFilled(orders.fillRow(slot));
  const hasLeft = orders.hasLeft(slot);
  if (hasLeft && !stopped && (type === LIMIT || type === MAKER_ONLY)) {
    rest(state, market, slot);
    orders.enter(slot);
    state.seats.append(orders, slot);
    return emitOrder(state, slot, ORDER_EVENT.put, traded ? STATUS.part_filled : STATUS.open);
  }
  const filled = !hasLeft || (traded && isDust(state, market, slot));
  const status = filled ? STATUS.filled : traded ? STATUS.part_canceled : STATUS.canceled;
  const at = emitOrder(state, slot, ORDER_EVENT.finish, status);
  freeOrder(state, slot);
  return at;
}

/** A rest of a quote budget that does not buy one lot at the last price counts as filled. */
function isDust(state: State, market: Market, slot: number): boolean {
  const { orders, fills } = state;
  if (!orders.isInQuote(slot)) return false;
  return orders.left(slot) < fills.lastPrice(orders.fillRow(slot)) * market.unitsPerLotTick;
}
