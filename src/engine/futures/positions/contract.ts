import * as money from "../../money/int64.ts";
import { divFloor } from "../../money/rounding.ts";
import type { Fraction } from "./fraction.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;

/**
 * `linear` settles in the quote asset, `inverse` in the base asset and counts its amount in contracts of one quote
 * unit.
 */
export const CONTRACT_TYPES = ["linear", "inverse"] as const;
export type ContractType = (typeof CONTRACT_TYPES)[number];

/** One tier of position size. Its amount is an upper bound, inclusive, in lots. */
export interface PositionLevel {
  readonly amount: bigint;
  /** The highest leverage of the level. */
  readonly leverage: number;
  readonly maintenanceRateE8: number;
  readonly minInitialRateE8: number;
}

/** The terms of a futures market; a spot market has none. */
export interface FuturesSpec {
  readonly contractType: ContractType;
  readonly settleAssetId: number;
  /**
   * Linear: settlement units of one lot per tick. Inverse: settlement units of one lot times ticks; the value is this
   * over the price.
   */
  readonly unit: bigint;
  /** Every price is a multiple of it, in ticks of the market's price precision. */
  tickSize: bigint;
  /** Leverages on offer, ascending. */
  leverages: readonly number[];
  /** Ascending in amount and maintenance rate, descending in leverage. */
  levels: readonly PositionLevel[];
  /** How far the mark may lie from the index, 10^-8; undefined: as markBandOf says. */
  markBandE8?: number | undefined;
  /** For how long an order must have rested to count in an impact price, ms; undefined: as restOf says. */
  impactRestMs?: number | undefined;
}

/**
 * +1 where the position gains when the value of its amount rises: linear longs and inverse shorts. Source: domain 4.1.
 */
export function signOf(terms: Pick<FuturesSpec, "contractType">, isShort: boolean): bigint {
  return (terms.contractType === "linear") === isShort ? -1n : 1n;
}

/**
 * Value of `lots` at `price` in settlement units: exact for linear contracts, floored for inverse ones. Of what the
 * bounds of the market let through it fits int64, by listing checks L3 and L4. Source: domain 1.3.
 */
export function tradeValue(terms: Pick<FuturesSpec, "contractType" | "unit">, price: bigint, lots: bigint): bigint {
  if (terms.contractType === "linear") return int64(int64(price * lots) * int64(terms.unit));
  return int64((lots * terms.unit) / price);
}

/** As `tradeValue`, for bounds that are still to be checked. */
export function wideValue(terms: Pick<FuturesSpec, "contractType" | "unit">, price: bigint, lots: bigint): bigint {
  return terms.contractType === "linear" ? price * lots * terms.unit : (lots * terms.unit) / price;
}

/**
 * Value at mark of a position: of inverse contracts rounded so that unrealized profit is never overstated. Source:
 * domain 1.3.
 */
export function valueAtMark(
  terms: Pick<FuturesSpec, "contractType" | "unit">,
  mark: bigint,
  lots: bigint,
  sign: bigint,
): bigint {
  if (terms.contractType === "linear") return int64(int64(mark * lots) * terms.unit);
  const numerator = lots * terms.unit;
  return sign > 0n ? numerator / mark : (numerator + mark - 1n) / mark;
}

/**
 * The price, in ticks, at which `lots` are worth `num / den` settlement units. `lots` and `num` are above 0. Source:
 * domain 4.1.
 */
export function priceOfValue(
  terms: Pick<FuturesSpec, "contractType" | "unit">,
  lots: bigint,
  { num, den }: Fraction,
): Fraction {
  return terms.contractType === "linear"
    ? { num, den: den * lots * terms.unit }
    : { num: lots * terms.unit * den, den: num };
}

/**
 * The level that holds an amount; an amount beyond the last bound, which only an operator can leave behind, counts to
 * the last.
 */
export function levelAt(terms: Pick<FuturesSpec, "levels">, lots: bigint): PositionLevel {
  const { levels } = terms;
  for (const level of levels) if (lots <= int64(level.amount)) return level;
  return levels[levels.length - 1] as PositionLevel;
}

/** The largest position that the market allows, in lots. */
export function positionBound({ levels }: Pick<FuturesSpec, "levels">): bigint {
  return (levels[levels.length - 1] as PositionLevel).amount;
}

/** The largest position that a leverage allows, in lots: where no level has it, that of the first. */
export function positionBoundAt({ levels }: Pick<FuturesSpec, "levels">, leverage: number): bigint {
  const level = levels.findLast((one) => one.leverage >= leverage) ?? (levels[0] as PositionLevel);
  return level.amount;
}

/** The quotient as a multiple of the tick size at or below it. */
export function floorToTick({ num, den }: Fraction, tickSize: bigint): bigint {
  return divFloor(num, den * tickSize) * tickSize;
}

/** As `floorToTick`, at or above it. */
export function ceilToTick({ num, den }: Fraction, tickSize: bigint): bigint {
  return -divFloor(-num, den * tickSize) * tickSize;
}
