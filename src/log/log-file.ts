import { randomBytes } from "node:crypto";
import { existsSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { NewerProgram } from "../engine/newer.ts";
import { genesisHash, HASH_BYTES, type LogEnd } from "./chain.ts";
import { createPrivateFile, logPaths } from "./data-dir.ts";
import { syncDirectory } from "./directory.ts";
import { type DamagePlace, LogDamaged } from "./errors.ts";
import { oddKindOf } from "./plain-file.ts";
import { isContentError } from "./sqlite-error.ts";

export const FORMAT_VERSION = 1;

/** One row per group. The payload comes last, so that the other columns are found on the row's first page. */
const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE log_group (
    first_seq INTEGER PRIMARY KEY,
    count     INTEGER NOT NULL,
    time_ms   INTEGER NOT NULL,
    prev_hash BLOB NOT NULL,
    hash      BLOB NOT NULL,
    payload   BLOB NOT NULL
  ) STRICT;
`;

/**
 * A database page holds one usual group of about 64 records; larger pages write more for the small groups of quiet
 * times.
 */
export const PAGE_BYTES = 4096;

/** A write-ahead log that a long reader has blown up is given back to the disk down to this size. */
const WAL_BYTES_KEPT = 16 * 1024 * 1024;

/** How long an opener waits for a lock of SQLite's own, held for instants while another connection opens or closes. */
const LOCK_WAIT_MS = 2_000;

/** An open log file and what its meta table says. */
export interface LogFile {
  readonly path: string;
  readonly venueId: string;
  /** The end that its first group follows: the genesis, or the end of what was moved to an archive. */
  readonly start: LogEnd;
  /** How often it was cut back; what was written beside it before the last time tells of another course of events. */
  readonly cuts: number;
  /** The venue that it was forked from, and at which seq, as `VENUE SEQ`; undefined of all other logs. */
  readonly forkOf: string | undefined;
  readonly database: DatabaseSync;
}

/**
 * Creates an empty log in `dir` if there is none. It is built under another name, so a file called log.sqlite is whole.
 * Returns whether it made one.
 */
export function createLogFile(dir: string, venueId: string = randomBytes(16).toString("hex")): boolean {
  const paths = logPaths(dir);
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(paths.newLog + suffix, { force: true });
  if (existsSync(paths.log)) return false;
  createPrivateFile(paths.newLog);
  const database = new DatabaseSync(paths.newLog);
  try {
    database.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`);
    database.exec(`BEGIN; ${SCHEMA}`);
    const insert = database.prepare("INSERT INTO meta VALUES (?, ?)");
    insert.run("format_version", String(FORMAT_VERSION));
    insert.run("venue_id", venueId);
    database.exec("COMMIT");
  } finally {
    // The last connection that closes moves the write-ahead log into the file, syncs it and removes it.
    database.close();
  }
  renameSync(paths.newLog, paths.log);
  syncDirectory(dir);
  return true;
}

/** Creates the log of a fork, which begins behind `seq`, and gives the id of the new venue. `forkOf` as in LogFile. */
export function createForkedLog(dir: string, seq: number, forkOf: string): string {
  createLogFile(dir);
  const log = openLogFile(dir, "write");
  try {
    setArchivedEnd(log, { lastSeq: seq, lastHash: genesisHash(FORMAT_VERSION, log.venueId) });
    log.database.prepare("INSERT INTO meta VALUES ('fork', ?)").run(forkOf);
    return log.venueId;
  } finally {
    log.database.close();
  }
}

