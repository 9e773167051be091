import type { Kysely } from "kysely";
import {
  type AnyQuery,
  type FromRows,
  type IdRange,
  type RowsByUser,
  SEGMENT_SHIFT,
  type Segments,
} from "../segments.ts";
import type { Table } from "../table.ts";

const inTurn = (query: AnyQuery, id: string) => query.orderBy("segments.segment", "desc").orderBy(`rows.${id}`, "desc");

/** The join with the segments is crossed, which keeps SQLite walking them in order. */
export const walkedSegments: Segments = {
  from<Db, Of extends Table>(db: Kysely<Db>, { rows, list }: RowsByUser<Of>, range?: IdRange) {
    const from = (db as unknown as { selectFrom(table: string): AnyQuery })
      .selectFrom(`${list} as segments`)
      .crossJoin(`${rows.name} as rows`)
      .select("segments.segment as segment")
      .whereRef("rows.segment", "=", "segments.segment");
    if (range === undefined) return from as unknown as FromRows<Db, Of>;
    const id = `rows.${rows.shape.segmented?.by}`;
    return from
      .where("segments.segment", ">=", range.first >> BigInt(SEGMENT_SHIFT))
      .where("segments.segment", "<=", range.last >> BigInt(SEGMENT_SHIFT))
      .where(id, ">=", range.first)
      .where(id, "<=", range.last) as unknown as FromRows<Db, Of>;
  },

  newestFirst: (query, { rows }) => inTurn(query, rows.shape.segmented?.by ?? "") as typeof query,

  // What is in one order each comes merged.
  page: ([first, ...others], { rows }, { skip, take, last }) => {
    const all = others.reduce((sum, other) => sum.unionAll(other) as typeof first, first);
    const ordered = all.orderBy("segment", "desc").orderBy(rows.shape.segmented?.by ?? "", "desc");
    return (last === undefined ? ordered : ordered.orderBy(last)).limit(take).offset(skip) as typeof first;
  },
};
