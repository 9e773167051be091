/** The rows of domain 2.1 that placing, changing and stop orders share. */
import type { OrderType, Side } from "../../../../src/engine/command.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { owesCredit, refuseBorrower } from "../credit/part.ts";
import { isLocked } from "../listing/listing.ts";
import { phase } from "../maintenance/windows.ts";
import { accountOf, owedIn } from "../margin/account.ts";
import { least } from "../model/numbers.ts";
import type { ModelAsset, ModelMarket, ModelOrder } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { levelsOf } from "../pools/pool.ts";
import { offered, partByPart } from "./slices.ts";

/** Rows 3 and 4, for a new order of a type, a new stop order of one, or a change of either; of an order, what it is. */
export function standing(
  venue: ModelVenue,
  market: ModelMarket,
  userId: number,
  action: "place" | "stop" | "modify",
  type: OrderType | undefined,
  order: Pick<ModelOrder, "side" | "account"> | undefined,
): Refusal | undefined {
  if (venue.isBarred(userId)) return "trade_barred";
  if (order !== undefined && !isTowardsDebt(venue, market, { ...order, userId })) {
    const borrower = refuseBorrower(venue, userId);
    if (borrower !== undefined) return borrower;
  }
  if (venue.cancelOnly) return "venue_cancel_only";
  const now = phase(venue);
  if (now === "maintenance") return "maintenance";
  if (now === "protection" && (action !== "place" || type !== "maker_only")) return "protection_period";
  if (market.status === "counting_down") return "market_not_open";
  if (market.status === "bidding") {
    if (action === "place" && type !== "limit") return "market_not_open";
    if (action === "modify" && isLocked(market, venue.timeMs)) return "auction_locked";
  }
  if (market.suspended) return "market_suspended";
  if (!market.apiOpen) return "api_trading_off";
  return undefined;
}

/** Whether an order brings a currency that its account owes, for one that it owes nothing of. Domain 6.6. */
export function isTowardsDebt(
  venue: ModelVenue,
  market: ModelMarket,
  { userId, side, account }: Pick<ModelOrder, "userId" | "side" | "account">,
): boolean {
  const own = account === "margin" ? accountOf(venue, userId, market) : undefined;
  const owes = (asset: ModelAsset) =>
    account === "margin" ? own !== undefined && owedIn(venue, own, asset) > 0n : owesCredit(venue, userId, asset);
  const [gets, gives] = side === "buy" ? [market.base, market.quote] : [market.quote, market.base];
  return owes(gets) && !owes(gives);
}

/** Whether stop orders of the market are looked at: whether it takes orders of every type. Domain 2.11. */
export function isTrading(venue: ModelVenue, market: ModelMarket): boolean {
  return market.status === "online" && couldTrade(venue, market);
}

/** Whether nothing but its status may keep a market from trading. */
export function couldTrade(venue: ModelVenue, market: ModelMarket): boolean {
  if (market.delisted || market.suspended || !market.apiOpen) return false;
  return !venue.cancelOnly && phase(venue) === "open";
}

/** Row 5 for an amount of lots. */
export function lotsFault(market: ModelMarket, lots: bigint): Refusal | undefined {
  if (lots < 0n) return "amount_off_grid";
  if (lots < market.minAmount) return "amount_too_small";
  return lots > market.maxAmount ? "amount_too_large" : undefined;
}

/**
 * Row 5 for an amount of quote units; `at` is the price that the least amount is worth something at, if there is one.
 */
export function quoteFault(market: ModelMarket, units: bigint, at: bigint | undefined): Refusal | undefined {
  if (units < 0n) return "amount_off_grid";
  if (units === 0n) return "amount_too_small";
  return at !== undefined && units < market.minAmount * at * market.lotTick ? "amount_too_small" : undefined;
}

/** Row 5 for a price. */
export function priceFault(market: ModelMarket, price: bigint): Refusal | undefined {
  if (price <= 0n) return "price_off_grid";
  return price > market.maxPrice ? "price_too_high" : undefined;
}

/** Row 6 for an order with a price; domain 2.9. */
export function bandFault(
  market: ModelMarket,
  { side, account }: Pick<ModelOrder, "side" | "account">,
  price: bigint,
): Refusal | undefined {
  if (account === "margin" && market.index > 0n && isFar(side, price, market.index)) return "price_far_from_index";
  const from = market.index > 0n ? market.index : market.latest;
  return from > 0n && isFar(side, price, from) ? "price_far_from_latest" : undefined;
}

/** More than half away from `from` in the direction that costs. */
export function isFar(side: Side, price: bigint, from: bigint): boolean {
  return side === "buy" ? price * 2n > from * 3n : price * 2n < from;
}

/** The latest price, before the first deal the index; 0 with neither. */
export function reference(market: ModelMarket): bigint {
  return market.latest > 0n ? market.latest : market.index;
}

/** Somebody that an order can meet: an order that rests, or the pool at one of its prices, which is nobody. */
export type Standing = Pick<ModelOrder, "price" | "left" | "userId"> & Partial<ModelOrder>;
export const POOL = -1;

/** All that an order of this side meets, in priority: at one price the pool comes after the orders. */
export function against(market: ModelMarket, side: Side): readonly Standing[] {
  const orders = partByPart(restingAgainst(market, side));
  if (market.pool === undefined) return orders;
  const levels = levelsOf(market, market.pool, side === "buy" ? "sell" : "buy");
  const all = [...orders, ...levels.map(({ price, lots }) => ({ price, left: lots, userId: POOL }))];
  // Sorting keeps what is equal as it is: orders first.
  return all.sort((one, other) => {
    if (one.price === other.price) return 0;
    return one.price < other.price === (side === "buy") ? -1 : 1;
  });
}

/** The first of them. */
export function firstAgainst(market: ModelMarket, side: Side): Standing | undefined {
  const order = restingAgainst(market, side)[0];
  const level = market.pool && levelsOf(market, market.pool, side === "buy" ? "sell" : "buy", undefined, 1)[0];
  if (level === undefined || (order !== undefined && meets(side, level.price, order.price))) {
    return order && { ...order, left: offered(order) };
  }
  return { price: level.price, left: level.lots, userId: POOL };
}

/** The resting orders that an order of this side meets. */
export function restingAgainst(market: ModelMarket, side: Side): ModelOrder[] {
  return side === "buy" ? market.sells : market.buys;
}

/** Whether an order of `side` at `limit` would trade with a resting one at `price`. */
export function meets(side: Side, limit: bigint, price: bigint): boolean {
  return side === "buy" ? price <= limit : price >= limit;
}

/** Domain 2.9: how far a market order trades from the best price, which is not further from the index; 0 = nowhere. */
export function marketBound(market: ModelMarket, side: Side, best: bigint): bigint {
  const own = side === "buy" ? (best * 11n) / 10n : (best * 9n + 9n) / 10n;
  const { index } = market;
  if (index === 0n) return own;
  if (side === "buy") {
    const most = (index * 13n) / 10n;
    return best > most ? 0n : least(own, most);
  }
  const lowest = (index * 7n + 9n) / 10n;
  return best < lowest ? 0n : own > lowest ? own : lowest;
}
