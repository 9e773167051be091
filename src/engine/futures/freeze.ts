/**
 * What the open orders of one account in one market freeze, as a pure function of its orders, its position and its
 * leverage. Source: domain 4.4.
 */
import { divCeil } from "../money/rounding.ts";

/** One side: lots left of its regular orders, their value at their freeze prices, and the taker fees on that. */
export interface SideSums {
  lots: bigint;
  value: bigint;
  fees: bigint;
}

/** Of the lots of a side that could open, how many can: in one-way mode those that the opposite position does not take up. */
export function openingLots(lots: bigint, opposite: bigint, reducing: bigint, isHedge: boolean): bigint {
  if (isHedge) return lots;
  const open = lots - (opposite - reducing);
  return open > 0n ? open : 0n;
}

/** The part of F that one side adds: margin and fees of the share of its orders that can open, each rounded up. */
export function freezeOfSide({ lots, value, fees }: SideSums, opening: bigint, leverage: number): bigint {
  if (lots === 0n || opening === 0n) return 0n;
  // Mostly all of them can.
  if (opening === lots) return divCeil(value, BigInt(leverage)) + fees;
  return divCeil(divCeil(value * opening, lots), BigInt(leverage)) + divCeil(fees * opening, lots);
}
