/**
 * Icebergs: resting orders of which the book shows a slice at a time. The order is one like any other, with all that it
 * has left: that is what it freezes and what cancels, changes and self-trade protection are about. The book shows its
 * slice and trades that alone; once it is gone the next one is shown, at the back of the queue. Source: domain 2.21.
 */
import { FLAG } from "../command.ts";
import type { Market } from "../listing/market.ts";
import { emitRareEvent } from "../rare-event.ts";
import { refusalNumber } from "../refusal.ts";
import type { State } from "../state.ts";
import type { Book } from "./book.ts";

/**
 * The slices that an iceberg may have: so many fills one order can make of one that takes it. Source: ours, between
 * what large venues allow.
 */
export const SLICES_MAX = 20n;

const DISPLAY_TOO_SMALL = refusalNumber("display_too_small");

/** Why an order of so many lots in all may not show so few of them at a time; 0 = it may. A peak of 0 shows all. */
export function refuseDisplay(market: Market, peak: bigint, lots: bigint): number {
  if (peak === 0n) return 0;
  return peak < market.minAmount || peak * SLICES_MAX < lots ? DISPLAY_TOO_SMALL : 0;
}

/**
 * Keeps the figures of the iceberg that the next order will be. Returns the flag of that order; 0 of one that displays
 * all, with a peak of 0.
 */
export function expectIceberg({ orders, nextOrderId }: State, peak: bigint): number {
  if (peak === 0n) return 0;
  orders.icebergs.set(nextOrderId, { peak, shown: 0n });
  return FLAG.iceberg;
}

/** The order that was expected has been placed. */
export function tellIceberg(state: State, userId: number, marketId: number, orderId: number, peak: bigint): void {
  emitRareEvent(state, { type: "iceberg_placed", userId, marketId, orderId, displayLots: peak.toString() });
}

/** Takes a fill off the slice of a resting iceberg; an order that shows its next slice has come at this moment. */
export function fillSlice(state: State, book: Book, slot: number, lots: bigint): void {
  const { orders } = state;
  if (lots === orders.iceberg(slot).shown) orders.setPrio(slot, state.nextPrio++);
  book.fillSlice(slot, lots);
}
