/**
 * A table of history, declared once: what creates it, what a row of it is, and what writes one all follow from the declaration.
 */
import type { DatabaseSync } from "node:sqlite";
import type { ColumnType, Insertable } from "kysely";

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
  /** One column: rows lie in its order. A list: rows lie in the order of all of these, which together are unique. */
  readonly key: ColumnName | readonly ColumnName[];
  /** By name of the index. SQLite keeps these row by row, so that tables of the hot path have other means: see segments.ts. */
  readonly indexes?: Readonly<Record<string, TableIndex<ColumnName>>>;
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

/** Creates a table and its indexes in an open file. */
export function createTable(database: DatabaseSync, { name, columns, shape }: Table): void {
  const { key, indexes = {} } = shape;
  const definitions = Object.entries(columns).map(([column, { sql }]) =>
    column === key ? `${column} ${sql} primary key` : `${column} ${sql} not null`,
  );
  if (typeof key !== "string") definitions.push(`primary key (${key.join(", ")})`);
  database.exec(
    `create table ${name} (${definitions.join(", ")}) strict${typeof key === "string" ? "" : ", without rowid"}`,
  );
  for (const [index, { on, unique, where }] of Object.entries(indexes)) {
    const rows = where === undefined ? "" : ` where ${where}`;
    database.exec(`create ${unique ? "unique " : ""}index ${index} on ${name} (${on.join(", ")})${rows}`);
  }
}

/** What becomes of a row whose key is there already: nothing, or these columns are set, some to an expression of their own. */
export type OnConflict<ColumnName extends string> = "keep" | readonly (ColumnName | readonly [ColumnName, string])[];

/** Writes a row, given by names; a column that is missing does not compile. Compiled once: this is the hot path. */
export function inserter<Of extends Table>(
  database: DatabaseSync,
  { name, columns, shape }: Of,
  onConflict?: OnConflict<keyof Of["columns"] & string>,
): (row: Insertable<RowOf<Of>>) => void {
  const names = Object.keys(columns);
  const clause = onConflict === undefined ? "" : conflictClause(shape.key, onConflict);
  const statement = database.prepare(
    `insert into ${name} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})${clause}`,
  );
  const values: (number | bigint | string | null)[] = names.map(() => null);
  return (row) => {
    const given = row as Readonly<Record<string, number | bigint | string | undefined>>;
    for (let at = 0; at < names.length; at++) values[at] = given[names[at] as string] ?? null;
    statement.run(...values);
  };
}

function conflictClause(key: string | readonly string[], onConflict: OnConflict<string>): string {
  if (onConflict === "keep") return " on conflict do nothing";
  const sets = onConflict.map((set) =>
    typeof set === "string" ? `${set} = excluded.${set}` : `${set[0]} = ${set[1]}`,
  );
  return ` on conflict (${[key].flat().join(", ")}) do update set ${sets.join(", ")}`;
}
