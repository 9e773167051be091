import { connect, type Socket } from "node:net";

export interface LoadResult {
  readonly answers: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were not a success. */
  readonly failures: number;
  readonly firstFailure: string | undefined;
}

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The next request, whole, as bytes. */
  readonly next: () => Buffer;
  /** Requests a second of all connections, evenly; unless given, each is sent as soon as the one before is answered. */
  readonly perSecond?: number;
  /** What goes over the connections; HTTP unless given. */
  readonly wire?: Wire;
}

/** How much of what came is the answer, and whether it is a success; undefined while it is not whole. */
export type AnswerReader = (bytes: Buffer) => { readonly length: number; readonly isSuccess: boolean } | undefined;

/** What is not a request and an answer of HTTP. */
export interface Wire {
  /** What the connection of this number says first, each answered before the next; none of it is measured. */
  readonly begin: (index: number) => readonly { readonly send: Buffer; readonly read: AnswerReader }[];
  /** Reads an answer. */
  readonly read: AnswerReader;
}

/** An answer of HTTP with a body; also one that has no length and no body. */
export const httpAnswer: AnswerReader = (bytes) => {
  const head = bytes.indexOf(HEAD_END);
  if (head < 0) return undefined;
  const from = head + HEAD_END.length;
  const length = from + Number(LENGTH.exec(bytes.toString("latin1", 0, head))?.[1] ?? 0);
  if (bytes.length < length) return undefined;
  return { length, isSuccess: bytes.subarray(from, from + SUCCESS.length).equals(SUCCESS) };
};

const HTTP: Wire = { begin: () => [], read: httpAnswer };

const HEAD_END = Buffer.from("\r\n\r\n");
const LENGTH = /content-length: (\d+)/i;
const SUCCESS = Buffer.from('{"code":0');
/** Samples of latency kept; enough for a p99 of half a minute. */
const SAMPLES_MAX = 4_000_000;

/**
 * Keeps `connections` busy with one request each for some seconds. Raw sockets and ready-made requests, so that the
 * generator costs little beside the server it measures.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const latencies = new Float64Array(SAMPLES_MAX);
  const count = { answers: 0, failures: 0, first: undefined as string | undefined };
  let stopped = false;
  const sockets: Socket[] = [];
  const { wire = HTTP } = options;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: options.connections }, (_, index) => {
      const socket = connect({ host: "127.0.0.1", port: options.port, noDelay: true });
      sockets.push(socket);
      return run(socket, index);
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const sorted = latencies.subarray(0, Math.min(count.answers, SAMPLES_MAX)).sort();
  return {
    answers: count.answers,
    perSecond: count.answers / seconds,
    p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    failures: count.failures,
    firstFailure: count.first,
  };

  function run(socket: Socket, index: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let sentAt = 0;
      let sent = 0;
      let pending: Buffer | undefined;
      const first = [...wire.begin(index)];
      let read = wire.read;
      const begin = () => {
        const next = first.shift();
        read = next?.read ?? wire.read;
        if (next === undefined) sendInTime();
        else socket.write(next.send);
        return next !== undefined;
      };
      const send = () => {
        if (stopped || performance.now() - started > options.seconds * 1000) {
          stopped = true;
          socket.destroy();
          resolve();
          return;
        }
        sentAt = performance.now();
        socket.write(options.next());
      };
      const sendInTime = () => {
        if (options.perSecond === undefined) return send();
        const dueAt = started + ((sent++ * options.connections + index) * 1_000) / options.perSecond;
        const waitMs = dueAt - performance.now();
        if (waitMs > 0) {
          setTimeout(send, waitMs);
          return;
        }
        send();
        // What had to wait for the answer before counts from when it was due.
        sentAt = dueAt;
      };
      let isBeginning = false;
      socket.on("connect", () => {
        isBeginning = begin();
      });
      socket.on("error", reject);
      socket.on("close", () => resolve());
      socket.on("data", (chunk: Buffer) => {
        const bytes = pending === undefined ? chunk : Buffer.concat([pending, chunk]);
        const answer = read(bytes);
        if (answer === undefined) {
          pending = bytes;
          return;
        }
        pending = undefined;
        if (isBeginning) {
          isBeginning = begin();
          return;
        }
        if (count.answers < SAMPLES_MAX) latencies[count.answers] = performance.now() - sentAt;
        count.answers++;
        if (!answer.isSuccess) {
          count.failures++;
          count.first ??= bytes.toString("utf8", 0, answer.length);
        }
        sendInTime();
      });
    });
  }
}
