/**
 * The fast path of plain requests: reads a connection as long as its requests are plain, see plain-request.ts, and
 * gives it to Node's HTTP for good with the first piece that begins with anything else. Node's own way of a request
 * takes more of the processor than all that the venue does with an order;
 * docs/decisions/0021-a-fast-path-for-plain-requests.md.
 */
import type { Socket } from "node:net";
import type { Connection } from "../connection.ts";
import type { RequestContext } from "../request-context.ts";
import { type PlainAnswer, PlainAnswers } from "./plain-answers.ts";
import { type PlainBounds, type PlainRequest, plainRequestAt } from "./plain-request.ts";
import type { Reading } from "./reading.ts";

export interface FastPathOptions {
  readonly bounds: PlainBounds;
  readonly keepAliveMs: number;
  /** A request whose body is this has come; undefined when it was refused by what holds of all of them. */
  readonly begin: (
    connection: Connection,
    request: PlainRequest,
    body: Buffer,
    answer: PlainAnswer,
  ) => RequestContext | undefined;
  /** Takes a connection over. */
  readonly handOver: (socket: Socket) => void;
}

const NO_BODY = Buffer.alloc(0);

/** Requests of a connection that are read at once before others have their turn: half a millisecond of plain ones. */
const SLICE_REQUESTS = 16;
/**
 * The same of what Node's parser reads, for which it makes more of each request. What is left of a body is read at
 * once.
 */
const SLICE_BYTES = 2_048;

/**
 * So much of a piece is made a text at once, for the heads in it. Of a long pipeline a slice is read at a time, and of
 * an upload nothing but its head: a text of the whole piece would be made for each slice, and be garbage.
 */
const TEXT_BYTES = 4_096;

const nobody = () => {};
/** Node's: it waits until enough of its answers is taken, and must not be given more. */
type Waiting = { readonly _paused?: boolean };

export class FastPath {
  readonly #reading: Reading;
  readonly #socket: Socket;
  readonly #connection: Connection;
  readonly #terms: FastPathOptions;
  readonly #answers: PlainAnswers;
  /** Whether the next request is not plain. It waits until all requests before it are answered. */
  #isLeaving = false;
  /** The bytes of that request, where they cannot be left in the connection. */
  #rest = NO_BODY;
  #isOver = false;
  readonly #onEnd = () => this.#answers.end();

  constructor(reading: Reading, connection: Connection, terms: FastPathOptions) {
    const { socket } = reading;
    this.#reading = reading;
    this.#socket = socket;
    this.#connection = connection;
    this.#terms = terms;
    this.#answers = new PlainAnswers(socket, terms.keepAliveMs, () => this.#goOn());
    socket.on("end", this.#onEnd);
    reading.start((piece) => this.#read(piece));
  }

  /** Ends the connection behind what is under way. */
  end(): void {
    if (!this.#isOver) this.#answers.end();
  }

  /** The piece is lent. */
  #read(piece: Buffer): number {
    const { isShared } = this.#reading;
    if (this.#isLeaving) {
      // It was resumed for the sake of requests that waited here.
      this.#socket.pause();
      return this.#leave(piece);
    }
    const { bounds, begin } = this.#terms;
    const connection = this.#connection;
    let at = 0;
    // What is read, from where on, and the beginning of it as a text.
    let [from, rest, text] = [0, piece, piece.toString("latin1", 0, TEXT_BYTES)];
    for (let count = 0; at < piece.length; count++) {
      if (connection.givenUp) return piece.length;
      if (isShared && (count === SLICE_REQUESTS || connection.isBehind)) return at;
      let request = plainRequestAt(rest, text, at - from, bounds);
      if (text.length < rest.length && (request === undefined || request.bodyFrom > text.length)) {
        // Its head may go beyond the text.
        [from, rest] = [at, piece.subarray(at)];
        text = rest.toString("latin1", 0, bounds.headBytesMax);
        request = plainRequestAt(rest, text, 0, bounds);
      }
      if (request === undefined) {
        this.#isLeaving = true;
        const left = this.#leave(piece.subarray(at));
        if (this.#answers.isIdle) this.#handOver();
        else this.#socket.pause();
        return at + left;
      }
      const { bodyFrom, end } = request;
      // The service may have to wait with it.
      const body = bodyFrom === end ? NO_BODY : Buffer.from(rest.subarray(bodyFrom, end));
      at = from + end;
      const context = begin(connection, request, body, this.#answers.begin());
      if (context !== undefined) connection.take(context);
    }
    return at;
  }

  /**
   * Keeps what is Node's, once all that came before it is answered; gives how much of it is not left in the connection.
   */
  #leave(rest: Buffer): number {
    if (this.#reading.isShared) return 0;
    this.#rest = Buffer.concat([this.#rest, rest]);
    return rest.length;
  }

  /** All is answered; what was answered last still has its turn. */
  #goOn(): void {
    if (this.#isLeaving) setImmediate(() => this.#handOver());
  }

  #handOver(): void {
    const socket = this.#socket;
    if (!socket.writable || this.#connection.givenUp) return;
    this.#isOver = true;
    socket.off("end", this.#onEnd);
    const reading = this.#reading;
    if (!reading.isShared) {
      reading.release();
      this.#terms.handOver(socket);
      // Node reads what comes from now on by itself, behind what it is told here.
      socket.emit("data", this.#rest);
      socket.resume();
      return;
    }
    this.#terms.handOver(socket);
    // Node has its parser read from the connection itself, until somebody listens here.
    socket.on("data", nobody).off("data", nobody);
    reading.start((piece) => this.#feed(piece));
  }

  /** Gives Node's parser, or who has taken the connection over from it, the next slice. */
  #feed(piece: Buffer): number {
    const socket = this.#socket;
    if (this.#connection.givenUp) return piece.length;
    if (this.#connection.isBehind || socket.isPaused() || (socket as Waiting)._paused === true) return 0;
    const { bodyBytesLeft } = this.#connection;
    // What is read of a head keeps parts of it; a body is copied to where it belongs.
    const slice = bodyBytesLeft > 0 ? piece.subarray(0, bodyBytesLeft) : Buffer.from(piece.subarray(0, SLICE_BYTES));
    socket.emit("data", slice);
    return slice.length;
  }
}
