import { type Kysely, sql } from "kysely";
import { type Page, type PageRequest, pageOf, windowOf } from "../page.ts";
import type { TablesOf } from "../table.ts";
import type { rebateRows } from "./tables.ts";

type Db = Kysely<TablesOf<typeof rebateRows>>;

export interface TotalsQuery {
  readonly userId: number;
  /** Invited users, or agents. */
  readonly of: readonly number[];
}

/** Values in 10^-8. */
export interface RebateTotals {
  readonly id: number;
  readonly users: number;
  readonly spotValue: bigint;
  readonly spotFee: bigint;
  readonly futuresValue: bigint;
  readonly futuresFee: bigint;
  readonly spotUsd: bigint;
  readonly spotCoin: bigint;
  readonly futuresUsd: bigint;
  readonly futuresCoin: bigint;
  readonly uplineUsd: bigint;
  readonly uplineCoin: bigint;
  readonly firstDealMs: number;
  readonly firstDealValue: bigint;
}

export interface RebateQuery extends PageRequest {
  readonly userId: number;
  /** As the inviter, or as whose agent the inviter is. */
  readonly as: "referrer" | "upline";
  /** Only of these invited users. */
  readonly of?: readonly number[] | undefined;
  /** Both bounds are inclusive, in ms. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

export interface RebatePage extends Page<RebateTotals> {
  /** Rows in all. */
  readonly total: number;
}

const SUMS = [
  "spot_value",
  "spot_fee",
  "futures_value",
  "futures_fee",
  "spot_usd",
  "spot_coin",
  "futures_usd",
  "futures_coin",
  "upline_usd",
  "upline_coin",
  "first_deal_ms",
  "first_deal_value",
] as const;

const COLUMN = { referrer: "referrer_id", upline: "upline_id" } as const;

export function refereeTotalsOf(db: Db, { userId, of }: TotalsQuery): Promise<RebateTotals[]> {
  return totals(db, "referee_id", "referrer_id", userId, "referee_id", of);
}

export function agentTotalsOf(db: Db, { userId, of }: TotalsQuery): Promise<RebateTotals[]> {
  return totals(db, "referrer_id", "upline_id", userId, "referrer_id", of);
}

async function totals(
  db: Db,
  by: "referee_id" | "referrer_id",
  owner: "referrer_id" | "upline_id",
  userId: number,
  listed: "referee_id" | "referrer_id",
  of: readonly number[],
): Promise<RebateTotals[]> {
  if (of.length === 0) return [];
  const rows = await selected(
    db.selectFrom("rebates").where(owner, "=", BigInt(userId)).where(listed, "in", of.map(BigInt)),
    by,
  )
    .groupBy(by)
    .execute();
  return rows.map(totalsOf);
}

/** One row per day. */
export function rebateDaysOf(db: Db, query: RebateQuery): Promise<RebatePage> {
  return page(db, query, "day_ms");
}

/** One row per day and invited user. */
export async function rebateDetailsOf(
  db: Db,
  query: RebateQuery,
): Promise<RebatePage & { readonly days: readonly number[] }> {
  const { skip, take } = windowOf(query);
  const { total } = await asked(db, query)
    .select(({ fn }) => fn.countAll<bigint>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await asked(db, query)
    .selectAll()
    .orderBy("day_ms", "desc")
    .orderBy("referee_id", "desc")
    .limit(take)
    .offset(skip)
    .execute();
  const shown = rows.map((row) => totalsOf({ ...row, id: row.referee_id, users: 1n }));
  return {
    ...pageOf(shown, query.limit),
    total: Number(total),
    days: rows.slice(0, query.limit).map(({ day_ms }) => Number(day_ms)),
  };
}

async function page(db: Db, query: RebateQuery, by: "day_ms"): Promise<RebatePage> {
  const { skip, take } = windowOf(query);
  const { total } = await asked(db, query)
    .select(sql<bigint>`count(distinct day_ms)`.as("total"))
    .executeTakeFirstOrThrow();
  const rows = await selected(asked(db, query), by).groupBy(by).orderBy(by, "desc").limit(take).offset(skip).execute();
  return { ...pageOf(rows.map(totalsOf), query.limit), total: Number(total) };
}

function asked(db: Db, { userId, as, of, startTime, endTime }: RebateQuery) {
  let rows = db.selectFrom("rebates").where(COLUMN[as], "=", BigInt(userId));
  if (of !== undefined) rows = rows.where("referee_id", "in", of.map(BigInt));
  if (startTime !== undefined) rows = rows.where("day_ms", ">=", BigInt(startTime));
  if (endTime !== undefined) rows = rows.where("day_ms", "<=", BigInt(endTime));
  return rows;
}

type Rows = ReturnType<typeof asked>;
type Row = Record<(typeof SUMS)[number] | "id" | "users", bigint>;

function selected(rows: Rows, by: "referee_id" | "referrer_id" | "day_ms") {
  return rows.select([
    sql<bigint>`${sql.ref(by)}`.as("id"),
    sql<bigint>`count(distinct case when spot_value + futures_value > 0 then referee_id end)`.as("users"),
    ...SUMS.map((name) => sql<bigint>`sum(${sql.ref(name)})`.as(name)),
  ]) as unknown as { groupBy(by: string): Selected };
}

/** The part of the builder's types that is left after columns made by a list. */
interface Selected {
  orderBy(by: string, direction: "desc"): Selected;
  limit(rows: bigint): Selected;
  offset(rows: bigint): Selected;
  execute(): Promise<Row[]>;
}

function totalsOf(row: Row): RebateTotals {
  return {
    id: Number(row.id),
    users: Number(row.users),
    spotValue: row.spot_value,
    spotFee: row.spot_fee,
    futuresValue: row.futures_value,
    futuresFee: row.futures_fee,
    spotUsd: row.spot_usd,
    spotCoin: row.spot_coin,
    futuresUsd: row.futures_usd,
    futuresCoin: row.futures_coin,
    uplineUsd: row.upline_usd,
    uplineCoin: row.upline_coin,
    firstDealMs: Number(row.first_deal_ms),
    firstDealValue: row.first_deal_value,
  };
}
