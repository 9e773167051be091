import type { Kysely } from "kysely";
import { type Page, type PageRequest, pageOf, windowOf } from "../page.ts";
import type { TablesOf } from "../table.ts";
import type { poolIncomeRows } from "./tables.ts";

type Db = Kysely<TablesOf<typeof poolIncomeRows>>;

export interface PoolIncomeQuery extends PageRequest {
  readonly userId: number;
  readonly marketId: number;
  /** Both bounds are inclusive, in ms. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/**
 * A day of a provider: units of base and quote, what is worth something in quote units, his part of the pool in 10^-8.
 */
export interface PoolIncomeRow {
  /** ms of the midnight that ended it. */
  readonly endedAt: number;
  readonly base: bigint;
  readonly quote: bigint;
  readonly liquidity: bigint;
  readonly proportionE8: number;
  readonly dividends: bigint;
}

/** Newest first. */
export async function poolIncomeOf(db: Db, query: PoolIncomeQuery): Promise<Page<PoolIncomeRow>> {
  const { skip, take } = windowOf(query);
  let rows = db
    .selectFrom("pool_income")
    .selectAll()
    .where("user_id", "=", BigInt(query.userId))
    .where("market_id", "=", BigInt(query.marketId));
  if (query.startTime !== undefined) rows = rows.where("time_ms", ">=", BigInt(query.startTime));
  if (query.endTime !== undefined) rows = rows.where("time_ms", "<=", BigInt(query.endTime));
  const page = await rows.orderBy("time_ms", "desc").limit(take).offset(skip).execute();
  const shown = page.map((row) => ({
    endedAt: Number(row.time_ms),
    base: BigInt(row.base),
    quote: BigInt(row.quote),
    liquidity: BigInt(row.liquidity),
    proportionE8: Number(row.proportion_e8),
    dividends: BigInt(row.dividends),
  }));
  return pageOf(shown, query.limit);
}
