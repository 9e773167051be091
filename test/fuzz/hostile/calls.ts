/**
 * Calls of the command line on files that somebody hostile has made: each must end by itself, in little memory, with a
 * sentence.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Ended } from "../../admin/command-line.ts";

const WORKER = fileURLToPath(new URL("calls-worker.ts", import.meta.url));
/** Generous: a busy machine is slow, and what hangs does so for ever. */
const HANGS_MS = 120_000;
/** Heap of the process, MiB: what a hostile file makes it keep beyond that ends it. */
const HEAP_MIB = 512;
/** What is beyond a line or two of a sentence is a stack. */
const STACK = /\n\s+at |\bat (?:async )?[\w.]+ \(|ERR_ASSERTION|RangeError|TypeError|SyntaxError/;

export interface Call {
  readonly name: string;
  readonly args: readonly string[];
}

export class HostileCalls {
  /** How the last call ended. */
  lastCode: number | null = null;
  #worker: ChildProcess | undefined;

  /** What is wrong with how a call ended; undefined when it ended as it should. `codes`: how it may end. */
  async faultOf({ name, args }: Call, codes: readonly number[]): Promise<string | undefined> {
    const ended = await this.#ended(args);
    this.lastCode = null;
    if (typeof ended === "string") return `${name}: ${ended}`;
    const { code, stderr } = ended;
    this.lastCode = code;
    if (STACK.test(stderr)) return `${name}: a stack: ${stderr.slice(0, 900)}`;
    if (code === null || !codes.includes(code)) return `${name}: code ${code}: ${stderr.slice(0, 400)}`;
    if (code !== 0 && !/^bourse: \S.*[.:)\]"]\s*$/s.test(stderr.split("\n").filter(isTold).join("\n"))) {
      return `${name}: no sentence: ${stderr.slice(0, 400)}`;
    }
    return undefined;
  }

  end(): void {
    this.#worker?.kill("SIGKILL");
  }

  async #ended(args: readonly string[]): Promise<Ended | string> {
    this.#worker ??= fork(WORKER, {
      execArgv: [`--max-old-space-size=${HEAP_MIB}`],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const worker = this.#worker;
    let said = "";
    const hear = (piece: Buffer) => {
      said = `${said}${piece}`.slice(-2_000);
    };
    worker.stderr?.on("data", hear);
    try {
      return await new Promise<Ended | string>((resolve) => {
        const late = setTimeout(() => give("does not end"), HANGS_MS);
        const give = (ended: Ended | string) => {
          clearTimeout(late);
          worker.off("exit", died).off("message", give);
          resolve(ended);
          if (typeof ended === "string") {
            worker.kill("SIGKILL");
            this.#worker = undefined;
          }
        };
        const died = () => give(`ends the process: ${said}`);
        worker.once("exit", died).once("message", give);
        worker.send(args);
      });
    } finally {
      worker.stderr?.off("data", hear);
    }
  }
}

/** Lines that tell of what is under way come before the sentence. */
function isTold(line: string): boolean {
  return line.trim() !== "" && !/^\(node:|^\(Use `node|^\{/.test(line);
}
