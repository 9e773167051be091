import { sql } from "kysely";
import { DEAL_FLAG } from "../../engine/event.ts";
import type { WordBuffer } from "../../engine/words.ts";
import type { PartWriter, TakeRareEvents, WrittenTables } from "../part.ts";
import type { TablesOf } from "../table.ts";
import { CandleImport } from "./import.ts";
import { candleStart, KLINE_PERIODS, PRICE_TYPES, type PriceType } from "./kline.ts";
import { type CANDLE_TABLES, klineRows, secondRows } from "./tables.ts";

type Tables = WrittenTables<TablesOf<(typeof CANDLE_TABLES)[number]>>;

/** Seconds kept behind the newest one of a market: the ticker's window, and an hour to spare. */
const TRADED_SECONDS_KEPT = 86_400 + 3600;
/** The older ones are deleted in steps of this many seconds. */
const PURGE_STEP_S = 600;

const SECOND = 1;
const PERIODS_S = Object.values(KLINE_PERIODS);

/** Trades of one second that have not been folded into the candles yet. */
interface Slice {
  second: number;
  first: bigint;
  high: bigint;
  low: bigint;
  last: bigint;
  volume: bigint;
  value: bigint;
  volumeBuy: bigint;
}

/** The newest candle of one length. */
interface OpenCandle {
  startS: number;
  open: bigint;
  high: bigint;
  low: bigint;
  close: bigint;
  volume: bigint;
  value: bigint;
  volumeBuy: bigint;
  /** Whether the tables lack something of it. */
  changed: boolean;
}

/** One price of one market. */
interface Series {
  readonly marketId: number;
  readonly priceType: PriceType;
  /** Newest candle of each length in `periods`; absent before the first trade. */
  readonly newest: (OpenCandle | undefined)[];
  readonly periods: readonly number[];
  lastPrice: bigint | undefined;
  slice: Slice | undefined;
  purgedUpToS: number;
}

/**
 * Keeps candles of every length up to date. A deal touches one small sum; the sum of a second is folded into the newest
 * candle of each length, and those that changed are written when the batch is.
 */
export class CandleWriter implements PartWriter {
  readonly #series = new Map<string, Series>();
  readonly #touched = new Set<Series>();
  readonly #import: CandleImport;
  readonly #sql: ReturnType<typeof statementsOf>;

  readonly rareEvents: TakeRareEvents = {
    index_price: ({ marketId, price }, timeMs) => this.#add("index_price", marketId, timeMs, BigInt(price), 0n, 0n, 0n),
    mark_price: ({ marketId, price }, timeMs) => this.#add("mark_price", marketId, timeMs, BigInt(price), 0n, 0n, 0n),
    candles_imported: async ({ marketId, periodS, rows }) => {
      // What was traded stands in the tables before, and what is at hand of them is read again.
      this.settle();
      await this.#import.store(marketId, periodS, rows);
      this.#series.delete(keyOf("latest_price", marketId));
    },
  };

  constructor(tables: Tables) {
    this.#sql = statementsOf(tables);
    this.#import = new CandleImport(tables);
  }

  /** Word positions as in decodeDeal of engine/event.ts. */
  deal({ i32, i64 }: WordBuffer, at: number, timeMs: number): undefined | Promise<void> {
    const takerSells = ((i32[at * 2 + 2] as number) & DEAL_FLAG.sell) !== 0;
    const marketId = i32[at * 2 + 1] as number;
    const lots = i64[at + 4] as bigint;
    const boughtLots = takerSells ? 0n : lots;
    return this.#add("latest_price", marketId, timeMs, i64[at + 3] as bigint, lots, i64[at + 5] as bigint, boughtLots);
  }

  /** Brings the tables up to date with every price so far. */
  settle(): void {
    for (const series of this.#touched) {
      this.#fold(series);
      series.newest.forEach((candle, at) => {
        if (candle?.changed) this.#store(series, at, candle);
      });
      this.#purge(series);
    }
    this.#touched.clear();
  }

