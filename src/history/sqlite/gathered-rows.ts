import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Parameter } from "../part.ts";
import { conflictClause, type OnConflict, type Table } from "../table.ts";

/** Rows of one statement: what a statement costs besides its rows is next to nothing then. More gain nothing. */
const ROWS = 16;

type Values = (Parameter | null)[];

/**
 * Rows on their way into the tables of an open file, some to a statement: one by one each would cost half as much again. Whoever reads
 * writes them first. Rows of one table are written in the order in which they came.
 */
export class GatheredRows {
  readonly #database: DatabaseSync;
  readonly #inserters: Inserter[] = [];
  /** By table: who took its last rows. */
  readonly #latest = new Map<string, Inserter>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Takes rows of a table; of those that may be there already `onConflict` says what becomes of them. */
  inserter(table: Table, onConflict?: OnConflict<string>): (row: object) => void {
    const inserter = new Inserter(this.#database, table, onConflict);
    this.#inserters.push(inserter);
    return (row) => {
      const latest = this.#latest.get(table.name);
      if (latest !== inserter) {
        latest?.write();
        this.#latest.set(table.name, inserter);
      }
      inserter.add(row as Readonly<Record<string, Parameter | undefined>>);
    };
  }

  /** Writes all that were taken. */
  write(): void {
    for (const inserter of this.#inserters) inserter.write();
  }
}

class Inserter {
  readonly #columns: readonly string[];
  readonly #insertOne: StatementSync;
  readonly #insertAll: StatementSync;
  readonly #values: Values;
  /** Values that wait. */
  #filled = 0;

  constructor(database: DatabaseSync, table: Table, onConflict: OnConflict<string> | undefined) {
    const { name, columns } = table;
    this.#columns = Object.keys(columns);
    const row = `(${this.#columns.map(() => "?").join(", ")})`;
    const ending = onConflict === undefined ? "" : conflictClause(table, onConflict);
    // What a statement wrote stays when it fails, as a history that failed is closed without a commit; see `withoutUndoing`.
    const insert = (rows: number) =>
      database.prepare(
        `insert or fail into ${name} (${this.#columns.join(", ")}) values ${Array(rows).fill(row).join(", ")}${ending}`,
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
