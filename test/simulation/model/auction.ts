/** Domain 2.12: the opening of a market that has taken bids. */
import { freezeOf, giver, statusAtRest, unrest } from "./book.ts";
import { fill } from "./matching.ts";
import { least } from "./numbers.ts";
import type { ModelMarket, ModelOrder } from "./records.ts";
import type { ModelVenue } from "./venue.ts";

/** Everything that can trade does, at one price, first against first. */
export function uncross(venue: ModelVenue, market: ModelMarket): void {
  const price = openingPrice(market);
  if (price === undefined) return;
  for (;;) {
    const [buy, sell] = [market.buys[0], market.sells[0]];
    if (buy === undefined || sell === undefined || buy.price < price || sell.price > price) return;
    const [maker, taker] = buy.prio < sell.prio ? [buy, sell] : [sell, buy];
    const lots = least(buy.left, sell.left);
    // A taker pays from what is available, so that what these lots froze is free before.
    const frozen = freezeOf(market, { ...taker, left: lots });
    giver(venue, market, taker).frozen -= frozen;
    giver(venue, market, taker).available += frozen;
    fill(venue, market, taker, maker, price, lots);
    if (taker.left === 0n) unrest(venue, market, taker);
    taker.status = taker.left === 0n ? "filled" : statusAtRest(taker);
    venue.tell(taker.left === 0n ? "finish" : "update", taker);
  }
}

/** Every price of an order is tried, rule by rule; undefined when nothing can trade. */
function openingPrice({ buys, sells, index }: ModelMarket): bigint | undefined {
  const lotsOf = (orders: ModelOrder[]) => orders.reduce((sum, { left }) => sum + left, 0n);
  const prices = [...new Set([...buys, ...sells].map(({ price }) => price))].sort((one, other) =>
    one < other ? -1 : 1,
  );
  let tries = prices.map((price) => {
    const wanted = lotsOf(buys.filter((buy) => buy.price >= price));
    const offered = lotsOf(sells.filter((sell) => sell.price <= price));
    return { price, lots: least(wanted, offered), over: wanted - offered };
  });
  const most = tries.reduce((max, { lots }) => (lots > max ? lots : max), 0n);
  if (most === 0n) return undefined;
  tries = tries.filter(({ lots }) => lots === most);
  const lowestUnserved = tries.map(({ over }) => size(over)).reduce(least);
  tries = tries.filter(({ over }) => size(over) === lowestUnserved);
  const [lowest, highest] = [tries[0]?.price as bigint, tries.at(-1)?.price as bigint];
  if (tries.every(({ over }) => over > 0n)) return highest;
  if (tries.every(({ over }) => over < 0n)) return lowest;
  const middle = index > 0n ? index : (lowest + highest) / 2n;
  const nearest = tries.map(({ price }) => size(price - middle)).reduce(least);
  return tries.find(({ price }) => size(price - middle) === nearest)?.price;
}

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}
