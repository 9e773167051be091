/**
 * The figures of a position and of an account as pure formulas over whole numbers: amounts in lots, values in units of
 * the settlement asset, prices in ticks, rates in 10^-8. One set for both contract types and both sides, by the sign σ.
 * Source: domain 4.7 and 4.8; rounding: domain 1.3.
 */
import { int64 } from "../../money/int64.ts";
import { feeOn } from "../../money/rate.ts";
import { divCeil, divFloor, divHalfAwayFromZero } from "../../money/rounding.ts";
import { ceilToTick, type FuturesSpec, floorToTick, levelAt, priceOfValue, signOf, valueAtMark } from "./contract.ts";

const ONE_E8 = 100_000_000n;
/** Share of the open value that no transfer may touch, in thousandths. */
const TRANSFER_HAIRCUT_E3 = 15n;

/** The figures of a position that do not depend on the market. */
export interface PositionFacts {
  readonly isShort: boolean;
  readonly amount: bigint;
  /** Value at entry, which settlement leaves alone, and value at which profit counts from. */
  readonly entryCost: bigint;
  readonly settleCost: bigint;
  readonly leverage: number;
}

/** The figures of a position at a mark price. */
export interface PositionAtMark {
  readonly value: bigint;
  readonly unrealized: bigint;
  /** Margin that a cross position takes up: ceil(value / leverage). */
  readonly initial: bigint;
  readonly maintenanceRateE8: number;
  readonly maintenance: bigint;
}

export function positionAtMark(terms: FuturesSpec, facts: PositionFacts, mark: bigint): PositionAtMark {
  const sign = signOf(terms, facts.isShort);
  const value = valueAtMark(terms, mark, facts.amount, sign);
  const { maintenanceRateE8 } = levelAt(terms, facts.amount);
  return {
    value,
    unrealized: int64(sign * int64(value - facts.settleCost)),
    initial: shareOf(value, facts.leverage),
    maintenanceRateE8,
    maintenance: feeOn(value, BigInt(maintenanceRateE8)),
  };
}

/** ceil(value / leverage) of a value of at least 0. */
export function shareOf(value: bigint, leverage: number): bigint {
  const parts = BigInt(leverage | 0);
  return int64(int64(value + int64(parts - 1n)) / parts);
}

/** Sums over all cross positions of an account, and its cash: the balance fields are computed from them. */
export interface AccountSums {
  /** The cash cell, CB. */
  cash: bigint;
  /** Reserved for open orders, F. */
  frozen: bigint;
  /** Sums over the cross positions: U, A, MM, Vx. */
  unrealized: bigint;
  initial: bigint;
  maintenance: bigint;
  value: bigint;
}

/** CB + U - A - F: what is free for cross positions; shown as 0 when below. */
export function crossMargin({ cash, unrealized, initial, frozen }: AccountSums): bigint {
  return cash + unrealized - initial - frozen;
}

/** T1 before its floor at 0: profit on paper does not count, loss does. */
export function theoreticalTransferable({ cash, frozen, initial, unrealized }: AccountSums): bigint {
  return cash - frozen - initial + (unrealized < 0n ? unrealized : 0n);
}

/** T2 before its floor at 0. */
export function riskTransferable({ cash, unrealized, frozen, maintenance, value }: AccountSums): bigint {
  return cash + unrealized - frozen - maintenance - haircutOf(value);
}

/** Returns the part of an open value, or of a change of it, that no transfer may touch: rounded up. */
export function haircutOf(value: bigint): bigint {
  const scaled = TRANSFER_HAIRCUT_E3 * value;
  // Division rounds towards 0, which is up for what is below.
  return (value > 0n ? scaled + 999n : scaled) / 1_000n;
}

/** min(T1, T2), which may be below 0: what is free for isolated margin and for transfers. */
export function isolatedMargin(sums: AccountSums): bigint {
  const [first, second] = [theoreticalTransferable(sums), riskTransferable(sums)];
  return first < second ? first : second;
}

/** X: what stands behind a cross position besides itself. Given its own figures, which are part of the account's. */
export function crossBacking(sums: AccountSums, own: PositionAtMark): bigint {
  const others = sums.unrealized - own.unrealized - (sums.maintenance - own.maintenance);
  return sums.cash - sums.frozen + others;
}

/** The mark price at which the position is liquidated if nothing else changes, in ticks; 0 = none up to `maxPrice`. */
export function liquidationPrice(terms: FuturesSpec, facts: PositionFacts, backing: bigint, maxPrice: bigint): bigint {
  const sign = signOf(terms, facts.isShort);
  // V* = (O - σX) / (1 - σ·mmr)
  const rate = BigInt(levelAt(terms, facts.amount).maintenanceRateE8);
  const num = (facts.settleCost - sign * backing) * ONE_E8;
  if (num <= 0n) return 0n;
  const price = priceOfValue(terms, facts.amount, { num, den: ONE_E8 - sign * rate });
  const ticks = facts.isShort ? ceilToTick(price, terms.tickSize) : floorToTick(price, terms.tickSize);
  return ticks > maxPrice ? 0n : ticks;
}

/** The price at which the margin of an isolated position is gone, in ticks; 0 = there is none. */
export function bankruptcyPrice(terms: FuturesSpec, facts: PositionFacts, margin: bigint): bigint {
  const value = facts.settleCost - signOf(terms, facts.isShort) * margin;
  if (value <= 0n) return 0n;
  const price = priceOfValue(terms, facts.amount, { num: value, den: 1n });
  return facts.isShort ? floorToTick(price, terms.tickSize) : ceilToTick(price, terms.tickSize);
}

/** The price that a value of an amount stands for, rounded for show; 0 of a value of 0. */
export function shownPrice(terms: FuturesSpec, amount: bigint, value: bigint): bigint {
  if (value <= 0n || amount <= 0n) return 0n;
  const { num, den } = priceOfValue(terms, amount, { num: value, den: 1n });
  return divHalfAwayFromZero(num, den);
}

/** X / O in 10^-8, floored; 0 without a settle cost. */
export function marginRateE8(backing: bigint, settleCost: bigint): bigint {
  return settleCost === 0n ? 0n : divFloor(backing * ONE_E8, settleCost);
}

/**
 * mm / (X + u) in 10^-8, rounded up: from 1 on the position is liquidated. Where nothing is left to stand behind it the
 * quotient means nothing and it is 1.
 */
export function riskRateE8(backing: bigint, { unrealized, maintenance }: PositionAtMark): bigint {
  const equity = backing + unrealized;
  return equity <= 0n ? ONE_E8 : divCeil(maintenance * ONE_E8, equity);
}
