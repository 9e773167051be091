import { existsSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import { type LogEnd, lastSeqOf, sameBytes } from "./chain.ts";
import { logPaths } from "./data-dir.ts";
import { makeDirectory, syncDirectory } from "./directory.ts";
import { createLogFile, openLogFile, prepareInsert, readLogEnd, setArchivedEnd } from "./log-file.ts";
import { LogReader } from "./reader.ts";
import { removeBasesBefore, type SnapshotContent, writeBaseSnapshot, writeSnapshot } from "./snapshot-file.ts";

/** An archive cannot be made as asked; the message is a sentence for the operator. */
export class ArchiveRefused extends Error {
  readonly code = "archive_refused";
}

/** Commands before this seq, or of groups before this time. */
export type Before = { readonly seq: number } | { readonly timeMs: number };

/**
 * Where the log of `dir` is to be cut: the end of its last whole group before that. Undefined when there is nothing to
 * move.
 */
export function cutBefore(dir: string, before: Before): LogEnd | undefined {
  const reader = new LogReader(dir);
  try {
    let cut: LogEnd | undefined;
    for (const group of reader.groups(reader.start.lastSeq + 1)) {
      const isBefore = "seq" in before ? lastSeqOf(group) < before.seq : group.timeMs < before.timeMs;
      if (!isBefore) break;
      cut = { lastSeq: lastSeqOf(group), lastHash: Uint8Array.from(group.hash) };
    }
    return cut;
  } finally {
    reader.close();
  }
}

/** Groups of the archive that are committed together. */
const COPIED_AT_ONCE = 1_024;

/** Groups that are removed at a time: a venue that writes the log meanwhile waits for no more than these. */
const REMOVED_AT_ONCE = 128;

/**
 * Moves the groups up to `cut` from the log of `dir` into the archive `to`, which is new or ends where the log begins.
 * `snapshot` is the state at the cut. First the archive is whole and verified, then the log begins with the snapshot,
 * then its rows are removed; stopped in between, the same call goes on. A venue may write the log meanwhile.
 */
export function moveToArchive(dir: string, to: string, cut: LogEnd, snapshot: SnapshotContent): void {
  copyInto(dir, to, cut);
  writeSnapshot(to, snapshot);
  writeBaseSnapshot(dir, snapshot);
  const log = openLogFile(dir, "write");
  try {
    setArchivedEnd(log, cut);
    const some = `SELECT first_seq FROM log_group WHERE first_seq <= ? LIMIT ${REMOVED_AT_ONCE}`;
    const remove = log.database.prepare(`DELETE FROM log_group WHERE first_seq IN (${some})`);
    while (Number(remove.run(cut.lastSeq).changes) > 0) log.database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  } finally {
    log.database.close();
  }
  removeBasesBefore(dir, cut.lastSeq);
}

/** Gives the space of removed groups back to the disk, of a log that nobody else uses. */
export function compactLog(dir: string): void {
  const { database } = openLogFile(dir, "write");
  database.exec("VACUUM");
  database.close();
}

function copyInto(dir: string, to: string, cut: LogEnd): void {
  const reader = new LogReader(dir);
  try {
    prepareArchive(to, reader);
    const archive = openLogFile(to, "write");
    try {
      const insert = prepareInsert(archive);
      let end = readLogEnd(archive);
      let written = 0;
      archive.database.exec("BEGIN");
      for (const group of reader.groups(end.lastSeq + 1, cut.lastSeq)) {
        insert.run(group.firstSeq, group.count, group.timeMs, end.lastHash, group.hash, group.payload);
        end = { lastSeq: lastSeqOf(group), lastHash: Uint8Array.from(group.hash) };
        if (++written % COPIED_AT_ONCE === 0) archive.database.exec("COMMIT; BEGIN");
      }
      archive.database.exec("COMMIT");
    } finally {
      archive.database.close();
    }
    verify(to, cut);
    syncDirectory(to);
  } finally {
    reader.close();
  }
}

/** Makes the archive, or checks that it goes on with this log. */
function prepareArchive(to: string, { start, venueId }: LogReader): void {
  makeDirectory(to, "--to");
  if (!existsSync(logPaths(to).log)) {
    // What a try left that the disk did not take is made anew.
    const others = readdirSync(to).filter((name) => !name.startsWith(basename(logPaths(to).newLog)));
    if (others.length > 0) throw new ArchiveRefused(`The directory ${to} holds other things; name a new one.`);
    createLogFile(to, venueId);
    const made = openLogFile(to, "write");
    if (start.lastSeq > 0) setArchivedEnd(made, start);
    made.database.close();
    return;
  }
  const archive = new LogReader(to);
  const end = archive.end();
  archive.close();
  if (archive.venueId !== venueId) throw new ArchiveRefused(`The directory ${to} holds the archive of another venue.`);
  // One that was interrupted holds some of what the log still has.
  if (end.lastSeq < start.lastSeq || (end.lastSeq === start.lastSeq && !sameBytes(end.lastHash, start.lastHash))) {
    throw new ArchiveRefused(
      `The archive in ${to} ends at seq ${end.lastSeq}, and the log begins behind ${start.lastSeq}.`,
    );
  }
}

/** Reads the whole archive, which verifies its chain, and holds its end against the cut. */
function verify(to: string, cut: LogEnd): void {
  const archive = new LogReader(to);
  let end: LogEnd = archive.start;
  for (const group of archive.groups(archive.start.lastSeq + 1)) {
    end = { lastSeq: lastSeqOf(group), lastHash: Uint8Array.from(group.hash) };
  }
  archive.close();
  if (end.lastSeq === cut.lastSeq && sameBytes(end.lastHash, cut.lastHash)) return;
  throw new ArchiveRefused(
    `The archive in ${to} ends at seq ${end.lastSeq} instead of ${cut.lastSeq}; the log is untouched.`,
  );
}
