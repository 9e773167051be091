/**
 * The parts that history is made of: each has its tables, the events that it takes in and the questions that it
 * answers.
 */
import type { Insertable, Kysely } from "kysely";
import type { EVENT, RareEvent } from "../engine/event.ts";
import type { WordBuffer } from "../engine/words.ts";
import type { Segments } from "./segments.ts";
import type { OnConflict, RowOf, Table, TablesOf } from "./table.ts";

/** A value that the databases take as a parameter. */
export type Parameter = number | bigint | string;
/** A row as it is read, by column; whole numbers are bigints. */
export type Row = Readonly<Record<string, unknown>>;
/** A query made with kysely. */
export interface Compilable {
  compile(): { readonly sql: string };
}

/** The database as a part sees it when it is asked: its own tables and those that it reads. */
export interface OpenTables<Tables> {
  readonly db: Kysely<Tables>;
  /** The first row of a query that is asked again and again, compiled once. Values in it only stand for parameters. */
  readonly prepared: (query: Compilable) => (...parameters: Parameter[]) => Promise<Row | undefined>;
  readonly segments: Segments;
}

/** The database as a part sees it when it writes. What it reads shows all that was written. */
export interface WrittenTables<Tables> extends Pick<OpenTables<Tables>, "db" | "prepared"> {
  /** Writes a row, given by names; a column that is missing does not compile. Made once: this is the hot path. */
  readonly inserter: <Of extends Table>(
    table: Of,
    onConflict?: OnConflict<keyof Of["columns"] & string>,
  ) => (row: Insertable<RowOf<Of>>) => void;
  /**
   * A statement that is run again and again, after the rows that were written before. Values in it only stand for
   * parameters.
   */
  readonly statement: (query: Compilable) => (...parameters: Parameter[]) => void;
}

/** Kinds of records, as in engine/event.ts, that a part may take in; rare events are decoded once for all. */
export type RecordKind = Exclude<keyof typeof EVENT, "command" | "json">;

/**
 * Takes in the record at word `at` of a command at `timeMs`. A taker that has to read first, which is rare, gives
 * a promise: the next event then waits for it.
 */
export type TakeRecord = (events: WordBuffer, at: number, timeMs: number) => unknown;

/** Takes in what happened, by type; likewise. */
export type TakeRareEvents = {
  readonly [Type in RareEvent["type"]]?: (
    event: Extract<RareEvent, { readonly type: Type }>,
    timeMs: number,
  ) => unknown;
};

/** Writes a part. Which events it takes in is seen by what it has. */
export interface PartWriter extends Partial<Readonly<Record<RecordKind, TakeRecord>>> {
  readonly rareEvents?: TakeRareEvents;
  /** Makes everything taken so far visible to queries. */
  settle?(): void;
}

/** Brings the tables of the version before to this one, within the transaction that opens the database. */
export type Migration = (tables: ChangedTables) => Promise<void>;

export interface ChangedTables {
  /** For statements that both databases understand. */
  readonly db: Kysely<never>;
  /** Adds a column of whole numbers, which is 0 in all rows that there are. */
  addColumn(table: string, column: string): Promise<void>;
}

export interface Part<Queries = unknown> {
  readonly name: string;
  /** Raised with every change of a table or of what is written there. */
  readonly version: number;
  readonly tables: readonly Table[];
  /**
   * The past that a history lacks which was written before this part was there. `none`: no event of then would be in
   * it. `needed`: the whole history is written again from the log.
   */
  readonly backfill: "none" | "needed";
  /** By the version that they lead to. Where one is missing the whole history is written again from the log. */
  readonly migrations: Readonly<Record<number, Migration>>;
  begin(tables: WrittenTables<never>): PartWriter | Promise<PartWriter>;
  queries(tables: OpenTables<never>): Queries;
}

/** A part as it is declared: it may read tables of others. */
interface PartDeclaration<Own extends Table, Read extends Table, Queries> extends Omit<Part, "begin" | "queries"> {
  readonly tables: readonly Own[];
  readonly reads?: readonly Read[];
  /** Begins to write: what was written before is in the tables. */
  begin(tables: WrittenTables<TablesOf<Own | Read>>): PartWriter | Promise<PartWriter>;
  /** The questions that can be asked, by name. */
  queries(tables: OpenTables<TablesOf<Own | Read>>): Queries;
}

export function definePart<Own extends Table, Queries, Read extends Table = never>(
  part: PartDeclaration<Own, Read, Queries>,
): Part<Queries> {
  return part as unknown as Part<Queries>;
}
