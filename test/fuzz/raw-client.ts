/**
 * Sends bytes over a plain socket and reads HTTP answers: nothing of a client's own sense stands between fuzz and
 * venue.
 */
import { connect, type Socket } from "node:net";
import { runningLimit } from "../support/running-time.ts";

export interface RawAnswer {
  readonly status: number;
  /** With lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** What came before the venue closed, or within the time. */
export interface Conversation {
  readonly answers: readonly RawAnswer[];
  /** Bytes that are no whole answer. */
  readonly rest: string;
  /** Neither an answer nor a close came in time. */
  readonly hung: boolean;
}

/** Generous: a busy machine is slow, a hang is forever. */
const DEADLINE_MS = 20_000;

/** Requests from one address, where addresses change: below what an address may ask in a second. */
const FROM_ONE_ADDRESS = 40;

/** A connection that is kept while the venue keeps it. */
export class RawClient {
  readonly #port: number;
  readonly #from: (() => string) | undefined;
  #socket: Socket | undefined;
  #asked = 0;

  /** `from` gives an address to ask from, a further one behind some requests; without, it is the machine's own. */
  constructor(port: number, from?: () => string) {
    this.#port = port;
    this.#from = from;
  }

  /** Sends one request and reads its answer. `bodyless`: the answer to HEAD has a length and no body. */
  async ask(request: Buffer, bodyless = false): Promise<Conversation> {
    if (this.#from !== undefined && ++this.#asked % FROM_ONE_ADDRESS === 0) this.close();
    const socket = this.#socket?.writable ? this.#socket : this.#connect();
    this.#socket = socket;
    const conversation = await converse(socket, request, (reader) => reader.finals >= 1, bodyless);
    if (conversation.hung || conversation.answers.at(-1)?.headers.get("connection") === "close") this.close();
    return conversation;
  }

  /** Sends bytes on a connection of their own, says goodbye and reads until the venue does. */
  async send(bytes: Buffer): Promise<Conversation> {
    const socket = this.#connect(true);
    const conversation = await converse(socket, bytes, () => false, false, true);
    socket.destroy();
    return conversation;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #connect(allowHalfOpen = false): Socket {
    const from = this.#from === undefined ? {} : { localAddress: this.#from() };
    return connect({ port: this.#port, host: "127.0.0.1", noDelay: true, allowHalfOpen, ...from });
  }
}

type Enough = (reader: AnswerReader) => boolean;

function converse(
  socket: Socket,
  sent: Buffer,
  enough: Enough,
  bodyless: boolean,
  goodbye = false,
): Promise<Conversation> {
  return new Promise((resolve) => {
    const reader = new AnswerReader(bodyless);
    const late = runningLimit(DEADLINE_MS);
    const onData = (piece: Buffer) => {
      reader.take(piece);
      if (enough(reader)) done(false);
    };
    const onEnd = () => done(false);
    const done = (hung: boolean) => {
      late.end();
      socket.off("data", onData).off("end", onEnd).off("close", onEnd);
      resolve({ answers: reader.answers, rest: reader.rest, hung });
    };
    late.signal.addEventListener("abort", () => done(true), { once: true });
    // A venue that refuses may close before all is sent; what it said until then counts.
    if (socket.listenerCount("error") === 0) socket.on("error", () => {});
    socket.on("data", onData).once("end", onEnd).once("close", onEnd);
    if (goodbye) socket.end(sent);
    else socket.write(sent);
  });
}

class AnswerReader {
  readonly answers: RawAnswer[] = [];
  /** Answers that are not interim ones. */
  finals = 0;
  readonly #bodyless: boolean;
  #bytes = Buffer.alloc(0);

  constructor(bodyless: boolean) {
    this.#bodyless = bodyless;
  }

  get rest(): string {
    return this.#bytes.toString("latin1");
  }

  take(piece: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, piece]);
    for (;;) {
      const end = this.#bytes.indexOf("\r\n\r\n");
      if (end < 0) return;
      const [first = "", ...lines] = this.#bytes.toString("latin1", 0, end).split("\r\n");
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
      const headers = new Map(
        lines.map((line) => [line.replace(/:.*/s, "").toLowerCase(), line.replace(/^[^:]*: */, "")]),
      );
      const isInterim = status < 200;
      const length = this.#bodyless || isInterim || status === 304 ? 0 : Number(headers.get("content-length"));
      if (!(this.#bytes.length >= end + 4 + length)) return;
      this.answers.push({ status, headers, body: this.#bytes.toString("utf8", end + 4, end + 4 + length) });
      if (!isInterim) this.finals++;
      this.#bytes = this.#bytes.subarray(end + 4 + length);
    }
  }
}
