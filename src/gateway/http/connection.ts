/**
 * The listener's state of one TCP connection beside Node's: the requests that run or wait on it, the output that its
 * reader has not taken yet, and how it ends.
 */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Refused } from "../refused.ts";
import { announcedInPiece } from "./announced.ts";
import type { HttpLimits } from "./limits.ts";
import { clientOf, isOverTls, type ProxyOptions } from "./proxies.ts";
import type { Renderer } from "./renderer.ts";
import type { RequestContext, RequestHead, ResponseEnd } from "./request-context.ts";
import type { RequestObserver } from "./request-observer.ts";
import type { Sender } from "./senders.ts";

const CONNECTION = Symbol("connection");
type KnownSocket = Socket & { [CONNECTION]?: Connection };

/** The settings that the connections of one listener share. */
export interface ConnectionSettings {
  readonly limits: HttpLimits;
  /** Speaks where no request could be read. */
  readonly renderer: Renderer;
  readonly proxies: ProxyOptions;
  /** Names what could not be read as well. */
  readonly observer: RequestObserver;
}

/** A reader of a connection in front of Node's HTTP; see fast-path.ts. */
export interface FastPath {
  /** Ends the connection behind what is under way. */
  end(): void;
}

/** A keeper of pieces of a connection until they are read; see plain/reading.ts. */
export interface Source {
  /** Memory that is taken by what is kept. */
  readonly heldBytes: number;
  /** Nothing more of it is read. */
  drop(): void;
}

/** The connection of a socket, made on first sight. */
export function connectionOf(socket: Socket, terms: ConnectionSettings): Connection {
  const known = socket as KnownSocket;
  const connection = known[CONNECTION] ?? new Connection(socket, terms);
  known[CONNECTION] = connection;
  return connection;
}

/** The peer's IP address; an IPv4 peer of an IPv6 listener shows as plain IPv4. */
export function addressOf({ remoteAddress = "" }: Pick<Socket, "remoteAddress">): string {
  return remoteAddress.replace(/^::ffff:(?=\d+\.)/, "");
}

export class Connection {
  readonly #socket: Socket;
  readonly #limits: HttpLimits;
  readonly #renderer: Renderer;
  readonly #proxies: ProxyOptions;
  readonly #observer: RequestObserver;
  #address: string | undefined;
  /** Requests handed to a service and not answered yet. */
  #running = 0;
  /** Complete requests that wait until there is room for them, oldest first. */
  #waiting: RequestContext[] = [];
  #releasing = false;
  #paused = false;
  #givenUp = false;
  #isVouchedFor = false;
  #farewell: string | undefined;
  /** Where the newest request that was served is answered. Answers leave in order: when it has, all have. */
  #newest: ResponseEnd | undefined;
  /** Bytes of answers since the reader was last seen to have taken everything. */
  #untakenBytes = 0;
  #awaitsReader = false;
  /** The answer that the last look at the clock found under way, and since when. */
  #watched: ResponseEnd | undefined;
  #watchedSinceMs = 0;
  /** Where the newest request is answered whose head has come, served or not. */
  #heard: ResponseEnd | undefined;
  /** Speaks another protocol by now. */
  #isUpgraded = false;
  /** The reader of its requests as long as they are plain. */
  #fastPath: FastPath | undefined;
  #source: Source | undefined;
  /** The request of which the body is awaited, or was last. */
  #awaited: RequestContext | undefined;
  #sender: Sender | undefined;
  readonly #sinceMs = performance.now();
  /** The last answer, and how much had come in, when nothing was found under way; and since when that is so. */
  #idleAfter: ResponseEnd | undefined;
  #idleBytes = 0;
  #idleSinceMs = 0;

  constructor(socket: Socket, { limits, renderer, proxies, observer }: ConnectionSettings) {
    this.#socket = socket;
    this.#limits = limits;
    this.#renderer = renderer;
    this.#proxies = proxies;
    this.#observer = observer;
  }

  /** The peer's IP address. */
  get remoteAddress(): string {
    this.#address ??= addressOf(this.#socket);
    return this.#address;
  }

  /** The client's address behind a request: the peer's, unless that is a proxy which is trusted to say whose it is. */
  clientOf(request: Pick<RequestHead, "header">): string {
    const { remoteAddress } = this;
    return this.#proxies.trusted.length === 0 ? remoteAddress : clientOf(this.#proxies, remoteAddress, request);
  }

