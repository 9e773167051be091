import { closeSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeDirectory, syncDirectory } from "./directory.ts";
import { DataDirLocked, LogDamaged } from "./errors.ts";
import { isContentError, SQLITE_BUSY, sqliteCodeOf } from "./sqlite-error.ts";

/** A data directory that this process, and no other, may write until `release`. */
export interface DataDir {
  readonly path: string;
  release(): void;
}

/** Paths of the files that the log keeps inside a data directory. */
export function logPaths(dir: string) {
  return {
    log: join(dir, "log.sqlite"),
    wal: join(dir, "log.sqlite-wal"),
    newLog: join(dir, "log.sqlite.new"),
    commitMarker: join(dir, "acknowledged"),
    lock: join(dir, "lock.sqlite"),
  };
}

/**
 * Makes the directory if needed (mode 0700) and takes the lock on it. Throws DirectoryRefused when the system does not
 * let it be made or written to, and DataDirLocked when another process, or another part of this one, holds it.
 *
 * The lock is SQLite's own write lock on a small database, taken and never given back: the system drops it when the
 * process ends in whatever way, so nothing stale is left after `kill -9`. Readers of the log do not touch it.
 */
export function openDataDir(dir: string): DataDir {
  const path = resolve(dir);
  makeDirectory(path, "--data");
  const lockPath = logPaths(path).lock;
  createPrivateFile(lockPath);
  const database = new DatabaseSync(lockPath, { timeout: 0 });
  try {
    // The pid is committed first, since an uncommitted row could not be read by the process that is turned away.
    database.exec("PRAGMA synchronous = OFF; BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS holder (pid INTEGER)");
    database.exec("DELETE FROM holder");
    database.prepare("INSERT INTO holder VALUES (?)").run(process.pid);
    database.exec("COMMIT; BEGIN IMMEDIATE");
  } catch (error) {
    const taken = ((sqliteCodeOf(error) ?? 0) & 0xff) === SQLITE_BUSY;
    const holderPid = taken ? readHolder(database) : undefined;
    database.close();
    if (taken) throw new DataDirLocked(path, { holderPid, cause: error });
    if (!isContentError(error)) throw error;
    const what = "the lock is no longer a database; remove it if no venue uses this directory";
    throw new LogDamaged(what, { file: lockPath, cause: error });
  }
  return { path, release: () => database.close() };
}

function readHolder(database: DatabaseSync): number | undefined {
  try {
    return database.prepare("SELECT pid FROM holder").get()?.pid as number | undefined;
  } catch {
    // The holder is between its two transactions; its number is a courtesy, not a need.
    return undefined;
  }
}

/** Creates an empty file with mode 0600 unless it exists. SQLite gives its side files the mode of the database. */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/**
 * Puts a text in the place of what a file held, on the disk when it returns: anyone who reads it meanwhile, or after a
 * crash, sees the old or the new. Nobody else can read it.
 */
export function replacePrivateFile(path: string, text: string): void {
  const unfinished = `${path}.unfinished`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, text, { mode: 0o600, flag: "wx", flush: true });
  renameSync(unfinished, path);
  syncDirectory(dirname(path));
}
