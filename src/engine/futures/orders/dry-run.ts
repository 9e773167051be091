import { FLAG, STP } from "../../command.ts";
import type { Market } from "../../listing/market.ts";
import type { State } from "../../state.ts";
import type { Book } from "../../trading/book.ts";
import { NONE } from "../../trading/order.ts";
import { foreseePulls } from "../../trading/protections.ts";
import { Sweep } from "../../trading/sweep.ts";
import { MakerLosses } from "../liquidation/maker-loss.ts";
import { heldLots, isHedge } from "../positions/futures-seat.ts";
import { isReducing } from "./held-order.ts";

/** The result that an order would have if it traded now. */
export interface DryRun {
  readonly lots: bigint;
  /** Ticks of its last lot; 0 when it would not trade. */
  readonly worst: bigint;
}

/**
 * Matches an order against the book without touching it: hidden and own orders counted as matching will. Orders that
 * only reduce shrink with the position behind them, which the same order may take away first; those whose owner could
 * not bear the trade are passed over, and so are quotes that will have been pulled. Costs what matching would.
 */
export function dryRun(
  state: State,
  market: Market,
  userId: number,
  flags: number,
  wanted: bigint,
  bound: bigint,
): DryRun {
  const { orders, seats } = state;
  const book = state.books[market.id] as Book;
  const opposite = (flags & FLAG.sell) ^ 1;
  const isCancelMaker = ((flags >> FLAG.stpShift) & FLAG.stpMask) === STP.cm;
  const shrunk = new ShrinkingOrders(state, opposite);
  const losses = new MakerLosses(state, market);
  const pulls = foreseePulls(state, market);
  let left = wanted;
  let worst = 0n;
  // Icebergs that end when they are met: the rest of them is gone, too.
  let ended: Set<number> | undefined;
  for (const sweep = new Sweep(state, book, opposite); sweep.slot !== NONE && left > 0n; sweep.next()) {
    const maker = sweep.slot;
    const price = orders.price(maker);
    if (opposite === 1 ? price > bound : price < bound) break;
    const isOwn = seats.userId(orders.seat(maker)) === userId;
    if ((isOwn && isCancelMaker) || pulls?.isGone(maker) || ended?.has(maker)) continue;
    const offered = shrunk.offeredBy(maker, sweep.lots);
    const lots = offered < left ? offered : left;
    if (lots === 0n || (!isOwn && !losses.take(maker, lots))) {
      if (orders.isIceberg(maker)) {
        ended ??= new Set();
        ended.add(maker);
      }
      continue;
    }
    left -= lots;
    worst = price;
    pulls?.fill(maker, lots);
    // What a user trades with itself leaves its position as it is.
    shrunk.fill(maker, lots, isOwn);
  }
  return { lots: wanted - left, worst };
}

/** The orders of a side that only reduce, as they would be after fills. */
class ShrinkingOrders {
  private readonly state: State;
  private readonly side: number;
  /** By row of the seat: what its position has left. */
  private held: Map<number, bigint> | undefined;
  /** By slot. */
  private left: Map<number, bigint> | undefined;

  constructor(state: State, side: number) {
    this.state = state;
    this.side = side;
  }

  /** Lots of the order that can be traded of those that it would offer by itself. */
  offeredBy(slot: number, lots: bigint): bigint {
    const left = this.left?.get(slot);
    return left === undefined || lots < left ? lots : left;
  }

  leftOf(slot: number): bigint {
    return this.left?.get(slot) ?? this.state.orders.left(slot);
  }

  /** Notes a fill and what it cuts, newest first. */
  fill(slot: number, lots: bigint, isOwn: boolean): void {
    const { orders, seats, futures } = this.state;
    const seat = orders.seat(slot);
    const row = futures.seats.rowOf(seat);
    if (futures.seats.reducing(row, this.side) === 0n) return;
    const reduces = isReducing(orders.flags(slot));
    if (reduces) this.leaves(slot, this.leftOf(slot) - lots);
    if (isOwn || (!reduces && isHedge(this.state, seats.userId(seat)))) return;
    const held = (this.held?.get(row) ?? heldLots(this.state, row, this.side === 0)) - lots;
    this.held ??= new Map();
    this.held.set(row, held > 0n ? held : 0n);
    this.cut(seat, held > 0n ? held : 0n);
  }

  private cut(seat: number, held: bigint): void {
    const { orders, seats } = this.state;
    const reducing: number[] = [];
    for (let slot = seats.tail(seat); slot !== NONE; slot = orders.seatPrev(slot)) {
      if (orders.side(slot) === this.side && isReducing(orders.flags(slot))) reducing.push(slot);
    }
    let excess = reducing.reduce((sum, slot) => sum + this.leftOf(slot), 0n) - held;
    for (const slot of reducing) {
      if (excess <= 0n) return;
      const left = this.leftOf(slot);
      const cut = left < excess ? left : excess;
      this.leaves(slot, left - cut);
      excess -= cut;
    }
  }

  private leaves(slot: number, lots: bigint): void {
    this.left ??= new Map();
    this.left.set(slot, lots);
  }
}
