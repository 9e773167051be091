/**
 * Makes a backup of a data directory, also of a venue at work: one file that holds all that a venue needs to go on
 * elsewhere. Taken in an order in which each part is at most as far as the next: snapshot, history, log, keys. So what
 * is restored is the venue as it was at the last command of the log in it.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createPrivateFile, logPaths } from "../../log/data-dir.ts";
import { checkDirectory, syncDirectory } from "../../log/directory.ts";
import { LogReader } from "../../log/reader.ts";
import { baseSnapshot, listSnapshots } from "../../log/snapshot-file.ts";
import { BACKUP_FORMAT, BackupError, MANIFEST_FILE, MANIFEST_HASH_FILE, type Manifest } from "./manifest.ts";
import { type Lock, Sealer } from "./sealed.ts";
import { type TarEntry, TarWriter, writeAll } from "./tar.ts";

/** In this order: neither history nor the trail is ever ahead of the log. */
const DATABASES = ["history.sqlite", "audit-trail.sqlite", "log.sqlite"];
/**
 * Files that belong to a venue as well and do not follow from its log. They open the accounts of its users, so that a
 * backup that is not sealed has them only when asked to. The operator's token does not belong: the copy gets one of its
 * own.
 */
export const SECRET_FILES = ["secret.key", "dev-accounts.json"];
const COPY_WAIT_MS = 10_000;

export interface BackupReport {
  /** Absolute path. */
  readonly file: string;
  readonly bytes: number;
  readonly manifest: Manifest;
}

export interface BackupSpec {
  /** Undefined: it is not sealed. */
  readonly lock?: Lock | undefined;
  /** Whether a backup that is not sealed holds the files that open accounts. */
  readonly withSecrets?: boolean | undefined;
}

/**
 * Writes `file`, which must not exist yet, and syncs it. `version` is the program's. Throws BackupError, or LogDamaged
 * when the log is unsound: a copy of it would be worth nothing.
 */
export function makeBackup(
  dir: string,
  file: string,
  version: string,
  { lock, withSecrets = lock !== undefined }: BackupSpec = {},
): BackupReport {
  if (!existsSync(logPaths(dir).log))
    throw new BackupError(`There is no venue's log in ${dir}, so nothing to back up.`);
  if (existsSync(file)) throw new BackupError(`The file ${file} exists already; a backup never replaces another.`);
  if (!existsSync(dirname(file))) throw new BackupError(`There is no directory ${dirname(file)} to put the backup in.`);
  checkDirectory(dirname(file), "--to");
  const unfinished = `${file}.unfinished`;
  const copies = `${file}.copies`;
  const made = new Date();
  rmSync(unfinished, { force: true });
  rmSync(copies, { recursive: true, force: true });
  createPrivateFile(unfinished);
  const descriptor = openSync(unfinished, "r+");
  try {
    const write = (bytes: Uint8Array) => writeAll(descriptor, bytes);
    const sealer = lock === undefined ? undefined : new Sealer(lock, write);
    const tar = new TarWriter(sealer === undefined ? write : (bytes) => sealer.write(bytes), made.getTime());
    const files: TarEntry[] = [];
    const [snapshot] = listSnapshots(dir).heads;
    if (snapshot !== undefined) files.push(tar.addFile(basename(snapshot.file), snapshot.file));
    mkdirSync(copies, { mode: 0o700 });
    for (const name of DATABASES) {
      if (!existsSync(join(dir, name))) continue;
      copyDatabase(join(dir, name), join(copies, name));
      files.push(tar.addFile(name, join(copies, name)));
    }
    const { base, ...end } = verifiedEnd(copies);
    if (base > 0) {
      // What is left of a log begins with the state behind what was moved to an archive.
      const head = baseSnapshot(dir, base);
      if (head === undefined) throw new BackupError("An archive was being made meanwhile; make the backup again.");
      files.push(tar.addFile(basename(head.file), head.file));
    }
    // Last, since the secrets of keys that are in the log by now must be readable with it.
    for (const name of withSecrets ? SECRET_FILES : []) {
      if (existsSync(join(dir, name))) files.push(tar.addFile(name, join(dir, name)));
    }
    const manifest: Manifest = { format: BACKUP_FORMAT, version, ...end, made_at: made.toISOString(), files };
    const { sha256 } = tar.addText(MANIFEST_FILE, `${JSON.stringify(manifest, null, 2)}\n`);
    tar.addText(MANIFEST_HASH_FILE, `${sha256}\n`);
    tar.end();
    sealer?.end();
    fsyncSync(descriptor);
    renameSync(unfinished, file);
    syncDirectory(dirname(file));
    return { file, bytes: statSync(file).size, manifest };
  } finally {
    closeSync(descriptor);
    rmSync(unfinished, { force: true });
    rmSync(copies, { recursive: true, force: true });
  }
}

/** A whole copy, as of one instant, with everything that is committed by now. A writer is not held up. */
function copyDatabase(from: string, to: string): void {
  createPrivateFile(to);
  const source = new DatabaseSync(from, { readOnly: true, timeout: COPY_WAIT_MS });
  try {
    source.prepare("VACUUM INTO ?").run(to);
  } finally {
    source.close();
  }
  // As its writers leave it: anyone who unpacks the backup by hand has what a venue starts on.
  const copy = new DatabaseSync(to);
  try {
    copy.exec("PRAGMA journal_mode = WAL");
  } finally {
    copy.close();
  }
}

/** Reads the whole log, each group verified, and says where it ends, and behind which seq it begins. */
function verifiedEnd(
  dir: string,
): Pick<Manifest, "venue_id" | "seq" | "time" | "log_hash"> & { readonly base: number } {
  const reader = new LogReader(dir);
  try {
    const { start } = reader;
    let seq = start.lastSeq;
    let timeMs = 0;
    let hash = start.lastHash;
    for (const group of reader.groups(start.lastSeq + 1)) {
      seq = group.firstSeq + group.count - 1;
      timeMs = group.timeMs;
      hash = group.hash;
    }
    const { venueId: venue_id } = reader;
    const time = new Date(timeMs).toISOString();
    return { venue_id, seq, time, log_hash: Buffer.from(hash).toString("hex"), base: start.lastSeq };
  } finally {
    reader.close();
  }
}
