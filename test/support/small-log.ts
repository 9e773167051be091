import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestContext } from "node:test";
import { type LogEnd, type LogGroup, lastSeqOf } from "../../src/log/chain.ts";
import { type DataDir, logPaths, openDataDir } from "../../src/log/data-dir.ts";
import type { LogFault } from "../../src/log/errors.ts";
import {
  type FileLogWriter,
  type LogHandlers,
  type LogWriterOptions,
  openLogWriter,
} from "../../src/log/log-writer.ts";
import { recover } from "../../src/log/recovery.ts";
import type { Machine } from "../../src/log/replay.ts";
import type { SnapshotMeta } from "../../src/log/snapshot-file.ts";

/** A new directory for one test, removed after it. */
export function temporaryDir(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "bourse-log-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A group whose payload follows from its place, 56 bytes a command, and is found nowhere else. */
export function groupAt(firstSeq: number, count: number): LogGroup {
  const payload = new Uint8Array(count * 56);
  let random = firstSeq;
  for (let at = 0; at < payload.length; at++) {
    // A linear congruential generator (Numerical Recipes); its upper bits are random enough.
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    payload[at] = random >>> 24;
  }
  return { firstSeq, count, timeMs: 1_750_000_000_000 + firstSeq, payload };
}

/** Groups of the given sizes, one behind the other from `firstSeq` on. */
export function groupsOfSizes(counts: readonly number[], firstSeq = 1): LogGroup[] {
  let next = firstSeq;
  return counts.map((count) => {
    const group = groupAt(next, count);
    next += count;
    return group;
  });
}

/** What the snapshots of the machine below say of their form. */
export const FORM = { form: 7, rulesVersion: 1 } as const;

/** A machine that keeps a running hash of what it applied: equal hashes mean equal histories. */
export class HashMachine implements Machine {
  readonly form: number = FORM.form;
  seq = 0;
  applied: LogGroup[] = [];
  restoredFrom: SnapshotMeta | undefined;
  #state = Buffer.alloc(32);

  restore(meta: SnapshotMeta, chunks: readonly Uint8Array[]): void {
    this.seq = meta.seq;
    this.restoredFrom = meta;
    this.#state = Buffer.from(chunks[0] as Uint8Array);
  }

  applyGroup(group: LogGroup): void {
    this.#state = createHash("sha256").update(this.#state).update(group.payload).digest();
    this.seq = lastSeqOf(group);
    const { firstSeq, count, timeMs } = group;
    this.applied.push({ firstSeq, count, timeMs, payload: group.payload.slice() });
  }

  /** Two chunks, the second of a length that is no multiple of 8. */
  chunks(): Uint8Array<ArrayBuffer>[] {
    return [Uint8Array.from(this.#state), Uint8Array.from([1, 2, 3])];
  }

  stateHash(): string {
    const hasher = createHash("sha256");
    for (const chunk of this.chunks()) hasher.update(chunk);
    return hasher.digest("hex");
  }
}

/** A machine that has applied `groups`, for comparison. */
export function machineAfter(groups: readonly LogGroup[]): HashMachine {
  const machine = new HashMachine();
  for (const group of groups) machine.applyGroup(group);
  return machine;
}

/** What a log writer reported, and ways to wait for it. */
export class Reports implements LogHandlers {
  readonly durable: number[] = [];
  readonly faults: LogFault[] = [];
  #waiting: { done: () => boolean; resolve: () => void }[] = [];

  onDurable(lastSeq: number): void {
    this.durable.push(lastSeq);
    this.#wake();
  }

  onFault(fault: LogFault): void {
    this.faults.push(fault);
    this.#wake();
  }

  untilDurable(seq: number): Promise<void> {
    return this.#until(() => (this.durable.at(-1) ?? 0) >= seq);
  }

  untilFault(): Promise<void> {
    return this.#until(() => this.faults.length > 0);
  }

  #until(done: () => boolean): Promise<void> {
    if (done()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ done, resolve }));
  }

  #wake(): void {
    this.#waiting = this.#waiting.filter(({ done, resolve }) => {
      if (done()) resolve();
      return !done();
    });
  }
}

