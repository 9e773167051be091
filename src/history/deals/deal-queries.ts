import { type Selectable, sql } from "kysely";
import { ACCOUNTS, type Account, SIDES, type Side } from "../../engine/command.ts";
import { DEAL_FLAG, dealAccount, type OWN_DEAL_FIELDS, type PublicDeal } from "../../engine/event.ts";
import type { RecordOf } from "../../engine/record.ts";
import { type Page, type PageRequest, pageOf, windowOf } from "../page.ts";
import type { OpenTables } from "../part.ts";
import type { dealPositions } from "../positions/tables.ts";
import type { IdRange } from "../segments.ts";
import type { RowOf, TablesOf } from "../table.ts";
import type { DealClock } from "./deal-clock.ts";
import { type DEAL_TABLES, type dealRows, userDeals } from "./tables.ts";

type Tables = OpenTables<TablesOf<(typeof DEAL_TABLES)[number] | typeof dealPositions>>;
type Db = Tables["db"];
/** Sides of deals by user. */
export const BY_USER = { rows: userDeals, list: "deal_segments" } as const;

type DealRecord = Selectable<RowOf<typeof dealRows>>;

export interface UserDealsQuery extends PageRequest {
  readonly userId: number;
  readonly account: Account;
  /** Undefined: every market of the account. */
  readonly marketId: number | undefined;
  /** The user's own side. */
  readonly side?: Side | undefined;
  /** Both bounds are inclusive, in ms. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

export interface OrderDealsQuery extends PageRequest {
  readonly userId: number;
  readonly account: Account;
  /** Undefined: whatever market the order is of. */
  readonly marketId: number | undefined;
  readonly orderId: number;
}

export interface MarketDealsQuery {
  readonly marketId: number;
  /** Only deals with a higher id; 0 for all. */
  readonly lastId: number;
  readonly limit: number;
}

/** One side of an execution, as its owner sees it; `side` is the owner's. */
export interface UserDeal extends RecordOf<typeof OWN_DEAL_FIELDS> {
  readonly account: Account;
  readonly side: Side;
  readonly role: "taker" | "maker";
  /** Units of the fee's asset. */
  readonly fee: bigint;
  readonly feeAssetId: number;
}

/**
 * The deals of a user, in a market or in every one, newest first. A deal with oneself gives two rows: both sides belong
 * to the user.
 */
export async function userDealsOf(tables: Tables, clock: DealClock, query: UserDealsQuery): Promise<Page<UserDeal>> {
  const { db, segments } = tables;
  const range = await dealsWithin(clock, query);
  const idsOf = (side: Side | undefined) => userDealIds(tables, query, side, range);
  // An index has the order of one market and side; over all markets what the user has in a segment is sorted.
  const page = segments.page(
    query.side === undefined && query.marketId !== undefined ? [idsOf("buy"), idsOf("sell")] : [idsOf(query.side)],
    BY_USER,
    { ...windowOf(query), last: "side" },
  );
  const rows = await db
    .selectFrom(page.as("page"))
    .crossJoin("deals")
    .whereRef("deals.deal_id", "=", "page.deal_id")
    .selectAll("deals")
    .select("page.side")
    .select([positionOf("taker"), positionOf("maker")])
    .orderBy("deals.deal_id", "desc")
    .orderBy("page.side")
    .execute();
  return pageOf(
    rows.map((row) => userDealOf(row, Number(row.side) === takerSideOf(row) ? "taker" : "maker")),
    query.limit,
  );
}

/** The deals of one order of the user, newest first; none when the order is another's. */
export async function orderDealsOf(db: Db, query: OrderDealsQuery): Promise<Page<UserDeal>> {
  const { skip, take } = windowOf(query);
  const page = db
    .selectFrom("order_deals")
    .select("deal_id")
    .where("order_id", "=", BigInt(query.orderId))
    .orderBy("deal_id", "desc")
    .limit(take)
    .offset(skip);
  const rows = await db
    .selectFrom(page.as("page"))
    .crossJoin("deals")
    .whereRef("deals.deal_id", "=", "page.deal_id")
    .selectAll("deals")
    .select([positionOf("taker"), positionOf("maker")])
    .orderBy("deals.deal_id", "desc")
    .execute();
  const deals = rows
    .filter((row) => query.marketId === undefined || Number(row.market_id) === query.marketId)
    .map((row) => ({
      row,
      role: Number(row.taker_order_id) === query.orderId ? ("taker" as const) : ("maker" as const),
    }))
    .filter(({ row, role }) => Number(role === "taker" ? row.taker_user_id : row.maker_user_id) === query.userId)
    .map(({ row, role }) => userDealOf(row, role))
    .filter(({ account }) => account === query.account);
  return pageOf(deals, query.limit);
}

