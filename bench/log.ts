/**
 * `npm run bench log` measures the log by itself on this machine's disk: commits at a steady rate and at full
 * speed, verification of the chain, writing and reading a snapshot. Needs a temporary directory on a real disk.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogEnd } from "../src/log/chain.ts";
import { type DataDir, openDataDir } from "../src/log/data-dir.ts";
import { openLogWriter } from "../src/log/log-writer.ts";
import { LogReader } from "../src/log/reader.ts";
import { recover } from "../src/log/recovery.ts";
import { readSnapshot, writeSnapshot } from "../src/log/snapshot-file.ts";

const GROUP_COMMANDS = 64;
const RECORD_BYTES = 56;
const STEADY_COMMANDS_PER_SECOND = 50_000;
const GROUPS = 4_000;
const SNAPSHOT_CHUNKS = 12;
const SNAPSHOT_CHUNK_BYTES = 10_000_000;

const IDLE_MACHINE = { seq: 0, restore: () => undefined, applyGroup: () => undefined, stateHash: () => "", form: 0 };

interface Run {
  readonly commitMs: Float64Array;
  readonly answerMs: Float64Array;
  readonly totalMs: number;
  readonly lastSeq: number;
}

/** Appends GROUPS groups, one each `everyMs` or, when that is 0, with `pendingMax` under way all the time. */
async function writeGroups(dataDir: DataDir, end: LogEnd, everyMs: number, pendingMax: number): Promise<Run> {
  const payload = new Uint8Array(GROUP_COMMANDS * RECORD_BYTES).fill(7);
  const commitMs = new Float64Array(GROUPS);
  const answerMs = new Float64Array(GROUPS);
  const sentMs = new Float64Array(GROUPS);
  let sent = 0;
  let done = 0;
  const finished = Promise.withResolvers<void>();
  const writer = await openLogWriter(dataDir, end, {
    onDurable(_lastSeq, ms) {
      commitMs[done] = ms;
      answerMs[done] = performance.now() - (sentMs[done] as number);
      done++;
      if (done === GROUPS) finished.resolve();
      else if (everyMs === 0) send();
    },
    onFault: (fault) => finished.reject(fault),
  });
  const startMs = performance.now();
  const due = () => everyMs === 0 || performance.now() - startMs >= sent * everyMs;
  function send(): void {
    while (sent < GROUPS && writer.pendingGroups < pendingMax && due()) {
      sentMs[sent] = performance.now();
      sent++;
      writer.append({ firstSeq: writer.lastSeq + 1, count: GROUP_COMMANDS, timeMs: 0, payload });
    }
    if (everyMs > 0 && sent < GROUPS) setImmediate(send);
  }
  send();
  await finished.promise;
  const totalMs = performance.now() - startMs;
  await writer.close();
  return { commitMs, answerMs, totalMs, lastSeq: writer.lastSeq };
}

function quantiles(values: Float64Array): string {
  const sorted = values.toSorted();
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] as number).toFixed(2);
  return `p50 ${at(0.5)}  p99 ${at(0.99)}  p99.9 ${at(0.999)}  max ${at(1)} ms`;
}

async function measureCommits(dir: string, name: string, everyMs: number, pendingMax: number): Promise<void> {
  const dataDir = openDataDir(dir);
  const { end } = await recover(dataDir, { ...IDLE_MACHINE });
  const run = await writeGroups(dataDir, end, everyMs, pendingMax);
  dataDir.release();
  const perSecond = ((GROUPS * GROUP_COMMANDS) / run.totalMs) * 1_000;
  print(`${name}: ${Math.round(perSecond / 1_000)} k records/s`);
  print(`  commit in the worker  ${quantiles(run.commitMs)}`);
  print(`  append to report      ${quantiles(run.answerMs)}`);
}

function measureReading(dir: string): void {
  const startMs = performance.now();
  const reader = new LogReader(dir);
  let rows = 0;
  let bytes = 0;
  for (const group of reader.groups()) {
    rows++;
    bytes += group.payload.length;
  }
  reader.close();
  const seconds = (performance.now() - startMs) / 1_000;
  const millions = ((rows * GROUP_COMMANDS) / seconds / 1e6).toFixed(1);
  print(
    `verify: ${Math.round(bytes / seconds / 1e6)} MB/s, ${Math.round(rows / seconds)} rows/s, ${millions} M commands/s`,
  );
}

function measureSnapshot(dir: string): void {
  const chunks = Array.from({ length: SNAPSHOT_CHUNKS }, (_, at) => new Uint8Array(SNAPSHOT_CHUNK_BYTES).fill(at));
  const startMs = performance.now();
  const { file } = writeSnapshot(dir, { seq: 1, timeMs: 0, form: 0, rulesVersion: 1, chunks });
  const writtenMs = performance.now();
  const snapshot = readSnapshot(file);
  const readMs = performance.now() - writtenMs;
  if (typeof snapshot === "string") throw new Error(`The snapshot is unsound: ${snapshot}.`);
  print(`snapshot of 120 MB: written in ${Math.round(writtenMs - startMs)} ms, read in ${Math.round(readMs)} ms`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const root = mkdtempSync(join(tmpdir(), "bourse-log-measure-"));
try {
  const steadyMs = (GROUP_COMMANDS / STEADY_COMMANDS_PER_SECOND) * 1_000;
  await measureCommits(join(root, "steady"), "groups of 64 x 56 bytes at a steady rate", steadyMs, 8);
  await measureCommits(join(root, "one"), "the same at full speed, one group under way", 0, 1);
  await measureCommits(join(root, "two"), "the same at full speed, two groups under way", 0, 2);
  measureReading(join(root, "two"));
  measureReading(join(root, "two"));
  measureSnapshot(root);
  measureSnapshot(root);
} finally {
  rmSync(root, { recursive: true });
}
