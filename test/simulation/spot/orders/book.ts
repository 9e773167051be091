/** Resting orders in priority, and what they freeze. */
import { funds } from "../margin/account.ts";
import type { ModelBalance, ModelMarket, ModelOrder } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { showNext } from "./slices.ts";

/** Domain 2.5: better price, displayed before hidden, lower priority number. */
export function comesBefore(order: ModelOrder, other: ModelOrder): boolean {
  if (order.price !== other.price) return order.side === "buy" ? order.price > other.price : order.price < other.price;
  if (order.hidden !== other.hidden) return other.hidden;
  return order.prio < other.prio;
}

export function sideOf(market: ModelMarket, order: ModelOrder): ModelOrder[] {
  return order.side === "buy" ? market.buys : market.sells;
}

/** Puts an order in its place and freezes what it needs. */
export function rest(venue: ModelVenue, market: ModelMarket, order: ModelOrder): void {
  enqueue(market, order);
  move(giver(venue, market, order), freezeOf(market, order));
}

function enqueue(market: ModelMarket, order: ModelOrder): void {
  const queue = sideOf(market, order);
  let at = queue.length;
  while (at > 0 && comesBefore(order, queue[at - 1] as ModelOrder)) at--;
  queue.splice(at, 0, order);
}

/** Takes a fill off what an iceberg displays; once that is nothing the next part is at the back. Domain 2.21. */
export function lowerShown(venue: ModelVenue, market: ModelMarket, order: ModelOrder, lots: bigint): void {
  if (order.display === 0n || order.left === 0n) return;
  order.shown -= lots;
  if (order.shown > 0n) return;
  const queue = sideOf(market, order);
  queue.splice(queue.indexOf(order), 1);
  order.prio = venue.nextPrio++;
  showNext(order);
  enqueue(market, order);
}

/** Takes an order out and gives back what it froze. */
export function unrest(venue: ModelVenue, market: ModelMarket, order: ModelOrder): void {
  const queue = sideOf(market, order);
  queue.splice(queue.indexOf(order), 1);
  move(giver(venue, market, order), -freezeOf(market, order));
}

/** Ends a resting order that is not filled. */
export function endResting(venue: ModelVenue, market: ModelMarket, order: ModelOrder): ModelOrder {
  unrest(venue, market, order);
  return finish(venue, order);
}

/** Ends an order with what is left of it, and tells of it. */
export function finish(venue: ModelVenue, order: ModelOrder): ModelOrder {
  order.status = order.filledLots > 0n ? "part_canceled" : "canceled";
  order.updatedAt = venue.timeMs;
  return venue.tell("finish", order);
}

/** Domain 2.4. */
export function freezeOf(market: ModelMarket, order: Pick<ModelOrder, "side" | "price" | "left">): bigint {
  return order.side === "buy" ? order.price * order.left * market.lotTick : order.left * market.lot;
}

/** The balance that an order gives from. */
export function giver(
  venue: ModelVenue,
  market: ModelMarket,
  order: Pick<ModelOrder, "userId" | "account" | "side">,
): ModelBalance {
  return funds(venue, market, order, order.side === "buy" ? market.quote : market.base);
}

export function statusAtRest(order: ModelOrder): "open" | "part_filled" {
  return order.filledLots > 0n ? "part_filled" : "open";
}

function move(balance: ModelBalance, units: bigint): void {
  balance.available -= units;
  balance.frozen += units;
}
