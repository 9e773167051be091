/**
 * Runs files of tests in lanes (lane.ts), a few at a time, prints each file with its time, and at the end what failed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Spent } from "./lane.ts";
import type { Lane } from "./plan.ts";
import type { TestLine } from "./reporter.ts";

/**
 * Processes side by side: two more than there are processors, since each waits for a timer, the disk or a program that
 * it has started now and then, and no more than this many, since each may be a whole venue. With one more than two, two
 * processors stood still for a fifth of the fast ring.
 */
const LANES_AT_ONCE = Math.min(availableParallelism() + 2, 8);

const LANE = fileURLToPath(new URL("lane.ts", import.meta.url));
const REPORTER = new URL("reporter.ts", import.meta.url).href;

export interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Wall time. */
  readonly seconds: number;
  /** Processor time; `undefined` when the file did not come to its end. */
  readonly processorSeconds: number | undefined;
}

export interface Options {
  /** No lane is started after this moment; `undefined`: all are run. */
  readonly startUntilMs?: number | undefined;
  /** What still runs then is stopped, and counts as not run. */
  readonly stopAtMs?: number | undefined;
  /** Ends the run at the first failure. */
  readonly bail?: boolean;
  readonly print: (text: string) => void;
}

export interface RunResult {
  readonly files: readonly FileResult[];
  readonly failures: readonly string[];
  /** Files that there was no time for. */
  readonly notRun: readonly string[];
}

export async function runLanes(lanes: readonly Lane[], options: Options): Promise<RunResult> {
  const folder = mkdtempSync(join(tmpdir(), "bourse-test-run-"));
  const waiting = [...lanes];
  const files: FileResult[] = [];
  const failures: string[] = [];
  const notRun: string[] = [];
  const running = new Set<ChildProcess>();
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    for (const child of running) endGroup(child);
  };
  const interrupted = (signal: NodeJS.Signals) => {
    stop();
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.on(signal, interrupted);
  const alarm = options.stopAtMs === undefined ? undefined : setTimeout(stop, options.stopAtMs - Date.now());
  try {
    await Promise.all(Array.from({ length: LANES_AT_ONCE }, (_, index) => drain(join(folder, `${index}.jsonl`))));
  } finally {
    clearTimeout(alarm);
    for (const signal of SIGNALS) process.off(signal, interrupted);
    rmSync(folder, { recursive: true, force: true });
  }
  return { files, failures, notRun };

  async function drain(report: string): Promise<void> {
    for (let lane = waiting.shift(); lane !== undefined; lane = waiting.shift()) {
      const isLate = options.startUntilMs !== undefined && Date.now() > options.startUntilMs;
      if (isStopped || isLate || (options.bail === true && failures.length > 0)) {
        notRun.push(...lane.files);
        continue;
      }
      rmSync(report, { force: true });
      const end = await runLane(lane, report, running);
      const seen = readReport(report);
      for (const file of lane.files) take(file, seen.get(file), end);
    }
  }

  function take(file: string, lines: readonly TestLine[] | undefined, end: LaneEnd): void {
    if (lines === undefined && isStopped) {
      notRun.push(file);
      return;
    }
    const tests = (lines ?? []).filter((line) => !line.isSuite && line.nesting > 0);
    const count = (outcome: TestLine["outcome"]) => tests.filter((line) => line.outcome === outcome).length;
    const own = failuresOf(file, lines, end);
    const result: FileResult = {
      ...{ file, passed: count("passed"), skipped: count("skipped") },
      failed: Math.max(count("failed"), own.length > 0 ? 1 : 0),
      seconds: (lines?.find((line) => line.nesting === 0)?.ms ?? 0) / 1_000,
      processorSeconds: end.spent.get(file),
    };
    files.push(result);
    failures.push(...own);
    const skipped = result.skipped > 0 ? `, ${result.skipped} skipped` : "";
    const outcome =
      own.length > 0 ? `FAILED (${result.failed} of ${tests.length})` : `${result.passed} passed${skipped}`;
    options.print(`${result.seconds.toFixed(1).padStart(7)} s  ${file}  ${outcome}\n`);
    for (const failure of own) options.print(`${failure}\n`);
  }
}

function failuresOf(file: string, lines: readonly TestLine[] | undefined, { printed, ended }: LaneEnd): string[] {
  if (lines === undefined) return [`✖ ${file} did not end: the process ${ended}.\n${indent(printed)}`];
  const failures = lines
    .filter((line) => line.error !== undefined)
    .map((line) => `✖ ${line.nesting === 0 ? line.name : `${file}: ${line.name}`}\n${indent(line.error ?? "")}`);
  if (failures.length === 0 && lines.some((line) => line.outcome === "failed"))
    failures.push(`✖ ${file} failed.\n${indent(printed)}`);
  return failures;
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, "    ");
}

interface LaneEnd {
  readonly printed: string;
  readonly ended: string;
  readonly spent: ReadonlyMap<string, number>;
}

const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Ends a lane and what its tests have started. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It ended by itself meanwhile.
  }
}

/** What a process prints is shown when it fails only; this much of its end. */
const PRINTED_MAX = 20_000;

function runLane(lane: Lane, report: string, running: Set<ChildProcess>): Promise<LaneEnd> {
  const flags = ["--test-force-exit", `--test-reporter=${REPORTER}`, `--test-reporter-destination=${report}`];
  const child = spawn(process.execPath, [...flags, LANE, ...lane.files], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
  });
  running.add(child);
  const spent = new Map<string, number>();
  child.on("message", (message) => {
    const { file, seconds } = message as Spent;
    spent.set(file, seconds);
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (piece: Buffer) => (printed = (printed + piece).slice(-PRINTED_MAX)));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    // Not "close": a process that a test has left behind may hold the pipes for ever.
    child.once("exit", (code, signal) => {
      running.delete(child);
      child.stdout?.destroy();
      child.stderr?.destroy();
      endGroup(child);
      resolve({ printed, spent, ended: signal === null ? `ended with ${code}` : `was ended by ${signal}` });
    });
  });
}

/** The lines of each file that came to its end. What it left behind counts as its own. */
function readReport(report: string): Map<string, TestLine[]> {
  const seen = new Map<string, TestLine[]>();
  let open: TestLine[] = [];
  let text = "";
  try {
    text = readFileSync(report, "utf8");
  } catch {
    return seen;
  }
  for (const row of text.split("\n").filter((each) => each.endsWith("}"))) {
    const line = JSON.parse(row) as TestLine;
    open.push(line);
    if (line.nesting > 0) continue;
    const [file = ""] = line.name.split(" ");
    seen.set(file, [...(seen.get(file) ?? []), ...open]);
    open = [];
  }
  return seen;
}
