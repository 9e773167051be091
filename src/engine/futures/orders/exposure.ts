/** How much of a market an account holds or may come to hold. Source: domain 4.3. */
import type { Market } from "../../listing/market.ts";
import type { State } from "../../state.ts";
import { heldLots } from "../positions/futures-seat.ts";
import { openOn } from "./held-order.ts";

/** Lots that a seat holds or may come to hold on its larger side, with `more` lots of new orders on one side. */
export function exposureOf(state: State, row: number, side = 0, more = 0n): bigint {
  const { seats } = state.futures;
  const sums = [0, 1].map((at) => {
    const lots = seats.lots(row, at) + (at === side ? more : 0n);
    return heldLots(state, row, at === 1) + openOn(state, row, at, lots);
  }) as [bigint, bigint];
  return sums[0] > sums[1] ? sums[0] : sums[1];
}

/** The largest exposure of any account in a market. Linear in all seats. */
export function largestExposure(state: State, market: Market): bigint {
  const { futures, seats } = state;
  let largest = 0n;
  for (let row = 0; row < futures.seats.count; row++) {
    if (seats.marketId(futures.seats.seat(row)) !== market.id) continue;
    const exposure = exposureOf(state, row);
    if (exposure > largest) largest = exposure;
  }
  return largest;
}
