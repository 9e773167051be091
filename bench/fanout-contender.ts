import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { MARKETS } from "./busy-market.ts";
import { type Look, type Mode, type Order, type Ran, UPDATES } from "./fanout-orders.ts";
import { FrameReader, payloadsOf } from "./frame-reader.ts";

/** The markets that sockets follow: one by all three channels, or one by each, where one update comes at a time. */
const ONE = { bbo: MARKETS[0], depth: MARKETS[0], deals: MARKETS[0] } as const;
const THREE = { bbo: MARKETS[0], depth: MARKETS[1], deals: MARKETS[2] } as const;
/** The path of the venue's sockets; bare ws takes any. */
const PATH = "/v2/spot";
/** Sockets that connect at a time: fewer than wait to be accepted at most. */
const CONNECTING_MAX = 100;
/** Longest wait for frames that have been sent. */
const READ_MS = 20_000;
const RECORDED_MS = 400;

/** A stretch of ticks, as fast as the readers took them. */
export interface Lap {
  readonly framesPerSecond: number;
  /** CPU time of the server. */
  readonly cpuUsPerFrame: number;
  readonly bytesPerFrame: number;
}

/** One server process and the readers that this process holds to it. */
export class Contender {
  readonly readers: FrameReader[] = [];
  readonly #child: ChildProcess;
  readonly #port: number;

  /** With the flags that this process was given, which are those of `npm start`. */
  static async start(name: "bourse" | "bare"): Promise<Contender> {
    const child = fork(fileURLToPath(new URL("fanout-server.ts", import.meta.url)), [name]);
    const [{ port }] = (await once(child, "message")) as [{ port: number }];
    return new Contender(child, port);
  }

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.#port = port;
  }

  /** Opens sockets that follow what the mode says. Only those of `readers` are waited for after ticks. */
  async connect(count: number, mode: Mode): Promise<FrameReader[]> {
    const opened: FrameReader[] = [];
    while (opened.length < count) {
      const some = Math.min(CONNECTING_MAX, count - opened.length);
      opened.push(...(await Promise.all(Array.from({ length: some }, () => FrameReader.connect(this.#port, PATH)))));
    }
    const { bbo, depth, deals } = mode === "apart" ? THREE : ONE;
    for (const reader of opened) {
      reader.send(`{"id":1,"method":"bbo.subscribe","params":{"market_list":["${bbo}"]}}`);
      reader.send(`{"id":2,"method":"depth.subscribe","params":{"market_list":[["${depth}",50,"0",false]]}}`);
      reader.send(`{"id":3,"method":"deals.subscribe","params":{"market_list":["${deals}"]}}`);
    }
    await this.#quiet(opened);
    return opened;
  }

  async load(mode: Mode, ticks: readonly (readonly string[])[]): Promise<void> {
    await this.ask({ kind: "load", mode, ticks });
  }

  /** What one socket is sent in some ticks, in base64, by tick. */
  async record(mode: Mode): Promise<string[][]> {
    const reader = this.readers[0] as FrameReader;
    reader.recorded = [];
    const { ticks } = await this.run({ mode, ms: RECORDED_MS });
    const payloads = payloadsOf(reader.recorded).map((payload) => payload.toString("base64"));
    reader.recorded = undefined;
    const updates = UPDATES[mode];
    return Array.from({ length: ticks }, (_, tick) => payloads.slice(tick * updates, (tick + 1) * updates));
  }

  async lap(mode: Mode, ms: number): Promise<Lap> {
    const bytes = this.#sum("bytes");
    const frames = this.#sum("frames");
    const startedMs = performance.now();
    const { cpuMs } = await this.run({ mode, ms });
    const seconds = (performance.now() - startedMs) / 1_000;
    const count = this.#sum("frames") - frames;
    return {
      framesPerSecond: count / seconds,
      cpuUsPerFrame: (cpuMs * 1_000) / count,
      bytesPerFrame: (this.#sum("bytes") - bytes) / count,
    };
  }

  /** Lets the server tick and waits until the readers have everything. Throws when frames are missing or too many. */
  async run(order: Omit<Extract<Order, { kind: "run" }>, "kind">): Promise<Ran> {
    const before = this.readers.map(({ frames }) => frames);
    const ran = (await this.ask({ kind: "run", ...order })) as Ran;
    const expected = ran.ticks * UPDATES[order.mode];
    const deadlineMs = performance.now() + READ_MS;
    const isRead = () => this.readers.every(({ frames }, at) => frames - (before[at] as number) >= expected);
    while (!isRead() && performance.now() < deadlineMs) await new Promise(setImmediate);
    const counts = new Set(this.readers.map(({ frames }, at) => frames - (before[at] as number)));
    if (counts.size !== 1 || !counts.has(expected)) {
      throw new Error(`The readers got ${[...counts].join(", ")} frames instead of ${expected}.`);
    }
    return ran;
  }

  async look(): Promise<Look> {
    return (await this.ask({ kind: "look" })) as Look;
  }

  async ask(order: Order): Promise<unknown> {
    const answered = once(this.#child, "message");
    this.#child.send(order);
    return (await answered)[0];
  }

  stop(): void {
    for (const { socket } of this.readers) socket.destroy();
    // The server ends when nobody is there to order it about.
    this.#child.disconnect();
  }

  #sum(field: "frames" | "bytes"): number {
    return this.readers.reduce((sum, reader) => sum + reader[field], 0);
  }

  /** Waits until nothing has come in for a moment. */
  async #quiet(readers: readonly FrameReader[]): Promise<void> {
    const total = () => readers.reduce((sum, { frames }) => sum + frames, 0);
    for (let before = -1; before !== total(); ) {
      before = total();
      await sleep(300);
    }
  }
}
