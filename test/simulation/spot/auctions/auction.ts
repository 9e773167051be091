/** How a market opens after bids were taken. Domain 2.12. */

import { heldTo, type ModelReach } from "../listing/interruption.ts";
import { underMargined } from "../margin/account.ts";
import { distance, INT64_TOP, least } from "../model/numbers.ts";
import type { ModelMarket, ModelOrder } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { endResting } from "../orders/book.ts";
import { fill } from "../orders/matching.ts";
import { offered } from "../orders/slices.ts";
import { insolventOrders } from "../orders/solvency.ts";

/**
 * Trades what the bids allow at one price, and ends what an interrupted market may not trade: bids too high, asks too
 * low.
 */
export function uncross(venue: ModelVenue, market: ModelMarket): void {
  const reach = heldTo(market, 2n);
  for (const order of [...underMargined(venue, market), ...insolventOrders(venue, market)])
    endResting(venue, market, order);
  const price = openingPrice(market, reach);
  const rested = (orders: readonly ModelOrder[]) => orders.filter((order) => venue.hasRested(order));
  const held = openingPrice({ ...market, buys: rested(market.buys), sells: rested(market.sells) }, reach);
  if (price !== undefined) trade(venue, market, price, held);
  if (reach === undefined) return;
  for (;;) {
    const [buy, sell] = [market.buys[0], market.sells[0]];
    if (buy === undefined || sell === undefined || buy.price < sell.price) return;
    endResting(venue, market, sell.price > reach.high ? buy : sell);
  }
}

/** Trades at a price; what comes after is held to the one that what has rested agrees to. */
function trade(venue: ModelVenue, market: ModelMarket, price: bigint, held: bigint | undefined): void {
  const { halt, interruption } = market;
  venue.outcome.auctions++;
  if (halt !== undefined && held !== undefined) market.halt = { ...halt, reopenedAt: venue.timeMs, price: held };
  meetAll(venue, market, price);
  if (halt === undefined || interruption === undefined || held === price) return;
  market.recent = [{ at: venue.timeMs, price: held ?? halt.reference }];
}

function meetAll(venue: ModelVenue, market: ModelMarket, price: bigint): void {
  for (;;) {
    const [buy, sell] = [market.buys[0], market.sells[0]];
    if (buy === undefined || sell === undefined || buy.price < price || sell.price > price) return;
    const [taker, maker] = buy.prio > sell.prio ? [buy, sell] : [sell, buy];
    fill(venue, market, taker, maker, price, least(offered(buy), offered(sell)), price, true);
  }
}

/** The price at which the market would open, of those within `reach`; undefined when nothing would trade. */
export function openingPrice({ buys, sells, index }: ModelMarket, reach?: ModelReach): bigint | undefined {
  const { low, high } = reach ?? { low: 0n, high: INT64_TOP };
  // Who would pay more than the highest price, or take less than the lowest, counts there; who asks for more does not
  // count.
  const bids = buys.filter(({ price }) => price >= low).map(({ price }) => least(price, high));
  const asks = sells.filter(({ price }) => price <= high).map(({ price }) => (price < low ? low : price));
  const prices = [...new Set([...bids, ...asks])];
  let rows = prices.map((price) => {
    const demand = lotsOf(buys.filter((order) => order.price >= price));
    const supply = lotsOf(sells.filter((order) => order.price <= price));
    return { price, demand, supply, traded: least(demand, supply), over: distance(demand, supply) };
  });
  const most = rows.reduce((best, { traded }) => (traded > best ? traded : best), 0n);
  if (most === 0n) return undefined;
  rows = rows.filter(({ traded }) => traded === most);
  const fewest = rows.reduce((best, { over }) => least(best, over), rows[0]?.over ?? 0n);
  rows = rows.filter(({ over }) => over === fewest).sort((first, second) => (first.price < second.price ? -1 : 1));
  const lowest = rows[0]?.price ?? 0n;
  const highest = rows.at(-1)?.price ?? 0n;
  if (rows.every(({ demand, supply }) => demand > supply)) return highest;
  if (rows.every(({ demand, supply }) => demand < supply)) return lowest;
  const aim = index > 0n ? index : (lowest + highest) / 2n;
  let nearest = lowest;
  for (const { price } of rows) if (distance(price, aim) < distance(nearest, aim)) nearest = price;
  return nearest;
}

function lotsOf(orders: readonly ModelOrder[]): bigint {
  return orders.reduce((sum, { left }) => sum + left, 0n);
}
