import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import { Arriving } from "./arriving.ts";
import { Backlog } from "./backlog.ts";
import type { Budget } from "./budget.ts";
import { Client, type Link } from "./client.ts";
import type { Coalesced } from "./coalesced.ts";
import type { Hub } from "./hub.ts";
import type { SocketLimits } from "./limits.ts";
import type { Outbox, Outgoing } from "./outbox.ts";
import type { Push } from "./push.ts";
import { wholeBytes } from "./request.ts";
import { Rest } from "./rest.ts";
import type { Turns } from "./turns.ts";

/** The events of connections that a metric counts. A cut one is closed as well. */
export type SocketEvent = "opened" | "closed" | "cut_slow" | "cut_idle";

/** Status codes of RFC 6455. */
const GOING_AWAY = 1_001;
const POLICY_VIOLATION = 1_008;

/**
 * Pushes are coalesced up to here; a turn that sends more writes in pieces, so that the backlog is looked at in
 * between.
 */
const COALESCED_BYTES_MAX = 65_536;

/** First pushes are added while less than this share of the bound of the backlog waits; the rest is for news. */
const ROOM_SHARE = 1 / 4;

export interface ConnectionOptions {
  readonly webSocket: WebSocket;
  /** The socket under it: frames that are made for many are written here as they are. */
  readonly socket: Duplex;
  readonly remoteAddress: string;
  /** The cookie of a session that came with the handshake. */
  readonly sessionToken?: string | undefined;
  readonly hub: Hub;
  /** Of all connections. */
  readonly budget: Budget;
  readonly outbox: Outbox;
  /** In which long messages of all connections are read. */
  readonly turns: Turns;
  readonly limits: SocketLimits;
  /** A time that runs evenly, ms. */
  readonly now: () => number;
  /** Counts a message of an address; false when there were too many. */
  readonly admit: (address: string) => boolean;
  readonly onEvent: (event: SocketEvent) => void;
}

/**
 * One socket connection: messages within their limits go to the hub, pushes come back and are written once a turn.
 * Anyone who reads slower than it is sent is cut, and so is anyone who is silent.
 */
