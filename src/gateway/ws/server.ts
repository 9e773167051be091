/**
 * The sockets of all generations, on the port of the HTTP listener: takes over connections that ask for one at an
 * address of the contract, gives them the beat and lets them go when the venue stops.
 */
import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { type ServerOptions, WebSocketServer } from "ws";
import type { WebSessions } from "../auth/web-sessions.ts";
import type { Connection } from "../http/connection.ts";
import type { NodeRequest } from "../http/node-request-context.ts";
import { readFirst } from "../http/read-first.ts";
import { NO_CODE } from "../http/request-context.ts";
import type { RequestObserver } from "../http/request-observer.ts";
import type { Upgrades } from "../http/server.ts";
import { Refused } from "../refused.ts";
import { Budget } from "./budget.ts";
import { SocketConnection, type SocketEvent } from "./connection.ts";
import type { Hub } from "./hub.ts";
import type { SocketLimits } from "./limits.ts";
import { Outbox } from "./outbox.ts";
import { Turns } from "./turns.ts";

export interface SocketServerOptions {
  /** By path, without a slash at the end. */
  readonly openHubs: () => ReadonlyMap<string, Hub>;
  readonly limits: SocketLimits;
  /** Counts a message or an attempt to connect of an address; false when there were too many. */
  readonly admit?: (address: string) => boolean;
  /** A time that runs evenly, ms. */
  readonly now?: () => number;
  /** Calls `beat` every so many ms until what it gives is called. */
  readonly every?: (ms: number, beat: () => void) => () => void;
  /** Reads the cookie that comes with a handshake; without, nobody does. */
  readonly sessions?: Pick<WebSessions, "tokenOfHandshake"> | undefined;
  /** Names the handshakes; without, they have no names. */
  readonly observer?: RequestObserver | undefined;
  /** Counts what becomes of connections. */
  readonly onEvent?: (event: SocketEvent) => void;
}

/** Larger messages come in few frames; each frame beyond them is a cost without a use. */
const FRAGMENTS_MAX = 128;
/** Status of a close, of those that are a program's own: the venue is not what it was. Source: design 14. */
const WENT_BACK = 4001;
/** How long a client may take to answer a close. */
const CLOSE_TIMEOUT_MS = 5_000;

export class SocketServer implements Upgrades {
  readonly #options: SocketServerOptions;
  readonly #now: () => number;
  readonly #admit: (address: string) => boolean;
  readonly #handshakes: WebSocketServer;
  readonly #outbox = new Outbox();
  readonly #turns = new Turns();
  /** Where the handshake under way is refused: the package finds out, and the venue words it. */
  #refuse: ((reason: string) => void) | undefined;
  readonly #connections = new Set<SocketConnection>();
  readonly #stops: (() => void)[] = [];
  #hubs: ReadonlyMap<string, Hub>;
  #budget: Budget;

  constructor(options: SocketServerOptions) {
    this.#options = options;
    this.#hubs = options.openHubs();
    this.#now = options.now ?? (() => performance.now());
    this.#admit = options.admit ?? (() => true);
    // The last two are younger than the types of the package.
    const handshakes: ServerOptions & { readonly maxFragments: number; readonly closeTimeout: number } = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: options.limits.requestBytesMax,
      maxFragments: FRAGMENTS_MAX,
      closeTimeout: CLOSE_TIMEOUT_MS,
    };
    this.#handshakes = new WebSocketServer(handshakes);
    const { observer } = options;
    if (observer !== undefined) {
      this.#handshakes.on("headers", (headers) => {
        const answered = { context: undefined, status: 101, code: NO_CODE, ms: 0, refused: undefined };
        headers.push(...observer.answered(answered).trimEnd().split("\r\n"));
      });
    }
    this.#handshakes.on("wsClientError", ({ message }) => this.#refuse?.(message));
    this.#budget = new Budget(options.limits);
  }

  claims(path: string): boolean {
    return this.#hubAt(path) !== undefined;
  }

  accept(request: NodeRequest, path: string, socket: Socket, head: Buffer, connection: Connection): void {
    const remoteAddress = connection.clientOf(request);
    const { limits } = this.#options;
    if (!this.#admit(remoteAddress)) {
      connection.refuse();
      connection.fail(429, new Refused("address_rate_limited"));
      return;
    }
    const hub = this.#hubAt(path) as Hub;
    this.#refuse = (reason) => {
      if (request.method !== "GET") connection.fail(405, new Refused("method_not_allowed"));
      else
        connection.fail(400, new Refused("request_malformed", `The request for a socket cannot be served: ${reason}.`));
    };
    const asking = { header: (name: string) => request.header(name), isOverTls: connection.isOverTls(request) };
    const sessionToken = this.#options.sessions?.tokenOfHandshake(asking);
    this.#handshakes.handleUpgrade(request, socket, head, (webSocket) => {
      const made = new SocketConnection({
        webSocket,
        socket,
        remoteAddress,
        sessionToken,
        hub,
        budget: this.#budget,
        outbox: this.#outbox,
        turns: this.#turns,
        limits,
        now: this.#now,
        admit: this.#admit,
        onEvent: (event) => {
          if (event === "closed") this.#connections.delete(made);
          this.#options.onEvent?.(event);
        },
      });
      this.#connections.add(made);
    });
  }

  /** Those that are open. */
  get connections(): Iterable<SocketConnection> {
    return [...this.#connections];
  }

  start(): void {
    const { every = everyMs } = this.#options;
    const all = [...this.#hubs.values()];
    if (all.length > 0) {
      const shortestMs = Math.min(...all.map(({ beatMs }) => beatMs));
      this.#stops.push(every(shortestMs, () => readFirst(() => this.#cutIdle())));
    }
    for (const hub of all) this.#stops.push(every(hub.beatMs, () => hub.beat(this.#now())));
  }

  turnOut(reason: string): void {
    this.#stopBeats();
    for (const connection of this.#connections) connection.leaveWith(WENT_BACK, reason);
  }

  beginAnew(): void {
    this.#hubs = this.#options.openHubs();
    this.#budget = new Budget(this.#options.limits);
  }

  goAway(): void {
    this.#stopBeats();
    for (const connection of this.#connections) connection.goAway();
  }

  cut(): void {
    for (const connection of this.#connections) connection.cut();
  }

  #stopBeats(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  #cutIdle(): void {
    const nowMs = this.#now();
    for (const connection of this.#connections) connection.cutWhenIdle(nowMs);
  }

  #hubAt(path: string): Hub | undefined {
    return this.#hubs.get(path.endsWith("/") ? path.slice(0, -1) : path);
  }
}

function everyMs(ms: number, beat: () => void): () => void {
  const timer = setInterval(beat, ms);
  return () => clearInterval(timer);
}
