import {
  constants,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { faultCodeOf, isContentError } from "../fault.ts";
import type { OpenHistory } from "../history-writer.ts";
import { type Meta, NO_META, readMeta } from "../meta.ts";
import type { OpenTables, Part, WrittenTables } from "../part.ts";
import { PARTS } from "../parts.ts";
import { createHistory, type Fitting, fitParts, type ShapedTables } from "../versions.ts";
import { sqliteDialect } from "./dialect.ts";
import { GatheredRows } from "./gathered-rows.ts";
import { createTable, tablesOf } from "./tables.ts";

/** The options with which the file is opened. */
export interface HistoryFileOptions {
  /** Path of the file, or `:memory:`. */
  readonly path: string;
  /** The venue whose log this is the view of. */
  readonly venueId: string;
  /** Last sequence number of the log: a history that is ahead of it belongs to another course of events. */
  readonly logSeq?: number | undefined;
  /** The parts of history; a test may have other parts. */
  readonly parts?: readonly Part[];
}

/** A file that is open. */
interface OpenFile extends OpenTables<never>, WrittenTables<never> {
  readonly database: DatabaseSync;
  readonly gathered: GatheredRows;
}

/** An open history that fits the venue. */
export interface HistoryFile extends OpenFile, OpenHistory {
  /** Why the file that was there could not be used, as a sentence; absent when it could, or when there was none. */
  readonly setAside?: string;
  /** The changes that made an older file fit, as sentences. */
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
 * Opens the history of a venue. An older file is brought up to this program. One that cannot be, or is damaged, of
 * another venue or ahead of the log, is set aside and a new one begun: history is a view, and the venue writes it again
 * from the log. Throws NewerProgram, and what the disk refuses.
 */
export async function openHistoryFile(options: HistoryFileOptions): Promise<HistoryFile> {
  const { path, parts = PARTS } = options;
  let found: OpenFile | undefined;
  let reason: string;
  try {
    found = connect(path);
    if (isEmpty(found)) return await createFile(found, options);
    const damage = damageOf(found, path);
    const meta = damage === undefined ? await readMeta(found.db) : undefined;
    const fitting = meta === undefined ? { misfit: damage ?? NO_META } : await fitFile(found, meta, options, parts);
    if (meta !== undefined && "notes" in fitting) return historyIn(found, meta.appliedSeq, fitting.notes);
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
    ...(await createFile(connect(path), options)),
    setAside: `${reason} It was set aside as ${asidePath(path)}.`,
  };
}

/**
 * Up to which sequence number the history of a venue at `path` goes; 0 where there is none, or none that can be read.
 */
export async function seqOfHistory(path: string, venueId: string): Promise<number> {
  if (!existsSync(path)) return 0;
  let found: OpenFile | undefined;
  try {
    found = connect(path);
    const meta = isEmpty(found) ? undefined : await readMeta(found.db);
    return meta?.venueId === venueId ? meta.appliedSeq : 0;
  } catch {
    // What is wrong with it says who opens it.
    return 0;
  } finally {
    found?.database.close();
  }
}

/** Copies all that is committed into the file `image`, private to its user. */
export function keepHistory({ database }: HistoryFile, path: string, image: string): void {
  rmSync(image, { force: true });
  if (path === MEMORY) {
    writeFileSync(image, database.serialize(), { mode: 0o600 });
    return;
  }
  // Moved into the file whole, the write-ahead log is not needed in the copy: this thread alone uses it.
  database.exec("pragma wal_checkpoint(truncate)");
  copyFileSync(path, image, constants.COPYFILE_FICLONE);
}

/** Puts what `keepHistory` wrote in the place of an open history, which is closed, as the history of `venueId`. */
export async function restoreHistory(
  { database }: HistoryFile,
  image: string,
  { path, venueId }: Pick<HistoryFileOptions, "path" | "venueId">,
): Promise<HistoryFile> {
  // The last one to close moves the write-ahead log into the file: it need not wait for the disk, as the file goes.
  database.exec("pragma synchronous = off");
  database.close();
  if (path !== MEMORY) {
    for (const suffix of ["-wal", "-shm", "-journal", ""]) rmSync(path + suffix, { force: true });
    copyFileSync(image, path, constants.COPYFILE_FICLONE);
  }
  const open = connect(path, path === MEMORY ? readFileSync(image) : undefined);
  open.database.prepare("update meta set venue_id = ?").run(venueId);
  const appliedSeq = (await readMeta(open.db))?.appliedSeq;
  if (appliedSeq === undefined) throw new Error(NO_META);
  return historyIn(open, appliedSeq);
}

/** Moves a file that cannot be used out of the way; one is kept, for a person to look at. */
export function setFileAside(path: string): void {
  if (path === MEMORY) return;
  if (existsSync(path)) renameSync(path, asidePath(path));
  // What SQLite keeps beside the file must not meet the new one.
  for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
}

function asidePath(path: string): string {
  return `${path}.aside`;
}

/** `image` is what one in memory is to hold. */
function connect(path: string, image?: Uint8Array): OpenFile {
  const database = new DatabaseSync(path, { readBigInts: true });
  try {
    if (image !== undefined) database.deserialize(image);
    database.exec("pragma journal_mode = wal");
    // A commit that a power failure takes back is written again from the log.
    database.exec("pragma synchronous = normal");
    database.exec(`pragma cache_size = -${CACHE_KIB}`);
    database.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  } catch (error) {
    database.close();
    throw error;
  }
  const gathered = new GatheredRows(database);
  const db = new Kysely<never>({ dialect: sqliteDialect(database, () => gathered.write()) });
  return { database, gathered, ...tablesOf(database, db, gathered) };
}

/** Nothing is in it yet: it did not exist, or the process that made it got no further. */
function isEmpty({ database }: OpenFile): boolean {
  return database.prepare("select name from sqlite_schema").get() === undefined;
}

async function createFile(open: OpenFile, { venueId, parts = PARTS }: HistoryFileOptions): Promise<HistoryFile> {
  open.database.exec("begin");
  await createHistory(shapedOf(open), { venueId, parts });
  open.database.exec("commit");
  return historyIn(open, 0);
}

/** Returns the history in an open file. All rows go into one transaction from the first row on. */
function historyIn(open: OpenFile, appliedSeq: number, notes: readonly string[] = []): HistoryFile {
  const storeAppliedSeq = open.database.prepare("update meta set applied_seq = ?");
  return {
    ...open,
    appliedSeq,
    notes,
    begin: () => open.database.exec("begin"),
    commit: (seq) => {
      open.gathered.write();
      storeAppliedSeq.run(seq);
      open.database.exec("commit");
    },
  };
}

function shapedOf({ database, db }: OpenFile): ShapedTables {
  return {
    db,
    createTable: (table) => Promise.try(() => createTable(database, table)),
    addColumn: (table, column) =>
      Promise.try(() => database.exec(`alter table ${table} add column ${column} integer not null default 0`)),
  };
}

function damageOf({ database }: OpenFile, path: string): string | undefined {
  if (path === MEMORY || statSync(path).size > CHECKED_WHOLE_BYTES_MAX) return undefined;
  const finding = database.prepare("pragma quick_check(1)").get()?.["quick_check"];
  return finding === "ok" ? undefined : `The history is damaged (${finding}).`;
}

async function fitFile(
  open: OpenFile,
  { formVersion, venueId, appliedSeq }: Meta,
  options: HistoryFileOptions,
  parts: readonly Part[],
): Promise<Fitting> {
  if (venueId !== options.venueId) return { misfit: `The history belongs to another venue, ${venueId}.` };
  if (options.logSeq !== undefined && appliedSeq > options.logSeq) {
    return { misfit: `The history goes to seq ${appliedSeq}, but the log ends at seq ${options.logSeq}.` };
  }
  const { database } = open;
  database.exec("begin immediate");
  let fitting: Fitting | undefined;
  try {
    fitting = await fitParts(shapedOf(open), formVersion, parts);
  } finally {
    database.exec(fitting !== undefined && "notes" in fitting ? "commit" : "rollback");
  }
  return fitting;
}
