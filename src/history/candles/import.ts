/**
 * Candles that were recorded elsewhere: where nothing was traded they are what there is, and longer candles are made of
 * them.
 */
import type { CandleRow } from "../../engine/listing/import-candles.ts";
import type { WrittenTables } from "../part.ts";
import type { TablesOf } from "../table.ts";
import { candleStart, KLINE_PERIODS, PRICE_TYPES } from "./kline.ts";
import { type CANDLE_TABLES, klineRows } from "./tables.ts";

const LATEST_PRICE = PRICE_TYPES.indexOf("latest_price");

export class CandleImport {
  readonly #db;
  readonly #keep;
  readonly #replace;

  constructor({ db, inserter }: WrittenTables<TablesOf<(typeof CANDLE_TABLES)[number]>>) {
    this.#db = db;
    this.#keep = inserter(klineRows, "keep");
    this.#replace = inserter(klineRows, ["open", "high", "low", "close", "volume", "value"]);
  }

  /** Stores candles of one length; the tables must hold all that was traded. What is there already stays. */
  async store(marketId: number, periodS: number, rows: readonly CandleRow[]): Promise<void> {
    const series = { market_id: marketId, price_type: LATEST_PRICE };
    for (const [start_s, open, high, low, close, volume, value] of rows) {
      const prices = { open: BigInt(open), high: BigInt(high), low: BigInt(low), close: BigInt(close) };
      this.#keep({ ...series, period_s: periodS, start_s, ...prices, volume, value });
    }
    for (const longerS of Object.values(KLINE_PERIODS)) {
      if (longerS <= periodS || longerS % periodS !== 0) continue;
      for (const startS of new Set(rows.map(([start]) => candleStart(longerS, start)))) {
        await this.#sumUp(marketId, periodS, longerS, startS);
      }
    }
  }

  /** A longer candle is what those in it give. Source: domain 8. */
  async #sumUp(marketId: number, periodS: number, longerS: number, startS: number): Promise<void> {
    const parts = await this.#db
      .selectFrom("klines")
      .selectAll()
      .where("market_id", "=", BigInt(marketId))
      .where("price_type", "=", BigInt(LATEST_PRICE))
      .where("period_s", "=", BigInt(periodS))
      .where("start_s", ">=", BigInt(startS))
      .where("start_s", "<", BigInt(startS + longerS))
      .orderBy("start_s")
      .execute();
    const [first, last] = [parts[0], parts.at(-1)];
    if (first === undefined || last === undefined) return;
    let { high, low } = first;
    let volume = 0n;
    let value = 0n;
    for (const part of parts) {
      if (part.high > high) high = part.high;
      if (part.low < low) low = part.low;
      volume += BigInt(part.volume);
      value += BigInt(part.value);
    }
    const row = { market_id: marketId, price_type: LATEST_PRICE, period_s: longerS, start_s: startS, high, low };
    const ends = { open: first.open, close: last.close };
    this.#replace({ ...row, ...ends, volume: volume.toString(), value: value.toString() });
  }
}
