/**
 * `node scripts/testing/lane.ts FILES` runs files of tests one after the other in this one process, each as one test
 * that holds those of the file. Started by runner.ts: a process for each file would load the same modules again, a
 * third of the processor time of unit tests.
 *
 * A file must leave the process as it found it: no timer, socket, thread or child process that keeps it alive, no other
 * working directory and no other environment. One that does not fails.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mock, suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

/** Sockets and threads that are being closed need a moment, on a busy machine a longer one; a leak stays for ever. */
const GRACE_MS = 20_000;
const POLL_MS = 20;

/** A file that hangs must fail rather than stop the run. On a busy machine one of two minutes takes ten. */
const FILE_TIMEOUT_MS = 900_000;

/** Holds the pipes and files of this process itself, which come and go. */
const OWN = new Set(["PipeWrap", "TTYWrap", "FSReqCallback", "FSReqPromise"]);

/** What the runner is told of each file. */
export interface Spent {
  readonly file: string;
  /** Of processor time. */
  readonly seconds: number;
}

/** What a file could leave behind. */
interface Look {
  readonly held: readonly string[];
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

function look(): Look {
  const held = process.getActiveResourcesInfo().filter((name) => !OWN.has(name));
  return { held: held.sort(), folder: process.cwd(), environment: { ...process.env } };
}

/**
 * Seconds of processor time of this process and of those that it has started and seen end: unlike wall time it is about
 * the same on a busy machine. Linux counts it; elsewhere this process alone is counted.
 */
function processorSeconds(): number {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    // The times of this process and of its children, in user and in system mode, in hundredths.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}

// While a test waits for something that does not keep the process alive, Node's runner would start a timer of its own.
setInterval(() => {}, 2 ** 31 - 1);
let before = look();
let secondsBefore = 0;
for (const file of process.argv.slice(2)) {
  test(file, { timeout: FILE_TIMEOUT_MS }, async () => {
    // A suite begins its tests when all of the file has been read, as they begin where the file has a process of its
    // own.
    await suite(file, async () => {
      await import(pathToFileURL(file).href);
    });
  });
  test(`${file} leaves the process as it was`, async () => {
    mock.reset();
    let now = look();
    for (
      const since = Date.now();
      now.held.length > before.held.length && Date.now() - since < GRACE_MS;
      now = look()
    ) {
      await sleep(POLL_MS);
    }
    const expected = before;
    before = now;
    const left = now.held.length > expected.held.length ? now.held : [];
    const changed = Object.keys({ ...expected.environment, ...now.environment }).filter(
      (name) => expected.environment[name] !== now.environment[name],
    );
    const seconds = processorSeconds();
    process.send?.({ file, seconds: seconds - secondsBefore } satisfies Spent);
    secondsBefore = seconds;
    assert.deepEqual({ left, changed, folder: now.folder }, { left: [], changed: [], folder: expected.folder });
  });
}
