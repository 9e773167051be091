/**
 * Rows by user, found newest first. They come in the order of ids, and each lands somewhere among those of its user: in
 * one tree of all rows that would be another page each time. So both databases keep them in stretches of ids.
 *
 * SQLite has segments of 2^16 ids, the first column of the key. A new row lands in the newest segment, whose pages are
 * few and in memory, wherever the user's older rows lie: writing stays as fast with a million users as with ten. A
 * query walks the segments from the newest on, about 1 µs each, and stops when its page is full. They are filled once
 * per batch, which costs a third of what indexes cost that SQLite keeps row by row: see `settle`.
 *
 * PostgreSQL takes more for each segment that a query looks into, and knows partitions, which it walks in order by
 * itself: its segments are larger by far. See decision 17.
 */
import type { Kysely, SelectQueryBuilder } from "kysely";
import type { RowOf, Table } from "./table.ts";

export const SEGMENT_SHIFT = 16;

/** A table of rows by user, and the one that lists its segments. */
export interface RowsByUser<Of extends Table> {
  readonly rows: Of;
  readonly list: string;
}

/** Ids, both included. */
export interface IdRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** Rows by user, as `rows`, beside the tables that `Db` has. */
export type FromRows<Db, Of extends Table> = SelectQueryBuilder<
  Db & { readonly rows: RowOf<Of> },
  "rows",
  { segment: bigint }
>;
// biome-ignore lint/suspicious/noExplicitAny: which tables a query is made of is for who makes it to know
export type AnyQuery<Selected = any> = SelectQueryBuilder<any, any, Selected>;

/** How a database is asked for rows by user. */
export interface Segments {
  /** Begins a query of rows whose ids lie in a range. */
  from<Db, Of extends Table>(db: Kysely<Db>, of: RowsByUser<Of>, range?: IdRange): FromRows<Db, Of>;
  /** The rows of such a query, newest first. */
  newestFirst<Query extends AnyQuery>(query: Query, of: RowsByUser<Table>): Query;
  /** A page of what such queries select, taken together, newest first; of one id in the order of `last`. */
  page<Selected>(
    queries: readonly [AnyQuery<Selected>, ...AnyQuery<Selected>[]],
    of: RowsByUser<Table>,
    window: { readonly skip: bigint; readonly take: bigint; readonly last?: string },
  ): AnyQuery<Selected>;
}
