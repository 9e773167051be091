/**
 * The freeze of the open orders of one account in one market, as a pure function of its orders, its position and its
 * leverage. Source: domain 4.4.
 */
import * as money from "../../money/int64.ts";
import { divCeil } from "../../money/rounding.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;

/** The square of so many lots fits int64. */
const FEW_LOTS = 2n ** 31n;

/** Of the lots of a side that could open, how many can: those that a position on the other side does not take up. */
export function openingLots(lots: bigint, opposed: bigint): bigint {
  const open = int64(lots - opposed);
  return open > int64(0n) ? open : 0n;
}

const WORDS = 16;

/** The regular orders of a side whose freeze is asked for: see trading/draft.ts for why they stand in memory. */
export class SideSums extends BigInt64Array {
  constructor() {
    super(WORDS);
  }

  get lots(): bigint {
    return this[0] as bigint;
  }
  set lots(value: bigint) {
    this[0] = value;
  }
  /** Their value at their freeze prices, and the taker fees on that. */
  get value(): bigint {
    return this[1] as bigint;
  }
  set value(value: bigint) {
    this[1] = value;
  }
  get fees(): bigint {
    return this[2] as bigint;
  }
  set fees(value: bigint) {
    this[2] = value;
  }
  /** Of the lots those that can open. */
  get opening(): bigint {
    return this[3] as bigint;
  }
  set opening(value: bigint) {
    this[3] = value;
  }
  /** The part of F that the side adds. */
  get freeze(): bigint {
    return this[4] as bigint;
  }
  set freeze(value: bigint) {
    this[4] = value;
  }
}

/**
 * Notes the part of F that the noted side adds: margin and fees of the share of its orders that can open, each rounded
 * up.
 */
export function noteFreezeOfSide(sums: SideSums, leverage: number): void {
  const parts = BigInt(leverage | 0);
  // Mostly all of them can.
  if (sums.opening === sums.lots) {
    sums.freeze = int64(int64(int64(sums.value + int64(parts - 1n)) / parts) + sums.fees);
    return;
  }
  sums.freeze = 0n;
  if (sums.opening === int64(0n) || sums.lots === int64(0n)) return;
  if (sums.lots > int64(FEW_LOTS)) {
    const { lots, value, fees, opening } = sums;
    sums.freeze = divCeil(divCeil(value * opening, lots), parts) + divCeil(fees * opening, lots);
    return;
  }
  // ceil(amount * opening / lots) in two parts that fit: (q * lots + r) * opening / lots.
  const lots = sums.lots;
  const opening = sums.opening;
  const wholeValue = int64(sums.value / lots);
  const restOfValue = int64(int64(sums.value - int64(wholeValue * lots)) * opening);
  const value = int64(int64(wholeValue * opening) + int64(int64(restOfValue + int64(lots - 1n)) / lots));
  const wholeFees = int64(sums.fees / lots);
  const restOfFees = int64(int64(sums.fees - int64(wholeFees * lots)) * opening);
  const fees = int64(int64(wholeFees * opening) + int64(int64(restOfFees + int64(lots - 1n)) / lots));
  sums.freeze = int64(int64(int64(value + int64(parts - 1n)) / parts) + fees);
}

/** As `noteFreezeOfSide`, from figures to a figure. */
export function freezeOfSide(lots: bigint, value: bigint, fees: bigint, opening: bigint, leverage: number): bigint {
  const sums = new SideSums();
  sums.lots = lots;
  sums.value = value;
  sums.fees = fees;
  sums.opening = opening;
  noteFreezeOfSide(sums, leverage);
  return sums.freeze;
}
