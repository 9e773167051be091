/**
 * Cases over the sockets: every method of the contract with spoilt parameters, messages that are none, and broken
 * frames.
 */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { gunzipSync, gzipSync } from "node:zlib";
import { WebSocket } from "ws";
import { endpointName, loadContract } from "../../src/gateway/current/contract.ts";
import type { Param } from "../../src/gateway/request/rules.ts";
import {
  loadSocketContract,
  type MarketKind,
  type SocketCall,
  type SocketContract,
} from "../../src/gateway/ws/contract.ts";
import { socketLimits } from "../../src/gateway/ws/limits.ts";
import { wholeBytes } from "../../src/gateway/ws/request.ts";
import { runningLimit } from "../support/running-time.ts";
import type { Chance } from "./chance.ts";
import { Grammar, objectText } from "./grammar.ts";
import { ODD_BODIES, oddJson } from "./odd-values.ts";
import type { FuzzCase, FuzzSource, Verdict } from "./source.ts";
import type { Signer, World } from "./world.ts";

interface MethodRow {
  readonly method: string;
  readonly params: readonly Param[];
}

/** Generous: a busy machine is slow, a hang is forever. */
const DEADLINE_MS = 20_000;
/** With a ping behind each case, fewer than the requests that a connection may make at once. */
const CASES_PER_CONNECTION = 80;
/** Codes of closing (RFC 6455) that a client can bring upon itself; 1006 is a cut without a word. */
const CLOSES: ReadonlySet<number> = new Set([1_000, 1_002, 1_003, 1_005, 1_006, 1_007, 1_008, 1_009]);

/** A message, and how it is sent: in a text frame, a binary one, or bytes that take the place of frames. */
interface Sent {
  readonly name: string;
  readonly bytes: Buffer;
  readonly frame: "text" | "binary" | "none";
}

export class SocketSource implements FuzzSource {
  readonly #world: World;
  readonly #chance: Chance;
  readonly #grammar: Grammar;
  readonly #contract: SocketContract;
  readonly #methods: readonly MethodRow[];
  readonly #kind: MarketKind;
  readonly #path: string;
  readonly #codes: ReadonlySet<number>;
  /** Methods that are refused with the codes of HTTP, too. */
  readonly #asOverHttp: ReadonlySet<string>;
  readonly #httpCodes: ReadonlySet<number>;
  /** A longer message is a long one. */
  readonly #longBytes: number;
  #line: Line | undefined;
  #at = 0;

