/** Rows on their way into a table: they go there by thousands, since each way costs the same. */
import type { Parameter } from "../part.ts";
import { conflictClause, counted, type OnConflict, type Table } from "../table.ts";

type Row = Record<string, Parameter>;

/** The treatment of each column where the row is there already; a column that is not named stays. */
type Actions = ReadonlyMap<string, "set" | "add">;

/** One statement: rows by columns, each a list as PostgreSQL writes lists. */
export interface RowsStatement {
  readonly text: string;
  readonly values: string[];
}

interface Waiting {
  row: Row;
  /** Undefined: it must not be there. */
  actions: Actions | undefined;
}

/**
 * The rows of one table. A statement may touch a row but once, so what is said of the same row is put together here, to
 * what it would have come to one after the other.
 */
export class PendingRows {
  readonly #table: Table;
  readonly #columns: readonly string[];
  readonly #key: readonly string[];
  readonly #counted: string | undefined;
  #rows: Row[] = [];
  readonly #byKey = new Map<string, Waiting>();
  #lastCount = 0;

  constructor(table: Table) {
    this.#table = table;
    this.#columns = Object.keys(table.columns);
    this.#key = [table.shape.key].flat();
    this.#counted = this.#columns.find((column) => table.columns[column] === counted);
  }

  get name(): string {
    return this.#table.name;
  }

  /** The column that is counted here, so that the same events have the same numbers whenever they are written. */
  get countedColumn(): string | undefined {
    return this.#counted;
  }

  countOn(last: number): void {
    this.#lastCount = last;
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0 && this.#byKey.size === 0;
  }

  /** The highest value of a column; undefined without rows. */
  highest(column: string): bigint | undefined {
    let highest: bigint | undefined;
    for (const row of this.#rows) {
      const value = BigInt(row[column] as number | bigint);
      if (highest === undefined || value > highest) highest = value;
    }
    return highest;
  }

  inserter(onConflict: OnConflict<string> | undefined): (row: Row) => void {
    if (onConflict === undefined) {
      const column = this.#counted;
      if (column === undefined) return (row) => void this.#rows.push(row);
      return (row) => void this.#rows.push({ ...row, [column]: ++this.#lastCount });
    }
    const actions: Actions = new Map(
      onConflict === "keep"
        ? []
        : onConflict.map(
            (set) => (typeof set === "string" ? [set, "set"] : [set.add, "add"]) as [string, "set" | "add"],
          ),
    );
    return (row) => this.#merge(row, actions);
  }

  #merge(row: Row, actions: Actions): void {
    const key = this.#key.map((column) => row[column]).join("\n");
    const waiting = this.#byKey.get(key);
    if (waiting === undefined) {
      this.#byKey.set(key, { row: { ...row }, actions });
      return;
    }
    for (const [column, action] of actions) {
      const [before, given] = [waiting.row[column] as Parameter, row[column] as Parameter];
      waiting.row[column] = action === "set" ? given : BigInt(before) + BigInt(given);
    }
    waiting.actions = actionsOfBoth(waiting.actions ?? actions, actions);
  }

  /** Everything that waits, as statements; nothing waits any more. */
  take(): RowsStatement[] {
    const statements: RowsStatement[] = [];
    if (this.#rows.length > 0) statements.push(this.#statement(this.#rows, ""));
    this.#rows = [];
    const alike = new Map<string, Row[]>();
    for (const { row, actions = new Map() } of this.#byKey.values()) {
      const clause = conflictClause(this.#table, onConflictOf(actions));
      const rows = alike.get(clause);
      if (rows === undefined) alike.set(clause, [row]);
      else rows.push(row);
    }
    this.#byKey.clear();
    for (const [clause, rows] of alike) statements.push(this.#statement(rows, clause));
    return statements;
  }

  #statement(rows: readonly Row[], clause: string): RowsStatement {
    const kinds = this.#columns.map((column) => (this.#table.columns[column]?.sql === "text" ? "text" : "bigint"));
    const lists = kinds.map((kind, at) => `$${at + 1}::${kind}[]`);
    const text =
      `insert into ${this.name} (${this.#columns.join(", ")}) ` + `select * from unnest(${lists.join(", ")})${clause}`;
    const values = this.#columns.map((column, at) => {
      const listed = rows.map((row) => (kinds[at] === "text" ? quoted(String(row[column])) : row[column]));
      return `{${listed.join(",")}}`;
    });
    return { text, values };
  }
}

/** A column that is set before it is added to is set to the sum. */
function actionsOfBoth(before: Actions, then: Actions): Actions {
  if (before === then) return before;
  const both = new Map(before);
  for (const [column, action] of then) if (!both.has(column)) both.set(column, action);
  return both;
}

function onConflictOf(actions: Actions): OnConflict<string> {
  return Array.from(actions, ([column, action]) => (action === "set" ? column : { add: column }));
}

/** An element of a list of texts. PostgreSQL takes every character but one. */
function quoted(text: string): string {
  return `"${text.replaceAll("\0", "\ufffd").replace(/["\\]/g, "\\$&")}"`;
}
