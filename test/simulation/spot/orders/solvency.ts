/** What spot orders of users who owe something, or could, may come to. Domain 6.6 and 7.1. */
import type { Side } from "../../../../src/engine/command.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { hasCredit, refuseBorrower } from "../credit/part.ts";
import { divideUp, ONE_E8, tenTo } from "../model/numbers.ts";
import type { ModelMarket, ModelOrder } from "../model/records.ts";
import { type Brought, usdPriceOf } from "../model/usd.ts";
import type { ModelVenue } from "../model/venue.ts";
import { mayOweChain, refuseExchange } from "../payments/cover.ts";
import type { Standing } from "./checks.ts";

type Coming = Pick<ModelOrder, "userId" | "account" | "side" | "price">;

/** Why an order, filled whole at its price, may not be: what it would leave its user with. */
export function resultFault(
  venue: ModelVenue,
  market: ModelMarket,
  order: Coming,
  lots: bigint,
  rate: bigint,
): Refusal | undefined {
  if (!isLookedAt(venue, order)) return undefined;
  return faultOf(venue, order.userId, brought(market, order, lots, rate), isFair(venue, market, order));
}

/** Whether a resting order is sure to be met, for all that its user owes. */
export function isSureToStaySolvent(venue: ModelVenue, market: ModelMarket, order: Standing): boolean {
  const { account, side, price, userId } = order;
  if (account === undefined || side === undefined) return true;
  const coming = { userId, account, side, price };
  return !isLookedAt(venue, coming) || (isFair(venue, market, coming) && !mayOweChain(venue, userId));
}

/** What an auction does not meet: orders that together would cost their user too much. */
export function insolventOrders(venue: ModelVenue, market: ModelMarket): ModelOrder[] {
  const doubtful = [...market.buys, ...market.sells].filter((order) => !isSureToStaySolvent(venue, market, order));
  return [...new Set(doubtful.map(({ userId }) => userId))].flatMap((userId) => {
    const own = doubtful.filter((order) => order.userId === userId);
    const all = own.flatMap((order) => brought(market, order, order.left, BigInt(order.takerFeeRateE8)));
    const areFair = own.every((order) => isFair(venue, market, order));
    return faultOf(venue, userId, all, areFair) === undefined ? [] : own;
  });
}

function isLookedAt(venue: ModelVenue, { userId, account }: Coming): boolean {
  return account === "spot" && (hasCredit(venue, userId) || mayOweChain(venue, userId));
}

/** At the indexes or better an order costs its fee alone, which a borrower bears. */
function faultOf(
  venue: ModelVenue,
  userId: number,
  changes: readonly Brought[],
  areFair: boolean,
): Refusal | undefined {
  return (
    refuseExchange(venue, userId, changes, areFair) ?? (areFair ? undefined : refuseBorrower(venue, userId, changes))
  );
}

function brought(market: ModelMarket, { side, price }: Coming, lots: bigint, rate: bigint): Brought[] {
  const [units, value] = [lots * market.lot, price * lots * market.lotTick];
  const kept = (received: bigint) => received - divideUp(received * rate, ONE_E8);
  return side === "buy"
    ? [
        [market.base, kept(units)],
        [market.quote, -value],
      ]
    : [
        [market.base, -units],
        [market.quote, kept(value)],
      ];
}

/** What is got for a lot is worth no less than what is given, by fresh indexes of both. */
function isFair(venue: ModelVenue, market: ModelMarket, { side, price }: Coming): boolean {
  const worth = worthOfLot(venue, market);
  if (worth === undefined) return false;
  const money = price * worth.tick;
  return side === "buy" ? worth.coins >= money : money >= worth.coins;
}

/** The worst such price; undefined while an index is silent. */
export function fairPrice(venue: ModelVenue, market: ModelMarket, side: Side): bigint | undefined {
  const worth = worthOfLot(venue, market);
  if (worth === undefined) return undefined;
  return side === "buy" ? worth.coins / worth.tick : divideUp(worth.coins, worth.tick);
}

/** The coins of a lot and a tick of its price, both over the same divisor. */
function worthOfLot(venue: ModelVenue, { base, quote, lot, lotTick }: ModelMarket) {
  const [ofBase, ofQuote] = [usdPriceOf(venue, base), usdPriceOf(venue, quote)];
  if (!ofBase?.isFresh || !ofQuote?.isFresh) return undefined;
  return {
    coins: lot * ofBase.above * ofQuote.below * tenTo(quote.scale),
    tick: lotTick * ofQuote.above * ofBase.below * tenTo(base.scale),
  };
}
