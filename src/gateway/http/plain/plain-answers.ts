/**
 * Writes the answers of a connection whose requests are plain: in the order of the requests, whatever order they are
 * given in.
 */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type Answer, type ResponseEnd, UNCHANGED } from "../request-context.ts";
import { httpDate } from "./http-date.ts";

export class PlainAnswers {
  readonly #socket: Socket;
  /** The header lines about the connection in every answer while the connection is kept, and the end of the head. */
  readonly #stays: string;
  /** Called when none is under way any more, unless the connection ends with it. */
  readonly #onIdle: () => void;
  /** Of the requests that came, oldest first. */
  #open: PlainAnswer[] = [];
  #isLast = false;
  /** Written so far. */
  #bytes = 0;

  constructor(socket: Socket, keepAliveMs: number, onIdle: () => void) {
    this.#socket = socket;
    this.#stays = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1_000)}\r\n\r\n`;
    this.#onIdle = onIdle;
  }

  /** No request waits for its answer. */
  get isIdle(): boolean {
    return this.#open.length === 0;
  }

  /** Where the request that has just been read is answered. */
  begin(): PlainAnswer {
    const answer = new PlainAnswer(this, this.#socket);
    this.#open.push(answer);
    return answer;
  }

  /** The connection ends behind the answers that are under way; with none, at once. */
  end(): void {
    this.#isLast = true;
    if (this.isIdle) this.#socket.destroySoon();
  }

  /** An answer is given: it goes out, and all behind it that waited for it, unless it has to wait itself. */
  release(answer: PlainAnswer): void {
    if (this.#open[0] !== answer) return;
    if (this.#open.length === 1) {
      this.#open.pop();
      this.#write(answer, true);
    } else {
      // What waited goes out in one piece.
      this.#socket.cork();
      let given = 0;
      while (this.#open[given]?.writableEnded === true) {
        const next = this.#open[given++] as PlainAnswer;
        this.#write(next, given === this.#open.length);
      }
      this.#open.splice(0, given);
      this.#socket.uncork();
    }
    if (this.isIdle) {
      if (this.#isLast) this.#socket.destroySoon();
      else this.#onIdle();
    }
  }

  /** `isNewest`: no other is under way behind it, so that it is the one to say that the connection ends. */
  #write(answer: PlainAnswer, isNewest: boolean): void {
    const given = answer.takeGiven();
    const { content, length, closes } = given;
    if (closes || !answer.shouldKeepAlive) this.#isLast = true;
    const head = this.#headOf(given, this.#isLast && isNewest);
    const socket = this.#socket;
    if (typeof content !== "string") {
      socket.cork();
      socket.write(head, "latin1");
      socket.write(content);
      socket.uncork();
    } else if (length === content.length) {
      // Without a character beyond ASCII the bytes are the characters.
      socket.write(head + content, "latin1");
    } else {
      socket.write(Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(content)]));
    }
    this.#bytes += head.length + length;
    answer.written(this.#bytes);
  }

  /** The lines that Node would write, in its order. */
  #headOf({ status, lines, list, length }: Answer, ends: boolean): string {
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}`;
    if (list !== undefined) for (let at = 0; at < list.length; at += 2) head += `${list[at]}: ${list[at + 1]}\r\n`;
    if (ends) head += "Connection: close\r\n";
    if (status !== UNCHANGED) head += `Content-Length: ${length}\r\n`;
    head += `Date: ${httpDate(Date.now())}\r\n`;
    return head + (ends ? "\r\n" : this.#stays);
  }
}

const NOBODY: readonly (() => void)[] = [];

export class PlainAnswer implements ResponseEnd {
  shouldKeepAlive = true;
  writableEnded = false;
  readonly #answers: PlainAnswers;
  readonly #socket: Socket;
  #given: Answer | undefined;
  /** Bytes of its connection up to the last one of this answer; -1 until it is written. */
  #end = -1;
  #onFinish: readonly (() => void)[] = NOBODY;

  constructor(answers: PlainAnswers, socket: Socket) {
    this.#answers = answers;
    this.#socket = socket;
  }

  get writableFinished(): boolean {
    const socket = this.#socket;
    return this.#end >= 0 && socket.bytesWritten - socket.writableLength >= this.#end;
  }

  give(answer: Answer): void {
    this.writableEnded = true;
    this.#given = answer;
    this.#answers.release(this);
  }

  once(event: "finish" | "close", listener: () => void): void {
    if (event === "close") this.#socket.once("close", listener);
    else if (this.#end >= 0) this.#tellWhenTaken(listener);
    else this.#onFinish = [...this.#onFinish, listener];
  }

  /** Returns the answer that is to be written, and forgets it. */
  takeGiven(): Answer {
    const given = this.#given as Answer;
    this.#given = undefined;
    return given;
  }

  /** It is on its way, up to this byte of its connection, and nothing behind it yet. */
  written(end: number): void {
    this.#end = end;
    for (const listener of this.#onFinish) this.#tellWhenTaken(listener);
  }

  #tellWhenTaken(listener: () => void): void {
    this.#socket.write("", (error) => error ?? listener());
  }
}
