import type { Kysely } from "kysely";
import type { AnyQuery, FromRows, IdRange, RowsByUser, Segments } from "../segments.ts";
import type { Table } from "../table.ts";

const idOf = ({ rows }: RowsByUser<Table>) => `${rows.shape.segmented?.by}`;

/**
 * Partitions are walked from the newest on by the server itself, as long as each query asks for its rows in the order
 * of ids.
 */
export function partitionedSegments(db: Kysely<never>): Segments {
  const all = db as unknown as { selectFrom(from: unknown): AnyQuery };
  return {
    from<Db, Of extends Table>(tables: Kysely<Db>, of: RowsByUser<Of>, range?: IdRange) {
      const from = (tables as unknown as { selectFrom(table: string): AnyQuery })
        .selectFrom(`${of.rows.name} as rows`)
        .select("rows.segment as segment");
      if (range === undefined) return from as unknown as FromRows<Db, Of>;
      const id = `rows.${idOf(of)}`;
      return from.where(id, ">=", range.first).where(id, "<=", range.last) as unknown as FromRows<Db, Of>;
    },

    newestFirst: (query, of) => (query as AnyQuery).orderBy(`rows.${idOf(of)}`, "desc") as typeof query,

    // Each query on its own stops when it has as much as the page reaches, and the page is made of so few.
    page: ([first, ...others], of, { skip, take, last }) => {
      const cut = (query: AnyQuery) => {
        const inOrder = query.orderBy(`rows.${idOf(of)}`, "desc");
        return (last === undefined ? inOrder : inOrder.orderBy(`rows.${last}`)).limit(skip + take);
      };
      const [one, ...more] = [first, ...others].map((query, at) =>
        all.selectFrom(cut(query).as(`part${at}`)).selectAll(),
      );
      const whole = more.reduce((sum, query) => sum.unionAll(query) as AnyQuery, one as AnyQuery);
      const ordered = whole.orderBy(idOf(of), "desc");
      return (last === undefined ? ordered : ordered.orderBy(last)).limit(take).offset(skip) as typeof first;
    },
  };
}