  /** `kind`: whose socket it is. */
  constructor(world: World, chance: Chance, kind: MarketKind) {
    this.#world = world;
    this.#chance = chance;
    this.#kind = kind;
    this.#contract = loadSocketContract();
    this.#grammar = new Grammar(this.#contract.values, world, chance);
    const { calls, channels, errors, endpoints } = this.#contract;
    const http = loadContract();
    const paramsOf = ({ endpoint, params }: SocketCall): readonly Param[] =>
      http.endpoints.find((each) => endpointName(each) === endpoint?.[kind])?.params ?? params;
    this.#methods = [
      ...calls.map((call) => ({ method: call.method, params: paramsOf(call) })),
      ...channels.flatMap(({ subscribe, unsubscribe }) => [subscribe, unsubscribe]),
    ];
    const isAsOverHttp = ({ endpoint, notes }: SocketCall) =>
      endpoint !== undefined || notes.some((note) => note.includes("codes of HTTP"));
    this.#asOverHttp = new Set(calls.filter(isAsOverHttp).map(({ method }) => method));
    this.#httpCodes = new Set(http.errorCodes.map(({ code }) => code));
    this.#codes = new Set([0, ...errors[kind].map(({ code }) => code)]);
    this.#longBytes = socketLimits(this.#contract).bytesPerRequest;
    this.#path = endpoints.find(({ markets }) => markets === kind)?.path as string;
  }

  next(): FuzzCase {
    const sent = this.#sent(this.#methods[this.#at++ % this.#methods.length] as MethodRow);
    return {
      name: sent.name,
      play: () => this.#play(sent),
      reproduction: () =>
        `the ${sent.frame === "none" ? "bytes" : `${sent.frame} frame`} ` +
        `${JSON.stringify(sent.bytes.toString("latin1"))} ` +
        `on ${this.#path}, one character a byte`,
    };
  }

  close(): void {
    this.#line?.close();
  }

  async #play(sent: Sent): Promise<Verdict> {
    const { name } = sent;
    const begins = this.#line === undefined || this.#line.isDone || this.#line.cases >= CASES_PER_CONNECTION;
    if (begins) {
      this.#line?.close();
      this.#line = await Line.open(this.#world.venue.url + this.#path, this.#world.from);
    }
    const isLong = wholeBytes(sent.bytes, sent.frame === "binary") > this.#longBytes;
    const line = this.#line as Line;
    const { messages, closed, hung } = await line.converse(sent, { isLong, isLate: this.#asOverHttp.has(name) });
    const breaches: string[] = [];
    if (hung) breaches.push("The venue neither answered nor closed in time.");
    if (closed !== undefined && !CLOSES.has(closed)) breaches.push(`The venue closed with ${closed}.`);
    const answers = messages.filter((message) => message.method === undefined);
    // Bytes that are no frames may hold any number of messages.
    if (closed === undefined && !hung && sent.frame !== "none" && answers.length !== 1) {
      breaches.push(`${answers.length} answers came, not one.`);
    }
    for (const { code, message, id } of answers) {
      if (!this.#codes.has(code as number) && !(this.#asOverHttp.has(name) && this.#httpCodes.has(code as number)))
        breaches.push(`The code ${code} is none of the contract for ${this.#kind}.`);
      if (Number(code) % 10_000 === 4_001 || code === 4_003) breaches.push("The venue failed.");
      if (typeof message !== "string" || message === "") breaches.push("An answer has no message.");
      if (id !== null && !Number.isInteger(id)) breaches.push(`An answer has the id ${JSON.stringify(id)}.`);
    }
    return {
      breaches,
      refused: answers.every(({ code }) => Number(code) !== 0),
      endsConnection: begins || closed !== undefined,
      codes: answers.map(({ code }) => Number(code)),
    };
  }

  #sent({ method, params }: MethodRow): Sent {
    const chance = this.#chance;
    const text = this.#message(method, params);
    switch (chance.below(20)) {
      case 0:
        return { name: method, bytes: Buffer.from(text), frame: "binary" };
      case 1:
        return { name: method, bytes: gzipSync(text), frame: "binary" };
      case 2:
        return {
          name: "messages",
          bytes: Buffer.from(chance.pick(ODD_BODIES)),
          frame: chance.pick(["text", "binary"]),
        };
      case 3:
        return { name: "messages", bytes: this.#oddBytes(), frame: "binary" };
      case 4:
        if (chance.is(0.3)) return { name: "frames", bytes: this.#oddBytes().subarray(0, 1_000), frame: "none" };
        break;
      default:
    }
    return { name: method, bytes: Buffer.from(text), frame: "text" };
  }

  #message(method: string, params: readonly Param[]): string {
    const chance = this.#chance;
    const markets = this.#kind === "spot" ? this.#world.spotMarkets : this.#world.futuresMarkets;
    const soundId = String(1 + chance.below(1_000_000));
    const pairs = [
      ["id", chance.is(0.05) ? oddJson(chance) : soundId],
      ["method", chance.is(0.05) ? oddJson(chance) : JSON.stringify(chance.is(0.03) ? method.toUpperCase() : method)],
      ["params", this.#params(method, params, markets)],
    ] as [string, string][];
    if (chance.is(0.05)) pairs.splice(chance.below(3), 1);
    return objectText(pairs);
  }

  #params(method: string, params: readonly Param[], markets: readonly string[]): string {
    const chance = this.#chance;
    if (chance.is(0.04)) return oddJson(chance);
    if (method === "server.sign" && chance.is(0.6)) return this.#login();
    return objectText(this.#grammar.params(params, { inQuery: false, markets }));
  }

  #login(): string {
    const { key } = this.#chance.pick(this.#world.signers) as Signer;
    const timestamp = this.#world.nowMs;
    const signed_str = createHmac("sha256", key.secret).update(`${timestamp}`).digest("hex");
    return JSON.stringify({ access_id: key.accessId, signed_str, timestamp });
  }

  /** Noise, a member of gzip that is broken or unpacks to far too much, or more than a message may hold. */
  #oddBytes(): Buffer {
    const chance = this.#chance;
    const noise = Buffer.from(Array.from({ length: 1 + chance.below(200) }, () => chance.below(256)));
    switch (chance.below(5)) {
      case 0:
        return gzipSync(Buffer.alloc(30_000_000));
      case 1:
        return Buffer.concat([gzipSync("{}").subarray(0, 8 + chance.below(12)), noise]);
      case 2:
        return gzipSync(noise);
      case 3:
        return Buffer.alloc(102_399 + chance.below(3), "x");
      default:
        return noise;
    }
  }
}

