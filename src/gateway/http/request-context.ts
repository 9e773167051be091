/**
 * One request and its answer. The server collects the body, finds the service for the path and hands it the request;
 * the service answers once, now or later.
 */
import { Refused, type WireRefusal } from "../refused.ts";
import { bodyMemory, giveBack } from "./body-memory.ts";
import type { Connection } from "./connection.ts";
import type { PathParameters, Route } from "./router.ts";

/** The head of a request, no matter who has read it. */
export interface RequestHead {
  readonly method?: string | undefined;
  /** The target as it was received. */
  readonly url?: string | undefined;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
}

/** Where a request is answered, no matter who writes it. */
export interface ResponseEnd {
  /** Another request may follow on the connection. */
  shouldKeepAlive: boolean;
  /** It has been given. */
  readonly writableEnded: boolean;
  /** It has been given, and the reader has taken it. */
  readonly writableFinished: boolean;
  give(answer: Answer): void;
  once(event: "finish" | "close", listener: () => void): unknown;
}

/** The parts of an answer. No text in the headers of `lines` and `list` may come from outside. */
export interface Answer {
  readonly status: number;
  /** Headers, each a line with its end. */
  readonly lines: string;
  /** More headers, as names and values in turn; undefined: there are none. */
  readonly list: readonly string[] | undefined;
  readonly content: string | Buffer;
  /** Of the content, in bytes. */
  readonly length: number;
  /** It is the last one of its connection, and says so. */
  readonly closes: boolean;
}

/** Status of an answer without content, not even of length 0. */
export const UNCHANGED = 304;

/** On every answer: a browser takes it for what it says it is, and nothing else. */
const NO_SNIFFING = "X-Content-Type-Options: nosniff\r\n";

/** Where a request reports to: the server it came in by. */
export interface RequestHost {
  /** No new requests are taken; every answer closes its connection. */
  readonly stopping: boolean;
  readonly bodyBytesMax: number;
  /** An answer goes out; gives the header lines that say which. */
  onAnswer(context: RequestContext, status: number, code: number, refused: Refused | undefined): string;
  routeOf(path: string): Route;
  /** The venue's time, ms. */
  now(): number;
  /** Counts a request against its address; false when there were too many. */
  admits(context: RequestContext): boolean;
  /** Returns the service that answers the complete request, whose time is known. */
  serviceOf(context: RequestContext): (context: RequestContext) => void;
  refuseTooLarge(context: RequestContext): void;
  /** The body comes in pieces that are not worth the work. */
  refuseCrumbs(context: RequestContext): void;
  /** Bodies that are not whole hold so many bytes more, or less. */
  bodiesGrew(bytes: number): void;
  /** Logs what a service threw; the returned reference finds it again. */
  reportFailure(context: RequestContext, error: unknown): string;
}

/** Stands for the code of an answer that is no envelope: a page, a file. */
export const NO_CODE = -1;

/**
 * A piece costs the same work however small it is: behind so many of them a body must have brought so many bytes with
 * each. Pieces of 64 bytes pass, though the ends of the slices in which a connection is read tear some of them.
 */
const PIECES_FREE = 100;
const PIECE_BYTES_MIN = 48;

/** As many are told of a batch: a header has its bounds, and they are mostly alike. */
const REFUSED_ELEMENTS_MAX = 4;

const EMPTY = Buffer.alloc(0);
const JSON_TYPE = "Content-Type: application/json; charset=utf-8\r\n";
const JSON_UNCACHED = `${JSON_TYPE}Cache-Control: no-store\r\n`;

