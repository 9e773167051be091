import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { genesisHash, type LogEnd, type LogGroup, lastSeqOf, sameBytes } from "../log/chain.ts";
import { type DataDir, logPaths } from "../log/data-dir.ts";
import { syncDirectory } from "../log/directory.ts";
import type { LogFault } from "../log/errors.ts";
import {
  createLogFile,
  FORMAT_VERSION,
  groupEndBefore,
  openLogFile,
  readLogEnd,
  setArchivedEnd,
} from "../log/log-file.ts";
import { type FileLogWriter, openLogWriter } from "../log/log-writer.ts";
import { LogReader } from "../log/reader.ts";
import { listSnapshots, readSnapshot, type Snapshot, snapshotName } from "../log/snapshot-file.ts";
import { type CheckedLog, checkLogForStart, settleLog } from "../log/start-check.ts";
import type { Tail } from "./entry.ts";

/** Groups that the writer is given at a time; the others wait here. */
const HANDED_MAX = 48;
/** So much may wait for the disk. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes that one answer to another node holds. */
const ANSWER_BYTES = 1024 * 1024;
const SNAPSHOT_NAME = /^snapshot-\d{16}\.bourse$/;

/** Where groups of a log end. */
export interface LogEnds {
  /** The log begins behind this seq. */
  readonly startSeq: number;
  /** The end of the last group whose first seq is below `seq`. */
  before(seq: number): LogEnd;
}

export interface OwnLogHandlers {
  onStored(seq: number): void;
  onFault(fault: LogFault): void;
}

/** A snapshot that a node can give to another one. */
export interface OfferedSnapshot {
  readonly name: string;
  readonly bytes: number;
  readonly seq: number;
  readonly timeMs: number;
  /** End of the log there. */
  readonly hash: string;
}

/** A node's newest snapshot, with the hash of the state that it holds. */
export interface OwnSnapshot extends OfferedSnapshot {
  readonly stateHash: string;
}

/** An offer of another node cannot be taken over; the message is a clause. */
export class OfferRefused extends Error {
  readonly code = "OFFER_REFUSED";
}

/**
 * The log file of a node: a copy of what the store committed, and the archive of what is no longer there. Read for
 * other nodes.
 */
export class OwnLog {
  readonly #dataDir: DataDir;
  readonly #handlers: OwnLogHandlers;
  #writer: FileLogWriter | undefined;
  #checked: CheckedLog | undefined;
  #tail: Tail = { seq: 0, hash: new Uint8Array(0), timeMs: 0 };
  #syncedSeq = 0;
  readonly #waiting: LogGroup[] = [];
  #waitingBytes = 0;
  #settling: PromiseWithResolvers<void> | undefined;

  private constructor(dataDir: DataDir, handlers: OwnLogHandlers) {
    this.#dataDir = dataDir;
    this.#handlers = handlers;
  }

  /** Checks the log of a folder, if there is one, and opens it for what follows. */
  static async open(dataDir: DataDir, handlers: OwnLogHandlers): Promise<OwnLog> {
    const log = new OwnLog(dataDir, handlers);
    const { log: file, wal, commitMarker } = logPaths(dataDir.path);
    // A folder that had a log must not be taken for a new one.
    if ([file, wal, commitMarker].some((path) => existsSync(path))) await log.#open();
    return log;
  }

  static genesisOf(venueId: string): Uint8Array {
    return genesisHash(FORMAT_VERSION, venueId);
  }

  /** The log that was found at the start, or made since; undefined: there is no log. */
  get checked(): CheckedLog | undefined {
    return this.#checked;
  }

  /** Where it ended when it was opened or made. */
  get tail(): Tail {
    return this.#tail;
  }