export class SocketConnection implements Link, Outgoing {
  readonly remoteAddress: string;
  readonly sessionToken: string | undefined;
  readonly #options: ConnectionOptions;
  #client: Client;
  readonly #backlog: Backlog;
  readonly #arriving: Arriving;
  readonly #rest: Rest;
  #pending: Coalesced | undefined;
  #lastInboundMs: number;
  /** Requests that may come at once, as of `#earnedAt`. */
  #requestsLeft: number;
  #earnedAt: number;
  /** Requests that were refused and are not made up for. */
  #refused = 0;
  /** Messages that wait for their turn. */
  #unread = 0;
  #isOpen = true;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.remoteAddress = options.remoteAddress;
    this.sessionToken = options.sessionToken;
    this.#client = new Client(this, options.budget);
    this.#lastInboundMs = options.now();
    this.#earnedAt = this.#lastInboundMs;
    this.#requestsLeft = options.limits.requestsMax;
    const { webSocket, socket } = options;
    this.#rest = new Rest(webSocket);
    this.#backlog = new Backlog(socket, () => webSocket.readyState === webSocket.OPEN);
    webSocket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    this.#arriving = new Arriving(socket);
    webSocket.on("ping", (data: Buffer) => this.#receiveControl(data));
    webSocket.on("pong", (data: Buffer) => this.#receiveControl(data));
    // What breaks the protocol is answered with its status code by the package, which then closes.
    webSocket.on("error", () => {});
    webSocket.on("close", () => {
      this.#leave();
      options.onEvent("closed");
    });
    options.onEvent("opened");
  }

  get hasRoom(): boolean {
    const waiting = (this.#pending?.byteLength ?? 0) + this.#backlog.byteLength;
    return waiting < this.#options.limits.backlogBytesMax * ROOM_SHARE;
  }

  send(push: Push): void {
    if (!this.#isOpen) return;
    // Called for each push and follower: what it need not look at, it does not.
    const path = (this.#pending ?? this.#beginPath()).and(push);
    this.#pending = path;
    if (path.byteLength >= COALESCED_BYTES_MAX) this.flush();
  }

  #beginPath(): Coalesced {
    const { outbox } = this.#options;
    outbox.enter(this);
    return outbox.root;
  }

  flush(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined || !this.#isOpen) return;
    this.#backlog.write(pending.bytes);
    if (this.#backlog.byteLength <= this.#options.limits.backlogBytesMax) return;
    this.#options.onEvent("cut_slow");
    this.cut();
  }

  /** Cuts the connection when nothing has come in for too long, or a message has not come to its end. */
  cutWhenIdle(nowMs: number): void {
    if (!this.#isOpen) return;
    const { idleCloseMs } = this.#options.limits;
    const isUnfinished = this.#arriving.isUnfinishedFor(idleCloseMs, nowMs);
    if (nowMs - this.#lastInboundMs < idleCloseMs && !isUnfinished) return;
    this.#options.onEvent("cut_idle");
    this.cut();
  }

  /** Ends the connection without a word. */
  cut(): void {
    this.#leave();
    this.#options.webSocket.terminate();
  }

  become(client: Client): void {
    this.#client = client;
  }

  giveBack(): void {
    this.#requestsLeft = Math.min(this.#options.limits.requestsMax, this.#requestsLeft + 1);
  }

  /** The venue stops: says so and closes, after what waits to be sent. */
  goAway(): void {
    this.#close(GOING_AWAY);
  }

  /** As `goAway`, for a reason of the venue's own; at most 123 bytes. */
  leaveWith(status: number, reason: string): void {
    this.#close(status, reason);
  }

  #close(status: number, reason?: string): void {
    this.flush();
    this.#backlog.handOver();
    this.#leave();
    this.#options.webSocket.close(status, reason);
  }

  /** The account that it is logged in to; 0 without one. */
  get userId(): number {
    return this.#client.key?.userId ?? 0;
  }

  follows(channel: string): boolean {
    return this.#options.hub.follows(this.#client, channel);
  }

  /**
   * Holds back what it is sent for so many ms: a reader behind a line that stands still. Too much of it cuts the
   * connection, as ever.
   */
  stall(ms: number): void {
    const { socket } = this.#options;
    socket.cork();
    setTimeout(() => socket.uncork(), ms).unref();
  }

  /** From now on it is sent nothing. */
  #leave(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#rest.end();
    this.#options.hub.leave(this.#client);
  }

  #hear(): void {
    this.#lastInboundMs = this.#options.now();
  }

  /** The package gives messages as buffers. */
  #receive(data: RawData, isBinary: boolean): void {
    this.#hear();
    this.#arriving.message();
    if (!this.#isOpen) return;
    const { hub } = this.#options;
    const { bytesPerRequest, requestBytesMax } = this.#options.limits;
    const bytes = Math.min(wholeBytes(data as Buffer, isBinary), requestBytesMax);
    const requests = Math.ceil(bytes / bytesPerRequest);
    const isLong = requests > 1;
    const whose = this.#takeRequests(requests);
    if (whose === undefined) {
      this.#read(data as Buffer, isBinary, isLong);
    } else if (this.#isOpen) {
      hub.refuseTooFrequent(this.#client, data as Buffer, whose);
      if (isLong) this.#rest.refused();
    }
  }

  /** A long message waits for its turn, and so does what comes behind it on this connection. */
  #read(message: Buffer, isBinary: boolean, isLong: boolean): void {
    const { turns } = this.#options;
    if (this.#unread === 0 && !(isLong && turns.hasRoom)) {
      this.#handIn(message, isBinary, isLong);
      return;
    }
    this.#unread++;
    turns.take(() => {
      this.#unread--;
      if (this.#isOpen) this.#handIn(message, isBinary, isLong);
    });
  }

  #handIn(message: Buffer, isBinary: boolean, isLong: boolean): void {
    const isServed = this.#options.hub.receive(this.#client, message, isBinary);
    if (!isLong) return;
    if (isServed) this.#rest.served();
    else this.#rest.refused();
  }

  /** PING and PONG cost what a request costs, though nobody can be told that one was too many. */
  #receiveControl(data: Buffer | undefined): void {
    this.#hear();
    this.#arriving.control(data?.length ?? 0);
    if (this.#isOpen) this.#takeRequests(1);
  }

  /** Time pays for further requests, and makes up for those that were refused. */
  #earn(): void {
    const { requestsMax, requestsWindowMs } = this.#options.limits;
    const nowMs = this.#lastInboundMs;
    const earned = ((nowMs - this.#earnedAt) * requestsMax) / requestsWindowMs;
    this.#earnedAt = nowMs;
    this.#requestsLeft = Math.min(requestsMax, this.#requestsLeft + earned);
    this.#refused = Math.max(0, this.#refused - earned);
  }

  /**
   * Counts a message as so many requests. Whose were too many, if they were; the connection is closed when that goes
   * on.
   */
  #takeRequests(count: number): "connection" | "address" | undefined {
    const { limits, admit } = this.#options;
    this.#earn();
    const requests = Math.min(Math.max(1, count), limits.requestsMax);
    // An address counts every message, those that its connection may not send included.
    let isAdmitted = true;
    for (let request = 0; request < requests && isAdmitted; request++) isAdmitted = admit(this.remoteAddress);
    if (isAdmitted && this.#requestsLeft >= requests) {
      this.#requestsLeft -= requests;
      return undefined;
    }
    if (++this.#refused > limits.requestsRefusedMax) this.#close(POLICY_VIOLATION);
    return isAdmitted ? "connection" : "address";
  }
}
