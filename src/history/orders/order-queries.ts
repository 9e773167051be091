import type { Kysely, Selectable } from "kysely";
import { ACCOUNTS, type Account, aimOf, FLAG, orderTraits, SIDES, type Side } from "../../engine/command.ts";
import { type OrderRecord, orderStatus } from "../../engine/event.ts";
import { type Page, type PageRequest, pageOf, windowOf } from "../page.ts";
import type { Segments } from "../segments.ts";
import type { RowOf, TablesOf } from "../table.ts";
import { ANY_MARKET, type endedOrders, type ORDER_TABLES, orderRows, userOrders } from "./tables.ts";

const BY_USER = { rows: userOrders, list: "order_segments" } as const;

type Db = Kysely<TablesOf<(typeof ORDER_TABLES)[number]>>;

export interface FinishedOrdersQuery extends PageRequest {
  readonly userId: number;
  readonly account: Account;
  readonly marketId?: number | undefined;
  readonly side?: Side | undefined;
  readonly clientId?: string | undefined;
  /** When it was placed, in ms; both bounds are inclusive. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

export interface EndedOrdersQuery {
  readonly userId: number;
  readonly marketId: number;
  readonly orderIds: readonly number[];
}

/**
 * Ended orders with a fill, newest order id first, that is by creation: the id is the order's place in time that
 * nothing changes later. Source: contract/README.md, convention 2, "newest first"; by id is what the ancestor engine
 * does.
 */
export async function finishedOrders(
  db: Db,
  segments: Segments,
  query: FinishedOrdersQuery,
): Promise<Page<OrderRecord>> {
  const placed = await placedWithin(db, query);
  const idsOf = (side: Side) => orderIds(db, segments, query, side, placed);
  const page = segments.page(
    query.side === undefined ? [idsOf("buy"), idsOf("sell")] : [idsOf(query.side)],
    BY_USER,
    windowOf(query),
  );
  const rows = await db
    .selectFrom(page.as("page"))
    .crossJoin("ended_orders")
    .whereRef("ended_orders.order_id", "=", "page.order_id")
    .selectAll("ended_orders")
    .orderBy("ended_orders.order_id", "desc")
    .execute();
  return pageOf(rows.map(orderOf), query.limit);
}

/** Those of the asked orders that ended with a fill and belong to the user and the market, in no particular order. */
export async function endedOrdersOf(db: Db, query: EndedOrdersQuery): Promise<OrderRecord[]> {
  if (query.orderIds.length === 0) return [];
  const rows = await db
    .selectFrom("ended_orders")
    .selectAll()
    .where("order_id", "in", query.orderIds.map(BigInt))
    .where("user_id", "=", BigInt(query.userId))
    .where("market_id", "=", BigInt(query.marketId))
    .execute();
  return rows.map(orderOf);
}

/** The order that ended with a fill, whosever it is; undefined when there is none. */
export async function endedOrderOf(
  db: Db,
  { orderId }: { readonly orderId: number },
): Promise<OrderRecord | undefined> {
  const row = await db
    .selectFrom("ended_orders")
    .selectAll()
    .where("order_id", "=", BigInt(orderId))
    .executeTakeFirst();
  return row && orderOf(row);
}

interface IdRange {
  readonly first: number;
  /** Excluded. */
  readonly end: number;
}

async function placedWithin(db: Db, { startTime, endTime }: FinishedOrdersQuery): Promise<IdRange | undefined> {
  if (startTime === undefined && endTime === undefined) return undefined;
  return {
    first: startTime === undefined ? 0 : await firstIdAt(db, startTime),
    end: endTime === undefined ? Number.MAX_SAFE_INTEGER : await firstIdAt(db, endTime + 1),
  };
}

/** An id from which on all orders were placed at `timeMs` or later, and below which none were: ids rise with time. */
async function firstIdAt(db: Db, timeMs: number): Promise<number> {
  const from = (orderId: number) =>
    db
      .selectFrom("ended_orders")
      .select(["order_id", "created_ms"])
      .where("order_id", ">=", BigInt(orderId))
      .orderBy("order_id")
      .limit(1n)
      .executeTakeFirst();
  const { last } = await db
    .selectFrom("ended_orders")
    .select(({ fn }) => fn.max("order_id").as("last"))
    .executeTakeFirstOrThrow();
  let low = 0;
  let high = Number(last ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const next = await from(middle);
    if (next === undefined || Number(next.created_ms) >= timeMs) high = middle;
    else low = Number(next.order_id) + 1;
  }
  return low;
}

/** Ids of one side. */
function orderIds(db: Db, segments: Segments, query: FinishedOrdersQuery, side: Side, placed: IdRange | undefined) {
  const ids = segments
    .from(db, BY_USER)
    .select("rows.order_id as order_id")
    .where("rows.user_id", "=", BigInt(query.userId))
    .where("rows.account", "=", BigInt(ACCOUNTS.indexOf(query.account)))
    .where("rows.market_id", "=", BigInt(query.marketId ?? ANY_MARKET))
    .where("rows.client_id", "=", query.clientId ?? "")
    .where("rows.side", "=", BigInt(SIDES.indexOf(side)));
  if (placed === undefined) return ids;
  return ids.where("rows.order_id", ">=", BigInt(placed.first)).where("rows.order_id", "<", BigInt(placed.end));
}

function orderOf(row: Selectable<RowOf<typeof endedOrders>>): OrderRecord {
  const flags = Number(row.flags);
  const isFutures = (flags & FLAG.futures) !== 0;
  return {
    ...orderRows.fieldsOf(row),
    ...orderTraits(flags),
    aim: aimOf(flags),
    status: orderStatus(flags),
    discountFee: isFutures ? 0n : row.discount_fee,
    realizedPnl: isFutures ? row.discount_fee : 0n,
  };
}