/** Opens the log of `dir`. A read-only opener works beside a running venue. Throws LogDamaged when it is no log. */
export function openLogFile(dir: string, mode: "write" | "read"): LogFile {
  const path = logPaths(dir).log;
  if (!existsSync(path)) throw new LogDamaged("the file is missing", { file: path });
  const odd = oddKindOf(path);
  if (odd !== undefined) throw new LogDamaged(`it is ${odd}, and no file`, { file: path });
  return damageFrom({ file: path }, () => {
    const database = new DatabaseSync(path, { readOnly: mode === "read", timeout: LOCK_WAIT_MS });
    try {
      refuseForeignSchema(database, path);
      // Checkpoints are the log writer's business, at moments it chooses.
      if (mode === "write") {
        database.exec(`PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0`);
        database.exec(`PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`);
      }
      const { version, venueId } = readMeta(database, path);
      const genesis = { lastSeq: 0, lastHash: genesisHash(version, venueId) };
      const start = readArchivedEnd(database, path) ?? genesis;
      const cuts = readLastCut(database)?.cuts ?? 0;
      return { path, venueId, start, cuts, forkOf: readMetaText(database, "fork"), database };
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** A view in the place of a table could have rows without end, and a trigger undo what is written. */
function refuseForeignSchema(database: DatabaseSync, path: string): void {
  const foreign = database.prepare("SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'trigger')").get();
  if (foreign === undefined) return;
  throw new LogDamaged(`it holds the ${foreign["type"]} ${foreign["name"]}, and no log has any`, { file: path });
}

function readMetaText(database: DatabaseSync, key: string): string | undefined {
  return database.prepare("SELECT value FROM meta WHERE key = ?").get(key)?.["value"] as string | undefined;
}

function readMeta(database: DatabaseSync, path: string): { version: number; venueId: string } {
  const select = database.prepare("SELECT value FROM meta WHERE key = ?");
  const version = Number(select.get("format_version")?.["value"]);
  const venueId = select.get("venue_id")?.["value"];
  if (Number.isSafeInteger(version) && version > FORMAT_VERSION) {
    throw new NewerProgram(`The log ${path}`, { of: "format version", found: version, known: FORMAT_VERSION });
  }
  if (version !== FORMAT_VERSION) {
    const what = `the log's format version is ${version}, and this program reads version ${FORMAT_VERSION}`;
    throw new LogDamaged(what, { file: path });
  }
  if (typeof venueId !== "string") throw new LogDamaged("it names no venue id", { file: path });
  return { version, venueId };
}

/** The end of what was moved away, from the meta table; undefined when nothing was. */
function readArchivedEnd(database: DatabaseSync, path: string): LogEnd | undefined {
  const row = database.prepare("SELECT value FROM meta WHERE key = 'archived'").get();
  if (row === undefined) return undefined;
  const [, seq, hex] = /^(\d{1,16}) ([0-9a-f]{64})$/.exec(String(row["value"])) ?? [];
  if (seq === undefined || hex === undefined) throw new LogDamaged("it does not say what was archived", { file: path });
  return { lastSeq: Number(seq), lastHash: Uint8Array.from(Buffer.from(hex, "hex")) };
}

/** Begins the log behind `end`; the groups up to there no longer count. */
export function setArchivedEnd({ database }: LogFile, end: LogEnd): void {
  const value = `${end.lastSeq} ${Buffer.from(end.lastHash).toString("hex")}`;
  database.prepare("INSERT OR REPLACE INTO meta VALUES ('archived', ?)").run(value);
}

/** When a log was cut back last, and from where to where. */
export interface LogCut {
  /** How often it was cut so far. */
  readonly cuts: number;
  readonly fromSeq: number;
  readonly toSeq: number;
  /** By the machine's clock. */
  readonly atMs: number;
}

/** The last time that a log was cut back; undefined when it never was. */
export function readLastCut(database: DatabaseSync): LogCut | undefined {
  const row = database.prepare("SELECT value FROM meta WHERE key = 'cut'").get();
  if (row === undefined) return undefined;
  const [cuts = 0, fromSeq = 0, toSeq = 0, atMs = 0] = String(row["value"]).split(" ").map(Number);
  return { cuts, fromSeq, toSeq, atMs };
}

/**
 * Takes the groups behind `seq` out of the log, in one commit, and notes that it was done. `seq` must end a group.
 * Gives the new end; undefined, with nothing changed, when no group ends there, as when the log up to it was archived.
 */
export function cutLog(log: LogFile, seq: number, atMs: number): LogEnd | undefined {
  const { database } = log;
  const start = readArchivedEnd(database, log.path) ?? log.start;
  const end = seq === start.lastSeq ? start : groupEndBefore({ ...log, start }, seq + 1);
  if (end === undefined || end.lastSeq !== seq || seq < start.lastSeq) return undefined;
  const before = readLogEnd(log);
  const cuts = (readLastCut(database)?.cuts ?? 0) + 1;
  database.exec("BEGIN IMMEDIATE");
  try {
    database.prepare("DELETE FROM log_group WHERE first_seq > ?").run(seq);
    database
      .prepare("INSERT OR REPLACE INTO meta VALUES ('cut', ?)")
      .run(`${cuts} ${before.lastSeq} ${end.lastSeq} ${atMs}`);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
  return end;
}

/** Prepared insert of one group: first seq, count, time, previous hash, hash, payload. */
export function prepareInsert(log: LogFile): StatementSync {
  return log.database.prepare("INSERT INTO log_group VALUES (?, ?, ?, ?, ?, ?)");
}

/** The end of the stored log as its last row states it; the row itself is not verified here. */
export function readLogEnd(log: LogFile): LogEnd {
  return groupEndBefore(log, Number.MAX_SAFE_INTEGER) ?? log.start;
}

/** Last seq and hash of the last group whose first seq is below `firstSeq`; undefined when there is none. */
export function groupEndBefore(log: LogFile, firstSeq: number): LogEnd | undefined {
  return damageFrom({ file: log.path }, () => {
    const sql =
      "SELECT first_seq, count, hash FROM log_group WHERE first_seq > ? AND first_seq < ? ORDER BY first_seq " +
      "DESC LIMIT 1";
    const row = log.database.prepare(sql).get(beforeFirst(log), firstSeq);
    if (row === undefined) return undefined;
    const { first_seq, count, hash } = row;
    if (typeof first_seq !== "number" || typeof count !== "number" || !isHash(hash)) {
      throw new LogDamaged("the last group's columns are not of the log's types", { file: log.path });
    }
    return { lastSeq: first_seq + count - 1, lastHash: hash };
  });
}

/** First seq of the group that holds `seq`, or of the first group after it; undefined beyond the end. */
export function firstSeqOfGroupHolding(log: LogFile, seq: number): number | undefined {
  return damageFrom({ file: log.path }, () => {
    const sql = "SELECT first_seq, count FROM log_group WHERE first_seq <= ? ORDER BY first_seq DESC LIMIT 1";
    const row = log.database.prepare(sql).get(seq);
    if (row !== undefined && Number(row["first_seq"]) + Number(row["count"]) > seq) return Number(row["first_seq"]);
    const after = "SELECT min(first_seq) AS first FROM log_group WHERE first_seq > ?";
    const next = log.database.prepare(after).get(Math.max(seq, beforeFirst(log)));
    return next?.["first"] === null ? undefined : Number(next?.["first"]);
  });
}

/** Groups up to this first seq do not count: of a whole log even keys that no log has do. */
function beforeFirst({ start }: LogFile): number {
  return start.lastSeq === 0 ? Number.MIN_SAFE_INTEGER : start.lastSeq;
}

export function isHash(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && value.length === HASH_BYTES;
}

/** Runs `read`, turning SQLite's complaints about the file's content into LogDamaged; other failures pass unchanged. */
export function damageFrom<T>(place: DamagePlace, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isContentError(error)) throw error;
    throw new LogDamaged(`SQLite cannot read it (${(error as Error).message})`, { ...place, cause: error });
  }
}
