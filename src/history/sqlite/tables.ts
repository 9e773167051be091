import type { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import type { OpenTables, Parameter, Row, WrittenTables } from "../part.ts";
import { conflictClause, definitionOf, type OnConflict, type Table, type TableWords } from "../table.ts";
import { GatheredRows } from "./gathered-rows.ts";
import { walkedSegments } from "./segments.ts";

const WORDS: TableWords = {
  integer: "integer",
  text: "text",
  ending: ({ shape }) => ` strict${Array.isArray(shape.key) && shape.key.length > 0 ? ", without rowid" : ""}`,
};

/** Creates a table and its indexes in an open file. */
export function createTable(database: DatabaseSync, table: Table): void {
  for (const text of definitionOf(table, WORDS)) database.exec(text);
}

/**
 * An insert of many rows that leaves behind what it wrote when it fails. Otherwise SQLite copies each page before the
 * statement changes it, a fifth of what writing history costs; and a history that failed is closed without a commit.
 */
function withoutUndoing(text: string): string {
  return text.replace(/^insert into /, "insert or fail into ");
}

/**
 * The tables of an open file as parts see them. There is one connection, and it answers at once; `db` writes `gathered`
 * before it reads.
 */
export function tablesOf(
  database: DatabaseSync,
  db: Kysely<never>,
  gathered = new GatheredRows(database),
): OpenTables<never> & WrittenTables<never> {
  return {
    db,
    segments: walkedSegments,
    prepared: (query) => {
      const statement = database.prepare(query.compile().sql);
      return (...parameters) => {
        gathered.write();
        return Promise.resolve(statement.get(...parameters) as Row | undefined);
      };
    },
    statement: (query) => {
      const statement = database.prepare(withoutUndoing(query.compile().sql));
      return (...parameters) => {
        gathered.write();
        statement.run(...parameters);
      };
    },
    inserter: (table, onConflict) =>
      onConflict === undefined ? gathered.inserter(table) : merger(database, table, onConflict),
  };
}

/** Writes a row that may be there already, at once. */
function merger(database: DatabaseSync, table: Table, onConflict: OnConflict<string>): (row: object) => void {
  const names = Object.keys(table.columns);
  const places = names.map(() => "?").join(", ");
  const statement = database.prepare(
    `insert into ${table.name} (${names.join(", ")}) values (${places})${conflictClause(table, onConflict)}`,
  );
  const values: (Parameter | null)[] = names.map(() => null);
  return (row) => {
    const given = row as Readonly<Record<string, Parameter | undefined>>;
    for (let at = 0; at < names.length; at++) values[at] = given[names[at] as string] ?? null;
    statement.run(...values);
  };
}
