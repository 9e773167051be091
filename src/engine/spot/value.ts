import { FLAG } from "../command.ts";
import type { Market } from "../listing/market.ts";
import * as money from "../money/int64.ts";
import type { Scratch } from "../scratch.ts";
import type { Orders } from "../trading/order.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const SELL = FLAG.sell;

/** Value of `lots` at `price` in quote units: exact, by listing check L1, and within int64, by L3. */
export function quoteUnits(market: Market, price: bigint, lots: bigint): bigint {
  return int64(int64(price * lots) * market.unitsPerLotTick);
}

/** `lots` in units of the base asset. */
export function baseUnits(market: Market, lots: bigint): bigint {
  return int64(lots * market.unitsPerLot);
}

/** Returns the units that `lots` resting at `price` freeze: their value for a buy, themselves for a sell. */
export function freezeOf(market: Market, flags: number, price: bigint, lots: bigint): bigint {
  // Multiplied by 0 and 1 instead of chosen: a bigint chosen by a condition has to be allocated.
  const sells = BigInt(flags & SELL);
  const quotePerLot = int64(int64(price * market.unitsPerLotTick) * (1n - sells));
  return int64(lots * int64(quotePerLot + int64(market.unitsPerLot * sells)));
}

/** Notes in the draft what it freezes in full. */
export function noteFreeze({ draft }: Scratch, market: Market, flags: number): void {
  draft.needs = freezeOf(market, flags, draft.price, draft.left);
}

/** Notes in the draft what it freezes more than the order in `slot` does. */
export function noteChange({ draft }: Scratch, market: Market, orders: Orders, slot: number): void {
  const flags = orders.flags(slot);
  const before = freezeOf(market, flags, orders.price(slot), orders.left(slot));
  draft.needs = int64(freezeOf(market, flags, draft.price, draft.left) - before);
}
