import { USER_FLAG } from "../accounts/user.ts";
import { FLAG, TYPE } from "../command.ts";
import * as eventForm from "../event.ts";
import { contractFlags, refuseContract } from "../futures/orders/accept.ts";
import { openRow } from "../futures/positions/futures-seat.ts";
import { isIndexFresh } from "../listing/index-freshness.ts";
import type { Market } from "../listing/market.ts";
import { canBear } from "../margin/bearing.ts";
import { refuseMarginOrder } from "../margin/ordering.ts";
import { refusalNumber } from "../refusal.ts";
import type { State } from "../state.ts";
import { readAscii, type WordBuffer } from "../words.ts";
import * as checks from "./check.ts";
import * as drafts from "./draft.ts";
import * as emits from "./emit.ts";
import * as matching from "./match.ts";
import * as resting from "./resting.ts";
import { refuseResult } from "./solvency.ts";
import * as values from "./value.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { CHECK, crosses, isFillable, OPEN_ORDERS_MAX: ORDERS_MAX, PLACING } = checks;
const { marketNeeds, protectionBound, refuseBudget, refuseLots, refusePrice, refuseTrading } = checks;
const { draft, trade } = drafts;
const { emitOrder } = emits;
const { ORDER_EVENT, STATUS } = eventForm;
const { freeOrder, match } = matching;
const { rest } = resting;
const { noteFreeze } = values;
const SELL = FLAG.sell;
const MARGIN = FLAG.margin;
const FUTURES = FLAG.futures;
const IN_QUOTE = FLAG.inQuote;
const TYPE_SHIFT = FLAG.typeShift;
const TYPE_MASK = FLAG.typeMask;
const ID_LENGTH_SHIFT = FLAG.clientIdLengthShift;
const ID_LENGTH_MASK = FLAG.clientIdLengthMask;
const LIMIT = TYPE.limit;
const MARKET = TYPE.market;
const MAKER_ONLY = TYPE.maker_only;
const FOK = TYPE.fok;

const OWES = USER_FLAG.indebted;

const MARKET_NOT_FOUND = refusalNumber("market_not_found");
const MARGIN_WORTH_AT_RISK = refusalNumber("margin_worth_at_risk");
const MARGIN_WAITS_FOR_INDEX = refusalNumber("margin_waits_for_index");
const TOO_MANY_OPEN_ORDERS = refusalNumber("too_many_open_orders");

/** Accounts that a user has a seat of in a spot market; in a futures market the first is the only one. */
const SPOT_SEAT = 0;
const MARGIN_SEAT = 1;

/** The bits of a command's flags that belong to the order. What it is for is not the command's to say. */
const ORDER_FLAGS =
  511 | FLAG.futures | FLAG.sided | FLAG.short | (FLAG.clientIdLengthMask << FLAG.clientIdLengthShift);

/** Only market orders may count their amount in the quote currency. */
export function orderFlagsOf(flags: number): number {
  const type = (flags >> FLAG.typeShift) & FLAG.typeMask;
  return flags & (type === TYPE.market ? ORDER_FLAGS : ORDER_FLAGS & ~FLAG.inQuote);
}

/** Result of a command that concerns one order: a refusal number (0 = accepted) and the word of the order's last event. */
export interface OrderOutcome {
  refusal: number;
  orderEvent: number;
}

/** Places the order in the record at `at`: checks, matches, then rests, cancels or finishes what is left. */
export function placeOrder(state: State, record: WordBuffer, at: number, outcome: OrderOutcome): void {
  const userId = record.i32[at * 2 + 1] as number;
  const market = state.markets[record.i32[at * 2 + 2] as number];
  const flags = orderFlagsOf(record.i32[at * 2 + 3] as number);
  const type = (flags >> TYPE_SHIFT) & TYPE_MASK;
  if (market === undefined || market.delisted || !state.users.has(userId)) {
    outcome.refusal = MARKET_NOT_FOUND;
    return;
  }
  if ((market.futures !== undefined || (flags & FUTURES) !== 0) && !isContract(market, flags)) {
    outcome.refusal = MARKET_NOT_FOUND;
    return;
  }
  if ((flags & MARGIN) !== 0) {
    const refusal = refuseMarginOrder(state, userId, market);
    if (refusal !== 0) {
      outcome.refusal = refusal;
      return;
    }
  }
  draft.left = record.i64[at + 3] as bigint;
  if (type === MARKET) draft.price = 0n;
  else draft.price = record.i64[at + 2] as bigint;
  const idLength = (flags >> ID_LENGTH_SHIFT) & ID_LENGTH_MASK;
  const clientId = idLength > 0 ? readAscii(record, at + 4, idLength) : "";
  enterOrder(state, userId, market, (flags & FUTURES) === 0 ? flags : contractFlags(flags), clientId, outcome);
}

