import { FLAG, STP, TYPE } from "../command.ts";
import type { Market } from "../listing/market.ts";
import * as money from "../money/int64.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import type { Book } from "./book.ts";
import * as interruptions from "./interruption.ts";
import { NONE, type Orders } from "./order.ts";
import { areQuotesHeld, isQuote } from "./protections.ts";
import { pullQuotes } from "./pull-quotes.ts";
import { endResting } from "./resting.ts";
import { MEETING } from "./settlement.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { interrupt, noteReach } = interruptions;
const ICEBERG = FLAG.iceberg;
const FOK = TYPE.fok;
const CANCEL_TAKER = STP.ct;
const CANCEL_MAKER = STP.cm;
const TRADES = MEETING.trades;
const ENDS_MAKER = MEETING.endsMaker;
const ENDS_TAKER = MEETING.endsTaker;

/**
 * Trades the order in `taker`, which is in no book, against the opposite side as far as `trade.bound`. Trade price
 * is the resting order's. What is left stays in `left`; the caller rests, cancels or finishes it. A deal that would
 * leave the reference of the market interrupts it instead. Returns whether the taker is at its end: by self-trade
 * protection, because its owner could not bear the fill, because what it would meet is out of reach of a market that is
 * not interrupted again, or because it has filled quotes of its own owner, who is to have none any more.
 */
export function match(state: State, scratch: Scratch, market: Market, taker: number): boolean {
  const { trade } = scratch;
  const { orders } = state;
  const { settlement } = market;
  const book = state.books[market.id] as Book;
  const flags = orders.flags(taker);
  const opposite = orders.side(taker) ^ 1;
  const protection = ((flags >> FLAG.typeShift) & FLAG.typeMask) === FOK ? 0 : (flags >> FLAG.stpShift) & FLAG.stpMask;
  const isGuarded = market.interruption !== undefined;
  if (isGuarded) noteReach(state, market);

  trade.taker = taker;
  while (orders.hasLeft(taker)) {
    const best = book.bestPrice[opposite] as bigint;
    // Quotes are nobody's: they know no self-trade.
    const quote = market.quotes?.before(state, market, opposite, best);
    if (quote !== undefined) {
      trade.maker = NONE;
      trade.price = quote.price;
    } else {
      trade.price = best;
    }
    if (opposite === 1 ? trade.price > trade.bound : trade.price < trade.bound) return false;
    if (quote === undefined) {
      const maker = book.first(opposite);
      if (protection !== 0 && isSameUser(state, taker, maker)) {
        if (protection !== CANCEL_TAKER) endResting(state, market, maker);
        if (protection !== CANCEL_MAKER) return true;
        continue;
      }
      trade.maker = maker;
      if (!agreeOnLots(scratch, orders, market, orders.left(maker))) return false;
      if ((orders.flags(maker) & ICEBERG) !== 0) cutToSlice(scratch, orders, maker);
    } else if (!agreeOnLots(scratch, orders, market, quote.lots)) return false;

    const meeting = settlement.meet(state, scratch, market, flags);
    if (meeting !== TRADES) {
      if (meeting !== ENDS_MAKER) return meeting === ENDS_TAKER;
      endResting(state, market, trade.maker);
      continue;
    }
    if (isGuarded && isOutOfReach(state, scratch, market)) return !interrupt(state, market, trade.price);
    settlement.execute(state, scratch, market);
    if (state.hasTripped && pullsTaker(state, market, taker)) return true;
  }
  return false;
}

/** Cancels the quotes whose limit was reached; whether the taker, were it to rest, would be one of them. */
function pullsTaker(state: State, market: Market, taker: number): boolean {
  const { orders, seats } = state;
  pullQuotes(state);
  return isQuote(orders.flags(taker)) && areQuotesHeld(state, seats.userId(orders.seat(taker)), market.id);
}

/** Whether the price under way lies beyond what a market that may be interrupted lets through. */
function isOutOfReach({ terms }: State, { trade }: Scratch, { id }: Market): boolean {
  return trade.price < terms.reachLow(id) || trade.price > terms.reachHigh(id);
}

/** An iceberg trades what it shows. */
function cutToSlice({ trade }: Scratch, orders: Orders, maker: number): void {
  const { shown } = orders.iceberg(maker);
  if (shown < trade.lots) trade.lots = shown;
}

/** Whether two orders are of one user. */
export function isSameUser({ orders, seats }: State, taker: number, maker: number): boolean {
  return seats.userId(orders.seat(taker)) === seats.userId(orders.seat(maker));
}

/** Sets how much of `offered` the taker can trade; false when it is nothing, because a budget buys whole lots only. */
function agreeOnLots({ trade }: Scratch, orders: Orders, market: Market, offered: bigint): boolean {
  const { taker } = trade;
  trade.lots = orders.left(taker);
  if (orders.isInQuote(taker)) {
    trade.lots = int64(trade.lots / int64(trade.price * market.unitsPerLotTick));
    if (trade.lots === int64(0n)) return false;
  }
  if (offered < trade.lots) trade.lots = offered;
  return true;
}
