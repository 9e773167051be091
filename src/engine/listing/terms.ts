import * as tables from "../store/table.ts";
import type { Market } from "./market.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { SLOT } = tables;

/**
 * The bounds and units of each market in int64, for the hot path: a bigint that is a field of an object has to be checked and
 * unpacked at each use. The market itself stays the truth; its row is written again whenever it is listed or changed.
 */
export class MarketTerms extends tables.Table {
  constructor() {
    super(4);
  }

  note(market: Market): void {
    this.makeRoom(market.id);
    const row = market.id * 4;
    this.i64[row] = market.minAmount;
    this.i64[row + 1] = market.maxAmount;
    this.i64[row + 2] = market.maxPrice;
    this.i64[row + 3] = market.unitsPerLotTick;
  }

  minAmount(marketId: number): bigint {
    return this.i64[(marketId & SLOT) * 4] as bigint;
  }
  maxAmount(marketId: number): bigint {
    return this.i64[(marketId & SLOT) * 4 + 1] as bigint;
  }
  maxPrice(marketId: number): bigint {
    return this.i64[(marketId & SLOT) * 4 + 2] as bigint;
  }
  unitsPerLotTick(marketId: number): bigint {
    return this.i64[(marketId & SLOT) * 4 + 3] as bigint;
  }
}
