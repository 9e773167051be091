/**
 * A relay between a client's program and a venue: it hands on HTTP and sockets as they come, tells its listener what
 * passes, and does to it what the listener wants. It knows nothing of what is right or wrong.
 */
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { ownErrors } from "../../net/socket-errors.ts";
import { SocketPair } from "./socket-pair.ts";

/** A request that came in whole. */
export interface Passing {
  readonly id: number;
  readonly atMs: number;
  readonly method: string;
  readonly target: string;
  /** Without query and without `/v2`. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** When its connection was opened, and when something was last answered on it; 0 for never. */
  readonly openedMs: number;
  readonly answeredMs: number;
  /** Other connections that were open when it came: those that awaited an answer, and those that had had theirs. */
  readonly awaiting: number;
  readonly idle: number;
}

interface Connection {
  readonly openedMs: number;
  answeredMs: number;
  isAwaiting: boolean;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/**
 * The treatment of a request: it goes on, is answered in the venue's place, or its connection is cut before or after it
 * took effect.
 */
export type Verdict = "pass" | "cut_before" | "cut_after" | Answered;

export interface RelayListener {
  onRequest(passing: Passing): Verdict;
  /** May give another answer in the place of the venue's. */
  onAnswer(passing: Passing, answer: Answered): Answered;
  onSocket(pair: SocketPair): void;
}

const HOST = "127.0.0.1";
/** Of a request, above what a venue takes: what is longer is refused here as the venue would refuse it. */
const REQUEST_BYTES_MAX = 256 * 1024;
/** Of an answer, far above the longest of a venue, which is the document of its API. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;

export class Relay {
  readonly url: string;
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #venueUrl: string;
  readonly #listener: RelayListener;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: 1 << 20 });
  readonly pairs = new Set<SocketPair>();
  readonly #connections = new Map<Duplex, Connection>();
  #nextId = 1;

  /** Listens on a free port of this machine. */
  static async open(venueUrl: string, listener: RelayListener): Promise<Relay> {
    const server = createServer();
    server.listen(0, HOST);
    await once(server, "listening");
    return new Relay(server, venueUrl, listener);
  }

  private constructor(server: Server, venueUrl: string, listener: RelayListener) {
    this.#server = server;
    this.#venueUrl = venueUrl;
    this.#listener = listener;
    this.#agent = new Agent({ keepAlive: true });
    this.url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
    server.on("connection", (socket) => {
      ownErrors(socket);
      this.#connections.set(socket, { openedMs: performance.now(), answeredMs: 0, isAwaiting: false });
      socket.on("close", () => this.#connections.delete(socket));
    });
    server.on("request", (incoming, response) => void this.#take(incoming, response));
    server.on("upgrade", (incoming: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#upgrade(incoming, socket, head),
    );
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    for (const pair of this.pairs) pair.cut();
    this.#agent.destroy();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await textOf(incoming, REQUEST_BYTES_MAX);
      if (body === undefined) {
        // What is left of it is not read: the connection ends behind the answer.
        response.shouldKeepAlive = false;
        response.once("finish", () => incoming.socket.destroySoon());
        give(response, TOO_LARGE);
        return;
      }
      const passing = this.#passing(incoming, body);
      const verdict = this.#listener.onRequest(passing);
      if (verdict === "cut_before") return void incoming.socket.destroy();
      const answer = typeof verdict === "object" ? verdict : await this.#ask(passing);
      if (verdict === "cut_after") {
        this.#listener.onAnswer(passing, answer);
        return void incoming.socket.destroy();
      }
      give(response, this.#listener.onAnswer(passing, answer));
      const connection = this.#connections.get(incoming.socket);
      if (connection === undefined) return;
      connection.answeredMs = performance.now();
      connection.isAwaiting = false;
    } catch {
      // Either side is gone.
      incoming.socket.destroy();
    }
  }

  #passing({ method = "", url: target = "", headers, socket }: IncomingMessage, body: string): Passing {
    const path = (target.split("?")[0] as string).replace(/^\/v2(?=\/)/, "");
    const own = this.#connections.get(socket);
    const others = [...this.#connections.values()].filter((connection) => connection !== own);
    const passing = {
      ...{ id: this.#nextId++, atMs: performance.now(), method, target, path, headers, body },
      ...{ openedMs: own?.openedMs ?? 0, answeredMs: own?.answeredMs ?? 0 },
      awaiting: others.filter(({ isAwaiting }) => isAwaiting).length,
      idle: others.filter(({ isAwaiting, answeredMs }) => !isAwaiting && answeredMs > 0).length,
    };
    if (own !== undefined) own.isAwaiting = true;
    return passing;
  }

  async #ask({ method, target, headers, body }: Passing): Promise<Answered> {
    const asked = request(this.#venueUrl + target, { method, headers, agent: this.#agent });
    asked.end(body);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      // Errors behind the answer are those of its connection; then the answer breaks off.
      asked.on("response", resolve).on("error", reject);
      asked.on("close", () => reject(new Error("The venue has closed the connection without an answer.")));
    });
    const text = await textOf(answer, ANSWER_BYTES_MAX);
    if (text === undefined) {
      asked.destroy();
      throw new Error(`The venue has answered with more than ${ANSWER_BYTES_MAX} bytes.`);
    }
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: text };
  }

  #upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const path = (incoming.url ?? "/").replace(/^\/(spot|futures)(?=\/|$)/, "/v2/$1");
    this.#sockets.handleUpgrade(incoming, socket, head, (client) => {
      const pair = new SocketPair(client, this.#venueUrl.replace(/^http/, "ws") + path, path);
      this.pairs.add(pair);
      pair.onGone(() => this.pairs.delete(pair));
      this.#listener.onSocket(pair);
    });
  }
}

/** Headers that belong to the connection with the venue, or that the text's new length makes wrong. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
]);

function give(response: ServerResponse, { status, headers, body }: Answered): void {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !OF_THE_CONNECTION.has(name));
  response.writeHead(status, { ...Object.fromEntries(kept), "content-length": Buffer.byteLength(body) });
  response.end(body);
}

/** Undefined: there is more of it than so many bytes, and it is not read on. */
async function textOf(stream: IncomingMessage, bytesMax: number): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  if (Number(stream.headers["content-length"] ?? 0) > bytesMax) return undefined;
  // Who takes no more must still be able to answer: the stream is left as it is.
  for await (const piece of stream.iterator({ destroyOnReturn: false })) {
    bytes += (piece as Buffer).length;
    if (bytes > bytesMax) return undefined;
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString("utf8");
}

const TOO_LARGE: Answered = { ...refusal(4_004, `The body is larger than ${REQUEST_BYTES_MAX} bytes.`), status: 413 };

/** An answer in the venue's place, as the venue would give it. */
export function refusal(code: number, message: string): Answered {
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({ code, data: {}, message }),
  };
}