export class RequestContext {
  readonly method: string;
  /** The request target exactly as it was received, path and query. */
  readonly target: string;
  readonly path: string;
  /** The part of the target after the `?`, still encoded; empty when there is none. */
  readonly query: string;
  /** The route of the path. */
  readonly route: Route;
  readonly request: RequestHead;
  readonly connection: Connection;
  readonly response: ResponseEnd;
  /** When its head had come, in even ms. */
  readonly startMs = performance.now();
  /**
   * The venue's time, ms, read once for all that is done with it: when it was complete, or when its head was looked at
   * before.
   */
  nowMs = 0;
  /** Its path when something stands there: what a measurement may be filed under. */
  pattern: string | undefined;
  answered = false;
  /** Counted against its address. */
  isCounted = false;
  /** Who has proved to be asking; 0 is nobody. */
  userId = 0;
  /** The last command that came of it, 0 without one, */
  seq = 0;
  /** and the order that it was about. */
  orderId = 0;
  /** Of what it asks for at once, the first that were refused while others were not. */
  refusedElements: Refused[] | undefined;
  readonly #host: RequestHost;
  /** Its first `bodyBytes` bytes are the body. */
  #body: Buffer = EMPTY;
  #bodyBytes = 0;
  /** Whether there may be written into it: the first piece is Node's. */
  #ownsBody = false;
  #pieces = 0;
  #isWhole = false;
  /** Whether the rest of its body is thrown away. */
  #isHeldOff = false;
  /** Bytes of its body that are counted among those of the unfinished ones. */
  #counted = 0;
  #running = false;
  #remoteAddress: string | undefined;
  #carried = "";
  /** Its answer is made and not sent. */
  #isDropped = false;
  /** The refusal that is sent in the place of its answer; undefined: none. */
  #instead: Refused | undefined;

  constructor(host: RequestHost, connection: Connection, request: RequestHead, response: ResponseEnd) {
    const target = request.url as string;
    const mark = target.indexOf("?");
    this.method = request.method as string;
    this.target = target;
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? "" : target.slice(mark + 1);
    this.request = request;
    this.connection = connection;
    this.response = response;
    this.#host = host;
    this.route = host.routeOf(this.path);
  }

  /** The bytes of the body as received; empty when there is none. */
  get body(): Buffer {
    return this.#body.length === this.#bodyBytes ? this.#body : this.#body.subarray(0, this.#bodyBytes);
  }

  /** A header by its lower-case name. */
  header(name: string): string | undefined {
    return this.request.header(name);
  }

  /** Whether a trusted proxy says that it came over TLS. */
  get isOverTls(): boolean {
    return this.connection.isOverTls(this.request);
  }

  /** The texts in the place of the segments in braces of the path, by their names. */
  get pathParameters(): PathParameters {
    return this.route.parameters;
  }

  /** The client's address. */
  get remoteAddress(): string {
    this.#remoteAddress ??= this.connection.clientOf(this.request);
    return this.#remoteAddress;
  }

  /** Whatever the answer will be, it carries these headers: see `headerLines` of the response. */
  carry(headerLines: string): void {
    this.#carried = headerLines;
  }

  /** Remembers that the engine has taken a command for it; `orderId` is 0 when that is about no order. */
  noteCommand(seq: number, orderId: number): void {
    this.seq = seq;
    if (orderId !== 0) this.orderId = orderId;
  }

  /** Remembers that one of what it asks for was refused. */
  noteRefusedElement(refused: Refused): void {
    this.refusedElements ??= [];
    if (this.refusedElements.length < REFUSED_ELEMENTS_MAX) this.refusedElements.push(refused);
  }

  /** Answers with an envelope, whose code is `code`. */
  answer(envelope: string, status = 200, code = 0): void {
    this.#finish(status, code, JSON_TYPE, envelope);
  }

  /** Answers an API read with a success that no cache may keep. */
  answerUncached(envelope: string): void {
    this.#finish(200, 0, JSON_UNCACHED, envelope);
  }

  /** Says no in the renderer of the surface that the path belongs to. */
  refuse(refused: Refused | WireRefusal): void {
    const why = asRefused(refused);
    const { status, code, body } = this.route.renderer.render(why);
    this.#finish(status, code, JSON_TYPE, body, why);
  }

  /**
   * Says no to a request that no quota bounds, because it is beyond it or because nobody has proved to be asking: who
   * is refused so often loses the connection, and what stands behind in it is not read.
   */
  refuseUncounted(refused: Refused): void {
    if (this.connection.refuse()) this.hangUpUncounted(refused);
    else this.refuse(refused);
  }

  /** As `refuse`, of a request that no quota bounds and that costs the connection. */
  hangUpUncounted(refused: Refused): void {
    this.refuseAndHangUp(this.route.renderer.render(refused).status, refused);
  }

