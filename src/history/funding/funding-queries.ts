import type { Kysely } from "kysely";
import { type Candle, PRICE_TYPES, type PriceType } from "../candles/kline.ts";
import type { klineRows } from "../candles/tables.ts";
import { type Page, type PageRequest, pageOf, windowOf } from "../page.ts";
import type { TablesOf } from "../table.ts";
import type { FUNDING_TABLES } from "./tables.ts";

type Db = Kysely<TablesOf<(typeof FUNDING_TABLES)[number] | typeof klineRows>>;

interface InMarket {
  readonly marketId: number;
  /** Both bounds are inclusive, in ms. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

export type FundingRatesQuery = InMarket & PageRequest;
/** The time may span a day at most. */
export type PremiumsQuery = Required<InMarket> & PageRequest;
export type BasisQuery = Required<InMarket>;

/** One collection of funding; rates in 10^-8. */
export interface FundingRow {
  readonly collectedAt: number;
  readonly rateE8: number;
  readonly actualRateE8: number;
}

/** One premium sample; the premium in 10^-8. */
export interface PremiumRow {
  readonly sampledAt: number;
  readonly premiumE8: number;
}

/** Where the latest price stood at an instant, and where the index; ticks. */
export interface BasisRow {
  readonly at: number;
  readonly latest: bigint;
  readonly index: bigint;
}

/** Newest first. */
export async function fundingRatesOf(db: Db, query: FundingRatesQuery): Promise<Page<FundingRow>> {
  const { skip, take } = windowOf(query);
  let rows = db.selectFrom("funding_rates").selectAll().where("market_id", "=", BigInt(query.marketId));
  if (query.startTime !== undefined) rows = rows.where("time_ms", ">=", BigInt(query.startTime));
  if (query.endTime !== undefined) rows = rows.where("time_ms", "<=", BigInt(query.endTime));
  const page = await rows.orderBy("time_ms", "desc").limit(take).offset(skip).execute();
  const shown = page.map(({ time_ms, rate_e8, actual_rate_e8 }) => ({
    collectedAt: Number(time_ms),
    rateE8: Number(rate_e8),
    actualRateE8: Number(actual_rate_e8),
  }));
  return pageOf(shown, query.limit);
}

/** Both histories have a row for every so many ms. */
export const ROW_EVERY_MS = 600_000;

/** Of every ten minutes the first sample, newest first. There are at most 1,440 samples a day to choose from. */
export async function premiumsOf(db: Db, query: PremiumsQuery): Promise<Page<PremiumRow>> {
  const { marketId, startTime, endTime, page, limit } = query;
  const samples = await db
    .selectFrom("premiums")
    .selectAll()
    .where("market_id", "=", BigInt(marketId))
    .where("time_ms", ">=", BigInt(startTime - (startTime % ROW_EVERY_MS)))
    .where("time_ms", "<=", BigInt(endTime))
    .orderBy("time_ms", "desc")
    .execute();
  const turnOf = (at: number) => Math.floor(Number(samples[at]?.time_ms ?? -1) / ROW_EVERY_MS);
  const rows = samples
    .filter((_, at) => turnOf(at) !== turnOf(at + 1))
    .map(({ time_ms, premium_e8 }) => ({ sampledAt: Number(time_ms), premiumE8: Number(premium_e8) }))
    .filter(({ sampledAt }) => sampledAt >= startTime);
  return pageOf(rows.slice((page - 1) * limit), limit);
}

/** Rows of the basis stand where these candles end. */
const CANDLE_S = 300;

/** Ascending; from the first instant on that knows both prices. What did not change since is what it was. */
export async function basisOf(db: Db, query: BasisQuery): Promise<BasisRow[]> {
  const latest = await closes(db, query, "latest_price");
  const index = await closes(db, query, "index_price");
  const rows: BasisRow[] = [];
  for (let at = firstInstant(query.startTime); at <= query.endTime; at += ROW_EVERY_MS) {
    const [price, reference] = [latest(at), index(at)];
    if (price !== undefined && reference !== undefined) rows.push({ at, latest: price, index: reference });
  }
  return rows;
}

function firstInstant(fromMs: number): number {
  return Math.ceil(fromMs / ROW_EVERY_MS) * ROW_EVERY_MS;
}

/** A reader of the price at instants that ascend. */
async function closes(
  db: Db,
  { marketId, startTime, endTime }: BasisQuery,
  priceType: PriceType,
): Promise<(atMs: number) => Candle["close"] | undefined> {
  const series = db
    .selectFrom("klines")
    .select(["start_s", "close"])
    .where("market_id", "=", BigInt(marketId))
    .where("price_type", "=", BigInt(PRICE_TYPES.indexOf(priceType)))
    .where("period_s", "=", BigInt(CANDLE_S));
  const fromS = BigInt(Math.floor(firstInstant(startTime) / 1_000));
  const before = await series.where("start_s", "<", fromS).orderBy("start_s", "desc").limit(1n).execute();
  const within = await series
    .where("start_s", ">=", fromS)
    .where("start_s", "<=", BigInt(Math.floor(endTime / 1_000)))
    .orderBy("start_s")
    .execute();
  const candles = [...before, ...within];
  let at = -1;
  return (instant) => {
    // A candle is over at an instant when it starts a whole length before.
    while (Number(candles[at + 1]?.start_s ?? Number.POSITIVE_INFINITY) + CANDLE_S <= instant / 1_000) at++;
    return candles[at]?.close;
  };
}
