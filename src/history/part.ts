/** What history is made of: each part has its tables, the events that it takes in and the questions that it answers. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Kysely } from "kysely";
import type { EVENT, Happening } from "../engine/event.ts";
import type { WordBuffer } from "../engine/words.ts";
import type { Table, TablesOf } from "./table.ts";

/** The file as a part sees it: its own tables and those that it reads. */
export interface OpenTables<Tables> {
  readonly database: DatabaseSync;
  readonly db: Kysely<Tables>;
}

/** Kinds of records, as in engine/event.ts, that a part may take in; happenings are decoded once for all. */
export type RecordKind = Exclude<keyof typeof EVENT, "command" | "json">;

/** Takes in the record at word `at` of a command at `timeMs`. */
export type TakeRecord = (events: WordBuffer, at: number, timeMs: number) => void;

/** Takes in what happened, by type. */
export type TakeHappenings = {
  readonly [Type in Happening["type"]]?: (event: Extract<Happening, { readonly type: Type }>, timeMs: number) => void;
};

/** Writes a part. Which events it takes in is seen by what it has. */
export interface PartWriter extends Partial<Readonly<Record<RecordKind, TakeRecord>>> {
  readonly happenings?: TakeHappenings;
  /** Makes everything taken so far visible to queries on this connection. */
  settle?(): void;
}

/** Brings the tables of the version before to this one, within the transaction that opens the file. */
export type Migration = (database: DatabaseSync) => void;

export interface Part<Queries = unknown> {
  readonly name: string;
  /** Raised with every change of a table or of what is written there. */
  readonly version: number;
  readonly tables: readonly Table[];
  /**
   * What a file lacks that was written before this part was there: nothing, because no event of then would be in it, or else the
   * whole history is written again from the log.
   */
  readonly past: "none" | "needed";
  /** By the version that they lead to. Where one is missing the whole history is written again from the log. */
  readonly migrations: Readonly<Record<number, Migration>>;
  begin(file: OpenTables<never>): PartWriter;
  queries(file: OpenTables<never>): Queries;
}

/** A part as it is declared: it may read tables of others. */
interface PartDeclaration<Own extends Table, Read extends Table, Queries> extends Omit<Part, "begin" | "queries"> {
  readonly tables: readonly Own[];
  readonly reads?: readonly Read[];
  /** Begins to write: what was written before is in the file. */
  begin(file: OpenTables<TablesOf<Own | Read>>): PartWriter;
  /** What can be asked, by name. */
  queries(file: OpenTables<TablesOf<Own | Read>>): Queries;
}

export function definePart<Own extends Table, Queries, Read extends Table = never>(
  part: PartDeclaration<Own, Read, Queries>,
): Part<Queries> {
  return part as unknown as Part<Queries>;
}

/** A statement of the hot path: written with kysely, compiled once. Values in it only stand for parameters. */
export function prepared(database: DatabaseSync, query: { compile(): { readonly sql: string } }): StatementSync {
  return database.prepare(query.compile().sql);
}
