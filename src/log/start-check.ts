import { closeSync, existsSync, fsyncSync, openSync } from "node:fs";
import { type LogEnd, sameBytes } from "./chain.ts";
import { CommitMarker, readCommitMarker } from "./commit-marker.ts";
import { type DataDir, logPaths } from "./data-dir.ts";
import { LogDamaged } from "./errors.ts";
import { BatchReader } from "./group-batch.ts";
import { createLogFile, groupEndBefore, type LogFile, openLogFile, readLogEnd } from "./log-file.ts";
import { listSnapshots } from "./snapshot-file.ts";
import { cutTail, inspectWal, type WalInspection } from "./tail.ts";

/** A log that may be replayed: nothing acknowledged is missing at its end, and nothing half-written is left there. */
export interface CheckedLog {
  readonly venueId: string;
  /** How often it was cut back; see LogFile. */
  readonly cuts: number;
  /** See LogFile. */
  readonly forkOf: string | undefined;
  /** The end that its first group follows; see LogFile. */
  readonly start: LogEnd;
  /** The end as the last row states it; reading the chain verifies it. */
  readonly end: LogEnd;
  /** The log was made just now. */
  readonly created: boolean;
  readonly cutTail: CutTail | undefined;
}

/** A group that was being written when the venue stopped, never acknowledged, and now removed. */
export interface CutTail {
  readonly bytes: number;
  readonly afterSeq: number;
}

/**
 * Looks at the end of the log before anything is read from it: makes the log when there is none and never was one, cuts
 * a torn tail, and throws LogDamaged when acknowledged commands are missing or the write-ahead log is damaged.
 */
export function checkLogForStart(dataDir: DataDir): CheckedLog {
  const dir = dataDir.path;
  const paths = logPaths(dir);
  const commitMarker = readCommitMarker(dir);
  refuseMissingLog(dir, commitMarker);
  const created = createLogFile(dir);
  const inspection = inspectWal(paths.wal);
  const { end, ...log } = readEnd(dir, commitMarker, inspection);
  if (inspection.state === "clean") return { ...log, end, created, cutTail: undefined };
  cutTail(paths.wal, inspection);
  return { ...log, end, created, cutTail: { bytes: inspection.tornBytes, afterSeq: end.lastSeq } };
}

/**
 * To be called when the chain up to `end` has been verified, before anything of it is shown: makes all of it durable,
 * which a killed process may have left undone, moves it into the file, and lets the commit marker vouch for it.
 */
export function settleLog(dataDir: DataDir, end: LogEnd): void {
  const { wal } = logPaths(dataDir.path);
  if (existsSync(wal)) syncFile(wal);
  const log = openLogFile(dataDir.path, "write");
  // A reader at work may keep the checkpoint from finishing; what it leaves, the writer's own checkpoints take up.
  log.database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  log.database.close();
  const commitMarker = new CommitMarker(dataDir.path);
  commitMarker.write(end);
  commitMarker.sync();
  commitMarker.close();
}

/**
 * A directory with a write-ahead log, a commit marker or snapshots had a log once: a new one must not take its place.
 */
function refuseMissingLog(dir: string, commitMarker: LogEnd | undefined): void {
  const paths = logPaths(dir);
  if (existsSync(paths.log)) return;
  const { heads, unsound } = listSnapshots(dir);
  const traces = existsSync(paths.wal) || (commitMarker?.lastSeq ?? 0) > 0 || heads.length + unsound.length > 0;
  if (!traces) return;
  throw new LogDamaged("the file is missing, but others of its log are there", { file: paths.log });
}

/**
 * Reads where the log ends for SQLite, without changing a file, and holds that against the inspection and the commit
 * marker.
 */
function readEnd(
  dir: string,
  commitMarker: LogEnd | undefined,
  inspection: WalInspection,
): Omit<CheckedLog, "created" | "cutTail"> {
  const log = openLogFile(dir, "read");
  try {
    const end = readLogEnd(log);
    const { state, what, brokenOffset } = inspection;
    const walPlace = { file: logPaths(dir).wal, offset: brokenOffset, lastSoundSeq: end.lastSeq };
    if (state === "damaged") throw new LogDamaged(what, walPlace);
    if (state === "doubtful" && commitMarker === undefined) throw new LogDamaged(what, walPlace);
    if (commitMarker !== undefined && commitMarker.lastSeq > end.lastSeq) {
      const missing =
        `commands up to seq ${commitMarker.lastSeq} were ` + `acknowledged, but the log ends at seq ${end.lastSeq}`;
      if (state !== "clean") throw new LogDamaged(`${what}, and ${missing}`, walPlace);
      throw new LogDamaged(missing, { file: log.path, lastSoundSeq: end.lastSeq });
    }
    if (commitMarker !== undefined) refuseOtherLog(log, commitMarker);
    const { venueId, cuts, forkOf, start } = log;
    return { venueId, cuts, forkOf, start, end };
  } catch (error) {
    // Damage further up can show itself at the end, too; anyone who reads from the beginning meets it where it is.
    if (error instanceof LogDamaged) verifyChain(log);
    throw error;
  } finally {
    log.database.close();
  }
}

/** The acknowledged group must be in this very log, not only as many commands as it had. */
function refuseOtherLog(log: LogFile, commitMarker: LogEnd): void {
  const stored = groupEndBefore(log, commitMarker.lastSeq + 1) ?? log.start;
  if (stored.lastSeq === commitMarker.lastSeq && sameBytes(stored.lastHash, commitMarker.lastHash)) return;
  const what = `the group acknowledged at seq ${commitMarker.lastSeq} is not the one stored there`;
  throw new LogDamaged(what, { file: log.path, lastSoundSeq: stored.lastSeq });
}

/** Reads the whole log; throws LogDamaged at the first unsound group. */
function verifyChain(log: LogFile): void {
  const batches = new BatchReader(log, log.start);
  while (batches.next() !== undefined);
}

function syncFile(path: string): void {
  const descriptor = openSync(path, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