  async #open(): Promise<void> {
    const checked = checkLogForStart(this.#dataDir);
    settleLog(this.#dataDir, checked.end);
    this.#checked = checked;
    this.#tail = { seq: checked.end.lastSeq, hash: checked.end.lastHash, timeMs: this.#timeAt(checked.end) };
    this.#syncedSeq = checked.end.lastSeq;
    this.#writer = await openLogWriter(this.#dataDir, checked.end, {
      onDurable: (seq) => {
        this.#syncedSeq = seq;
        this.#handlers.onStored(seq);
        this.#hand();
        if (this.#waiting.length > 0 || this.#writer?.pendingGroups !== 0) return;
        this.#settling?.resolve();
        this.#settling = undefined;
      },
      onFault: (fault) => this.#handlers.onFault(fault),
    });
  }

  #timeAt(end: LogEnd): number {
    const reader = new LogReader(this.#dataDir.path);
    try {
      if (end.lastSeq > reader.start.lastSeq) {
        for (const { timeMs } of reader.groups(end.lastSeq)) return timeMs;
      }
      return listSnapshots(this.#dataDir.path).heads[0]?.timeMs ?? 0;
    } finally {
      reader.close();
    }
  }

  /** Makes the log of a venue. */
  async begin(venueId: string): Promise<void> {
    createLogFile(this.#dataDir.path, venueId);
    await this.#open();
  }

  /** Begins the log behind a snapshot of another node, as receive gave it, which goes further than this log. */
  async beginBehind({ seq, hash, timeMs }: OfferedSnapshot, file: string): Promise<void> {
    await this.#writer?.close();
    const dir = this.#dataDir.path;
    renameSync(file, join(dir, snapshotName("snapshot-base", seq)));
    // It vouches for a group that the log no longer has behind the next step.
    rmSync(logPaths(dir).commitMarker, { force: true });
    syncDirectory(dir);
    const log = openLogFile(dir, "write");
    setArchivedEnd(log, { lastSeq: seq, lastHash: Uint8Array.from(Buffer.from(hash, "hex")) });
    log.database.close();
    await this.#open();
    this.#tail = { ...this.#tail, timeMs };
  }

  /** The payload must stay as it is until the group is stored. */
  store(group: LogGroup): void {
    this.#waiting.push(group);
    this.#waitingBytes += group.payload.length;
    this.#hand();
  }

  #hand(): void {
    const writer = this.#writer as FileLogWriter;
    while (this.#waiting.length > 0 && writer.pendingGroups < HANDED_MAX) {
      const group = this.#waiting.shift() as LogGroup;
      this.#waitingBytes -= group.payload.length;
      writer.append(group);
    }
  }

  /**
   * Whether so much waits for the disk that no more is to be taken over for now: a disk that hangs must not fill the
   * memory of its node.
   */
  get isFull(): boolean {
    return this.#waitingBytes > WAITING_BYTES_MAX;
  }

  /** How far it is on the disk. */
  get syncedSeq(): number {
    return this.#syncedSeq;
  }

  /** Settles when all that was handed over is on the disk. */
  async settled(): Promise<void> {
    const writer = this.#writer;
    if (writer === undefined || (this.#waiting.length === 0 && writer.pendingGroups === 0)) return;
    this.#settling ??= Promise.withResolvers();
    await this.#settling.promise;
  }

  /** Looks where groups end that are on the disk. */
  ends<Result>(look: (ends: LogEnds) => Result): Result {
    const log = openLogFile(this.#dataDir.path, "read");
    try {
      return look({ startSeq: log.start.lastSeq, before: (seq) => groupEndBefore(log, seq) ?? log.start });
    } finally {
      log.database.close();
    }
  }

  /** Those that are on the disk, from `fromSeq` to `toSeq`. */
  *groups(fromSeq: number, toSeq: number): Generator<LogGroup> {
    if (fromSeq > toSeq) return;
    const reader = new LogReader(this.#dataDir.path);
    try {
      yield* reader.groups(fromSeq, toSeq);
    } finally {
      reader.close();
    }
  }

  /**
   * The groups behind `seq`, for a node whose log ends there with `hash`. `strayed`: this log has something else there.
   * Undefined: it does not go that far, or no longer begins so early.
   */
  groupsBehind(
    { seq, hash }: { readonly seq: number; readonly hash: string },
    toSeq: number,
  ): readonly LogGroup[] | "strayed" | undefined {
    const dir = this.#dataDir.path;
    const log = openLogFile(dir, "read");
    let end: LogEnd | undefined;
    try {
      if (readLogEnd(log).lastSeq < seq || log.start.lastSeq > seq) return undefined;
      end = groupEndBefore(log, seq + 1) ?? log.start;
    } finally {
      log.database.close();
    }
    if (end.lastSeq !== seq || !sameBytes(end.lastHash, Buffer.from(hash, "hex"))) return "strayed";
    const groups: LogGroup[] = [];
    let bytes = 0;
    for (const { firstSeq, count, timeMs, payload } of this.groups(seq + 1, toSeq)) {
      if (lastSeqOf({ firstSeq, count }) > toSeq || bytes > ANSWER_BYTES) break;
      bytes += payload.length;
      groups.push({ firstSeq, count, timeMs, payload: payload.slice() });
    }
    return groups;
  }

  /** The newest snapshot that another node may have. */
  offeredSnapshot(): OwnSnapshot | undefined {
    const [head] = listSnapshots(this.#dataDir.path).heads;
    if (head === undefined) return undefined;
    const log = openLogFile(this.#dataDir.path, "read");
    try {
      const end = groupEndBefore(log, head.seq + 1) ?? log.start;
      if (end.lastSeq !== head.seq) return undefined;
      const { seq, timeMs, stateHash } = head;
      const hash = Buffer.from(end.lastHash).toString("hex");
      return { name: basename(head.file), bytes: statSync(head.file).size, seq, timeMs, hash, stateHash };
    } finally {
      log.database.close();
    }
  }

  /** A piece of an offered snapshot; undefined when it is no longer there. */
  snapshotPiece(name: string, at: number): Uint8Array | undefined {
    const file = join(this.#dataDir.path, name);
    if (!SNAPSHOT_NAME.test(name) || !existsSync(file)) return undefined;
    const descriptor = openSync(file, "r");
    try {
      const piece = new Uint8Array(ANSWER_BYTES);
      return piece.subarray(0, readSync(descriptor, piece, 0, ANSWER_BYTES, at));
    } finally {
      closeSync(descriptor);
    }
  }

  /**
   * Writes the pieces of a snapshot beside the log, on the disk when it returns. `stateHash` is what its state must
   * come to, where that is known. Throws OfferRefused where it is not what was offered.
   */
  async receive(
    offered: OfferedSnapshot,
    stateHash: string | undefined,
    piece: (at: number) => Promise<Uint8Array>,
  ): Promise<string> {
    const { bytes } = offered;
    const dir = this.#dataDir.path;
    const { bavail, bsize } = statfsSync(dir);
    if (bytes > bavail * bsize)
      throw new OfferRefused(`it has ${bytes} bytes, and the disk has room for ${bavail * bsize}`);
    const file = join(dir, "snapshot-received.unfinished");
    const descriptor = openSync(file, "w", 0o600);
    try {
      for (let at = 0; at < bytes; ) {
        const got = await piece(at);
        // Nobody is to play for time, nor to give more than was asked for.
        if (got.length !== Math.min(ANSWER_BYTES, bytes - at))
          throw new OfferRefused(`it goes another way at byte ${at}`);
        at += writeSync(descriptor, got);
      }
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    const sound = readOffered(file);
    if (typeof sound === "string") throw new OfferRefused(sound);
    if (sound.seq !== offered.seq) throw new OfferRefused(`it holds the state at seq ${sound.seq}`);
    if (stateHash !== undefined && sound.stateHash !== stateHash)
      throw new OfferRefused("it holds another state than its node told the store");
    return file;
  }

  async close(): Promise<void> {
    await this.#writer?.close();
  }
}

/** A snapshot of another node; why it is of no use, as a clause. */
function readOffered(file: string): Snapshot | string {
  try {
    return readSnapshot(file);
  } catch (error) {
    // That of a node with a newer program.
    if ((error as { code?: string }).code === "newer_program") return (error as Error).message;
    throw error;
  }
}
