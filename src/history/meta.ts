/** The tables in which a history describes itself. */
import type { Kysely } from "kysely";
import { int, type TablesOf, table, text } from "./table.ts";

/** One row. Every event up to applied_seq is in the tables, and none after it. */
export const metaRow = table("meta", { schema_version: int, venue_id: text, applied_seq: int }, { key: [] });

/** The version of each part. */
export const partVersions = table("parts", { name: text, version: int }, { key: ["name"] });

export type MetaTables = TablesOf<typeof metaRow | typeof partVersions>;

export interface Meta {
  readonly formVersion: number;
  readonly venueId: string;
  readonly appliedSeq: number;
}

export const NO_META = "The history holds no row that says what it is.";

export async function readMeta(db: Kysely<never>): Promise<Meta | undefined> {
  const row = await (db as unknown as Kysely<MetaTables>).selectFrom("meta").selectAll().executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    formVersion: Number(row.schema_version),
    venueId: row.venue_id,
    appliedSeq: Number(row.applied_seq),
  };
}
