import { FLAG } from "../command.ts";
import type { Market } from "../listing/market.ts";
import { int64 } from "../money/int64.ts";
import type { State } from "../state.ts";

/** Value of `lots` at `price` in quote units: exact, by listing check L1, and within int64, by L3. */
export function valueOf(market: Market, price: bigint, lots: bigint): bigint {
  return int64(int64(price * lots) * market.unitsPerLotTick);
}

/** `lots` in units of the base asset. */
export function baseUnits(market: Market, lots: bigint): bigint {
  return int64(lots * market.unitsPerLot);
}

/** What `lots` resting at `price` freeze: their value for a buy, themselves for a sell. */
export function freezeOf(market: Market, flags: number, price: bigint, lots: bigint): bigint {
  return (flags & FLAG.sell) === 0 ? valueOf(market, price, lots) : baseUnits(market, lots);
}

/** The ledger cell that an order of this side gives from. */
export function givingCell(state: State, seat: number, flags: number): number {
  return ((flags & FLAG.sell) === 0 ? state.seats.quoteCell(seat) : state.seats.baseCell(seat)) as number;
}
