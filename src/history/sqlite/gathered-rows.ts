import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Parameter } from "../part.ts";
import type { Table } from "../table.ts";

/** Rows of one statement: what a statement costs besides its rows is next to nothing then. More gain nothing. */
const ROWS = 16;

type Values = (Parameter | null)[];

/**
 * Rows on their way into the tables of an open file, some to a statement: one by one each would cost half as much
 * again. A reader writes them first.
 */
export class GatheredRows {
  readonly #database: DatabaseSync;
  readonly #tables: RowsOfTable[] = [];

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Takes rows of a table, which must not be there yet. */
  inserter(table: Table): (row: object) => void {
    const rows = new RowsOfTable(this.#database, table);
    this.#tables.push(rows);
    return (row) => rows.add(row as Readonly<Record<string, Parameter | undefined>>);
  }

  /** Writes all that were taken. */
  write(): void {
    for (const table of this.#tables) table.write();
  }
}

class RowsOfTable {
  readonly #columns: readonly string[];
  readonly #insertOne: StatementSync;
  readonly #insertAll: StatementSync;
  readonly #values: Values;
  /** Values that wait. */
  #filled = 0;

  constructor(database: DatabaseSync, { name, columns }: Table) {
    this.#columns = Object.keys(columns);
    const row = `(${this.#columns.map(() => "?").join(", ")})`;
    // What a statement wrote stays when it fails, as a history that failed is closed without a commit; see
    // `withoutUndoing`.
    const insert = (rows: number) =>
      database.prepare(
        `insert or fail into ${name} (${this.#columns.join(", ")}) values ${Array(rows).fill(row).join(", ")}`,
      );
    this.#insertOne = insert(1);
    this.#insertAll = insert(ROWS);
    this.#values = Array<null>(ROWS * this.#columns.length).fill(null);
  }

  add(row: Readonly<Record<string, Parameter | undefined>>): void {
    for (const column of this.#columns) this.#values[this.#filled++] = row[column] ?? null;
    if (this.#filled < this.#values.length) return;
    this.#filled = 0;
    this.#insertAll.run(...this.#values);
  }

  write(): void {
    const filled = this.#filled;
    this.#filled = 0;
    const width = this.#columns.length;
    for (let at = 0; at < filled; at += width) this.#insertOne.run(...this.#values.slice(at, at + width));
  }
}