  #add(
    priceType: PriceType,
    marketId: number,
    timeMs: number,
    price: bigint,
    lots: bigint,
    value: bigint,
    boughtLots: bigint,
  ): undefined | Promise<void> {
    const key = keyOf(priceType, marketId);
    const series = this.#series.get(key);
    if (series !== undefined) {
      this.#addTo(series, Math.floor(timeMs / 1000), price, lots, value, boughtLots);
      return undefined;
    }
    return this.#read(priceType, marketId).then((read) => {
      this.#series.set(key, read);
      this.#addTo(read, Math.floor(timeMs / 1000), price, lots, value, boughtLots);
    });
  }

  #addTo(series: Series, second: number, price: bigint, lots: bigint, value: bigint, boughtLots: bigint): void {
    let { slice } = series;
    if (slice !== undefined && slice.second !== second) {
      this.#fold(series);
      slice = undefined;
    }
    if (slice === undefined) {
      this.#touched.add(series);
      series.slice = {
        second,
        first: price,
        high: price,
        low: price,
        last: price,
        volume: lots,
        value,
        volumeBuy: boughtLots,
      };
      return;
    }
    if (price > slice.high) slice.high = price;
    if (price < slice.low) slice.low = price;
    slice.last = price;
    slice.volume += lots;
    slice.value += value;
    slice.volumeBuy += boughtLots;
  }

  #fold(series: Series): void {
    const { slice } = series;
    if (slice === undefined) return;
    series.periods.forEach((periodS, at) => {
      const startS = candleStart(periodS, slice.second);
      let candle = series.newest[at];
      if (candle?.startS !== startS) {
        if (candle?.changed) this.#store(series, at, candle);
        candle = newCandle(startS, series.lastPrice ?? slice.first);
        series.newest[at] = candle;
      }
      addSlice(candle, slice);
    });
    series.lastPrice = slice.last;
    series.slice = undefined;
  }

  #store(series: Series, at: number, candle: OpenCandle): void {
    const { marketId, priceType } = series;
    const periodS = series.periods[at] as number;
    const { startS, open, high, low, close } = candle;
    const prices = { open, high, low, close, volume: candle.volume.toString(), value: candle.value.toString() };
    const market = { market_id: marketId, ...prices };
    if (periodS === SECOND) {
      this.#sql.storeSecond({ ...market, second: startS, volume_buy: candle.volumeBuy.toString() });
    } else {
      const type = PRICE_TYPES.indexOf(priceType);
      this.#sql.storeKline({ ...market, price_type: type, period_s: periodS, start_s: startS });
    }
    candle.changed = false;
  }

  #purge(series: Series): void {
    const second = series.periods[0] === SECOND ? series.newest[0] : undefined;
    if (second === undefined) return;
    const upToS = Math.floor((second.startS - TRADED_SECONDS_KEPT) / PURGE_STEP_S) * PURGE_STEP_S;
    if (upToS <= series.purgedUpToS) return;
    this.#sql.deleteSeconds(series.marketId, upToS);
    series.purgedUpToS = upToS;
  }

  /** A series as the tables have it. */
  async #read(priceType: PriceType, marketId: number): Promise<Series> {
    // Only trades make a ticker, so only they are kept by the second.
    const periods = priceType === "latest_price" ? [SECOND, ...PERIODS_S] : PERIODS_S;
    const newest: (OpenCandle | undefined)[] = [];
    for (const periodS of periods) newest.push(await this.#newestCandle(priceType, marketId, periodS));
    const lastPrice = newest.at(-1)?.close;
    return { marketId, priceType, newest, periods, lastPrice, slice: undefined, purgedUpToS: 0 };
  }

  async #newestCandle(priceType: PriceType, marketId: number, periodS: number): Promise<OpenCandle | undefined> {
    const row =
      periodS === SECOND
        ? await this.#sql.newestSecond(marketId)
        : await this.#sql.newestKline(marketId, PRICE_TYPES.indexOf(priceType), periodS);
    if (row === undefined) return undefined;
    return {
      startS: Number(row["start_s"]),
      open: row["open"] as bigint,
      high: row["high"] as bigint,
      low: row["low"] as bigint,
      close: row["close"] as bigint,
      volume: BigInt(row["volume"] as string),
      value: BigInt(row["value"] as string),
      volumeBuy: BigInt((row["volume_buy"] ?? "0") as string),
      changed: false,
    };
  }
}

function keyOf(priceType: PriceType, marketId: number): string {
  return `${priceType} ${marketId}`;
}

function newCandle(startS: number, open: bigint): OpenCandle {
  return {
    startS,
    open,
    high: open,
    low: open,
    close: open,
    volume: 0n,
    value: 0n,
    volumeBuy: 0n,
    changed: true,
  };
}

function addSlice(candle: OpenCandle, slice: Slice): void {
  if (slice.high > candle.high) candle.high = slice.high;
  if (slice.low < candle.low) candle.low = slice.low;
  candle.close = slice.last;
  candle.volume += slice.volume;
  candle.value += slice.value;
  candle.volumeBuy += slice.volumeBuy;
  candle.changed = true;
}

/** A candle that is written again keeps its opening price. */
const GROWING = ["high", "low", "close", "volume", "value"] as const;

/** The statements of the hot path. The zeros only stand for parameters. */
function statementsOf({ db, inserter, statement, prepared }: Tables) {
  const deleteSeconds = db.deleteFrom("traded_seconds").where("market_id", "=", 0n).where("second", "<", 0n);
  const newestKline = db
    .selectFrom("klines")
    .selectAll()
    .where("market_id", "=", 0n)
    .where("price_type", "=", 0n)
    .where("period_s", "=", 0n)
    .orderBy("start_s", "desc")
    .limit(sql.lit(1));
  const newestSecond = db
    .selectFrom("traded_seconds")
    .selectAll()
    .select("second as start_s")
    .where("market_id", "=", 0n)
    .orderBy("second", "desc")
    .limit(sql.lit(1));
  return {
    storeKline: inserter(klineRows, GROWING),
    storeSecond: inserter(secondRows, [...GROWING, "volume_buy"]),
    deleteSeconds: statement(deleteSeconds),
    newestKline: prepared(newestKline),
    newestSecond: prepared(newestSecond),
  };
}