/** A data directory opened as a venue does: lock, recovery, writer. */
export interface OpenLog {
  readonly dataDir: DataDir;
  readonly machine: HashMachine;
  readonly end: LogEnd;
  readonly writer: FileLogWriter;
  readonly reports: Reports;
  close(): Promise<void>;
}

export async function openLog(dir: string, options: LogWriterOptions = {}): Promise<OpenLog> {
  const dataDir = openDataDir(dir);
  const machine = new HashMachine();
  try {
    const { end } = await recover(dataDir, machine);
    const reports = new Reports();
    const writer = await openLogWriter(dataDir, end, reports, options);
    const close = async () => {
      await writer.close();
      dataDir.release();
    };
    return { dataDir, machine, end, writer, reports, close };
  } catch (error) {
    dataDir.release();
    throw error;
  }
}

/** Writes groups into the log of `dir` and closes it. */
export async function writeGroups(dir: string, groups: readonly LogGroup[]): Promise<void> {
  const log = await openLog(dir);
  for (const group of groups) {
    log.writer.append(group);
    await log.reports.untilDurable(lastSeqOf(group));
  }
  await log.close();
}

/** How `kill -9` left a data directory: `settled` groups in the file, `pending` ones in the write-ahead log. */
export interface Killed {
  readonly settled: readonly LogGroup[];
  readonly pending: readonly LogGroup[];
  /** The last pending group was on its way: the commit marker does not know of it. */
  readonly lastUnacknowledged?: boolean;
}

/** Makes the data directory of a killed venue, one transaction for each pending group, and returns its path. */
export async function killedVenue(t: TestContext, killed: Killed): Promise<string> {
  const dir = temporaryDir(t);
  if (killed.settled.length > 0) await writeGroups(dir, killed.settled);
  const log = await openLog(dir);
  let observer = readFileSync(logPaths(dir).commitMarker);
  for (const group of killed.pending) {
    observer = readFileSync(logPaths(dir).commitMarker);
    log.writer.append(group);
    await log.reports.untilDurable(lastSeqOf(group));
  }
  const copy = copyDir(t, dir);
  await log.close();
  if (killed.lastUnacknowledged === true) writeFileSync(logPaths(copy).commitMarker, observer);
  return copy;
}

/**
 * Copies a data directory while it is in use. Another process does it: opening and closing a database file in this one
 * would drop the locks that this process holds on it.
 */
export function copyDir(t: TestContext, dir: string): string {
  const copy = join(temporaryDir(t), "copy");
  execFileSync("cp", ["-R", dir, copy]);
  return copy;
}

/** Starts a venue's log on `dir` and stops it again; returns what recovery reports and the machine it filled. */
export async function restart(dir: string) {
  const dataDir = openDataDir(dir);
  const machine = new HashMachine();
  try {
    return { machine, report: await recover(dataDir, machine) };
  } finally {
    dataDir.release();
  }
}

/** Changes the stored log of `dir` behind the venue's back. */
export function tamper(dir: string, sql: string): void {
  const database = new DatabaseSync(logPaths(dir).log);
  database.exec(sql);
  database.close();
}

/** Inverts these bits, all unless said otherwise, of the byte at `offset` of `file`. */
export function flipByte(file: string, offset: number, bits = 0xff): void {
  const descriptor = openSync(file, "r+");
  const byte = new Uint8Array(1);
  readSync(descriptor, byte, 0, 1, offset);
  byte[0] = (byte[0] as number) ^ bits;
  writeSync(descriptor, byte, 0, 1, offset);
  closeSync(descriptor);
}

/** One frame of a write-ahead log of the log's page size. */
export interface Frame {
  readonly offset: number;
  readonly end: number;
  /** It ends a transaction. */
  readonly commits: boolean;
}

/** The frames of the write-ahead log in `dir` that belong to its present generation. */
export function framesOf(dir: string): Frame[] {
  const bytes = readFileSync(logPaths(dir).wal);
  const frames: Frame[] = [];
  for (let offset = 32; offset + 4120 <= bytes.length; offset += 4120) {
    if (bytes.compare(bytes, 16, 24, offset + 8, offset + 16) !== 0) break;
    frames.push({ offset, end: offset + 4120, commits: bytes.readUInt32BE(offset + 4) !== 0 });
  }
  return frames;
}
