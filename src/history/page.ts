import { type Expression, type QueryExecutorProvider, sql } from "kysely";

/** One page of an answer, newest row first. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
}

/** A page with the number of all rows, as far as pages reach. */
export interface CountedPage<Row> extends Page<Row> {
  readonly total: number;
}

/** Which rows: those of a page, which counts from 1, or so many behind `offset` others. */
export interface PageRequest {
  readonly page: number;
  readonly limit: number;
  /** Takes the place of the page. */
  readonly offset?: number | undefined;
}

/**
 * A page may end at most this many rows behind the newest. Reaching a page means walking over the rows before it, about
 * 0.1 µs each; the bound keeps one reader's walk short, and who wants older rows narrows the time instead.
 */
export const PAGE_END_MAX = 100_000;

/** Whether history serves this page; the gateway refuses the others. */
export function isWithinReach({ page, limit, offset = (page - 1) * limit }: PageRequest): boolean {
  return (
    [page, limit, offset].every(Number.isSafeInteger) &&
    page >= 1 &&
    offset >= 0 &&
    limit >= 1 &&
    offset + limit <= PAGE_END_MAX
  );
}

/** Rows to skip and rows to read: one more than shown says whether there is a next page. */
export function windowOf({ page, limit, offset = (page - 1) * limit }: PageRequest): { skip: bigint; take: bigint } {
  return { skip: BigInt(offset), take: BigInt(limit + 1) };
}

/** The page out of what `windowOf` made be read. */
export function pageOf<Row>(rows: readonly Row[], limit: number): Page<Row> {
  return { rows: rows.slice(0, limit), hasNext: rows.length > limit };
}

/**
 * How many rows there are, said of no more than pages reach: counting costs like walking, and nobody is to make the
 * others wait by rows that he piles up. `ids` is one column of what is asked for, with `COUNTED_MAX` as its limit.
 */
export async function countUpTo(db: QueryExecutorProvider, ids: Expression<unknown>): Promise<number> {
  const { rows } = await sql<{ readonly total: bigint }>`select count(*) as total from ${ids} as counted`.execute(db);
  return Number(rows[0]?.total ?? 0n);
}

export const COUNTED_MAX = BigInt(PAGE_END_MAX);
