import type { Kysely, Selectable } from "kysely";
import type { RowOf, TablesOf } from "../table.ts";
import {
  type Candle,
  candleStart,
  KLINE_PERIODS,
  type KlinePeriod,
  PRICE_TYPES,
  type PriceType,
  withoutGaps,
} from "./kline.ts";
import type { CANDLE_TABLES, klineRows } from "./tables.ts";

type Db = Kysely<TablesOf<(typeof CANDLE_TABLES)[number]>>;

export interface KlinesQuery {
  readonly marketId: number;
  readonly period: KlinePeriod;
  readonly priceType: PriceType;
  /** Number of candles, the newest of those in range; at most KLINES_MAX. */
  readonly limit: number;
  /** Bounds of the candles' starts, inclusive, in ms. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  /** The venue's time: the last candle is the one that is open then. */
  readonly nowMs: number;
}

export interface TradedSecondsQuery {
  readonly marketId: number;
  /** First second of the answer. */
  readonly since: number;
}

/** The candle of one second, and what takers bought in it. Units as in Candle. */
export interface TradedSecond {
  readonly second: number;
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
  readonly volume: bigint;
  readonly value: bigint;
  readonly volumeBuy: bigint;
}

/** Bound of the contract on `limit`; also what one answer may cost. */
export const KLINES_MAX = 1000;

/**
 * Candles in ascending order, the open one last, without gaps from the first trade on: an empty candle is flat at the
 * close before it. Source: domain 8.
 */
export async function klinesOf(db: Db, query: KlinesQuery): Promise<Candle[]> {
  const { nowMs, startTime = 0, endTime = nowMs } = query;
  const periodS = KLINE_PERIODS[query.period];
  const lastS = candleStart(periodS, Math.floor(Math.min(endTime, nowMs) / 1000));
  const firstS = startingFrom(periodS, startTime);
  const fromS = Math.max(firstS, lastS - (Math.min(query.limit, KLINES_MAX) - 1) * periodS);
  if (fromS > lastS) return [];
  const series = db
    .selectFrom("klines")
    .selectAll()
    .where("market_id", "=", BigInt(query.marketId))
    .where("price_type", "=", BigInt(PRICE_TYPES.indexOf(query.priceType)))
    .where("period_s", "=", BigInt(periodS));
  const traded = await series
    .where("start_s", ">=", BigInt(fromS))
    .where("start_s", "<=", BigInt(lastS))
    .orderBy("start_s")
    .execute();
  const before = await series
    .where("start_s", "<", BigInt(fromS))
    .orderBy("start_s", "desc")
    .limit(1n)
    .executeTakeFirst();
  return withoutGaps(traded.map(candleOf), before && candleOf(before), fromS, lastS, periodS);
}

/**
 * The seconds with trades from `since` on, ascending; the newest one in any case, because it tells the last price. Kept
 * are those of the ticker's window.
 */
export async function tradedSecondsOf(db: Db, query: TradedSecondsQuery): Promise<TradedSecond[]> {
  const seconds = db.selectFrom("traded_seconds").where("market_id", "=", BigInt(query.marketId));
  const newest = await seconds.select("second").orderBy("second", "desc").limit(1n).executeTakeFirst();
  if (newest === undefined) return [];
  const since = Math.min(query.since, Number(newest.second));
  const rows = await seconds.selectAll().where("second", ">=", BigInt(since)).orderBy("second").execute();
  return rows.map(({ second, open, high, low, close, volume, value, volume_buy }) => ({
    second: Number(second),
    open,
    high,
    low,
    close,
    volume: BigInt(volume),
    value: BigInt(value),
    volumeBuy: BigInt(volume_buy),
  }));
}

/** Start of the first candle that does not start before `timeMs`. */
function startingFrom(periodS: number, timeMs: number): number {
  const second = Math.ceil(timeMs / 1000);
  const startS = candleStart(periodS, second);
  return startS === second ? startS : startS + periodS;
}

function candleOf({ start_s, open, high, low, close, volume, value }: Selectable<RowOf<typeof klineRows>>): Candle {
  return { createdAt: Number(start_s) * 1000, open, high, low, close, volume: BigInt(volume), value: BigInt(value) };
}
