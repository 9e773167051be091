import { type LogEnd, type LogGroup, lastSeqOf } from "./chain.ts";
import { logPaths } from "./data-dir.ts";
import { LogDamaged, ReplayDiverged } from "./errors.ts";
import { groupsOf } from "./group-batch.ts";
import { openLogFile, readLogEnd } from "./log-file.ts";
import { ReadAhead } from "./read-ahead.ts";
import {
  baseSnapshot,
  listSnapshots,
  readSnapshot,
  type Snapshot,
  type SnapshotHead,
  type SnapshotMeta,
  type UnsoundSnapshot,
} from "./snapshot-file.ts";

/** The engine, seen from the log, which is replayed into it. It starts empty, at seq 0. */
export interface Machine {
  /** Sequence number of the last command applied. */
  readonly seq: number;
  /**
   * Takes over the state of a snapshot; `seq` is that of the snapshot afterwards. The chunks become the machine's own.
   */
  restore(meta: SnapshotMeta, chunks: readonly Uint8Array[]): void;
  /** Applies all commands of a group in order. The payload is valid during the call only. */
  applyGroup(group: LogGroup): void;
  /** SHA-256 over the chunks that a snapshot of the present state would have, as 64 hexadecimal digits. */
  stateHash(): string;
  /** The form of these chunks: a snapshot of another form has another hash of the same state. */
  readonly form: number;
}

export interface ReplayProgress {
  /** The log is verified up to here. */
  readonly verifiedSeq: number;
  /** The machine has applied everything up to here. */
  readonly appliedSeq: number;
  readonly lastSeq: number;
}

export interface ReplayOptions {
  /** Called between batches of groups; the replay waits for it, so that slower readers of events can keep up. */
  readonly onBatch?: () => Promise<void> | undefined;
  /** Take no snapshot newer than this seq, because a view built from events (history) still needs those after it. */
  readonly fromSeqAtMost?: number;
  /** Apply nothing behind this seq, which ends a group: what follows there is not in the log for good yet. */
  readonly toSeq?: number | undefined;
  /** Called every now and then while the log is read. */
  readonly onProgress?: (progress: ReplayProgress) => void;
}

/** The work that brought a machine to the end of a log. */
export interface ReplayReport {
  readonly venueId: string;
  /** The end that its first group follows. */
  readonly start: LogEnd;
  /** The verified end of the log; the machine's seq is its lastSeq. */
  readonly end: LogEnd;
  /** The snapshot that was taken over; undefined when all was replayed from the first command. */
  readonly snapshot: SnapshotHead | undefined;
  /** Snapshots whose state hash was met again while replaying. */
  readonly confirmedSnapshots: readonly SnapshotHead[];
  readonly unsoundSnapshots: readonly UnsoundSnapshot[];
  readonly replayedCommands: number;
  /** Reading, restoring and re-hashing the snapshot. */
  readonly snapshotMs: number;
  /** Reading, verifying and applying the log. */
  readonly replayMs: number;
}

/**
 * Replays a log into an empty machine without changing a file, also while a venue writes it, up to what is committed
 * when its end is reached. From the `start` it verifies every snapshot's state hash on the way; from the newest sound
 * `snapshot` it is quicker. From the `machine` it goes on where an archive ended that was replayed into it.
 */
export async function replay(
  dir: string,
  machine: Machine,
  options: ReplayOptions & { readonly from: "start" | "snapshot" | "machine" },
): Promise<ReplayReport> {
  // Listed before the end is read, since a venue at work may write both meanwhile.
  const listed = listSnapshots(dir);
  const log = openLogFile(dir, "read");
  const end = readLogEnd(log);
  log.database.close();
  refuseSnapshotBeyond(dir, listed.heads, end);
  if (options.from === "machine") {
    refuseOtherStart(dir, machine, log.start);
    const found = { snapshot: undefined, heads: listed.heads, unsound: listed.unsound, readMs: 0 };
    return await replayFrom(found, { dir, venueId: log.venueId, start: log.start, end, machine, options });
  }
  const seqAtMost = options.from === "start" ? 0 : (options.fromSeqAtMost ?? Number.MAX_SAFE_INTEGER);
  const found = findSnapshot(dir, listed, log.start, seqAtMost);
  return await replayFrom(found, { dir, venueId: log.venueId, start: log.start, end, machine, options });
}

/** A snapshot beyond the log's end means that the log lost commands. */
export function refuseSnapshotBeyond(dir: string, heads: readonly SnapshotHead[], end: LogEnd): void {
  const newest = heads[0];
  if (newest === undefined || newest.seq <= end.lastSeq) return;
  const what = `${newest.file} was taken at seq ${newest.seq}, but the log ends at seq ${end.lastSeq}`;
  throw new LogDamaged(what, { file: logPaths(dir).log, lastSoundSeq: end.lastSeq });
}

/** Throws LogDamaged unless the log begins with the state that the machine came to, where that can be compared. */
function refuseOtherStart(dir: string, machine: Machine, start: LogEnd): void {
  const file = logPaths(dir).log;
  if (machine.seq !== start.lastSeq) {
    throw new LogDamaged(`it begins behind seq ${start.lastSeq}, and what comes before ends at seq ${machine.seq}`, {
      file,
    });
  }
  const base = start.lastSeq === 0 ? undefined : baseSnapshot(dir, start.lastSeq);
  if (base === undefined || base.form !== machine.form) return;
  const actual = machine.stateHash();
  if (actual !== base.stateHash) throw new ReplayDiverged(start.lastSeq, base.file, base.stateHash, actual);
}

interface FoundSnapshots {
  readonly snapshot: Snapshot | undefined;
  readonly heads: readonly SnapshotHead[];
  readonly unsound: readonly UnsoundSnapshot[];
  readonly readMs: number;
}

