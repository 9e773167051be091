import type { Kysely } from "kysely";
import { type Page, type PageRequest, pageOf, windowOf } from "../page.ts";
import type { TablesOf } from "../table.ts";
import type { LIQUIDATION_TABLES } from "./tables.ts";

type Db = Kysely<TablesOf<(typeof LIQUIDATION_TABLES)[number]>>;

interface InTime extends PageRequest {
  readonly marketId: number;
  /** Both bounds are inclusive, in ms. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

export type LiquidationsQuery = InTime;

export interface DeleveragingsQuery extends InTime {
  readonly userId: number;
  readonly positionId: number;
}

/** A position that the venue took over, whoever had it. Prices in ticks; 0 = none. */
export interface LiquidationRow {
  readonly at: number;
  readonly isShort: boolean;
  readonly lots: bigint;
  readonly liqPrice: bigint;
  readonly bkrPrice: bigint;
}

/** A position, or part of it, that was closed against one that the venue took over. */
export interface DeleveragingRow {
  readonly at: number;
  readonly positionId: number;
  readonly dealId: number;
  readonly isShort: boolean;
  readonly lots: bigint;
  readonly price: bigint;
}

/** Newest first. */
export async function liquidationsOf(db: Db, query: LiquidationsQuery): Promise<Page<LiquidationRow>> {
  const { skip, take } = windowOf(query);
  let rows = db.selectFrom("liquidations").selectAll().where("market_id", "=", BigInt(query.marketId));
  if (query.startTime !== undefined) rows = rows.where("time_ms", ">=", BigInt(query.startTime));
  if (query.endTime !== undefined) rows = rows.where("time_ms", "<=", BigInt(query.endTime));
  const page = await rows.orderBy("liquidation_id", "desc").limit(take).offset(skip).execute();
  const shown = page.map((row) => ({
    at: Number(row.time_ms),
    isShort: row.is_short !== 0n,
    lots: row.lots,
    liqPrice: row.liq_price,
    bkrPrice: row.bkr_price,
  }));
  return pageOf(shown, query.limit);
}

/** Newest first; none when the position is another's. */
export async function deleveragingsOf(db: Db, query: DeleveragingsQuery): Promise<Page<DeleveragingRow>> {
  const { skip, take } = windowOf(query);
  let rows = db
    .selectFrom("deleveragings")
    .selectAll()
    .where("position_id", "=", BigInt(query.positionId))
    .where("user_id", "=", BigInt(query.userId))
    .where("market_id", "=", BigInt(query.marketId));
  if (query.startTime !== undefined) rows = rows.where("time_ms", ">=", BigInt(query.startTime));
  if (query.endTime !== undefined) rows = rows.where("time_ms", "<=", BigInt(query.endTime));
  const page = await rows.orderBy("deal_id", "desc").limit(take).offset(skip).execute();
  const shown = page.map((row) => ({
    at: Number(row.time_ms),
    positionId: Number(row.position_id),
    dealId: Number(row.deal_id),
    isShort: row.is_short !== 0n,
    lots: row.lots,
    price: row.price,
  }));
  return pageOf(shown, query.limit);
}
