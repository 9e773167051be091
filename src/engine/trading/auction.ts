/**
 * The call auction with which a market may open: bids and asks have been gathered without matching, and at the opening
 * all that can trade does so at one price. Source: domain 2.12.
 */

import type { Market } from "../listing/market.ts";
import { emitRareEvent } from "../rare-event.ts";
import { holds } from "../rules-version.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import type { Book, Level } from "./book.ts";
import { lowerResting } from "./fills.ts";
import { holdToRested, noteReopening, openingReach, type Reach } from "./interruption.ts";
import { type Opening, openingPrice } from "./opening-price.ts";
import type { Orders } from "./order.ts";
import { pullQuotes } from "./pull-quotes.ts";
import { endResting } from "./resting.ts";
import type { AuctionSettlement } from "./settlement.ts";
import { REST_MS } from "./tick-marks.ts";

/**
 * Returns the opening that the book would have now, hidden orders counted; undefined when nothing can trade. Reads
 * only.
 */
export function openingOf(state: State, market: Market): Opening | undefined {
  return openingWithin(state, market, openingReach(state, market));
}

/** The price at which the orders alone would have the market open, however far that is from what it is held to. */
export function wishedPrice(state: State, market: Market): bigint | undefined {
  return openingWithin(state, market, undefined)?.price;
}

/** With `before` of orders with a priority number below it alone. */
function openingWithin(state: State, market: Market, reach: Reach | undefined, before?: number): Opening | undefined {
  const book = state.books[market.id] as Book;
  const [bid, ask] = book.bestPrice as unknown as [bigint, bigint];
  if (bid < ask) return undefined;
  const bids = levelsWhile(book, 0, (price) => price >= ask, before);
  const asks = levelsWhile(book, 1, (price) => price <= bid, before);
  if (reach === undefined) return openingPrice(bids, asks, market.index.price);
  const { low, high } = reach;
  return openingPrice(
    levelsUpTo(bids, high).filter(({ price }) => price >= low),
    levelsDownTo(asks, low).filter(({ price }) => price <= high),
    market.index.price,
  );
}

/**
 * Lets everything trade that can, at the opening price: each side in its priority. Self-trade protection does not
 * apply. Orders that still meet each other, beyond where an interrupted market may open, are ended on the side that
 * asked for it.
 */
export function uncross(state: State, market: Market): void {
  const reach = openingReach(state, market);
  const auction = market.settlement.auction as AuctionSettlement;
  for (const slot of auction.unmeetable(state, market)) endResting(state, market, slot);
  const opening = openingOf(state, market);
  const price = opening?.price ?? 0n;
  const within = reach && { low: reach.low.toString(), high: reach.high.toString() };
  emitRareEvent(state, { type: "auction_uncrossed", marketId: market.id, price: price.toString(), ...within });
  const rested = restedPrice(state, market, reach, opening);
  noteReopening(state, market, rested);
  const book = state.books[market.id] as Book;
  const { bestPrice } = book;
  if (opening !== undefined) {
    while ((bestPrice[0] as bigint) >= price && (bestPrice[1] as bigint) <= price) {
      meet(state, state.scratch, market, auction, book.first(0), book.first(1), price);
    }
  }
  // All fills of an opening are one: at its price nobody who bids is left out for the protection of another.
  if (state.hasTripped) pullQuotes(state);
  if (rested !== opening?.price) holdToRested(state, market, rested);
  if (reach === undefined) return;
  while ((bestPrice[0] as bigint) >= (bestPrice[1] as bigint)) {
    endResting(state, market, book.first((bestPrice[1] as bigint) > reach.high ? 0 : 1));
  }
}

/**
 * The price of an opening as far as later prices are held to it: what would have been the price without the orders that
 * came or changed in the last second, which two accounts of one owner could place at will. Source: domain 2.9.
 */
function restedPrice(
  state: State,
  market: Market,
  reach: Reach | undefined,
  opening: Opening | undefined,
): bigint | undefined {
  if (opening === undefined || !holds(state, "timeAtRisk")) return opening?.price;
  const before = state.ticks.restedBefore(state.timeMs - REST_MS, state.nextPrio);
  return openingWithin(state, market, reach, before)?.price;
}

/** Trades two resting orders with each other. The later one is the taker. */
function meet(
  state: State,
  scratch: Scratch,
  market: Market,
  auction: AuctionSettlement,
  buy: number,
  sell: number,
  price: bigint,
): void {
  const { trade } = scratch;
  const { orders } = state;
  const buyTakes = orders.prio(buy) > orders.prio(sell);
  const taker = buyTakes ? buy : sell;
  const maker = buyTakes ? sell : buy;
  trade.taker = taker;
  trade.maker = maker;
  trade.price = price;
  const [bought, sold] = [offered(orders, buy), offered(orders, sell)];
  trade.lots = bought < sold ? bought : sold;
  auction.execute(state, scratch, market);
  lowerResting(state, scratch, market, maker);
  lowerResting(state, scratch, market, taker);
}

/** Lots that an order trades in its turn: all that it has left, an iceberg its slice. */
function offered(orders: Orders, slot: number): bigint {
  return orders.isIceberg(slot) ? orders.iceberg(slot).shown : orders.left(slot);
}

/** Levels of bids, of which those above a price count there. */
function levelsUpTo(bids: readonly Level[], high: bigint): Level[] {
  return gathered(bids, high, ({ price }) => price > high);
}

/** Levels of asks, of which those below a price count there. */
function levelsDownTo(asks: readonly Level[], low: bigint): Level[] {
  return gathered(asks, low, ({ price }) => price < low);
}

/** Puts levels that lie beyond a price, which come first, together with the one at it. */
function gathered(levels: readonly Level[], at: bigint, isBeyond: (level: Level) => boolean): Level[] {
  const beyond = levels.filter((level) => isBeyond(level) || level.price === at);
  if (beyond.length === 0) return [...levels];
  const lots = beyond.reduce((sum, level) => sum + level.lots, 0n);
  return [{ price: at, lots }, ...levels.slice(beyond.length)];
}

function levelsWhile(book: Book, side: number, reaches: (price: bigint) => boolean, before?: number): Level[] {
  const levels: Level[] = [];
  for (const level of book.wholeLevels(side, before)) {
    if (!reaches(level.price)) break;
    levels.push(level);
  }
  return levels;
}