  /** Whether a trusted proxy says of a request that it came to it over TLS. */
  isOverTls(request: Pick<RequestHead, "header">): boolean {
    return isOverTls(this.#proxies, this.remoteAddress, request);
  }

  /** Anyone who sent a request over it has proved that he may. */
  vouch(): void {
    this.#isVouchedFor = true;
  }

  get isGuest(): boolean {
    return !this.#isVouchedFor;
  }

  /** Closes it without a word. */
  cut(): void {
    this.#socket.destroy();
  }

  /** Returns the announced size in bytes of the chunks that begin in the piece that is being read, see announced.ts. */
  get announcedBytes(): number {
    return announcedInPiece(this.#socket);
  }

  /** Something is asked on it that is not answered, or it speaks another protocol. */
  get isBusy(): boolean {
    return this.#isUpgraded || !this.#isIdle();
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  /** True once the connection is given up: what still comes in is not read as requests any more. */
  get givenUp(): boolean {
    return this.#givenUp;
  }

  /** A request has come whole. */
  take(context: RequestContext): void {
    if (context.complete()) this.#admit(context);
  }

  /**
   * Serves a complete request, in its turn: at once, or when earlier ones are answered and their
   * answers taken. So one read full of requests cannot make the venue hold answers without bound.
   */
  #admit(context: RequestContext): void {
    if (this.#waiting.length === 0 && this.#hasRoom()) {
      this.#serve(context);
      return;
    }
    this.#waiting.push(context);
    this.#pause();
    this.#release();
  }

  /** A request that was let through is answered, with so many bytes. */
  finish(bytes: number): void {
    this.#running--;
    this.#untakenBytes += bytes;
    if (this.#waiting.length > 0) this.#release();
    else this.#settle();
  }

  /**
   * Gives the connection up with `status`, after the answers that are still under way: an answer written earlier would
   * be taken for that of a request before it. Only the first call counts.
   */
  fail(status: number, refused: Refused): void {
    if (this.#givenUp) return;
    this.#givenUp = true;
    const { code, body } = this.#renderer.render(refused);
    const lines = this.#observer.answered({ context: undefined, status, code, ms: 0, refused });
    this.#farewell = rawAnswer(status, lines, body);
    if (this.#isIdle()) this.#closeBehindAnswers();
  }

  /**
   * Node keeps answers of a pipeline back until those before them are on their way, and hands them over in a later turn
   * each.
   */
  #closeBehindAnswers(): void {
    const newest = this.#newest;
    if (newest === undefined || newest.writableFinished || this.#socket.destroyed) this.#close();
    else newest.once("finish", () => setImmediate(() => this.#close()));
  }

  /**
   * Gives the connection up after an answer with `Connection: close`, gently: closing while the peer still sends resets
   * the connection, and the reset can overtake the answer.
   */
  giveUpAfterAnswer(): void {
    this.#givenUp = true;
    const socket = this.#socket;
    const { lingerMs } = this.#limits;
    socket.destroySoon = () => endGently(socket, lingerMs);
  }

  /** Reads nothing more until it is hung up. */
  stopReading(): void {
    this.#givenUp = true;
    this.#socket.pause();
    this.#source?.drop();
  }

  /** As `giveUpAfterAnswer`, of a peer that is not worth the wait: what it still sends is not even read. */
  hangUpAfterAnswer(): void {
    this.stopReading();
    passOverPieces(this.#socket);
  }

  /**
   * Drops the connection when an answer has waited too long for its reader. To be called now and then; one who reads
   * slowly but takes one answer after the other is let be.
   */
  dropSlowReader(nowMs: number): void {
    if (this.#watched === undefined || this.#watched.writableFinished) {
      const isUnderWay = this.#newest?.writableEnded && !this.#newest.writableFinished;
      this.#watched = isUnderWay ? this.#newest : undefined;
      this.#watchedSinceMs = nowMs;
    } else if (nowMs - this.#watchedSinceMs > this.#limits.answerTimeoutMs) this.#socket.destroy();
  }

  /**
   * Drops the connection when nothing has come since its last answer was taken, for longer than an idle one is kept. To
   * be called now and then: a timer for each answer, which the next request takes back, costs more than anything else
   * that Node does for an order.
   */
  dropIdle(nowMs: number): void {
    const { bytesRead } = this.#socket;
    const heard = this.#heard;
    const isIdle = heard?.writableFinished === true && !this.#isUpgraded && !this.isUnread;
    if (!isIdle || heard !== this.#idleAfter || bytesRead !== this.#idleBytes) {
      this.#idleAfter = isIdle ? heard : undefined;
      this.#idleBytes = bytesRead;
      this.#idleSinceMs = nowMs;
    } else if (nowMs - this.#idleSinceMs > this.#limits.keepAliveTimeoutMs) this.#socket.destroy();
  }

  /** The head of a request has come, which is answered there. */
  hear(response: ResponseEnd): void {
    this.#heard = response;
  }

  /** Requests have come whole that wait for room: nothing behind them needs to be read yet. */
  get isBehind(): boolean {
    return this.#waiting.length > 0;
  }

  /** One of its requests was refused that no other quota bounds; true when that costs it the connection. */
  refuse(): boolean {
    return this.#sender?.refuse(performance.now()) === true;
  }

  /** It asks whether the venue lives or serves; true when that was too often and costs it the connection. */
  checkHealth(): boolean {
    return this.#sender?.check(performance.now()) === true;
  }

  /** Comes from there. */
  sentBy(sender: Sender): void {
    this.#sender = sender;
  }

  /** Something has come that is not read yet. */
  get isUnread(): boolean {
    return this.#source !== undefined && this.#source.heldBytes > 0;
  }

  /** Is read from there. */
  readFrom(source: Source): void {
    this.#source = source;
  }

  /** The body of a request is awaited. */
  awaitBody(context: RequestContext): void {
    this.#awaited = context;
  }

  /** Of the body that is awaited, what goes straight to where it belongs. */
  get bodyBytesLeft(): number {
    return this.#awaited?.bodyBytesLeft ?? 0;
  }

  /** A fast path reads it from now on, or Node's HTTP. */
  readBy(fastPath: FastPath | undefined): void {
    this.#fastPath = fastPath;
  }

  /**
   * Whether nothing has been asked here within the time of a head: Node, which else sees to that, does not know of it
   * yet.
   */
  isSilent(nowMs: number): boolean {
    return (
      this.#fastPath !== undefined &&
      this.#heard === undefined &&
      !this.isUnread &&
      nowMs - this.#sinceMs > this.#limits.headTimeoutMs
    );
  }

  /** Ends it behind what is under way, unless Node, which sees to its own, reads it. */
  endFastPath(): void {
    this.#fastPath?.end();
  }

  /** Closes it without a word, unless Node, which sees to its own, reads it. */
  cutFastPath(): void {
    if (this.#fastPath !== undefined) this.#socket.destroy();
  }

  /** It is another protocol's from now on, whose own bounds hold. */
  upgrade(): void {
    this.#isUpgraded = true;
  }

  #serve(context: RequestContext): void {
    this.#running++;
    this.#newest = context.response;
    if (this.#running >= this.#limits.pipelinedMax && !this.#paused) this.#pause();
    context.serve();
  }

  #hasRoom(): boolean {
    if (this.#running >= this.#limits.pipelinedMax) return false;
    if (this.#untakenBytes < this.#limits.untakenBytesMax) return true;
    if (this.#newest?.writableFinished) this.#untakenBytes = 0;
    return this.#untakenBytes === 0;
  }

  /** Serves what waits, as long as there is room; a service may answer, and so call this again, at once. */
  #release(): void {
    if (this.#releasing) return;
    this.#releasing = true;
    let served = 0;
    while (served < this.#waiting.length && this.#hasRoom()) this.#serve(this.#waiting[served++] as RequestContext);
    this.#waiting.splice(0, served);
    this.#releasing = false;
    if (this.#waiting.length > 0 && this.#running < this.#limits.pipelinedMax) this.#awaitReader();
    this.#settle();
  }

  /** Goes on when the newest answer has been taken, and the other connections have had their turn. */
  #awaitReader(): void {
    if (this.#awaitsReader) return;
    this.#awaitsReader = true;
    const goOn = () => {
      this.#awaitsReader = false;
      this.#release();
    };
    this.#newest?.once("finish", () => setImmediate(goOn));
  }

  #pause(): void {
    this.#paused = true;
    // Later, because Node still resumes the socket for the requests of the piece that it is parsing.
    setImmediate(() => this.#paused && this.#socket.pause());
  }

  /** Reads on when enough is answered, and says goodbye when all is. */
  #settle(): void {
    if (this.#waiting.length > 0) return;
    if (this.#paused && this.#running <= this.#limits.pipelinedMax / 2) {
      this.#paused = false;
      this.#socket.resume();
    }
    if (this.#farewell !== undefined && this.#isIdle()) this.#closeBehindAnswers();
  }

  #isIdle(): boolean {
    return this.#running === 0 && this.#waiting.length === 0;
  }

  #close(): void {
    if (!this.#socket.writable) {
      this.#socket.destroy();
      return;
    }
    this.#socket.write(this.#farewell as string);
    endGently(this.#socket, this.#limits.lingerMs);
  }
}

/** Says goodbye and reads on for a moment, throwing away what comes. */
function endGently(socket: Socket, lingerMs: number): void {
  if (socket.destroyed) return;
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
}

/** Where Node's parser of HTTP keeps what it calls with each piece of a body. */
const ON_BODY = 3;
type Parsing = { readonly parser?: Record<number, unknown> | null };

/**
 * Lets what is left of the piece that is being parsed go by without a call for each of its chunks, of which 64 KiB can
 * hold ten thousand. Parsers are used again by other connections, so it ends with the turn.
 */
function passOverPieces(socket: Socket): void {
  const { parser } = socket as unknown as Parsing;
  const onBody = parser?.[ON_BODY];
  if (parser == null || typeof onBody !== "function" || onBody.name !== "parserOnBody") return;
  parser[ON_BODY] = undefined;
  setImmediate(() => {
    parser[ON_BODY] = onBody;
  });
}

/** `lines` are header lines, each with its end. */
function rawAnswer(status: number, lines: string, body: string): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "X-Content-Type-Options: nosniff",
    `${lines}Connection: close`,
    "",
    body,
  ].join("\r\n");
}
