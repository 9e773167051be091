import { AsyncLocalStorage } from "node:async_hooks";
import { spawn } from "node:child_process";
import { runBourse } from "../../src/cli/run.ts";
import { mainProgram } from "../support/program.ts";

const MAIN = mainProgram();

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `bourse ARGS` in a process of its own. */
export function bourseProcess(...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

let before: Promise<unknown> = Promise.resolve();

/**
 * Does what `bourse ARGS` does in this process, which costs a tenth of a process of its own: one after the other, since
 * what it prints is taken off the streams of this one. A venue that is started gets a process all the same.
 */
export function bourse(...args: readonly string[]): Promise<Ended> {
  if (args[0] === "start") return bourseProcess(...args);
  const turn = before.then(() => captured(args));
  before = turn.catch(() => {});
  return turn;
}

interface Printed {
  stdout: string;
  stderr: string;
}

/**
 * What a command prints is told from what the runner of the tests prints meanwhile, which may write its reports to the
 * same streams.
 */
const printing = new AsyncLocalStorage<Printed>();

async function captured(args: readonly string[]): Promise<Ended> {
  const printed: Printed = { stdout: "", stderr: "" };
  const { exitCode } = process;
  const restore = (["stdout", "stderr"] as const).map((name) => {
    const stream = process[name];
    const { write } = stream;
    const take = (piece: string | Uint8Array, ...rest: unknown[]) => {
      if (printing.getStore() !== printed) return Reflect.apply(write, stream, [piece, ...rest]) as boolean;
      printed[name] += typeof piece === "string" ? piece : Buffer.from(piece).toString();
      const done = rest.find((each) => typeof each === "function") as (() => void) | undefined;
      if (done !== undefined) queueMicrotask(done);
      return true;
    };
    stream.write = take;
    return () => {
      stream.write = write;
    };
  });
  try {
    process.exitCode = undefined;
    const failed = await printing.run(printed, () => runBourse(args));
    return { code: failed?.exitCode ?? Number(process.exitCode ?? 0), ...printed };
  } finally {
    process.exitCode = exitCode;
    for (const each of restore) each();
  }
}
