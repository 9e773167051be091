/**
 * Whether a user who owes something can bear a spot order. What he trades with is others' money, in part: he may not
 * give it to a friend by buying something dear, or selling it cheap. So an order is looked at by its result, filled
 * whole at its worst price, and a resting one once more when it is met. At the indexes of both currencies or better it
 * costs a fee: a credit bears that, a deposit that its chain may take back not again and again. Source: domain 6.6 and
 * 2.5.
 */
import { USER_FLAG } from "../accounts/user.ts";
import { FLAG } from "../command.ts";
import { hooks } from "../hooks.ts";
import type { Asset } from "../listing/asset.ts";
import type { Market } from "../listing/market.ts";
import { usdPriceOf } from "../listing/usd-price.ts";
import { pow10 } from "../money/decimal.ts";
import { feeOn } from "../money/rate.ts";
import { divCeil } from "../money/rounding.ts";
import type { Change } from "../part.ts";
import { type Refusal, refusalNumber } from "../refusal.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import type { Book } from "../trading/book.ts";
import { NONE } from "../trading/order.ts";

/** The result of an order: so many lots, all at one price. */
interface Result {
  readonly sells: boolean;
  readonly price: bigint;
  readonly lots: bigint;
  readonly feeRateE8: number;
}

/**
 * Why an order of the user may not come to this; 0 = it may. Only users with the flag `indebted` need be asked about.
 */
export function refuseResult(state: State, userId: number, market: Market, result: Result): number {
  if (!holds(state, "ordersByResult")) return 0;
  const isAtIndex = isFair(state, market, result.sells, result.price);
  if (isAtIndex && !isLookedAtAlways(state, userId)) return 0;
  const refusal = refusalOf(state, userId, changesOf(market, result), isAtIndex);
  return refusal === undefined ? 0 : refusalNumber(refusal);
}

/** Whether the user of a resting order, if he owes something, can bear to trade so many lots of it. */
export function bearsResting(state: State, market: Market, slot: number, lots: bigint): boolean {
  const userId = state.seats.userId(state.orders.seat(slot));
  if (isSureOf(state, market, slot, userId)) return true;
  return refuseResult(state, userId, market, resultOf(state, slot, lots)) === 0;
}

/** Whether it is certain beforehand that a resting order will be met if it is reached. */
export function isSureToStaySolvent(state: State, market: Market, slot: number): boolean {
  return state.users.owing === 0 || isSureOf(state, market, slot, state.seats.userId(state.orders.seat(slot)));
}

function isSureOf(state: State, market: Market, slot: number, userId: number): boolean {
  const { orders, users } = state;
  if ((users.flags(userId) & USER_FLAG.indebted) === 0 || (orders.flags(slot) & FLAG.margin) !== 0) return true;
  if (!holds(state, "ordersByResult")) return true;
  return isFairSlot(state, market, slot) && !isLookedAtAlways(state, userId);
}

function isFairSlot(state: State, market: Market, slot: number): boolean {
  return isFair(state, market, state.orders.side(slot) === 1, state.orders.price(slot));
}

/** Whether orders of a user are looked at at whatever price. */
function isLookedAtAlways(state: State, userId: number): boolean {
  return hooks().some((part) => part.looksAtFairOrders?.(state, userId) === true);
}

/**
 * Resting orders of a market, slots, that their users could not bear together at their limits: an auction meets none of
 * them.
 */
export function insolventOrders(state: State, market: Market): number[] {
  if (state.users.owing === 0 || !holds(state, "ordersByResult")) return [];
  const doubtful = new Map<number, number[]>();
  const book = state.books[market.id] as Book;
  for (const side of [0, 1] as const) {
    for (let slot = book.first(side); slot !== NONE; slot = book.next(slot)) {
      const userId = state.seats.userId(state.orders.seat(slot));
      if (isSureOf(state, market, slot, userId)) continue;
      const own = doubtful.get(userId);
      if (own === undefined) doubtful.set(userId, [slot]);
      else own.push(slot);
    }
  }
  return [...doubtful].flatMap(([userId, slots]) => {
    const changes = slots.flatMap((slot) => changesOf(market, resultOf(state, slot, state.orders.left(slot))));
    const areFair = slots.every((slot) => isFairSlot(state, market, slot));
    return refusalOf(state, userId, changes, areFair) === undefined ? [] : slots;
  });
}

function resultOf({ orders }: State, slot: number, lots: bigint): Result {
  return {
    sells: orders.side(slot) === 1,
    price: orders.price(slot),
    lots,
    feeRateE8: orders.takerFeeRateE8(slot),
  };
}

function refusalOf(state: State, userId: number, changes: readonly Change[], areFair: boolean): Refusal | undefined {
  for (const part of hooks()) {
    const refusal = part.refuseResult?.(state, userId, changes, areFair);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function changesOf(market: Market, { sells, price, lots, feeRateE8 }: Result): [Change, Change] {
  const { baseAssetId, quoteAssetId } = market;
  const value = price * lots * market.unitsPerLotTick;
  const units = lots * market.unitsPerLot;
  const rate = BigInt(feeRateE8);
  if (sells) {
    return [
      [baseAssetId, -units],
      [quoteAssetId, value - feeOn(value, rate)],
    ];
  }
  return [
    [quoteAssetId, -value],
    [baseAssetId, units - feeOn(units, rate)],
  ];
}

/** Whether what is received is worth as much as what is given, by fresh indexes of both currencies, the fee aside. */
function isFair(state: State, market: Market, sells: boolean, price: bigint): boolean {
  const worth = worthOfLot(state, market);
  if (worth === undefined) return false;
  return sells ? price * worth.ofTick >= worth.ofBase : worth.ofBase >= price * worth.ofTick;
}

/** The worst price that is fair, in ticks; undefined while an index is silent. */
export function fairPrice(state: State, market: Market, sells: boolean): bigint | undefined {
  const worth = worthOfLot(state, market);
  if (worth === undefined) return undefined;
  return sells ? divCeil(worth.ofBase, worth.ofTick) : worth.ofBase / worth.ofTick;
}

/** Whether a user owes units of an asset that he repays out of his spot account. */
export function owesAsset(state: State, userId: number, assetId: number): boolean {
  return hooks().some((part) => part.owesAsset?.(state, userId, assetId) === true);
}

/**
 * Returns the worth of a lot, and its cost for each tick of its price, over one divisor; undefined without fresh
 * indexes of both currencies.
 */
function worthOfLot(state: State, market: Market): { readonly ofBase: bigint; readonly ofTick: bigint } | undefined {
  const [base, quote] = [usdPriceOf(state, market.baseAssetId), usdPriceOf(state, market.quoteAssetId)];
  if (base?.isFresh !== true || quote?.isFresh !== true) return undefined;
  const scaleOf = (assetId: number) => pow10((state.assets[assetId] as Asset).scale);
  return {
    ofBase: market.unitsPerLot * base.numerator * quote.denominator * scaleOf(market.quoteAssetId),
    ofTick: market.unitsPerLotTick * quote.numerator * base.denominator * scaleOf(market.baseAssetId),
  };
}
