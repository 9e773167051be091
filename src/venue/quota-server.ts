/**
 * Redis or Valkey as the server that nodes share quotas on. One server, not a cluster of them: a check has keys of its
 * own each.
 */
import { Redis, type Result } from "ioredis";
import type { QuotaServer } from "../gateway/limits/shared/quota-server.ts";
import { BEAT_SCRIPT, CHECK_SCRIPT, ENTRY_ANSWERS } from "../gateway/limits/shared/scripts.ts";
import { guardAnswers, NoAnswer } from "../net/guarded-answers.ts";
import { redisFrames } from "./redis-frames.ts";

declare module "ioredis" {
  interface RedisCommander<Context> {
    bourseCheck(keys: number, ...keysAndValues: (string | number)[]): Result<number[], Context>;
    bourseBeat(nodes: string, node: string): Result<number, Context>;
  }
}

const NODES_KEY = "bourse:nodes";
const CONNECT_TIMEOUT_MS = 2_000;
/** A connection on which nothing comes for so long is dead: it is asked twice a second. */
const SILENCE_MAX_MS = 5_000;
const RETRY_STEP_MS = 100;
const RETRY_MAX_MS = 1_000;
const REASON_CHARS_MAX = 120;
/** More nodes than any venue has. */
const NODES_MAX = 1_000;
const NONSENSE = "its answer makes no sense";

/**
 * Returns the server of quotas at a URL: `redis://[[user]:password@]host[:port][/db]`, or the same with `rediss://`.
 */
export function quotaServerAt(url: string): QuotaServer {
  return new RedisQuotas(url);
}

/** The field that the package's types leave out: the questions that wait for an answer. */
interface Asking {
  readonly commandQueue: { readonly length: number };
}

class RedisQuotas implements QuotaServer {
  readonly #redis: Redis;
  #trouble: string | undefined;

  constructor(url: string) {
    const { protocol, hostname, port, username, password, pathname } = new URL(url);
    this.#redis = new Redis({
      host: hostname.replace(/^\[(.*)\]$/, "$1"),
      port: Number(port || 6_379),
      db: Number(pathname.slice(1) || 0),
      ...(username === "" ? {} : { username: decodeURIComponent(username) }),
      ...(password === "" ? {} : { password: decodeURIComponent(password) }),
      ...(protocol === "rediss:" ? { tls: {} } : {}),
      // A check that cannot be sent at once is decided without it, and none is sent twice.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      disableClientInfo: true,
      // redisFrames knows its answers; the newer protocol has more kinds, of which nothing here needs one.
      protocol: 2,
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_MAX_MS,
      retryStrategy: (times) => Math.min(times * RETRY_STEP_MS, RETRY_MAX_MS),
      // Signed in wrongly, or to a server that may not be written: it may be another one after the next connection.
      reconnectOnError: ({ message }) => /^(?:NOAUTH|READONLY)/.test(message),
      scripts: { bourseCheck: { lua: CHECK_SCRIPT }, bourseBeat: { lua: BEAT_SCRIPT, numberOfKeys: 1 } },
    });
    this.#redis.on("error", (error) => {
      this.#trouble = reasonOf(error);
    });
    // The package throws where nobody catches it when it is answered what it did not ask.
    this.#redis.on("connect", () => {
      guardAnswers(
        this.#redis.stream,
        redisFrames(() => (this.#redis as unknown as Asking).commandQueue.length),
      );
    });
    this.#redis.on("ready", () => {
      this.#trouble = undefined;
    });
  }

  get trouble(): string | undefined {
    return this.#trouble;
  }

  check(keys: readonly string[], values: readonly (string | number)[]): Promise<readonly number[]> {
    const entries = keys.length / 2;
    return this.#answered(this.#redis.bourseCheck(keys.length, ...keys, ...values), (answer) =>
      isVerdicts(answer, entries),
    );
  }

  beat(node: string): Promise<number> {
    return this.#answered(
      this.#redis.bourseBeat(NODES_KEY, node),
      (nodes) => Number.isSafeInteger(nodes) && nodes >= 0 && nodes <= NODES_MAX,
    );
  }

  leave(node: string): Promise<unknown> {
    return this.#redis.zrem(NODES_KEY, node).catch(withoutCommand);
  }

  close(): void {
    this.#redis.disconnect();
  }

  /**
   * Returns a sound answer. Disconnects and throws at any other one: a server's answer need not be what the script
   * gives, since the server may be another program, or a broken one.
   */
  async #answered<Answer>(asked: Promise<Answer>, isSound: (answer: Answer) => boolean): Promise<Answer> {
    const answer = await asked.catch(withoutCommand);
    if (isSound(answer)) return answer;
    // Answers may have got out of step with questions, and would stay so.
    this.#redis.disconnect(true);
    throw new Error(NONSENSE);
  }
}

/** For each entry whether it passes, what is left, the rate, and the four windows. */
function isVerdicts(answer: unknown, entries: number): boolean {
  return Array.isArray(answer) && answer.length === entries * ENTRY_ANSWERS && answer.every(Number.isSafeInteger);
}

/** Errors of the package hold the command that failed, and so the password of one that signs in. */
function withoutCommand(error: Error): never {
  throw new Error(reasonOf(error));
}

function reasonOf(error: Error & { readonly code?: string }): string {
  const { code, message } = error;
  if (message.startsWith("OOM")) return "its memory is full";
  if (/^(?:WRONGPASS|NOAUTH)/.test(message)) return "it does not take the password";
  if (error instanceof NoAnswer) return message;
  if (code !== undefined) return `it cannot be reached (${code})`;
  return `it says: ${message.slice(0, REASON_CHARS_MAX)}`;
}
