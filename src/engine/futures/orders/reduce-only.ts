/** Orders that only reduce: what can still be closed, and how they shrink with their position. Source: domain 4.2. */

import { ORDER_EVENT, STATUS } from "../../event.ts";
import type { Market } from "../../listing/market.ts";
import type { State } from "../../state.ts";
import type { Book } from "../../trading/book.ts";
import { emitOrder } from "../../trading/emit.ts";
import { noteChanged } from "../../trading/fills.ts";
import { NONE } from "../../trading/order.ts";
import { endResting } from "../../trading/resting.ts";
import { type FuturesSpec, positionBoundAt } from "../positions/contract.ts";
import { heldLots, isHedge } from "../positions/futures-seat.ts";
import { isReducing, openOn, refreshFreeze, weigh } from "./held-order.ts";

/** The side of the orders that reduce a long or a short position. */
export function reducingSide(isShort: boolean): number {
  return isShort ? 0 : 1;
}

/** Whether a resting order would reduce the position on the other side of it. */
export function wouldReduce(state: State, slot: number): boolean {
  const { orders, seats } = state;
  return isReducing(orders.flags(slot)) || !isHedge(state, seats.userId(orders.seat(slot)));
}

/**
 * Lots of the long or short position of a seat that no order would reduce yet, with `freed` lots of such an order out
 * of the way.
 */
export function closeAvailable(state: State, row: number, isShort: boolean, freed = 0n): bigint {
  if (row === NONE) return 0n;
  const { seats } = state.futures;
  const side = reducingSide(isShort);
  const userId = state.seats.userId(seats.seat(row));
  const regular = isHedge(state, userId) ? 0n : seats.lots(row, side);
  const free = heldLots(state, row, isShort) - seats.reducing(row, side) - regular + freed;
  return free > 0n ? free : 0n;
}

/**
 * Cuts the resting orders of a seat that only reduce, newest first, to what there is to reduce. `except` is an order
 * that is trading: one that is being modified is listed with its seat, but does not rest meanwhile.
 */
export function cutReducing(state: State, market: Market, row: number, except = NONE): void {
  const { seats } = state.futures;
  for (let side = 1; side >= 0; side--) {
    if (seats.reducing(row, side) <= seats.closable(row, side)) continue;
    const excess = seats.reducing(row, side) - seats.closable(row, side);
    cutSide(state, market, row, { side, areReducing: true, excess, except });
  }
}

/**
 * Cuts the regular orders of a seat, newest first, to what its leverage lets them open: an exit that goes before them
 * takes the position away that they would have reduced.
 */
export function cutOpening(state: State, market: Market, row: number): void {
  const { seats } = state.futures;
  const most = positionBoundAt(market.futures as FuturesSpec, seats.leverage(row));
  for (const side of [0, 1]) {
    const opening = openOn(state, row, side, seats.lots(row, side));
    const beyond = heldLots(state, row, side === 1) + opening - most;
    const excess = beyond < opening ? beyond : opening;
    if (excess > 0n) cutSide(state, market, row, { side, areReducing: false, excess, except: NONE });
  }
}

/** So many lots to cut of the orders of a side, of those that only reduce or of the others. */
interface Cut {
  readonly side: number;
  readonly areReducing: boolean;
  readonly excess: bigint;
  readonly except: number;
}

function cutSide(state: State, market: Market, row: number, { side, areReducing, excess, except }: Cut): void {
  const { orders, seats, futures } = state;
  let left = excess;
  for (let slot = seats.tail(futures.seats.seat(row)); slot !== NONE && left > 0n; ) {
    const prev = orders.seatPrev(slot);
    if (slot !== except && orders.side(slot) === side && isReducing(orders.flags(slot)) === areReducing) {
      const lots = orders.left(slot);
      if (lots <= left) endResting(state, market, slot);
      else shrink(state, market, slot, lots - left);
      left -= lots < left ? lots : left;
    }
    slot = prev;
  }
}

function shrink(state: State, market: Market, slot: number, lots: bigint): void {
  const { orders, fills } = state;
  weigh(state, market, slot, -1n);
  (state.books[market.id] as Book).resize(slot, lots);
  weigh(state, market, slot, 1n);
  refreshFreeze(state, state.futures.held.row(slot));
  noteChanged(state, slot);
  const isFilled = fills.isFilled(orders.fillRow(slot));
  emitOrder(state, slot, ORDER_EVENT.modify, isFilled ? STATUS.part_filled : STATUS.open);
}
