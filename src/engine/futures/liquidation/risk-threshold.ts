/** How far a mark may move before what stands behind positions is used up: the arithmetic of thresholds. */
import { ceilOfProduct, floorOfProduct } from "../../money/product.ts";
import { divCeil, divFloor } from "../../money/rounding.ts";
import type { FuturesSpec } from "../positions/contract.ts";
import { WAY } from "./thresholds.ts";

/** Everything here counts in quarters, in which the share of the alert, 4/5, is as whole as that of the liquidation. */
const PER_E8 = 100_000_000n;
const QUARTERS_E8 = 400_000_000n;
/**
 * Units by which the rounding of one position's value, profit and maintenance margin can differ from the exact line.
 */
export const ROUNDING_SLACK = 16n;

/** How many quarters of the maintenance margin an equity must exceed. */
export const NEEDS = { liquidation: 4n, alert: 5n } as const;

/** Returns the surplus of an equity over the amount that it must exceed, in quarters of a unit. */
export function surplusOf(equity: bigint, maintenance: bigint, needs: bigint): bigint {
  return 4n * equity - needs * maintenance;
}

/** The same less what rounding can take of it while marks move. */
export function sureSurplus(surplus: bigint, positions: number): bigint {
  return surplus - ROUNDING_SLACK * BigInt(positions);
}

/**
 * By how much the surplus of a position of sign σ changes with the value of one lot: it gains σ of its value and needs
 * more maintenance margin. In quarters of 10^-8 of lots.
 */
export function slopeOf(sign: bigint, lots: bigint, maintenanceRateE8: number, needs: bigint): bigint {
  return lots * (sign * QUARTERS_E8 - needs * BigInt(maintenanceRateE8));
}

/**
 * The mark, in ticks, at which a surplus is used up, rounded to the near side, and the way in which it lies; undefined
 * when no mark up to `maxPrice` does it. A surplus that is used up is so at every mark: where nobody may be liquidated
 * yet, marks go on moving.
 */
export function usedUpAt(
  { contractType, unit }: Pick<FuturesSpec, "contractType" | "unit">,
  mark: bigint,
  surplus: bigint,
  slope: bigint,
  maxPrice: bigint,
): { readonly way: number; readonly ticks: number } | undefined {
  if (slope === 0n) return surplus > 0n ? undefined : { way: WAY.falls, ticks: Number(maxPrice) };
  const isLinear = contractType === "linear";
  const way = slope > 0n === isLinear ? WAY.falls : WAY.rises;
  if (surplus <= 0n) return { way, ticks: way === WAY.falls ? Number(maxPrice) : 0 };
  const size = slope > 0n ? slope : -slope;
  // Linear: the value of a lot is mark * unit; inverse: unit / mark, whose change is surplus / slope.
  if (isLinear) {
    const room = floorOfProduct(surplus, PER_E8, size * unit);
    const ticks = way === WAY.falls ? mark - room : mark + room;
    return ticks <= 0n || ticks > maxPrice ? undefined : { way, ticks: Number(ticks) };
  }
  const moved = surplus * PER_E8 * mark;
  const den = way === WAY.falls ? unit * size + moved : unit * size - moved;
  if (den <= 0n) return undefined;
  const num = mark * unit * size;
  const ticks = way === WAY.falls ? divCeil(num, den) : divFloor(num, den);
  return ticks > maxPrice ? undefined : { way, ticks: Number(ticks) };
}

/**
 * Returns the loss of a surplus, in quarters, while the mark goes to the threshold that `usedUpAt` gave, rounded up.
 * Where it gave none, marks end before the surplus does: at 0 or at `maxPrice`.
 */
export function lossUntil(
  { contractType, unit }: Pick<FuturesSpec, "contractType" | "unit">,
  mark: bigint,
  ticks: number | undefined,
  slope: bigint,
  maxPrice: bigint,
): bigint {
  const isLinear = contractType === "linear";
  const falls = slope > 0n === isLinear;
  const end = ticks === undefined ? (falls ? 0n : maxPrice) : BigInt(ticks);
  const way = falls ? mark - end : end - mark;
  if (way <= 0n) return 0n;
  const size = slope > 0n ? slope : -slope;
  if (isLinear) return ceilOfProduct(size, unit * way, PER_E8);
  return divCeil(size * unit * way, PER_E8 * mark * end);
}
