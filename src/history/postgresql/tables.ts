/** The definitions of history's tables in PostgreSQL. */
import { definitionOf, type Segmented, type Table, type TableWords } from "../table.ts";

/** Amounts need all 64 bits; what is larger is decimal text. Texts are compared by their bytes. */
const WORDS: TableWords = {
  integer: "bigint",
  text: 'text collate "C"',
  ending: ({ shape }) => (shape.segmented === undefined ? "" : ` partition by range (${shape.segmented.by})`),
};

/**
 * Ids of one partition, as a power of two: 8.4 million deals have 16.8 million rows in an index of about 0.7 GB, which
 * stays in memory while it is written to; 100 million deals have twelve. See decision 17.
 */
const PARTITION_SHIFT = 23n;

/** The statements that make a table with its indexes and, where it has partitions, the first of them. */
export function definitionsOf(table: Table): string[] {
  const { name, shape } = table;
  const { segmented } = shape;
  if (segmented === undefined) return definitionOf(table, WORDS);
  // Whatever segment a row is in: the partition is its place.
  const key = [shape.key].flat().slice(1);
  const others = segmented.alsoBy.map(
    (column) => `create index ${name}_by_${column} on ${name} (${column}, ${segmented.by})`,
  );
  return [...definitionOf(table, WORDS, key), ...others, partition(name, 0n)];
}

export function partitionOf(id: bigint): bigint {
  return id >> PARTITION_SHIFT;
}

/** The statement that makes the partition of this number, if there is none yet. */
export function partition(table: string, number: bigint): string {
  const from = number << PARTITION_SHIFT;
  const to = (number + 1n) << PARTITION_SHIFT;
  return `create table if not exists ${table}_${number} partition of ${table} for values from (${from}) to (${to})`;
}

/** The tables whose partitions follow the ids of this one. */
export function followersOf(
  tables: readonly Table[],
  source: Table,
): { readonly name: string; readonly segmented: Segmented }[] {
  return tables.flatMap(({ name, shape: { segmented } }) =>
    segmented?.of === source.name ? [{ name, segmented }] : [],
  );
}
