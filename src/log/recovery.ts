import type { DataDir } from "./data-dir.ts";
import {
  findSnapshot,
  type Machine,
  type ReplayOptions,
  type ReplayReport,
  refuseSnapshotBeyond,
  replayFrom,
} from "./replay.ts";
import { listSnapshots, setSnapshotAside } from "./snapshot-file.ts";
import { type CheckedLog, type CutTail, checkLogForStart, settleLog } from "./start-check.ts";

export interface RecoveryReport extends ReplayReport {
  readonly created: boolean;
  readonly venueId: string;
  readonly cutTail: CutTail | undefined;
  readonly durationMs: number;
  /** Notes for the operator, as sentences; empty after a clean stop. */
  readonly notes: readonly string[];
}

export interface RecoveryOptions extends ReplayOptions {
  /**
   * Called when the end of the log is known and before anything is replayed, for views that have to open first. Its
   * result, when it gives one, stands for `fromSeqAtMost`.
   */
  readonly prepare?: (log: CheckedLog) => Promise<number | undefined>;
  /** The log was checked and settled already, and may be written meanwhile. */
  readonly checked?: CheckedLog | undefined;
}

/**
 * Brings an empty machine to the end of the log of `dataDir`: newest sound snapshot, then the groups after it. The
 * whole chain is verified on the way. Throws LogDamaged, or ReplayDiverged when the machine computes another state
 * than a snapshot recorded; the venue must not start then.
 */
export async function recover(
  dataDir: DataDir,
  machine: Machine,
  options: RecoveryOptions = {},
): Promise<RecoveryReport> {
  const startMs = performance.now();
  const checked = options.checked ?? checkLogForStart(dataDir);
  const { venueId, start, end, created, cutTail } = checked;
  const listed = listSnapshots(dataDir.path);
  refuseSnapshotBeyond(dataDir.path, listed.heads, end);
  const seqAtMost = (await options.prepare?.(checked)) ?? options.fromSeqAtMost ?? Number.MAX_SAFE_INTEGER;
  const found = findSnapshot(dataDir.path, listed, start, seqAtMost);
  const report = await replayFrom(found, { dir: dataDir.path, venueId, start, end, machine, options });
  if (options.checked === undefined) settleLog(dataDir, report.end);
  for (const { file } of report.unsoundSnapshots) setSnapshotAside(file);
  const durationMs = performance.now() - startMs;
  const notes = notesOn(report, cutTail);
  if (seqAtMost < start.lastSeq) {
    notes.push(`History lacks what came of the commands up to seq ${start.lastSeq}: they are in an archive.`);
  }
  return { ...report, created, venueId, cutTail, durationMs, notes };
}

function notesOn(report: ReplayReport, cutTail: CutTail | undefined): string[] {
  const notes: string[] = [];
  if (cutTail !== undefined) notes.push(`A torn tail of ${cutTail.bytes} bytes after seq ${cutTail.afterSeq} was cut.`);
  for (const { file, reason } of report.unsoundSnapshots) {
    const instead =
      report.snapshot === undefined ? "the log was replayed from its start" : `${report.snapshot.file} was used`;
    notes.push(`The snapshot ${file} was set aside, because ${reason}; ${instead}.`);
  }
  return notes;
}
