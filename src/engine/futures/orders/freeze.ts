/**
 * What the open orders of one account in one market freeze, as a pure function of its orders, its position and its
 * leverage. Source: domain 4.4.
 */
import * as money from "../../money/int64.ts";
import { divCeil } from "../../money/rounding.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;

/** The square of so many lots fits int64. */
const FEW_LOTS = 2n ** 31n;

/** Of the lots of a side that could open, how many can: in one-way mode those that the opposite position does not take up. */
export function openingLots(lots: bigint, opposite: bigint, reducing: bigint, isHedge: boolean): bigint {
  if (isHedge) return lots;
  const open = int64(lots - int64(opposite - reducing));
  return open > int64(0n) ? open : 0n;
}

/**
 * The part of F that one side adds: margin and fees of the share of its regular orders that can open, each rounded up. Of these
 * orders the lots, their value at their freeze prices, and the taker fees on that.
 */
export function freezeOfSide(lots: bigint, value: bigint, fees: bigint, opening: bigint, leverage: number): bigint {
  const parts = BigInt(leverage | 0);
  // Mostly all of them can.
  if (opening === lots) return int64(int64(int64(value + int64(parts - 1n)) / parts) + fees);
  if (opening === int64(0n) || lots === int64(0n)) return 0n;
  const share = shareOf(value, opening, lots);
  return int64(int64(int64(share + int64(parts - 1n)) / parts) + shareOf(fees, opening, lots));
}

/** ceil(amount * opening / lots) for `opening` below `lots`; of few lots in two parts that fit: (q * lots + r) * opening / lots. */
function shareOf(amount: bigint, opening: bigint, lots: bigint): bigint {
  if (lots > FEW_LOTS) return divCeil(amount * opening, lots);
  const whole = int64(amount / lots);
  const rest = int64(amount - int64(whole * lots));
  return int64(int64(whole * opening) + int64(int64(int64(rest * opening) + int64(lots - 1n)) / lots));
}
