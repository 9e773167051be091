import { sql } from "kysely";
import { ACCOUNTS } from "../../engine/command.ts";
import { DEAL_FLAG } from "../../engine/event.ts";
import { CELLS, type CellKind, cellKind } from "../../engine/ledger/cell.ts";
import { POSTINGS, type PostingKind, postingKind } from "../../engine/ledger/posting.ts";
import type { DealClock } from "../deals/deal-clock.ts";
import { BY_USER, dealsWithin } from "../deals/deal-queries.ts";
import type { DEAL_TABLES } from "../deals/tables.ts";
import { type Page, type PageRequest, pageOf } from "../page.ts";
import type { OpenTables } from "../part.ts";
import type { IdRange } from "../segments.ts";
import type { TablesOf } from "../table.ts";
import type { balanceChanges } from "./tables.ts";

type Tables = OpenTables<TablesOf<(typeof DEAL_TABLES)[number] | typeof balanceChanges>>;

export interface StatementQuery extends PageRequest {
  readonly userId: number;
  readonly assetId?: number | undefined;
  /** Only cells of these kinds. */
  readonly cells?: readonly CellKind[] | undefined;
  /** Absent: every kind. */
  readonly kinds?: readonly PostingKind[] | undefined;
  /** Only what adds to a cell, or only what takes from it. */
  readonly sign?: 1 | -1 | undefined;
  /** Both bounds are inclusive, in ms. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** A change of the total, available and frozen together, of one cell of a user. */
export interface StatementLine {
  /** Rises over all lines of all users. */
  readonly id: number;
  readonly createdAt: number;
  readonly account: CellKind;
  readonly marketId: number;
  readonly assetId: number;
  readonly kind: PostingKind;
  /** Units. */
  readonly change: bigint;
  /** Units that the cell held then. */
  readonly balance: bigint;
}

/**
 * The lines of a user, newest first: those of its fills, two or three each, and all others. Each fill that is read
 * gives at least one line, so that as many fills as lines are enough; one more, because a fill with oneself is read as
 * two.
 */
export async function statementOf(
  tables: Tables,
  clock: DealClock,
  query: StatementQuery,
): Promise<Page<StatementLine>> {
  const { kinds, page, limit } = query;
  const skip = (page - 1) * limit;
  const count = BigInt(skip + limit + 2);
  const isWanted = (line: StatementLine) =>
    (kinds === undefined || kinds.includes(line.kind)) &&
    (query.assetId === undefined || line.assetId === query.assetId) &&
    (query.sign === undefined || line.change > 0n === query.sign > 0);
  const fills = isOfFills(query) ? await fillLines(tables, clock, query, count) : [];
  const others = await otherLines(tables.db, query, count);
  const lines = [...fills.filter(isWanted), ...others].sort((left, right) => right.id - left.id);
  return pageOf(lines.slice(skip, skip + limit + 1), limit);
}

function isOfFills({ kinds, cells }: StatementQuery): boolean {
  const isAccount = cells === undefined || cells.some((cell) => (ACCOUNTS as readonly string[]).includes(cell));
  return isAccount && (kinds === undefined || kinds.includes("trade") || kinds.includes("fee"));
}

async function fillLines(
  tables: Tables,
  clock: DealClock,
  query: StatementQuery,
  count: bigint,
): Promise<StatementLine[]> {
  const rows = await fillRows(tables, query, await dealsWithin(clock, query))
    .limit(count)
    .execute();
  return rows.flatMap((row) => {
    const sells = row.side === 1n;
    const isTaker = sells === ((row.flags & BigInt(DEAL_FLAG.sell)) !== 0n);
    const deducts = isTaker ? DEAL_FLAG.takerDeducts : DEAL_FLAG.makerDeducts;
    const kept = (row.flags & BigInt(deducts)) === 0n ? (isTaker ? row.taker_fee : row.maker_fee) : 0n;
    const base = Number(row.base_asset_id);
    const quote = Number(row.quote_asset_id);
    const units = row.lots * row.units_per_lot;
    const account = ACCOUNTS[Number(row.account)] as CellKind;
    const marketId = account === "margin" ? Number(row.market_id) : 0;
    const line = (place: number, assetId: number, kind: PostingKind, change: bigint, balance: bigint) => {
      const id = Number(row.first_entry) + place;
      return { id, createdAt: Number(row.time_ms), account, marketId, assetId, kind, change, balance };
    };
    // Both sides give before either receives; a fee follows what it was kept back from.
    const lines = sells
      ? [
          line(1, base, "trade", -units, row.seller_base),
          line(4, quote, "trade", row.value, row.seller_quote + kept),
          line(5, quote, "fee", -kept, row.seller_quote),
        ]
      : [
          line(0, quote, "trade", -row.value, row.buyer_quote),
          line(2, base, "trade", units, row.buyer_base + kept),
          line(3, base, "fee", -kept, row.buyer_base),
        ];
    return lines.filter(({ change }) => change !== 0n);
  });
}

/**
 * The user's sides of deals, newest first. In a segment of SQLite they lie by market and are sorted when they are asked
 * for: an index would cost every deal two rows.
 */
function fillRows({ db, segments }: Tables, query: StatementQuery, range: IdRange) {
  const { assetId, cells, kinds } = query;
  let rows = segments
    .from(db, BY_USER, range)
    .crossJoin("deals")
    .crossJoin("traded_markets as markets")
    .select(["rows.side as side", "rows.account as account", "deals.market_id as market_id"])
    .select(["deals.time_ms", "deals.flags", "deals.lots", "deals.value", "deals.taker_fee", "deals.maker_fee"])
    .select(["deals.first_entry", "deals.buyer_base", "deals.buyer_quote", "deals.seller_base", "deals.seller_quote"])
    .select(["markets.base_asset_id", "markets.quote_asset_id", "markets.units_per_lot"])
    .where("rows.user_id", "=", BigInt(query.userId))
    .whereRef("deals.deal_id", "=", "rows.deal_id")
    .whereRef("markets.market_id", "=", "rows.market_id");
  if (cells !== undefined) rows = rows.where("rows.account", "in", codesOf(ACCOUNTS, cells));
  const onlyFees = kinds !== undefined && !kinds.includes("trade");
  if (onlyFees) rows = rows.where(keptFee, ">", 0n);
  if (assetId !== undefined && onlyFees) rows = rows.where(receivedAsset, "=", BigInt(assetId));
  else if (assetId !== undefined) {
    rows = rows.where(({ eb, or }) =>
      or([eb("markets.base_asset_id", "=", BigInt(assetId)), eb("markets.quote_asset_id", "=", BigInt(assetId))]),
    );
  }
  return segments.newestFirst(rows, BY_USER);
}

/** The fee that was kept back from the side: 0 where the fee was deducted. */
const keptFee = sql<bigint>`case
  when (rows.side <> 0) = ((deals.flags & ${sql.lit(DEAL_FLAG.sell)}) <> 0)
  then case when (deals.flags & ${sql.lit(DEAL_FLAG.takerDeducts)}) <> 0 then 0 else deals.taker_fee end
  else case when (deals.flags & ${sql.lit(DEAL_FLAG.makerDeducts)}) <> 0 then 0 else deals.maker_fee end end`;
const receivedAsset = sql<bigint>`case when rows.side = 0 then markets.base_asset_id else markets.quote_asset_id end`;

/** Every change that was not a fill's own. */
async function otherLines(db: Tables["db"], query: StatementQuery, count: bigint): Promise<StatementLine[]> {
  const { startTime, endTime, assetId, cells, kinds, sign } = query;
  let rows = db
    .selectFrom("balance_changes")
    .selectAll()
    .where("user_id", "=", BigInt(query.userId))
    .orderBy("entry", "desc")
    .limit(count);
  if (startTime !== undefined) rows = rows.where("time_ms", ">=", BigInt(startTime));
  if (endTime !== undefined) rows = rows.where("time_ms", "<=", BigInt(endTime));
  if (assetId !== undefined) rows = rows.where("asset_id", "=", BigInt(assetId));
  if (cells !== undefined)
    rows = rows.where(
      "account",
      "in",
      cells.map((cell) => BigInt(CELLS.codeOf(cell))),
    );
  if (kinds !== undefined)
    rows = rows.where(
      "kind",
      "in",
      kinds.map((kind) => BigInt(POSTINGS.codeOf(kind))),
    );
  if (sign !== undefined) rows = rows.where("change", sign > 0 ? ">" : "<", 0n);
  return (await rows.execute()).map((row) => ({
    id: Number(row.entry),
    createdAt: Number(row.time_ms),
    account: cellKind(Number(row.account)),
    marketId: Number(row.market_id),
    assetId: Number(row.asset_id),
    kind: postingKind(Number(row.kind)),
    change: row.change,
    balance: row.balance,
  }));
}

/** The numbers that the names which are in the list have there, as rows hold them. */
function codesOf(list: readonly string[], names: readonly string[]): bigint[] {
  return names.flatMap((name) => (list.includes(name) ? [BigInt(list.indexOf(name))] : []));
}