/** Whether an order of these flags is one of a futures market, and the market is one. */
function isContract(market: Market, flags: number): boolean {
  return market.futures !== undefined && (flags & (FUTURES | MARGIN)) === FUTURES;
}

/** Places the order that is drafted. */
export function enterOrder(
  state: State,
  userId: number,
  market: Market,
  flags: number,
  clientId: string,
  outcome: OrderOutcome,
): void {
  const type = (flags >> TYPE_SHIFT) & TYPE_MASK;
  const seat = state.seats.find(userId, market.id, (flags & MARGIN) === 0 ? SPOT_SEAT : MARGIN_SEAT);
  const refusal =
    (flags & FUTURES) === 0
      ? refuseOrder(state, userId, market, seat, flags, type)
      : refuseContract(state, userId, market, flags);
  if (refusal !== 0) {
    outcome.refusal = refusal;
    return;
  }

  enterAccepted(state, userId, market, seat, flags, clientId, outcome);
}

/** As `enterOrder`, for an order that has nothing against it; `seat` is that of its user, NONE before the first order. */
export function enterAccepted(
  state: State,
  userId: number,
  market: Market,
  seat: number,
  flags: number,
  clientId: string,
  outcome: OrderOutcome,
): void {
  const type = (flags >> TYPE_SHIFT) & TYPE_MASK;
  const slot = accept(state, market, seat >= 0 ? seat : takeSeat(state, userId, market, flags), flags, type);
  if (clientId !== "") state.orders.clientId.set(slot, clientId);
  // In an auction the book may cross: nothing matches before it opens.
  const takes = (type === MARKET || crosses(state, market, flags)) && market.status === "online";
  const stopped = takes && match(state, market, slot);
  outcome.orderEvent = settle(state, market, slot, type, stopped);
}

/** Checks what is drafted; 0 = nothing to object. Sets the bound of its trades. */
function refuseOrder(state: State, userId: number, market: Market, seat: number, flags: number, type: number): number {
  let refusal = refuseTrading(state, userId, market, PLACING[type] as number);
  if (refusal !== 0) return refusal;
  if (type === MARKET) return refuseMarketOrder(state, userId, market, seat, flags);
  refusal = refuseLots(market);
  if (refusal !== 0) return refusal;
  refusal = refusePrice(state, market, flags);
  if (refusal !== 0) return refusal;
  if (hasTooManyOrders(state, seat)) return TOO_MANY_OPEN_ORDERS;
  noteFreeze(market, flags);
  const cell = givingCellOf(state, userId, market, seat, flags);
  if (cell < 0 || state.ledger.available(cell) < draft.needs) return CHECK.insufficient;
  if ((flags & MARGIN) !== 0) {
    refusal = refuseUnbearable(state, userId, market, flags);
    if (refusal !== 0) return refusal;
  } else if ((state.users.flags(userId) & OWES) !== 0) {
    refusal = refuseInsolvent(state, userId, market, flags, draft.price, draft.left);
    if (refusal !== 0) return refusal;
  }
  if (type === MAKER_ONLY && crosses(state, market, flags)) return CHECK.wouldTake;
  if (type === FOK && !isFillable(state, market, flags)) return CHECK.notFillable;
  trade.bound = draft.price;
  return 0;
}

/** The checks of an order without a price of its own. */
function refuseMarketOrder(state: State, userId: number, market: Market, seat: number, flags: number): number {
  const amount = draft.left;
  const refusal = (flags & IN_QUOTE) === 0 ? refuseLots(market) : refuseBudget(state, market, flags, amount);
  if (refusal !== 0) return refusal;
  if (hasTooManyOrders(state, seat)) return TOO_MANY_OPEN_ORDERS;
  const bound = protectionBound(state, market, flags);
  const needs = marketNeeds(state, userId, market, flags, amount, bound);
  const cell = givingCellOf(state, userId, market, seat, flags);
  if (needs > 0n && (cell < 0 || state.ledger.available(cell) < needs)) return CHECK.insufficient;
  if (bound === 0n) return CHECK.noCounterOrders;
  if ((flags & MARGIN) === 0 && (state.users.flags(userId) & OWES) !== 0) {
    const lots = lotsAtBound(market, flags, amount, needs, bound);
    const insolvent = refuseInsolvent(state, userId, market, flags, bound, lots);
    if (insolvent !== 0) return insolvent;
  }
  trade.bound = bound;
  trade.reserved = needs;
  return 0;
}

