/**
 * The lane of plain requests: reads a connection as long as its requests are plain, see plain-request.ts, and gives it to Node's HTTP for
 * good with the first piece that begins with anything else. Node's own way of a request takes more of the processor than all that the
 * venue does with an order; docs/decisions/0021-a-lane-for-plain-requests.md.
 */
import type { Socket } from "node:net";
import type { Connection } from "../connection.ts";
import { type PlainAnswer, PlainAnswers } from "./plain-answers.ts";
import { type PlainBounds, type PlainRequest, plainRequestAt } from "./plain-request.ts";
import type { Reading } from "./reading.ts";

export interface LaneTerms {
  readonly bounds: PlainBounds;
  readonly keepAliveMs: number;
  /** Serves a request whose body is this. */
  readonly serve: (connection: Connection, request: PlainRequest, body: Buffer, answer: PlainAnswer) => void;
  /** Takes a connection over. */
  readonly handOver: (socket: Socket) => void;
}

const NO_BODY = Buffer.alloc(0);

export class PlainLane {
  readonly #reading: Reading;
  readonly #socket: Socket;
  readonly #connection: Connection;
  readonly #terms: LaneTerms;
  readonly #answers: PlainAnswers;
  /** What is not plain, and waits until all that came before it is answered. */
  #rest: Buffer | undefined;
  #isOver = false;
  readonly #onEnd = () => this.#answers.end();

  constructor(reading: Reading, connection: Connection, terms: LaneTerms) {
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
  #read(piece: Buffer): void {
    if (this.#rest !== undefined) {
      // It was resumed for the sake of requests that waited here.
      this.#rest = Buffer.concat([this.#rest, piece]);
      this.#socket.pause();
      return;
    }
    const { bounds, serve } = this.#terms;
    const text = piece.toString("latin1");
    for (let at = 0; at < text.length; ) {
      if (this.#connection.givenUp) return;
      const request = plainRequestAt(piece, text, at, bounds);
      if (request === undefined) {
        this.#leave(Buffer.from(piece.subarray(at)));
        return;
      }
      const { bodyFrom, end } = request;
      // Whoever serves it may have to wait with it.
      const body = bodyFrom === end ? NO_BODY : Buffer.from(piece.subarray(bodyFrom, end));
      at = end;
      serve(this.#connection, request, body, this.#answers.begin());
    }
  }

  /** What begins with `rest` is Node's, once all that came before it is answered. */
  #leave(rest: Buffer): void {
    this.#rest = rest;
    if (this.#answers.isIdle) this.#handOver();
    else this.#socket.pause();
  }

  /** All is answered; what was answered last still has its turn. */
  #goOn(): void {
    if (this.#rest !== undefined) setImmediate(() => this.#handOver());
  }

  #handOver(): void {
    const socket = this.#socket;
    const rest = this.#rest as Buffer;
    if (!socket.writable || this.#connection.givenUp) return;
    this.#isOver = true;
    this.#reading.release();
    socket.off("end", this.#onEnd);
    this.#terms.handOver(socket);
    // Node reads what comes from now on by itself, behind what it is told here.
    socket.emit("data", rest);
    socket.resume();
  }
}
