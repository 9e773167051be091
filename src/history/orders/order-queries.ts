import type { Kysely, Selectable } from "kysely";
import { ACCOUNTS, type Account, aimOf, FLAG, orderTraits, SIDES, type Side } from "../../engine/command.ts";
import { ORDER_FLAG, ORDER_STATUSES, type OrderRecord, type OrderStatus } from "../../engine/event.ts";
import { type Page, type PageRequest, pageOf, windowOf } from "../page.ts";
import type { RowOf, TablesOf } from "../table.ts";
import { ANY_MARKET, type endedOrders, type ORDER_TABLES } from "./tables.ts";

type Db = Kysely<TablesOf<(typeof ORDER_TABLES)[number]>>;

export interface FinishedOrdersQuery extends PageRequest {
  readonly userId: number;
  readonly account: Account;
  readonly marketId?: number | undefined;
  readonly side?: Side | undefined;
  readonly clientId?: string | undefined;
}

export interface EndedOrdersQuery {
  readonly userId: number;
  readonly marketId: number;
  readonly orderIds: readonly number[];
}

/**
 * Ended orders with a fill, newest order id first, that is by creation: the id is the order's place in time that nothing
 * changes later. Source: contract/README.md, convention 2, "newest first"; by id is what the ancestor engine does.
 */
export async function finishedOrders(db: Db, query: FinishedOrdersQuery): Promise<Page<OrderRecord>> {
  const { skip, take } = windowOf(query);
  const ids =
    query.side === undefined
      ? orderIds(db, query, "buy").unionAll(orderIds(db, query, "sell"))
      : orderIds(db, query, query.side);
  const page = ids.orderBy("segment", "desc").orderBy("order_id", "desc").limit(take).offset(skip);
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

/** Ids of one side. The join with the segments is crossed, which keeps SQLite walking them from the newest on. */
function orderIds(db: Db, query: FinishedOrdersQuery, side: Side) {
  return db
    .selectFrom("order_segments as segments")
    .crossJoin("user_orders as orders")
    .select(["segments.segment as segment", "orders.order_id as order_id"])
    .whereRef("orders.segment", "=", "segments.segment")
    .where("orders.user_id", "=", BigInt(query.userId))
    .where("orders.account", "=", BigInt(ACCOUNTS.indexOf(query.account)))
    .where("orders.market_id", "=", BigInt(query.marketId ?? ANY_MARKET))
    .where("orders.client_id", "=", query.clientId ?? "")
    .where("orders.side", "=", BigInt(SIDES.indexOf(side)));
}

function orderOf(row: Selectable<RowOf<typeof endedOrders>>): OrderRecord {
  const flags = Number(row.flags);
  const isFutures = (flags & FLAG.futures) !== 0;
  return {
    orderId: Number(row.order_id),
    userId: Number(row.user_id),
    marketId: Number(row.market_id),
    ...orderTraits(flags),
    aim: aimOf(flags),
    status: ORDER_STATUSES[(flags >> ORDER_FLAG.statusShift) & ORDER_FLAG.statusMask] as OrderStatus,
    price: row.price,
    amount: row.amount,
    left: row.unfilled,
    filledLots: row.filled_lots,
    filledValue: row.filled_value,
    baseFee: row.base_fee,
    quoteFee: row.quote_fee,
    discountFee: isFutures ? 0n : row.discount_fee,
    realizedPnl: isFutures ? row.discount_fee : 0n,
    makerFeeRateE8: Number(row.maker_fee_rate_e8),
    takerFeeRateE8: Number(row.taker_fee_rate_e8),
    lastFilledLots: row.last_filled_lots,
    lastFilledPrice: row.last_filled_price,
    createdAt: Number(row.created_ms),
    updatedAt: Number(row.updated_ms),
    clientId: row.client_id,
  };
}