function hasTooManyOrders(state: State, seat: number): boolean {
  return seat >= 0 && state.seats.openOrders(seat) >= ORDERS_MAX;
}

/** The cell that an order of these flags gives from; NONE while its user never held the asset. */
function givingCellOf(state: State, userId: number, market: Market, seat: number, flags: number): number {
  if (seat >= 0) return state.seats.givingCell(seat, flags & SELL);
  if ((flags & MARGIN) !== 0) {
    const { accounts } = state.margin;
    return accounts.cell(accounts.find(userId, market.id), (flags & SELL) === 0);
  }
  return state.ledger.findSpotCell(userId, (flags & SELL) === 0 ? market.quoteAssetId : market.baseAssetId);
}

/** Whether a margin account could bear the drafted order, filled at its price; 0 = yes. See margin/bearing.ts. */
export function refuseUnbearable(state: State, userId: number, market: Market, flags: number): number {
  const row = state.margin.accounts.find(userId, market.id);
  const taker = state.users.takerFeeRateE8(userId);
  const feeRateE8 = taker < 0 ? market.takerFeeRateE8 : taker;
  if (canBear(state, market, row, (flags & SELL) !== 0, draft.price, draft.left, feeRateE8)) return 0;
  return isIndexFresh(market) ? MARGIN_WORTH_AT_RISK : MARGIN_WAITS_FOR_INDEX;
}

/** Lots that a market order may come to, filled at its bound: what a budget buys there, or all that it has set aside to give. */
function lotsAtBound(market: Market, flags: number, amount: bigint, needs: bigint, bound: bigint): bigint {
  if ((flags & IN_QUOTE) === 0) return amount;
  return (flags & SELL) === 0 ? amount / (bound * market.unitsPerLotTick) : needs / market.unitsPerLot;
}

/** Whether a user who owes could bear a spot order filled whole at a price; 0 = yes. See solvency.ts. */
export function refuseInsolvent(
  state: State,
  userId: number,
  market: Market,
  flags: number,
  price: bigint,
  lots: bigint,
): number {
  const taker = market.pool === undefined ? state.users.takerFeeRateE8(userId) : -1;
  const feeRateE8 = taker < 0 ? market.takerFeeRateE8 : taker;
  return refuseResult(state, userId, market, { sells: (flags & SELL) !== 0, price, lots, feeRateE8 });
}

/** Makes the drafted order, with the next order id and the fee rates of its account and market, which it keeps for life. */
function accept(state: State, market: Market, seat: number, flags: number, type: number): number {
  const { orders, users, seats } = state;
  const slot = orders.allocate();
  const userId = seats.userId(seat);
  const isFutures = (flags & FUTURES) !== 0;
  // A market with a pool has one rate for everybody.
  const hasOwn = market.pool === undefined;
  const maker = isFutures ? users.futuresMakerFeeRateE8(userId) : hasOwn ? users.makerFeeRateE8(userId) : -1;
  const taker = isFutures ? users.futuresTakerFeeRateE8(userId) : hasOwn ? users.takerFeeRateE8(userId) : -1;
  orders.setOrderId(slot, state.nextOrderId++);
  orders.setFlags(slot, flags);
  orders.setSeat(slot, seat);
  orders.setPrice(slot, draft.price);
  orders.setLeft(slot, draft.left);
  // A market order never makes: its maker rate is shown as 0.
  orders.setMakerFeeRateE8(slot, type === MARKET ? 0 : maker < 0 ? market.makerFeeRateE8 : maker);
  orders.setTakerFeeRateE8(slot, taker < 0 ? market.takerFeeRateE8 : taker);
  orders.setCreatedAt(slot, state.timeMs);
  orders.setPrio(slot, state.nextPrio++);
  orders.setChangedAfter(slot, 0);
  if (isFutures) state.futures.held.enter(slot, state.futures.seats.rowOf(seat), draft.freezePrice);
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

/** Makes the account's seat in the market, with its two cells. */
function takeSeat(state: State, userId: number, market: Market, flags: number): number {
  if (market.futures !== undefined) return state.futures.seats.seat(openRow(state, userId, market));
  if ((flags & MARGIN) !== 0) {
    const { accounts } = state.margin;
    const row = accounts.find(userId, market.id);
    return state.seats.add(userId, market.id, MARGIN_SEAT, accounts.baseCell(row), accounts.quoteCell(row));
  }
  const baseCell = state.ledger.spotCell(userId, market.baseAssetId);
  const quoteCell = state.ledger.spotCell(userId, market.quoteAssetId);
  return state.seats.add(userId, market.id, SPOT_SEAT, baseCell, quoteCell);
}
