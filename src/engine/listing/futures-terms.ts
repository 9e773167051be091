/** The terms of futures markets, checked when they are listed or changed. Source: domain 1.2, checks L4, L6 and L9. */

import {
  CONTRACT_TYPES,
  type FuturesSpec,
  type PositionLevel,
  positionBound,
  wideValue,
} from "../futures/positions/contract.ts";
import { parseDecimal, pow10 } from "../money/decimal.ts";
import { EXACT_NUMBER_MAX, INT64_MAX } from "../money/int64.ts";
import { parseRateE8, RATE_ONE_E8 } from "../money/rate.ts";
import { REST_MS, REST_MS_MAX } from "../trading/tick-marks.ts";
import type { Asset } from "./asset.ts";
import type { FuturesSettings } from "./command-schemas.ts";
import type { Market } from "./market.ts";

const LEVERAGE_MAX = 1_000;
/** L6: the value of the smallest inverse order in settlement units. */
const SMALLEST_VALUE = 100n;

type Grid = Pick<Market, "amountPrecision" | "pricePrecision">;

/** Terms of a new futures market, or the sentence that says why there are none. */
export function newTerms(given: FuturesSettings, grid: Grid, base: Asset, quote: Asset): FuturesSpec | string {
  const { contractType } = given;
  const { amountPrecision: ap, pricePrecision: pp } = grid;
  const type = CONTRACT_TYPES.find((name) => name === contractType);
  if (type === undefined) return `contract_type is one of ${CONTRACT_TYPES.join(", ")}.`;
  if (given.leverages === undefined || given.levels === undefined) {
    return "A futures market needs its leverages and its position levels.";
  }
  if (type === "linear" && (ap + pp > quote.scale || ap > base.scale)) {
    return (
      `L1: the precisions of amount and price (${ap} + ${pp}) must not exceed the scale of ${quote.ccy} ` +
      `(${quote.scale}).`
    );
  }
  if (type === "inverse" && ap !== 0)
    return "The amount of an inverse contract counts whole contracts: its precision is 0.";
  const settle = type === "linear" ? quote : base;
  const unit = type === "linear" ? pow10(quote.scale - pp - ap) : pow10(base.scale + pp);
  const terms = { contractType: type, settleAssetId: settle.id, unit, tickSize: 1n, leverages: [], levels: [] };
  return changedTerms(terms, given, grid);
}

/** A copy of the terms with the changes, or the sentence that says why there is none. */
export function changedTerms(terms: FuturesSpec, given: FuturesSettings, grid: Grid): FuturesSpec | string {
  const tickSize = given.tickSize === undefined ? terms.tickSize : parseDecimal(given.tickSize, grid.pricePrecision);
  if (tickSize === undefined || tickSize < 1n || tickSize > EXACT_NUMBER_MAX) {
    return `tick_size must be above 0 with at most ${grid.pricePrecision} decimals.`;
  }
  const leverages = given.leverages === undefined ? terms.leverages : [...given.leverages].sort((a, b) => a - b);
  if (leverages.length === 0 || !leverages.every((leverage, at) => leverage > (leverages[at - 1] ?? 0))) {
    return "There must be leverages, whole numbers from 1 on, each once.";
  }
  if ((leverages[leverages.length - 1] as number) > LEVERAGE_MAX) return `A leverage is at most ${LEVERAGE_MAX}.`;
  const levels = given.levels === undefined ? terms.levels : parseLevels(given.levels, grid);
  if (typeof levels === "string") return levels;
  const markBandE8 = given.markBand === undefined ? terms.markBandE8 : parseRateE8(given.markBand);
  if (given.markBand !== undefined && markBandE8 === undefined) {
    return "mark_band is a decimal from 0 to below 1 with at most 8 decimals.";
  }
  if ((markBandE8 ?? 0) > (levels[0] as PositionLevel).maintenanceRateE8) {
    return (
      "L9: mark_band must not exceed the least maintenance margin rate, or a mark could liquidate what the index " +
      "leaves sound."
    );
  }
  const impactRestMs = given.impactRestMs ?? terms.impactRestMs;
  if (impactRestMs !== undefined && (impactRestMs < REST_MS || impactRestMs > REST_MS_MAX)) {
    return `impact_rest_ms is a whole number from ${REST_MS} to ${REST_MS_MAX}.`;
  }
  return { ...terms, tickSize, leverages, levels, markBandE8, impactRestMs };
}