  /** Counts so many requests more against its address; false when they were too many. */
  countFurther(requests: number): boolean {
    for (let request = 0; request < requests; request++) if (!this.#host.admits(this)) return false;
    return true;
  }

  /** As `refuse`, after a wait; 0 is at once. */
  refuseAfter(waitMs: number, refused: Refused): void {
    if (waitMs === 0) this.refuse(refused);
    else setTimeout(() => this.refuse(refused), waitMs);
  }

  /** Answers with a page or a file. `headers` is a flat list of names and values, without the length. */
  answerContent(headers: readonly string[], content: string | Buffer): void {
    this.#finish(200, NO_CODE, headers, content);
  }

  /** Answers with a page that nothing stands here. */
  answerMissing(headers: readonly string[], page: string): void {
    this.#finish(404, NO_CODE, headers, page);
  }

  /** Answers that what the client has already is still right. */
  answerUnchanged(headers: readonly string[]): void {
    this.#finish(UNCHANGED, NO_CODE, headers, "");
  }

  /** Answers a request that is no well-formed one and closes the connection, whatever of it is still to come. */
  refuseAndClose(status: number, refused: Refused | WireRefusal): void {
    this.connection.giveUpAfterAnswer();
    this.#sayGoodbye(status, asRefused(refused));
  }

  /** As `refuseAndClose`, of a request that costs more with every byte that is still read. */
  refuseAndHangUp(status: number, refused: Refused): void {
    this.connection.hangUpAfterAnswer();
    this.#sayGoodbye(status, refused);
  }

  /**
   * As `refuseAndHangUp`, after a wait in which nothing more of it is read or kept: anyone who comes again as soon as
   * he is refused comes so much less often.
   */
  hangUpAfter(waitMs: number, status: number, refused: Refused): void {
    this.connection.stopReading();
    this.#isHeldOff = true;
    this.releaseBody();
    const { response } = this;
    const timer = setTimeout(() => this.answered || this.refuseAndHangUp(status, refused), waitMs);
    response.once("close", () => clearTimeout(timer));
  }

  #sayGoodbye(status: number, refused: Refused): void {
    const { code, body } = this.route.renderer.render(refused);
    this.#finish(status, code, JSON_TYPE, body, refused, true);
  }

  /** As `refuse`, of a request whose body is not awaited any more: the connection closes. */
  refuseEarly(refused: Refused): void {
    this.refuseAndClose(this.route.renderer.render(refused).status, refused);
  }

