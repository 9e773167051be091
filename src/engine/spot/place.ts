import { FLAG } from "../command.ts";
import type { Market } from "../listing/market.ts";
import { refusalNumber } from "../refusal.ts";
import type { State } from "../state.ts";
import { readAscii, type WordBuffer } from "../words.ts";
import {
  bestOpposite,
  CHECK,
  crosses,
  isFillable,
  marketNeeds,
  OPEN_ORDERS_MAX,
  protectionBound,
  refuseBudget,
  refuseLots,
  refusePrice,
  refuseTrading,
  TYPE,
} from "./check.ts";
import { emitOrder, ORDER_EVENT, STATUS } from "./emit.ts";
import { freeOrder, match } from "./match.ts";
import { NONE } from "./order.ts";
import { rest } from "./resting.ts";
import { freezeOf, givingCell } from "./value.ts";

const MARKET_NOT_FOUND = refusalNumber("market_not_found");
const MARGIN_NOT_AVAILABLE = refusalNumber("margin_not_available");
const TOO_MANY_OPEN_ORDERS = refusalNumber("too_many_open_orders");

const SPOT = 0;

/** The bits of a command's flags that belong to the order. */
const ORDER_FLAGS = 511 | (FLAG.clientIdLengthMask << FLAG.clientIdLengthShift);

/** Only market orders may count their amount in the quote currency. */
function orderFlagsOf(flags: number): number {
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
  const price = record.i64[at + 2] as bigint;
  const amount = record.i64[at + 3] as bigint;
  const type = (flags >> FLAG.typeShift) & FLAG.typeMask;
  if (market === undefined || market.delisted || !state.users.has(userId)) {
    outcome.refusal = MARKET_NOT_FOUND;
    return;
  }
  if ((flags & FLAG.margin) !== 0) {
    outcome.refusal = MARGIN_NOT_AVAILABLE;
    return;
  }
  outcome.refusal = refuseTrading(state, userId, market);
  if (outcome.refusal !== 0) return;
  const inQuote = (flags & FLAG.inQuote) !== 0;
  outcome.refusal = inQuote ? refuseBudget(state, market, flags, amount) : refuseLots(market, amount);
  if (outcome.refusal !== 0) return;
  outcome.refusal = type === TYPE.market ? 0 : refusePrice(state, market, flags, price);
  if (outcome.refusal !== 0) return;
  const bound = type === TYPE.market ? protectionBound(state, market, flags) : price;
  if (bound === 0n) {
    outcome.refusal = CHECK.noCounterOrders;
    return;
  }
  const seat = state.seats.find(userId, market.id, SPOT);
  if (seat !== NONE && state.seats.openOrders(seat) >= OPEN_ORDERS_MAX) {
    outcome.refusal = TOO_MANY_OPEN_ORDERS;
    return;
  }
  const needs =
    type === TYPE.market
      ? marketNeeds(state, userId, market, flags, amount, bound)
      : freezeOf(market, flags, price, amount);
  if (!canGive(state, userId, market, seat, flags, needs)) {
    outcome.refusal = CHECK.insufficient;
    return;
  }
  if (type === TYPE.makerOnly && crosses(state, bestOpposite(state, market, flags), flags, price)) {
    outcome.refusal = CHECK.wouldTake;
    return;
  }
  if (type === TYPE.fok && !isFillable(state, market, flags, price, amount)) {
    outcome.refusal = CHECK.notFillable;
    return;
  }

  // Nothing is refused below this line.
  const place = seat === NONE ? takeSeat(state, userId, market) : seat;
  const slot = accept(state, market, place, flags, price, amount);
  const idLength = (flags >> FLAG.clientIdLengthShift) & FLAG.clientIdLengthMask;
  if (idLength > 0) state.orders.clientId.set(slot, readAscii(record, at + 4, idLength));
  const stopped = type === TYPE.makerOnly ? false : match(state, market, slot, bound);
  outcome.orderEvent = settle(state, market, slot, type, stopped);
}

/** Takes the next order id and captures the fee rates of this account and market for the order's life. */
function accept(state: State, market: Market, seat: number, flags: number, price: bigint, amount: bigint): number {
  const { orders, users } = state;
  const slot = orders.allocate();
  const userId = state.seats.userId(seat);
  const isMarket = ((flags >> FLAG.typeShift) & FLAG.typeMask) === TYPE.market;
  const maker = users.makerFeeRateE8(userId);
  const taker = users.takerFeeRateE8(userId);
  orders.setOrderId(slot, state.nextOrderId++);
  orders.setFlags(slot, flags);
  orders.setSeat(slot, seat);
  orders.setPrice(slot, isMarket ? 0n : price);
  orders.setLeft(slot, amount);
  // A market order never makes: its maker rate is shown as 0.
  orders.setMakerFeeRateE8(slot, isMarket ? 0 : maker < 0 ? market.makerFeeRateE8 : maker);
  orders.setTakerFeeRateE8(slot, taker < 0 ? market.takerFeeRateE8 : taker);
  orders.setCreatedAt(slot, state.timeMs);
  orders.setPrio(slot, state.nextPrio++);
  orders.setFill(slot, NONE);
  return slot;
}

/** Rests or ends an order that has matched as far as it could. Returns the word of its event. */
function settle(state: State, market: Market, slot: number, type: number, stopped: boolean): number {
  const { orders, fills } = state;
  const left = orders.left(slot);
  const row = orders.fill(slot);
  const traded = row !== NONE && fills.filledLots(row) !== 0n;
  if (left > 0n && !stopped && (type === TYPE.limit || type === TYPE.makerOnly)) {
    rest(state, market, slot);
    orders.enter(slot);
    state.seats.append(orders, slot);
    return emitOrder(state, slot, ORDER_EVENT.put, traded ? STATUS.partFilled : STATUS.open);
  }
  const filled = left === 0n || (traded && isDust(state, market, slot, left));
  const status = filled ? STATUS.filled : traded ? STATUS.partCanceled : STATUS.canceled;
  const at = emitOrder(state, slot, ORDER_EVENT.finish, status);
  freeOrder(state, slot);
  return at;
}

/** A rest of a quote budget that does not buy one lot at the last price counts as filled. */
function isDust(state: State, market: Market, slot: number, left: bigint): boolean {
  if ((state.orders.flags(slot) & FLAG.inQuote) === 0) return false;
  const lastPrice = state.fills.lastPrice(state.orders.fill(slot));
  return left < lastPrice * market.unitsPerLotTick;
}

/** Whether the account has `needs` available of what the order gives. */
function canGive(state: State, userId: number, market: Market, seat: number, flags: number, needs: bigint): boolean {
  const { ledger } = state;
  if (seat !== NONE) return ledger.available(givingCell(state, seat, flags)) >= needs;
  const assetId = (flags & FLAG.sell) === 0 ? market.quoteAssetId : market.baseAssetId;
  const cell = ledger.findSpotCell(userId, assetId);
  return needs === 0n || (cell !== NONE && ledger.available(cell) >= needs);
}

/** Makes the account's seat in the market, with its two cells. */
function takeSeat(state: State, userId: number, market: Market): number {
  const baseCell = state.ledger.spotCell(userId, market.baseAssetId);
  const quoteCell = state.ledger.spotCell(userId, market.quoteAssetId);
  return state.seats.add(userId, market.id, SPOT, baseCell, quoteCell);
}
