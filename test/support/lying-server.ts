/**
 * A server that lies over raw TCP, for clients of databases and of quotas: it passes on what a sound server says, if
 * there is one, and spoils it as a test tells it to.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** What it does with what the sound server says; without one, with a request. */
export type Lie =
  | "none"
  /** It takes connections and requests, and never says anything. */
  | "silence"
  /** Something else speaks there. */
  | "garbage"
  /** A quarter of each answer comes, and no more. */
  | "half"
  /** Each answer, with some of its bytes changed. */
  | "changed"
  /** The connection ends with each answer, a byte later every time. */
  | "closing"
  | "reset"
  /** An answer that never ends. */
  | "endless";

export const LIES: readonly Lie[] = ["silence", "garbage", "half", "changed", "closing", "reset", "endless"];

const GARBAGE = Buffer.from("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
const PIECE_BYTES = 65_536;

export interface LyingOptions {
  /** Port of the sound server on this machine. */
  readonly soundPort?: number;
  /** What stands before what never ends, and is repeated for it. */
  readonly endless: { readonly head: Buffer; readonly piece: Buffer };
}

export class LyingServer {
  lie: Lie = "none";
  /** The most that was sent over one connection as an endless answer. */
  endlessBytesMost = 0;
  readonly #options: LyingOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #closings = 0;

  static async start(options: LyingOptions): Promise<LyingServer> {
    const server = new LyingServer(options);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  private constructor(options: LyingOptions) {
    this.#options = options;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#take(socket));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections of clients that are open. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Ends all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, "close");
  }

  #take(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => this.#sockets.delete(socket));
    // A machine that hangs does not take leave either.
    socket.once("end", () => this.lie !== "silence" && socket.end());
    const { soundPort } = this.#options;
    if (soundPort === undefined) {
      socket.on("data", (request: Buffer) => this.#say(socket, request));
      return;
    }
    const sound = connect(soundPort, "127.0.0.1");
    sound.on("error", () => socket.destroy());
    socket.on("data", (request) => sound.write(request));
    sound.on("data", (answer: Buffer) => this.#say(socket, answer));
    socket.once("close", () => sound.destroy());
    sound.once("close", () => this.lie !== "silence" && socket.end());
  }

  #say(socket: Socket, answer: Buffer): void {
    switch (this.lie) {
      case "none":
        socket.write(answer);
        break;
      case "garbage":
        socket.write(GARBAGE);
        break;
      case "half":
        socket.write(answer.subarray(0, Math.ceil(answer.length / 4)));
        break;
      case "changed":
        socket.write(changed(answer));
        break;
      case "closing":
        socket.end(answer.subarray(0, this.#closings++ % (answer.length + 1)));
        break;
      case "reset":
        socket.resetAndDestroy();
        break;
      case "endless":
        this.#sayForEver(socket);
        break;
      default:
    }
  }

  #sayForEver(socket: Socket): void {
    const { head, piece } = this.#options.endless;
    const pieces = Buffer.concat(Array.from({ length: Math.ceil(PIECE_BYTES / piece.length) }, () => piece));
    let bytes = 0;
    const more = () => {
      while (!socket.destroyed && socket.writable) {
        bytes += pieces.length;
        this.endlessBytesMost = Math.max(this.endlessBytesMost, bytes);
        if (!socket.write(pieces)) break;
      }
    };
    socket.removeAllListeners("data");
    socket.resume();
    socket.write(head);
    socket.on("drain", more);
    more();
  }
}

/** Every seventh byte is another one. */
function changed(answer: Buffer): Buffer {
  const copy = Buffer.from(answer);
  for (let at = 3; at < copy.length; at += 7) copy[at] = 255 - (copy[at] as number);
  return copy;
}
