/** One node over JSON-RPC. Nothing of an answer is believed here but its envelope; `answers.ts` reads what is in it. */
import { setTimeout as pause } from "node:timers/promises";
import { boundedBody } from "../../net/bounded-body.ts";

const TIMEOUT_MS = 10_000;
/** A full block of the largest chains takes a few MiB; an answer without end must not take all memory. */
const BODY_BYTES_MAX = 32 * 1024 * 1024;
/**
 * Values in an answer: 10,000 transactions, each with its 25 fields, have as many. JSON takes the processor and memory
 * by their number: an answer of 64 MiB made of nothing but names took 25 s, in which nobody was served.
 */
const VALUES_MAX = 250_000;
/**
 * A node waits this many times as long as the processor took to read its answer: it costs others a sixth of the time at
 * most, whatever it says. Time in which the machine did something else, or stood still, is no fault of the node's.
 */
const REST_TIMES = 5;
/** An answer read in less time, ms of the processor, causes no wait. */
const READ_FREE_MS = 5;
/** Calls that wait for one node at a time: public nodes turn away those who ask for more. */
const CALLS_AT_ONCE = 8;
const RETRY_AFTER_MS = 250;

export interface RpcNode {
  /** For messages: never the whole address, which may hold a key. */
  readonly name: string;
  /**
   * Returns the field `result`. Throws RpcError when the node answered with an error, any other error when it gave no
   * usable answer.
   */
  call(method: string, params: readonly unknown[]): Promise<unknown>;
}

/** The node has answered, with an error. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(message: string, code: number, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** Whether a contract refused the call. Nodes tell so by code 3 or in words. */
  get isRevert(): boolean {
    return this.code === 3 || /\brevert/i.test(this.message);
  }
}

export class HttpNode implements RpcNode {
  readonly name: string;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  #id = 0;
  #running = 0;
  /** When the next call may begin, by `performance.now`. */
  #restsUntilMs = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(url: string) {
    const parsed = new URL(url);
    this.name = parsed.host;
    const { username, password } = parsed;
    parsed.username = "";
    parsed.password = "";
    this.#url = parsed.href;
    const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    const plain = { "content-type": "application/json" };
    const signedIn = { ...plain, authorization: `Basic ${credentials.toString("base64")}` };
    this.#headers = username === "" ? plain : signedIn;
  }

  async call(method: string, params: readonly unknown[]): Promise<unknown> {
    while (this.#running >= CALLS_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    try {
      return await this.#once(method, params).catch(async (error: unknown) => {
        if (error instanceof RpcError) throw error;
        await pause(RETRY_AFTER_MS, undefined, { ref: false });
        return await this.#once(method, params);
      });
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  async #once(method: string, params: readonly unknown[]): Promise<unknown> {
    const restMs = this.#restsUntilMs - performance.now();
    if (restMs > 0) await pause(restMs, undefined, { ref: false });
    const id = ++this.#id;
    const response = await fetch(this.#url, {
      method: "POST",
      headers: this.#headers,
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = await boundedBody(response, BODY_BYTES_MAX);
    if (!response.ok) throw new Error(`It answers with HTTP status ${response.status}.`);
    const began = processorMs();
    try {
      if (hasMoreValuesThan(body, VALUES_MAX)) throw new Error(`Its answer has more than ${VALUES_MAX} values.`);
      return resultIn(JSON.parse(body.toString("utf8")), id);
    } finally {
      const tookMs = processorMs() - began;
      if (tookMs > READ_FREE_MS) {
        this.#restsUntilMs = Math.max(performance.now(), this.#restsUntilMs) + tookMs * REST_TIMES;
      }
    }
  }
}

/** The processor time of this thread so far; on an older Node the whole process. */
function processorMs(): number {
  const ofThread: typeof process.threadCpuUsage | undefined = process.threadCpuUsage;
  // Linux brings the time of one thread up to date at a tick, 4 ms later at most, or when that of the process is asked.
  const ofProcess = process.cpuUsage();
  const { user, system } = ofThread === undefined ? ofProcess : process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * By what stands between values, and before the first one of a list or record. In a text it counts as well, which makes
 * it more.
 */
function hasMoreValuesThan(body: Buffer, max: number): boolean {
  let count = 0;
  for (const mark of [",", "[", "{"]) {
    for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + 1)) if (++count > max) return true;
  }
  return false;
}

function resultIn(answer: unknown, id: number): unknown {
  const { id: answered, result, error } = (answer ?? {}) as Record<string, unknown>;
  if (answered !== id) throw new Error("It answers another call than was asked.");
  if (error !== undefined && error !== null) {
    const { code, message, data } = error as Record<string, unknown>;
    throw new RpcError(String(message ?? "an error without words").slice(0, 300), Number(code ?? 0), data);
  }
  if (result === undefined) throw new Error("Its answer has neither a result nor an error.");
  return result;
}
