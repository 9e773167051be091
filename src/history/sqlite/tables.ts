import type { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import type { Compilable, OpenTables, Parameter, Row, WrittenTables } from "../part.ts";
import { conflictClause, definitionOf, type Table, type TableWords } from "../table.ts";
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
 * An insert of many rows that leaves behind what it wrote when it fails. Otherwise SQLite copies each page before the statement
 * changes it, a fifth of what writing history costs; and a history that failed is closed without a commit.
 */
function withoutUndoing(text: string): string {
  return text.replace(/^insert into /, "insert or fail into ");
}

/** The tables of an open file as parts see them. There is one connection, and it answers at once. */
export function tablesOf(database: DatabaseSync, db: Kysely<never>): OpenTables<never> & WrittenTables<never> {
  const compiled = (query: Compilable) => database.prepare(query.compile().sql);
  return {
    db,
    segments: walkedSegments,
    prepared: (query) => {
      const statement = compiled(query);
      return (...parameters) => Promise.resolve(statement.get(...parameters) as Row | undefined);
    },
    statement: (query) => {
      const statement = database.prepare(withoutUndoing(query.compile().sql));
      return (...parameters) => void statement.run(...parameters);
    },
    inserter: (table, onConflict) => {
      const { name, columns } = table;
      const names = Object.keys(columns);
      const clause = onConflict === undefined ? "" : conflictClause(table, onConflict);
      const statement = database.prepare(
        `insert into ${name} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})${clause}`,
      );
      const values: (Parameter | null)[] = names.map(() => null);
      return (row) => {
        const given = row as Readonly<Record<string, Parameter | undefined>>;
        for (let at = 0; at < names.length; at++) values[at] = given[names[at] as string] ?? null;
        statement.run(...values);
      };
    },
  };
}
