/**
 * What the listener knows of one TCP connection beside what Node keeps: how many requests are running on it, and how
 * it ends when the peer has sent something that is no HTTP.
 */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { refusalText } from "../envelope.ts";
import type { HttpLimits } from "./limits.ts";

const CONNECTION = Symbol("connection");
type KnownSocket = Socket & { [CONNECTION]?: Connection };

/** The connection of a socket, made on first sight. */
export function connectionOf(socket: Socket, limits: HttpLimits): Connection {
  const known = socket as KnownSocket;
  const connection = known[CONNECTION] ?? new Connection(socket, limits);
  known[CONNECTION] = connection;
  return connection;
}

export class Connection {
  readonly #socket: Socket;
  readonly #limits: HttpLimits;
  #address: string | undefined;
  /** Requests handed to a service and not answered yet. */
  #running = 0;
  #paused = false;
  #givenUp = false;
  #farewell: string | undefined;

  constructor(socket: Socket, limits: HttpLimits) {
    this.#socket = socket;
    this.#limits = limits;
  }

  /** The peer's IP address; an IPv4 peer of an IPv6 listener shows as plain IPv4. */
  get remoteAddress(): string {
    this.#address ??= (this.#socket.remoteAddress ?? "").replace(/^::ffff:(?=\d+\.)/, "");
    return this.#address;
  }

  /** True once the connection is given up: what still comes in is not read as requests any more. */
  get givenUp(): boolean {
    return this.#givenUp;
  }

  /** A request went to its service. Too many at once stop the reading until half of them are answered. */
  begin(): void {
    this.#running++;
    if (this.#running >= this.#limits.pipelinedMax && !this.#paused) {
      this.#paused = true;
      // Later, because Node still resumes the socket for the requests of the piece that it is parsing.
      setImmediate(() => this.#paused && this.#socket.pause());
    }
  }

  /** A running request was answered. */
  finish(): void {
    this.#running--;
    if (this.#paused && this.#running <= this.#limits.pipelinedMax / 2) {
      this.#paused = false;
      this.#socket.resume();
    }
    // Node hands the socket to the next answer of a pipeline in a later turn; the farewell must come after all of them.
    if (this.#farewell !== undefined && this.#running === 0) setImmediate(() => this.#close());
  }

  /**
   * Gives the connection up with `status`, after the answers that are still under way: an answer written earlier would
   * be taken for that of a request before it. Only the first call counts.
   */
  fail(status: number, message: string): void {
    if (this.#givenUp) return;
    this.#givenUp = true;
    this.#farewell = rawAnswer(status, refusalText("request_malformed", message));
    if (this.#running === 0) this.#close();
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

function rawAnswer(status: number, body: string): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