/** The newest deals of a market with an id above `lastId`, newest first. */
export async function marketDealsOf(db: Db, query: MarketDealsQuery): Promise<PublicDeal[]> {
  const rows = await db
    .selectFrom("deals")
    .select(["deal_id", "time_ms", "flags", "price", "lots"])
    .where("market_id", "=", BigInt(query.marketId))
    .where("deal_id", ">", BigInt(query.lastId))
    .orderBy("deal_id", "desc")
    .limit(BigInt(query.limit))
    .execute();
  return rows.map(publicDealOf);
}

function publicDealOf(row: Pick<DealRecord, "deal_id" | "time_ms" | "flags" | "price" | "lots">): PublicDeal {
  return {
    dealId: Number(row.deal_id),
    createdAt: Number(row.time_ms),
    side: SIDES[takerSideOf(row)] as Side,
    price: row.price,
    lots: row.lots,
  };
}

/** An execution with both its sides. */
export interface WholeDeal extends PublicDeal {
  readonly marketId: number;
  readonly takerUserId: number;
  readonly takerOrderId: number;
  readonly makerUserId: number;
  readonly makerOrderId: number;
}

export async function dealOf(db: Db, { dealId }: { readonly dealId: number }): Promise<WholeDeal | undefined> {
  const row = await db.selectFrom("deals").selectAll().where("deal_id", "=", BigInt(dealId)).executeTakeFirst();
  return (
    row && {
      ...publicDealOf(row),
      marketId: Number(row.market_id),
      takerUserId: Number(row.taker_user_id),
      takerOrderId: Number(row.taker_order_id),
      makerUserId: Number(row.maker_user_id),
      makerOrderId: Number(row.maker_order_id),
    }
  );
}

/** Deals within a span of time; both bounds are inclusive. */
export async function dealsWithin(
  clock: DealClock,
  { startTime, endTime }: Pick<UserDealsQuery, "startTime" | "endTime">,
): Promise<IdRange> {
  return {
    first: BigInt(startTime === undefined ? 0 : await clock.firstIdAt(startTime)),
    last: BigInt(endTime === undefined ? Number.MAX_SAFE_INTEGER : (await clock.firstIdAt(endTime + 1)) - 1),
  };
}

/** Ids of one side, or of both. */
function userDealIds({ db, segments }: Tables, query: UserDealsQuery, side: Side | undefined, range: IdRange) {
  let ids = segments
    .from(db, BY_USER, range)
    .select(["rows.deal_id as deal_id", "rows.side as side"])
    .where("rows.user_id", "=", BigInt(query.userId))
    .where("rows.account", "=", BigInt(ACCOUNTS.indexOf(query.account)));
  if (query.marketId !== undefined) ids = ids.where("rows.market_id", "=", BigInt(query.marketId));
  return side === undefined ? ids : ids.where("rows.side", "=", BigInt(SIDES.indexOf(side)));
}

function takerSideOf(row: Pick<DealRecord, "flags">): 0 | 1 {
  return Number(row.flags) & DEAL_FLAG.sell ? 1 : 0;
}

/** The position that the deal changed on one side of it. */
function positionOf(role: "taker" | "maker") {
  const order = sql.ref(`deals.${role}_order_id`);
  return sql<bigint | null>`(
    select position_id from deal_positions where deal_positions.deal_id = deals.deal_id and order_id = ${order}
  )`.as(`${role}_position_id`);
}

type DealRow = DealRecord & {
  readonly taker_position_id: bigint | null;
  readonly maker_position_id: bigint | null;
};

function userDealOf(row: DealRow, role: "taker" | "maker"): UserDeal {
  const isTaker = role === "taker";
  const takerSide = takerSideOf(row);
  return {
    dealId: Number(row.deal_id),
    createdAt: Number(row.time_ms),
    marketId: Number(row.market_id),
    account: dealAccount(Number(row.flags), isTaker ? DEAL_FLAG.takerMargin : DEAL_FLAG.makerMargin),
    orderId: Number(isTaker ? row.taker_order_id : row.maker_order_id),
    side: SIDES[isTaker ? takerSide : 1 - takerSide] as Side,
    role,
    price: row.price,
    lots: row.lots,
    value: row.value,
    positionId: Number((isTaker ? row.taker_position_id : row.maker_position_id) ?? 0),
    fee: isTaker ? row.taker_fee : row.maker_fee,
    feeAssetId: Number(isTaker ? row.taker_fee_asset_id : row.maker_fee_asset_id),
  };
}
