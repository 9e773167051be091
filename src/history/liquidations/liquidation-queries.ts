import type { Kysely } from "kysely";
import type { RecordOf } from "../../engine/record.ts";
import { type Page, type PageRequest, pageOf, windowOf } from "../page.ts";
import type { TablesOf } from "../table.ts";
import {
  type DELEVERAGING_FIELDS,
  deleveragingRecords,
  type LIQUIDATION_FIELDS,
  type LIQUIDATION_TABLES,
  liquidationRecords,
} from "./tables.ts";

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

export type LiquidationRow = RecordOf<typeof LIQUIDATION_FIELDS>;
export type DeleveragingRow = RecordOf<typeof DELEVERAGING_FIELDS>;

/** Newest first. */
export async function liquidationsOf(db: Db, query: LiquidationsQuery): Promise<Page<LiquidationRow>> {
  const { skip, take } = windowOf(query);
  let rows = db.selectFrom("liquidations").selectAll().where("market_id", "=", BigInt(query.marketId));
  if (query.startTime !== undefined) rows = rows.where("time_ms", ">=", BigInt(query.startTime));
  if (query.endTime !== undefined) rows = rows.where("time_ms", "<=", BigInt(query.endTime));
  const page = await rows.orderBy("liquidation_id", "desc").limit(take).offset(skip).execute();
  return pageOf(page.map(liquidationRecords.fieldsOf), query.limit);
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
  return pageOf(page.map(deleveragingRecords.fieldsOf), query.limit);
}