interface Message {
  readonly id?: unknown;
  readonly code?: unknown;
  readonly method?: unknown;
  readonly message?: unknown;
}

interface Exchange {
  readonly messages: readonly Message[];
  /** The status code of the close; undefined while the connection is open. */
  readonly closed: number | undefined;
  readonly hung: boolean;
}

/** Whether a message is a long one, and whether its answer may come behind that to the ping. */
interface Waits {
  readonly isLong: boolean;
  readonly isLate: boolean;
}

/** Ids of the pings behind the cases, beyond every id of a case. */
const PING_ID = 7_000_000_000;

/** One connection, on which a ping behind each case tells that everything about it has come. */
class Line {
  readonly #socket: WebSocket;
  #messages: Message[] = [];
  #closed: number | undefined;
  #rests = false;
  #moved = () => {};
  cases = 0;

  static async open(url: string, from?: () => string): Promise<Line> {
    for (;;) {
      const options = from === undefined ? {} : { localAddress: from() };
      const socket = new WebSocket(url.replace(/^http/, "ws"), options);
      const line = new Line(socket);
      const late = runningLimit(DEADLINE_MS);
      try {
        await once(socket, "open", { signal: late.signal });
        return line;
      } catch (error) {
        // Where the machine stood still in the middle of it.
        if (!/: 408$/.test((error as Error).message)) throw error;
      } finally {
        late.end();
      }
    }
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data: Buffer) => {
      this.#messages.push(JSON.parse(gunzipSync(data).toString("utf8")) as Message);
      this.#moved();
    });
    socket.on("close", (code) => {
      this.#closed = code;
      this.#moved();
    });
    socket.on("error", () => {});
  }

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  /** Nothing more is asked on it: it is closed, or the venue reads it again in some seconds only. */
  get isDone(): boolean {
    return this.isClosed || this.#rests;
  }

  close(): void {
    this.#socket.terminate();
  }

  /**
   * Behind a long message that is refused, the venue lets the connection rest (`ws/rest.ts`): the ping would wait for
   * the end of that. What goes through the log may be answered behind the ping.
   */
  async converse({ bytes, frame }: Sent, { isLong, isLate }: Waits): Promise<Exchange> {
    const pingId = PING_ID + this.cases++;
    this.#messages = [];
    if (frame === "none") {
      // Behind bytes that are no frames nothing can be asked any more.
      const { _socket: socket } = this.#socket as unknown as { _socket: { end(bytes: Buffer): void } };
      socket.end(bytes);
    } else {
      this.#socket.send(bytes, { binary: frame === "binary" });
      this.#socket.send(JSON.stringify({ id: pingId, method: "server.ping", params: {} }));
    }
    const { signal: deadline, end } = runningLimit(DEADLINE_MS);
    // A ping that is one request too many is refused at once, and so before a long message that waits for its turn is
    // answered.
    const isRefused = () =>
      isLong && this.#messages.some(({ id, code, method }) => method === undefined && id !== pingId && code !== 0);
    const isAnswered = () => this.#messages.some(({ id, method }) => method === undefined && id !== pingId);
    const isDone = () =>
      this.isClosed ||
      isRefused() ||
      (this.#messages.some(({ id, code }) => id === pingId && (code === 0 || this.#messages.length > 1)) &&
        (!isLate || frame === "none" || isAnswered()));
    while (!isDone() && !deadline.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#moved = resolve;
      deadline.addEventListener("abort", () => resolve(), { once: true });
      await promise;
    }
    end();
    this.#rests = isRefused();
    const messages = this.#messages.filter(({ id }) => id !== pingId);
    return { messages, closed: this.#closed, hung: !isDone() };
  }
}
