/**
 * Whether a margin account can bear a trade. What it owes is others' money: an account that may pay any price could buy
 * high from, or sell low to, a second account of its owner and leave the loss to the pool. So after every deal at a
 * price that is worse than the index, it has to stay above its liquidation rate; and while the index is stale it trades
 * only towards what it owes, at that index or better. Source: domain 3 and 15 (A1).
 */
import { FLAG } from "../command.ts";
import { isIndexFresh } from "../listing/index-freshness.ts";
import type { Market } from "../listing/market.ts";
import { feeOn } from "../money/rate.ts";
import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";
import type { MarginSpec } from "./margin-state.ts";
import { figuresOf, isAtRisk } from "./risk.ts";

/** Whether the account could trade so many lots at a price; the fee is that of a taker, or less. */
export function passesMarginCheck(
  state: State,
  market: Market,
  row: number,
  sells: boolean,
  price: bigint,
  lots: bigint,
  feeRateE8: number,
): boolean {
  const { margin } = state;
  const { accounts } = margin;
  if (!accounts.owes(row) || margin.liquidations.has(row)) return true;
  const index = market.index.price;
  const isFair = sells ? price >= index : price <= index;
  if (!isIndexFresh(market)) return isFair && isTowardsDebt(state, row, sells);
  if (isFair) return true;
  const { liqRateE8 } = margin.terms.get(market.id) as MarginSpec;
  const before = figuresOf(state, row);
  const value = price * lots * market.unitsPerLotTick;
  const units = lots * market.unitsPerLot;
  const rate = BigInt(feeRateE8);
  const after = sells
    ? { ...before, baseHave: before.baseHave - units, quoteHave: before.quoteHave + value - feeOn(value, rate) }
    : { ...before, baseHave: before.baseHave + units - feeOn(units, rate), quoteHave: before.quoteHave - value };
  return !isAtRisk(market, index, after, liqRateE8);
}

/** Whether a trade brings the one currency that the account owes. */
export function isTowardsDebt({ margin: { accounts } }: State, row: number, sells: boolean): boolean {
  const owes = (isQuote: boolean) => accounts.principal(row, isQuote) + accounts.interest(row, isQuote) > 0n;
  return owes(sells) && !owes(!sells);
}

/** Whether the account of a resting margin order can bear to trade so many lots of it. */
export function makerPassesMarginCheck(state: State, market: Market, slot: number, lots: bigint): boolean {
  const { orders, seats, margin } = state;
  if ((orders.flags(slot) & FLAG.margin) === 0) return true;
  const row = margin.accounts.find(seats.userId(orders.seat(slot)), market.id);
  return passesMarginCheck(
    state,
    market,
    row,
    orders.side(slot) === 1,
    orders.price(slot),
    lots,
    orders.makerFeeRateE8(slot),
  );
}

/**
 * As `makerPassesMarginCheck`, of the order that takes; its own limit has been looked at already, a market order has
 * none.
 */
export function takerPassesMarginCheck(
  state: State,
  market: Market,
  slot: number,
  price: bigint,
  lots: bigint,
): boolean {
  const { orders, seats, margin } = state;
  if ((orders.flags(slot) & FLAG.margin) === 0) return true;
  const row = margin.accounts.find(seats.userId(orders.seat(slot)), market.id);
  return passesMarginCheck(state, market, row, orders.side(slot) === 1, price, lots, orders.takerFeeRateE8(slot));
}

/**
 * Whether it is certain beforehand that a resting order will be met if it is reached. Of a margin account that owes
 * something only an order that is no worse than a fresh index: whatever it trades before, that one it can bear.
 */
export function isSure(state: State, market: Market, slot: number): boolean {
  const { orders, seats, margin } = state;
  if ((orders.flags(slot) & FLAG.margin) === 0) return true;
  const row = margin.accounts.find(seats.userId(orders.seat(slot)), market.id);
  if (row === NONE || !margin.accounts.owes(row)) return true;
  const price = orders.price(slot);
  const isFair = orders.side(slot) === 1 ? price >= market.index.price : price <= market.index.price;
  return isFair && isIndexFresh(market);
}

/**
 * Orders of a market's book, slots, that their margin accounts could not bear together at their limits: an auction
 * meets none of them.
 */
export function underMargined(state: State, market: Market): number[] {
  const { margin, orders, seats } = state;
  const slots: number[] = [];
  if (!margin.terms.has(market.id)) return slots;
  for (let row = 0; row < margin.accounts.count; row++) {
    if (margin.accounts.marketId(row) !== market.id || !margin.accounts.owes(row)) continue;
    const seat = seats.find(margin.accounts.userId(row), market.id, 1);
    if (seat === NONE) continue;
    const doubtful: number[] = [];
    for (let slot = seats.head(seat); slot !== NONE; slot = orders.seatNext(slot)) {
      if (!isSure(state, market, slot)) doubtful.push(slot);
    }
    if (doubtful.length > 0 && !allPassMarginCheck(state, market, row, doubtful)) slots.push(...doubtful);
  }
  return slots;
}

/** Whether the account could bear all of these together, each filled at its limit. */
function allPassMarginCheck(state: State, market: Market, row: number, slots: readonly number[]): boolean {
  if (!isIndexFresh(market)) return false;
  const { orders, margin } = state;
  const { liqRateE8 } = margin.terms.get(market.id) as MarginSpec;
  let { baseHave, quoteHave, ...owed } = figuresOf(state, row);
  for (const slot of slots) {
    const value = orders.price(slot) * orders.left(slot) * market.unitsPerLotTick;
    const units = orders.left(slot) * market.unitsPerLot;
    const rate = BigInt(orders.takerFeeRateE8(slot));
    if (orders.side(slot) === 1) {
      baseHave -= units;
      quoteHave += value - feeOn(value, rate);
    } else {
      baseHave += units - feeOn(units, rate);
      quoteHave -= value;
    }
  }
  return !isAtRisk(market, market.index.price, { baseHave, quoteHave, ...owed }, liqRateE8);
}