  /** Goes on with it, later than its service returned: what `work` throws is answered, too. */
  goOn(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Answers for a service that threw: code 4003 with the reference under which the error is logged. */
  fail(error: unknown): void {
    const reference = this.#host.reportFailure(this, error);
    if (this.answered) return;
    const message = `The venue failed unexpectedly; the failure is logged under reference ${reference}.`;
    this.refuse(new Refused("internal_error", message));
  }

  /** Cuts its connection in the place of an answer, which nobody waits for any more. */
  drop(): void {
    this.answered = true;
    this.connection.cut();
  }

  /** Serves it, and then cuts its connection instead of an answer. */
  dropAnswer(): void {
    this.#isDropped = true;
  }

  /** Serves it, and then refuses it instead of an answer. */
  refuseInstead(refused: Refused): void {
    this.#instead = refused;
  }

  /** It is this request's turn: it goes to its service. What that throws at once is answered with 4003. */
  serve(): void {
    this.#running = true;
    this.nowMs = this.#host.now();
    try {
      this.#host.serviceOf(this)(this);
    } catch (error) {
      this.fail(error);
    }
  }

  get isAwaitingBody(): boolean {
    return !this.#isWhole && !this.answered && !this.#isHeldOff && !this.connection.givenUp;
  }

  /**
   * How much of its body is still to come, as far as that is known and there is memory of its own for it: what comes is
   * copied there.
   */
  get bodyBytesLeft(): number {
    if (!this.#ownsBody || !this.isAwaitingBody) return 0;
    return Math.max(0, Number(this.header("content-length") ?? 0) - this.#bodyBytes);
  }

  /** Memory that its body takes as long as it is not whole. */
  get unfinishedBytes(): number {
    return this.#counted;
  }

  /** Its body will be awaited for longer: a piece of Node's keeps all of the memory that it was read into. */
  ownBody(): void {
    if (this.#bodyBytes > 0 && !this.#ownsBody) this.#moveBody(this.#bodyBytes, this.#bodyBytes);
  }

  /** Its body counts no more among the unfinished ones. */
  releaseBody(): void {
    if (this.#counted === 0) return;
    this.#host.bodiesGrew(-this.#counted);
    this.#counted = 0;
    if (this.#isWhole) return;
    if (this.#ownsBody) giveBack(this.#body);
    this.#ownsBody = false;
    this.#body = EMPTY;
  }

  /** Takes the body as one whole piece. */
  takeWhole(body: Buffer): void {
    this.#body = body;
    this.#bodyBytes = body.length;
  }

  /**
   * Takes a piece of the body. Nearly every body comes in one; a body in a million pieces must not cost a million
   * buffers.
   */
  take(piece: Buffer): void {
    if (this.answered || this.#isHeldOff) return;
    const taken = this.#bodyBytes;
    this.#bodyBytes += piece.length;
    this.#pieces++;
    if (this.#bodyBytes > this.#host.bodyBytesMax || this.#isAnnouncedTooLarge()) this.#host.refuseTooLarge(this);
    else if (this.#pieces > PIECES_FREE && this.#bodyBytes < this.#pieces * PIECE_BYTES_MIN)
      this.#host.refuseCrumbs(this);
    else if (taken === 0) {
      this.#body = piece;
      this.#count(piece.length);
    } else {
      if (!this.#ownsBody || this.#bodyBytes > this.#body.length) {
        this.#moveBody(taken, Math.min(this.#bodyBytes * 2, this.#host.bodyBytesMax));
      }
      // Room for it may have cost it its own place.
      if (!this.answered) piece.copy(this.#body, taken);
    }
  }

  /** Whether a first chunk that comes behind the piece of the head says that it is larger than a body may be. */
  #isAnnouncedTooLarge(): boolean {
    if (this.#pieces > 1 || this.header("transfer-encoding") === undefined) return false;
    return this.connection.announcedBytes > this.#host.bodyBytesMax;
  }

  /** Moves the first `taken` bytes into memory of its own, of `size` bytes at least. */
  #moveBody(taken: number, size: number): void {
    const moved = bodyMemory(size);
    this.#body.copy(moved, 0, 0, taken);
    if (this.#ownsBody) giveBack(this.#body);
    this.#body = moved;
    this.#ownsBody = true;
    this.#count(moved.length - this.#counted);
  }

  #count(bytes: number): void {
    this.#counted += bytes;
    this.#host.bodiesGrew(bytes);
  }

  /** The request is whole; false when it is not to be served any more. */
  complete(): boolean {
    this.#isWhole = true;
    this.releaseBody();
    if (this.answered || this.#isHeldOff || this.connection.givenUp) return false;
    // Anyone who says that this is the last request is held to it: nothing behind it is read.
    if (!this.response.shouldKeepAlive) this.connection.giveUpAfterAnswer();
    return true;
  }

  /** `headers` lacks the length: lines of our own, or a list. `closes`: the answer says that it is the last one. */
  #finish(
    status: number,
    code: number,
    headers: string | readonly string[],
    content: string | Buffer,
    refused?: Refused,
    closes = this.#host.stopping,
  ): void {
    if (this.answered) throw new Error(`The request ${this.method} ${this.path} was answered twice.`);
    if (this.#instead !== undefined) {
      const refusal = this.#instead;
      this.#instead = undefined;
      this.refuse(refusal);
      return;
    }
    this.answered = true;
    if (!this.#isWhole) this.releaseBody();
    const { response } = this;
    if (this.#isDropped) {
      this.connection.cut();
      return;
    }
    const own = NO_SNIFFING + this.#carried + this.#host.onAnswer(this, status, code, refused);
    const length = Buffer.byteLength(content);
    const [lines, list] = typeof headers === "string" ? [own + headers, undefined] : [own, headers];
    response.give({ status, lines, list, content, length, closes });
    if (this.#running) this.connection.finish(length);
  }
}

function asRefused(refused: Refused | WireRefusal): Refused {
  return refused instanceof Refused ? refused : new Refused(refused);
}
