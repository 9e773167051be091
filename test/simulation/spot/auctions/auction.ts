/** How a market opens after bids were taken. Domain 2.12. */

import { distance, least } from "../model/numbers.ts";
import type { ModelMarket, ModelOrder } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { fill } from "../orders/matching.ts";

/** Trades what the bids allow at one price. */
export function uncross(venue: ModelVenue, market: ModelMarket): void {
  const price = openingPrice(market);
  if (price === undefined) return;
  venue.outcome.auctions++;
  for (;;) {
    const [buy, sell] = [market.buys[0], market.sells[0]];
    if (buy === undefined || sell === undefined || buy.price < price || sell.price > price) return;
    const [taker, maker] = buy.prio > sell.prio ? [buy, sell] : [sell, buy];
    fill(venue, market, taker, maker, price, least(buy.left, sell.left), price, true);
  }
}

/** The price at which the market would open; undefined when nothing would trade. */
export function openingPrice({ buys, sells, index }: ModelMarket): bigint | undefined {
  const prices = [...new Set([...buys, ...sells].map(({ price }) => price))];
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
