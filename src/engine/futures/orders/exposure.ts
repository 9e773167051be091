/** How much of a market an account holds or may come to hold. Source: domain 4.3. */
import type { Market } from "../../listing/market.ts";
import { larger } from "../../money/extremes.ts";
import { holds } from "../../rules-version.ts";
import type { State } from "../../state.ts";
import { NONE } from "../../trading/order.ts";
import { heldLots, rowOf } from "../positions/futures-seat.ts";
import { openOn } from "./held-order.ts";

/** Lots that a seat holds or may come to hold on its larger side. */
export function exposureOf(state: State, row: number): bigint {
  return larger(exposureOn(state, row, 0), exposureOn(state, row, 1));
}

/** The same of a side: by buys 0, by sells 1. */
function exposureOn(state: State, row: number, side: number): bigint {
  return heldLots(state, row, side === 1) + openOn(state, row, side, state.futures.seats.lots(row, side));
}

/**
 * The larger side of what a user and his relatives hold or may come to hold in a market: a position in pieces is let go
 * like a whole one. `own` lots are the user's on one side, `other` on the other.
 */
export function familyExposure(
  state: State,
  userId: number,
  market: Market,
  side: number,
  own: bigint,
  other = 0n,
): bigint {
  const sums: [bigint, bigint] = side === 0 ? [own, other] : [other, own];
  if (holds(state, "familyCounts")) {
    for (const relative of state.users.relativesOf(userId)) {
      const row = rowOf(state, relative, market.id);
      if (row === NONE) continue;
      sums[0] += exposureOn(state, row, 0);
      sums[1] += exposureOn(state, row, 1);
    }
  }
  return larger(...sums);
}

/** As `exposureOf`, with the relatives of the seat's user. */
export function exposureWithFamily(state: State, row: number): bigint {
  const seat = state.futures.seats.seat(row);
  const userId = state.seats.userId(seat);
  if (!state.users.hasFamily(userId)) return exposureOf(state, row);
  const market = state.markets[state.seats.marketId(seat)] as Market;
  return familyExposure(state, userId, market, 0, exposureOn(state, row, 0), exposureOn(state, row, 1));
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
