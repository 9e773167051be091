import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

export interface KeptProcessOptions {
  /** As it is called in what people read. */
  readonly name: string;
  readonly program: string;
  /** Asked for at each start. */
  readonly args: () => readonly string[];
  /** What it is called by, where that matters to it. */
  readonly argv0?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** The file that what it writes is added to. */
  readonly output: string;
  /** Settles when it answers; asked again until it does. Not asked of one that has ended. */
  isReady(): Promise<boolean>;
  /** It has ended by itself, or was killed. */
  readonly onEnd?: ((how: string) => void) | undefined;
}

const READY_MS = 120_000;
const ASK_EVERY_MS = 50;

/** A process that can be killed and started again, as often as one likes. It does not outlive this one. */
export class KeptProcess {
  readonly name: string;
  readonly #options: KeptProcessOptions;
  #child: ChildProcess | undefined;
  #isStopping = false;

  constructor(options: KeptProcessOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get isRunning(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  get pid(): number | undefined {
    return this.isRunning ? this.#child?.pid : undefined;
  }

  /** Starts it, if it does not run, and returns when it answers. Rejects when it ends before. */
  async start(): Promise<void> {
    if (!this.isRunning) this.#spawn();
    const sinceMs = performance.now();
    while (!(await this.#options.isReady())) {
      if (!this.isRunning) throw new Error(`${this.name} ended at once; ${this.#options.output} says why.`);
      if (performance.now() - sinceMs > READY_MS)
        throw new Error(`${this.name} does not answer; see ${this.#options.output}.`);
      await pause(ASK_EVERY_MS);
    }
  }

  #spawn(): void {
    const { program, args, argv0, env, user, output, onEnd } = this.#options;
    const file = openSync(output, "a", 0o600);
    const child = spawn(program, args(), {
      ...{ stdio: ["ignore", file, file], env: env ?? process.env, ...user },
      ...(argv0 === undefined ? {} : { argv0 }),
    });
    closeSync(file);
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    this.#child = child;
    this.#isStopping = false;
    child.once("exit", (code, signal) => {
      process.off("exit", kill);
      if (!this.#isStopping) onEnd?.(signal ?? `code ${code}`);
    });
    child.on("error", () => {});
  }

  /** Whatever it does then is its own affair; SIGSTOP and SIGCONT among them. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends it at once, as a machine that fails. */
  async kill(): Promise<void> {
    await this.stop("SIGKILL");
  }

  /** Gives its exit code; null when a signal ended it. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || !this.isRunning) return child?.exitCode ?? null;
    this.#isStopping = true;
    const ended = once(child, "exit");
    child.kill(signal);
    // A process that stands still hears of nothing else before.
    if (signal !== "SIGSTOP") child.kill("SIGCONT");
    const [code] = (await ended) as [number | null];
    return code;
  }
}
