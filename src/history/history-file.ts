import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { faultCodeOf, isContentError } from "./fault.ts";
import type { OpenTables, Part } from "./part.ts";
import { PARTS } from "./parts.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { createParts, type Fitting, FORM_VERSION, fitParts } from "./versions.ts";

/** What is asked of the file when it is opened. */
export interface HistoryFileOptions {
  /** Path of the file, or `:memory:`. */
  readonly path: string;
  /** The venue whose log this is the view of. */
  readonly venueId: string;
  /** Last sequence number of the log: a history that is ahead of it belongs to another course of events. */
  readonly logSeq?: number | undefined;
  /** What history consists of; a test may have other parts. */
  readonly parts?: readonly Part[];
}

/** An open history that fits the venue. */
export interface HistoryFile extends OpenTables<never> {
  /** Every event up to this sequence number is in it; 0 when it is new. */
  readonly appliedSeq: number;
  /** Why the file that was there could not be used, as a sentence; absent when it could, or when there was none. */
  readonly setAside?: string;
  /** What was done to an older file so that it fits, as sentences. */
  readonly notes: readonly string[];
}

const MEMORY = ":memory:";

/**
 * A file up to this size is checked whole when it is opened, which takes about 0.2 s. A larger one shows damage when it
 * is met.
 */
const CHECKED_WHOLE_BYTES_MAX = 64 * 1024 * 1024;

/** Pages kept in memory: the newest segments of the rows by user, while a log is replayed. */
const CACHE_KIB = 32 * 1024;

/** The write-ahead log is moved into the file each time it has grown by this many pages of 4 KiB. */
const CHECKPOINT_PAGES = 4000;

/**
 * Opens the history of a venue. An older file is brought up to this program. One that cannot be, or is damaged, of another venue or
 * ahead of the log, is set aside and a new one begun: history is a view, and the venue writes it again from the log. Throws
 * NewerProgram, and what the disk refuses.
 */
export function openHistoryFile(options: HistoryFileOptions): HistoryFile {
  const { path, parts = PARTS } = options;
  let found: OpenTables<never> | undefined;
  let reason: string;
  try {
    found = connect(path);
    if (isEmpty(found)) return createFile(found, options);
    const damage = damageOf(found, path);
    const meta = damage === undefined ? readMeta(found) : undefined;
    const fitting = meta === undefined ? { misfit: damage ?? NO_META } : fitFile(found, meta, options, parts);
    if (meta !== undefined && "notes" in fitting)
      return { ...found, appliedSeq: meta.appliedSeq, notes: fitting.notes };
    reason = "misfit" in fitting ? fitting.misfit : NO_META;
  } catch (error) {
    if (!isContentError(error)) {
      found?.database.close();
      throw error;
    }
    reason = `The history is damaged (${faultCodeOf(error)}: ${(error as Error).message}).`;
  }
  found?.database.close();
  setFileAside(path);
  return {
    ...createFile(connect(path), options),
    setAside: `${reason} It was set aside as ${asidePath(path)}.`,
  };
}

/** Up to which sequence number the history of a venue at `path` goes; 0 where there is none, or none that can be read. */
export function seqOfHistory(path: string, venueId: string): number {
  if (!existsSync(path)) return 0;
  let found: OpenTables<never> | undefined;
  try {
    found = connect(path);
    const meta = isEmpty(found) ? undefined : readMeta(found);
    return meta?.venueId === venueId ? meta.appliedSeq : 0;
  } catch {
    // What is wrong with it says who opens it.
    return 0;
  } finally {
    found?.database.close();
  }
}

/** Moves a file that cannot be used out of the way; one is kept, for a person to look at. */
export function setFileAside(path: string): void {
  if (path === MEMORY) return;
  if (existsSync(path)) renameSync(path, asidePath(path));
  // What SQLite keeps beside the file must not meet the new one.
  for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
}

interface FileMeta {
  readonly formVersion: number;
  readonly venueId: string;
  readonly appliedSeq: number;
}

function asidePath(path: string): string {
  return `${path}.aside`;
}

function connect(path: string): OpenTables<never> {
  const database = new DatabaseSync(path, { readBigInts: true });
  try {
    database.exec("pragma journal_mode = wal");
    // A commit that a power failure takes back is written again from the log.
    database.exec("pragma synchronous = normal");
    database.exec(`pragma cache_size = -${CACHE_KIB}`);
    database.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  } catch (error) {
    database.close();
    throw error;
  }
  return { database, db: new Kysely<never>({ dialect: sqliteDialect(database) }) };
}

/** Nothing is in it yet: it did not exist, or the process that made it got no further. */
function isEmpty({ database }: OpenTables<never>): boolean {
  return database.prepare("select name from sqlite_schema").get() === undefined;
}

/** `meta` says what the file is, in one row. Every event up to applied_seq is in the tables, and none after it. */
function createFile(open: OpenTables<never>, { venueId, parts = PARTS }: HistoryFileOptions): HistoryFile {
  const { database } = open;
  database.exec("begin");
  database.exec(
    "create table meta (schema_version integer not null, venue_id text not null, applied_seq integer not null) strict",
  );
  createParts(database, parts);
  database
    .prepare("insert into meta (schema_version, venue_id, applied_seq) values (?, ?, 0)")
    .run(FORM_VERSION, venueId);
  database.exec("commit");
  return { ...open, appliedSeq: 0, notes: [] };
}

const NO_META = "The history holds no row that says what it is.";

function readMeta({ database }: OpenTables<never>): FileMeta | undefined {
  const row = database.prepare("select schema_version, venue_id, applied_seq from meta").get();
  if (row === undefined) return undefined;
  return {
    formVersion: Number(row["schema_version"]),
    venueId: String(row["venue_id"]),
    appliedSeq: Number(row["applied_seq"]),
  };
}

function damageOf({ database }: OpenTables<never>, path: string): string | undefined {
  if (path === MEMORY || statSync(path).size > CHECKED_WHOLE_BYTES_MAX) return undefined;
  const finding = database.prepare("pragma quick_check(1)").get()?.["quick_check"];
  return finding === "ok" ? undefined : `The history is damaged (${finding}).`;
}

function fitFile(
  { database }: OpenTables<never>,
  { formVersion, venueId, appliedSeq }: FileMeta,
  options: HistoryFileOptions,
  parts: readonly Part[],
): Fitting {
  if (venueId !== options.venueId) return { misfit: `The history belongs to another venue, ${venueId}.` };
  if (options.logSeq !== undefined && appliedSeq > options.logSeq) {
    return { misfit: `The history goes to seq ${appliedSeq}, but the log ends at seq ${options.logSeq}.` };
  }
  return fitParts(database, formVersion, parts);
}