/**
 * The newest sound snapshot at or before `seqAtMost` from which the log goes on; of a log that begins behind an archive
 * the one that it begins with, if need be.
 */
export function findSnapshot(
  dir: string,
  listed: ReturnType<typeof listSnapshots>,
  start: LogEnd,
  seqAtMost: number,
): FoundSnapshots {
  const startMs = performance.now();
  const heads = listed.heads.filter(({ seq }) => seq >= start.lastSeq);
  const unsound = [...listed.unsound];
  const base = start.lastSeq === 0 ? undefined : baseSnapshot(dir, start.lastSeq);
  const candidates = heads.filter(({ seq }) => seq <= seqAtMost);
  // A restored backup has no snapshot to begin with: the oldest one must do.
  const last = base ?? (start.lastSeq > 0 && candidates.length === 0 ? heads.at(-1) : undefined);
  for (const head of [...candidates, ...(last === undefined ? [] : [last])]) {
    const snapshot = readSnapshot(head.file);
    if (typeof snapshot !== "string") return { snapshot, heads, unsound, readMs: performance.now() - startMs };
    unsound.push({ file: head.file, reason: snapshot });
  }
  if (start.lastSeq > 0) {
    const what = `the commands up to seq ${start.lastSeq} are in an archive, and no snapshot says what they came to`;
    throw new LogDamaged(what, { file: logPaths(dir).log });
  }
  return { snapshot: undefined, heads, unsound, readMs: performance.now() - startMs };
}

interface ReplayTask {
  readonly dir: string;
  readonly venueId: string;
  readonly start: LogEnd;
  readonly end: LogEnd;
  readonly machine: Machine;
  readonly options: ReplayOptions;
}

export async function replayFrom(found: FoundSnapshots, task: ReplayTask): Promise<ReplayReport> {
  const { machine } = task;
  const { snapshot } = found;
  // The log is read and verified in its own thread while the snapshot is restored in this one.
  const log = new ReadAhead(task.dir, (snapshot?.seq ?? machine.seq) + 1);
  try {
    const restoreStartMs = performance.now();
    if (snapshot !== undefined) restoreSnapshot(machine, snapshot);
    const replayStartMs = performance.now();
    const startSeq = machine.seq;
    const confirmer = new SnapshotConfirmer(machine, found.heads);
    const end = await applyAll(log, task, snapshot, confirmer);
    return {
      venueId: task.venueId,
      start: task.start,
      end,
      snapshot: snapshot && headOf(snapshot),
      confirmedSnapshots: confirmer.confirmed,
      unsoundSnapshots: found.unsound,
      replayedCommands: machine.seq - startSeq,
      snapshotMs: found.readMs + replayStartMs - restoreStartMs,
      replayMs: performance.now() - replayStartMs,
    };
  } finally {
    await log.stop();
  }
}

function headOf({ chunks: _, ...head }: Snapshot): SnapshotHead {
  return head;
}

function restoreSnapshot(machine: Machine, snapshot: Snapshot): void {
  machine.restore(headOf(snapshot), snapshot.chunks);
  const actual = machine.form === snapshot.form ? machine.stateHash() : snapshot.stateHash;
  if (machine.seq !== snapshot.seq || actual !== snapshot.stateHash) {
    throw new ReplayDiverged(machine.seq, snapshot.file, snapshot.stateHash, actual);
  }
}

async function applyAll(
  log: ReadAhead,
  task: ReplayTask,
  snapshot: Snapshot | undefined,
  confirmer: SnapshotConfirmer,
): Promise<LogEnd> {
  const { machine, options } = task;
  const { toSeq = Number.MAX_SAFE_INTEGER } = options;
  let end: LogEnd | undefined;
  for await (const message of log) {
    if (message.kind === "batch") {
      for (const group of groupsOf(message.batch)) {
        if (lastSeqOf(group) <= machine.seq) continue;
        if (lastSeqOf(group) > toSeq) break;
        if (group.firstSeq <= machine.seq) refuseMidGroup(machine, snapshot);
        machine.applyGroup(group);
        confirmer.compareAt(lastSeqOf(group));
      }
    }
    end = message.kind === "batch" ? message.batch.end : message.end;
    const lastSeq = Math.max(task.end.lastSeq, end.lastSeq);
    await options.onBatch?.();
    options.onProgress?.({ verifiedSeq: end.lastSeq, appliedSeq: machine.seq, lastSeq });
  }
  if (end === undefined) throw new Error("The log reader reported no end.");
  return end;
}

function refuseMidGroup(machine: Machine, snapshot: Snapshot | undefined): never {
  const place = { file: snapshot?.file ?? "the machine", lastSoundSeq: machine.seq };
  throw new LogDamaged(`seq ${machine.seq} is not the end of a group of the log`, place);
}

/** Holds the machine's state against the snapshots of its form whose seq the replay passes. */
class SnapshotConfirmer {
  readonly confirmed: SnapshotHead[] = [];
  readonly #machine: Machine;
  readonly #ahead: ReadonlyMap<number, SnapshotHead>;

  constructor(machine: Machine, heads: readonly SnapshotHead[]) {
    this.#machine = machine;
    this.#ahead = new Map(heads.filter(({ form }) => form === machine.form).map((head) => [head.seq, head]));
  }

  compareAt(seq: number): void {
    const head = this.#ahead.get(seq);
    if (head === undefined) return;
    const actual = this.#machine.stateHash();
    if (actual !== head.stateHash) throw new ReplayDiverged(seq, head.file, head.stateHash, actual);
    this.confirmed.push(head);
  }
}
