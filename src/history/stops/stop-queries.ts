import type { Kysely, Selectable } from "kysely";
import { ACCOUNTS, type Account, orderTraits, SIDES, type Side, triggerTypeOf } from "../../engine/command.ts";
import { directionOf, type StopRecord } from "../../engine/stops/stop-event.ts";
import { type Page, type PageRequest, pageOf, windowOf } from "../page.ts";
import type { RowOf, TablesOf } from "../table.ts";
import { type firedStops, stopRows } from "./tables.ts";

type Db = Kysely<TablesOf<typeof firedStops>>;

export interface FiredStopsQuery extends PageRequest {
  readonly userId: number;
  readonly account: Account;
  readonly marketId?: number | undefined;
  readonly side?: Side | undefined;
  /** When it was placed, in ms; both bounds are inclusive. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** A stop order that fired. */
export interface FiredStop extends StopRecord {
  /** The order that it became; 0 when that was refused, */
  readonly orderId: number;
  /** by this number; else 0. */
  readonly refusal: number;
}

/** Stop orders that fired, whether their order was taken or not, newest stop id first. */
export async function firedStopsOf(db: Db, query: FiredStopsQuery): Promise<Page<FiredStop>> {
  const { skip, take } = windowOf(query);
  let rows = db
    .selectFrom("fired_stops")
    .selectAll()
    .where("user_id", "=", BigInt(query.userId))
    .where("account", "=", BigInt(ACCOUNTS.indexOf(query.account)));
  if (query.marketId !== undefined) rows = rows.where("market_id", "=", BigInt(query.marketId));
  if (query.side !== undefined) rows = rows.where("side", "=", BigInt(SIDES.indexOf(query.side)));
  if (query.startTime !== undefined) rows = rows.where("created_ms", ">=", BigInt(query.startTime));
  if (query.endTime !== undefined) rows = rows.where("created_ms", "<=", BigInt(query.endTime));
  const page = await rows.orderBy("stop_id", "desc").limit(take).offset(skip).execute();
  return pageOf(page.map(stopOf), query.limit);
}

/** A stop order that fired, in a market of a user's where these are given; undefined when it is none. */
export async function firedStopOf(
  db: Db,
  { stopId, userId, marketId }: { readonly stopId: number; readonly userId?: number; readonly marketId?: number },
): Promise<FiredStop | undefined> {
  let rows = db.selectFrom("fired_stops").selectAll().where("stop_id", "=", BigInt(stopId));
  if (userId !== undefined) rows = rows.where("user_id", "=", BigInt(userId));
  if (marketId !== undefined) rows = rows.where("market_id", "=", BigInt(marketId));
  const row = await rows.executeTakeFirst();
  return row && stopOf(row);
}

function stopOf(row: Selectable<RowOf<typeof firedStops>>): FiredStop {
  const flags = Number(row.flags);
  return {
    ...stopRows.fieldsOf(row),
    ...orderTraits(flags),
    triggerType: triggerTypeOf(flags),
    direction: directionOf(flags),
    orderId: Number(row.order_id),
    refusal: Number(row.refusal),
  };
}
