/**
 * A table of history, declared once: what creates it, what a row of it is, and what writes one all follow from the
 * declaration.
 */
import type { ColumnType } from "kysely";

/** A column; `Type` says what is read from it and what may be written. */
export interface Column<Type> {
  readonly sql: "integer" | "text";
  /** Never there: it only carries the type. */
  readonly type?: Type;
}

/** Read as bigint, so that no amount loses a digit; written as either. */
export const int: Column<ColumnType<bigint, number | bigint, number | bigint>> = { sql: "integer" };
/** A key that the database counts. */
export const counted: Column<ColumnType<bigint, undefined, never>> = { sql: "integer" };
export const text: Column<string> = { sql: "text" };

export type Columns = Readonly<Record<string, Column<unknown>>>;

export interface Table<Name extends string = string, Of extends Columns = Columns> {
  readonly name: Name;
  readonly columns: Of;
  readonly shape: TableShape<keyof Of & string>;
}

/** How the rows lie and are found. */
export interface TableShape<ColumnName extends string> {
  /**
   * One column: rows lie in its order. A list: rows lie in the order of all of these, which together are unique; empty
   * of a single row.
   */
  readonly key: ColumnName | readonly ColumnName[];
  /** Rows by user, of a table that grows without end: see segments.ts. */
  readonly segmented?: Segmented<ColumnName>;
  /**
   * By name of the index. SQLite keeps these row by row, so that tables of the hot path have other means: see
   * segments.ts.
   */
  readonly indexes?: Readonly<Record<string, TableIndex<ColumnName>>>;
}

/** Rows that are found by the user, of a table whose ids rise with time. The first column of the key is the segment. */
export interface Segmented<ColumnName extends string = string> {
  /** The id, by the same name in the table that has it as one of its own. */
  readonly by: ColumnName;
  readonly of: string;
  /** By these alone some are sought, too, newest first. */
  readonly alsoBy: readonly ColumnName[];
}

export interface TableIndex<ColumnName extends string> {
  readonly on: readonly ColumnName[];
  readonly unique?: true;
  /** Only rows of which this holds. */
  readonly where?: string;
}

/** The tables of a list as kysely knows them: by name, what a row is. */
export type TablesOf<Of extends Table> = { [One in Of as One["name"]]: RowOf<One> };
export type RowOf<Of extends Table> = {
  [Name in keyof Of["columns"]]: Of["columns"][Name] extends Column<infer Type> ? Type : never;
};

export function table<const Name extends string, const Of extends Columns>(
  name: Name,
  columns: Of,
  shape: TableShape<keyof Of & string>,
): Table<Name, Of> {
  return { name, columns, shape };
}

/** How a database writes down what a table is. */
export interface TableWords {
  readonly integer: string;
  readonly text: string;
  /** Returns the text that follows the columns. */
  readonly ending: (table: Table) => string;
}

/** The statements that make a table, with the key that is given or its own, and its indexes. */
export function definitionOf(
  table: Table,
  words: TableWords,
  key: string | readonly string[] = table.shape.key,
): string[] {
  const { name, columns, shape } = table;
  const definitions = Object.entries(columns).map(([column, { sql }]) =>
    column === key ? `${column} ${words[sql]} primary key` : `${column} ${words[sql]} not null`,
  );
  const hasOneKey = typeof key === "string";
  if (!hasOneKey && key.length > 0) definitions.push(`primary key (${key.join(", ")})`);
  const indexes = Object.entries(shape.indexes ?? {}).map(([index, { on, unique, where }]) => {
    const rows = where === undefined ? "" : ` where ${where}`;
    return `create ${unique ? "unique " : ""}index ${index} on ${name} (${on.join(", ")})${rows}`;
  });
  return [`create table ${name} (${definitions.join(", ")})${words.ending(table)}`, ...indexes];
}

/**
 * The treatment of a row whose key is there already: it is kept, or these columns get the new values, and those of
 * `add` their sum with them.
 */
export type OnConflict<ColumnName extends string> = "keep" | readonly (ColumnName | Added<ColumnName>)[];

interface Added<ColumnName extends string> {
  readonly add: ColumnName;
}

/** The end of an insert, the same in both databases. */
export function conflictClause({ name, shape }: Table, onConflict: OnConflict<string>): string {
  if (onConflict === "keep" || onConflict.length === 0) return " on conflict do nothing";
  const sets = onConflict.map((set) =>
    typeof set === "string" ? `${set} = excluded.${set}` : `${set.add} = ${name}.${set.add} + excluded.${set.add}`,
  );
  return ` on conflict (${[shape.key].flat().join(", ")}) do update set ${sets.join(", ")}`;
}
