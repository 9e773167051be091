import { INT64_MAX } from "../money/int64.ts";
import * as tables from "../store/table.ts";
import { openMost } from "./futures-terms.ts";
import type { Market } from "./market.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { SLOT } = tables;
const WORDS = 10;

/**
 * The bounds and units of each market in int64, for the hot path: a bigint that is a field of an object has to be
 * checked and unpacked at each use. The market itself stays the truth; its row is written again whenever it is listed
 * or changed.
 */
export class ListingSpec extends tables.Table {
  constructor() {
    super(WORDS);
  }

  note(market: Market): void {
    this.makeRoom(market.id);
    const row = market.id * WORDS;
    this.i64[row] = market.minAmount;
    this.i64[row + 1] = market.maxAmount;
    this.i64[row + 2] = market.maxPrice;
    this.i64[row + 3] = market.unitsPerLotTick;
    this.i64[row + 4] = market.futures?.tickSize ?? 1n;
    this.i64[row + 5] = market.futures === undefined ? 0n : openMost(market.futures, market.maxPrice);
    this.noteReach(market.id, 0n, INT64_MAX, -1);
  }

  minAmount(marketId: number): bigint {
    return this.i64[(marketId & SLOT) * WORDS] as bigint;
  }
  maxAmount(marketId: number): bigint {
    return this.i64[(marketId & SLOT) * WORDS + 1] as bigint;
  }
  maxPrice(marketId: number): bigint {
    return this.i64[(marketId & SLOT) * WORDS + 2] as bigint;
  }
  /** 0 where the value of a lot is not a multiple of its price: inverse contracts. */
  unitsPerLotTick(marketId: number): bigint {
    return this.i64[(marketId & SLOT) * WORDS + 3] as bigint;
  }
  /** Ticks that every price is a multiple of. */
  tickSize(marketId: number): bigint {
    return this.i64[(marketId & SLOT) * WORDS + 4] as bigint;
  }
  /** Ticks of the index that prices of a spot market are held to; 0 where the latest price counts instead. */
  bandIndex(marketId: number): bigint {
    return this.i64[(marketId & SLOT) * WORDS + 6] as bigint;
  }
  noteBandIndex(marketId: number, price: bigint): void {
    this.i64[marketId * WORDS + 6] = price;
  }
  /** Ticks between which deals may be made, and until when (ms) that is known: see trading/interruption.ts. */
  reachLow(marketId: number): bigint {
    return this.i64[(marketId & SLOT) * WORDS + 7] as bigint;
  }
  reachHigh(marketId: number): bigint {
    return this.i64[(marketId & SLOT) * WORDS + 8] as bigint;
  }
  reachUntil(marketId: number): number {
    return this.f64[(marketId & SLOT) * WORDS + 9] as number;
  }
  noteReach(marketId: number, low: bigint, high: bigint, untilMs: number): void {
    const row = marketId * WORDS;
    this.i64[row + 7] = low;
    this.i64[row + 8] = high;
    this.f64[row + 9] = untilMs;
  }
  /** Lots of open interest that the ledger's numbers have room for; 0 of a spot market. */
  openMost(marketId: number): bigint {
    return this.i64[(marketId & SLOT) * WORDS + 5] as bigint;
  }
}