/** L9. */
function parseLevels(given: NonNullable<FuturesSettings["levels"]>, grid: Grid): PositionLevel[] | string {
  const levels: PositionLevel[] = [];
  for (const level of given) {
    const amount = parseDecimal(level.amount, grid.amountPrecision);
    const maintenanceRateE8 = parseRateE8(level.maintenanceMarginRate);
    const minInitialRateE8 = parseRateE8(level.minInitialMarginRate);
    if (amount === undefined || maintenanceRateE8 === undefined || minInitialRateE8 === undefined) {
      return "A level has an amount on the market's grid and two rates in [0, 1) with at most 8 decimals.";
    }
    const { leverage } = level;
    const before = levels[levels.length - 1];
    if (amount <= (before?.amount ?? 0n) || maintenanceRateE8 <= (before?.maintenanceRateE8 ?? 0)) {
      return "L9: levels must ascend in amount and in maintenance margin rate.";
    }
    if (leverage < 1 || leverage > LEVERAGE_MAX || leverage >= (before?.leverage ?? LEVERAGE_MAX + 1)) {
      return "L9: levels must descend in leverage, which is at least 1.";
    }
    if (maintenanceRateE8 >= minInitialRateE8 || minInitialRateE8 * leverage > RATE_ONE_E8) {
      return "L9: maintenance_margin_rate < min_initial_margin_rate <= 1 / leverage must hold on every level.";
    }
    levels.push({ amount, leverage, maintenanceRateE8, minInitialRateE8 });
  }
  return levels.length === 0 ? "L9: there must be at least one level." : levels;
}

/** The largest value that one lot can have at a price of the market. */
export function largestLotValue(terms: FuturesSpec, maxPrice: bigint): bigint {
  return wideValue(terms, terms.contractType === "linear" ? maxPrice : terms.tickSize, 1n);
}

/** L4: how many lots of open interest still fit the ledger's numbers. */
export function openMost(terms: FuturesSpec, maxPrice: bigint): bigint {
  return INT64_MAX / largestLotValue(terms, maxPrice);
}

/** L3, L4 and L6 for the bounds of a market with these terms; the sentence that says which fails. */
export function boundsFault(terms: FuturesSpec, market: Market): string | undefined {
  const { minAmount, maxAmount, maxPrice } = market;
  const lot = largestLotValue(terms, maxPrice);
  if (maxAmount * lot > INT64_MAX)
    return "L3: the largest order must be worth no more than a signed 64-bit integer holds.";
  if (2n * positionBound(terms) * lot > INT64_MAX) {
    return (
      "L4: twice the largest position at the dearest price must fit a signed 64-bit integer; lower the last level " +
      "or max_price."
    );
  }
  const smallest = wideValue(terms, maxPrice, minAmount);
  if (terms.contractType === "inverse" && (smallest < SMALLEST_VALUE || wideValue(terms, maxPrice, 1n) < 1n)) {
    return `L6: at max_price min_amount must be worth at least ${SMALLEST_VALUE} units, and one contract at least one.`;
  }
  return undefined;
}

/** The widest bounds that fit: as many lots an order as the largest position has, prices up to 10^7 whole units. */
export function futuresBounds(
  terms: FuturesSpec,
  grid: Grid,
  minAmount: bigint,
): { maxAmount: bigint; maxPrice: bigint } {
  const bound = positionBound(terms);
  const room =
    terms.contractType === "linear" ? INT64_MAX / (2n * bound * terms.unit) : (minAmount * terms.unit) / SMALLEST_VALUE;
  const widest = pow10(grid.pricePrecision + 7);
  const maxPrice = [EXACT_NUMBER_MAX, widest, room].reduce((least, price) => (price < least ? price : least));
  return { maxAmount: bound < EXACT_NUMBER_MAX ? bound : EXACT_NUMBER_MAX, maxPrice };
}
