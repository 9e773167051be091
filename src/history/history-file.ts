import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { faultCodeOf, isContentError } from "./fault.ts";
import { type HistoryTables, SCHEMA_VERSION, TABLES } from "./schema.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

/** What is asked of the file when it is opened. */
export interface HistoryFileOptions {
  /** Path of the file, or `:memory:`. */
  readonly path: string;
  /** The venue whose log this is the view of. */
  readonly venueId: string;
  /** Last sequence number of the log: a history that is ahead of it belongs to another course of events. */
  readonly logSeq?: number | undefined;
}

/** An open history that fits the venue. */
export interface HistoryFile {
  readonly database: DatabaseSync;
  readonly db: Kysely<HistoryTables>;
  /** Every event up to this sequence number is in it; 0 when it is new. */
  readonly appliedSeq: number;
  /** Why the file that was there could not be used, as a sentence; absent when it could, or when there was none. */
  readonly setAside?: string;
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
 * Opens the history of a venue. A file that is damaged, of another version, of another venue or ahead of the log is set
 * aside and a new one begun: history is a view, and the venue writes it again from the log. What the disk refuses throws.
 */
export async function openHistoryFile(options: HistoryFileOptions): Promise<HistoryFile> {
  const { path } = options;
  let found: OpenDatabase | undefined;
  let reason: string;
  try {
    found = connect(path);
    if (isEmpty(found)) return await createTables(found, options);
    const meta = await readMeta(found);
    const misfit = damageOf(found, path) ?? misfitOf(meta, options);
    if (misfit === undefined && meta !== undefined) return { ...found, appliedSeq: meta.appliedSeq };
    reason = misfit ?? "The history holds no row that says what it is.";
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
    ...(await createTables(connect(path), options)),
    setAside: `${reason} It was set aside as ${asidePath(path)}.`,
  };
}

/** Moves a file that cannot be used out of the way; one is kept, for a person to look at. */
export function setFileAside(path: string): void {
  if (path === MEMORY) return;
  if (existsSync(path)) renameSync(path, asidePath(path));
  // What SQLite keeps beside the file must not meet the new one.
  for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
}

interface OpenDatabase {
  readonly database: DatabaseSync;
  readonly db: Kysely<HistoryTables>;
}

interface FileMeta {
  readonly schemaVersion: number;
  readonly venueId: string;
  readonly appliedSeq: number;
}

function asidePath(path: string): string {
  return `${path}.aside`;
}

function connect(path: string): OpenDatabase {
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
  return { database, db: new Kysely<HistoryTables>({ dialect: sqliteDialect(database) }) };
}

/** Nothing is in it yet: it did not exist, or the process that made it got no further. */
function isEmpty({ database }: OpenDatabase): boolean {
  return database.prepare("select name from sqlite_schema").get() === undefined;
}

async function createTables(open: OpenDatabase, { venueId }: HistoryFileOptions): Promise<HistoryFile> {
  await open.db.transaction().execute(async (db) => {
    open.database.exec(TABLES);
    await db.insertInto("meta").values({ schema_version: SCHEMA_VERSION, venue_id: venueId, applied_seq: 0 }).execute();
  });
  return { ...open, appliedSeq: 0 };
}

async function readMeta({ db }: OpenDatabase): Promise<FileMeta | undefined> {
  const row = await db.selectFrom("meta").selectAll().executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    schemaVersion: Number(row.schema_version),
    venueId: row.venue_id,
    appliedSeq: Number(row.applied_seq),
  };
}

function damageOf({ database }: OpenDatabase, path: string): string | undefined {
  if (statSync(path).size > CHECKED_WHOLE_BYTES_MAX) return undefined;
  const finding = database.prepare("pragma quick_check(1)").get()?.["quick_check"];
  return finding === "ok" ? undefined : `The history is damaged (${finding}).`;
}

function misfitOf(meta: FileMeta | undefined, { venueId, logSeq }: HistoryFileOptions): string | undefined {
  if (meta === undefined) return undefined;
  if (meta.schemaVersion !== SCHEMA_VERSION) {
    return `The history has version ${meta.schemaVersion}, this program writes version ${SCHEMA_VERSION}.`;
  }
  if (meta.venueId !== venueId) return `The history belongs to another venue, ${meta.venueId}.`;
  if (logSeq !== undefined && meta.appliedSeq > logSeq) {
    return `The history goes to seq ${meta.appliedSeq}, but the log ends at seq ${logSeq}.`;
  }
  return undefined;
}
