/**
 * Reads the connections of the lane into one piece of memory that all of them share. Node makes new memory of 64 KiB for each read, gives most of
 * it back, wraps the rest and hands it through a stream: of what a request costs it, a sixth.
 */
import { Socket, type SocketConstructorOpts } from "node:net";

/** As much as Node reads at once. */
const BYTES = 65_536;
const shared = Buffer.allocUnsafeSlow(BYTES);

/** Is lent a piece until it returns. */
export type Reader = (piece: Buffer) => void;

/** What Node's socket stands on. */
type Handled = { _handle?: { readonly useUserBuffer?: unknown } | null };

/** A connection whose pieces go to a reader, and to the stream of its socket from the moment on when that lets go of it. */
export class Reading {
  readonly socket: Socket;
  #reader: Reader | undefined;

  /** `accepted` is not read yet; `socket` stands in its place, and takes it along when it closes. */
  constructor(accepted: Socket) {
    const handle = (accepted as unknown as Handled)._handle;
    if (typeof handle?.useUserBuffer !== "function") {
      this.socket = accepted;
      accepted.on("data", this.#onData);
      return;
    }
    (accepted as unknown as Handled)._handle = null;
    const onread = { buffer: shared, callback: (bytes: number) => this.#take(bytes) };
    const options = { handle, allowHalfOpen: true, pauseOnCreate: true, onread };
    this.socket = new Socket(options as unknown as SocketConstructorOpts);
    // The server counts the one that it accepted.
    this.socket.once("close", () => accepted.destroy());
  }

  /** Begins to read. */
  start(reader: Reader): void {
    this.#reader = reader;
    this.socket.resume();
  }

  /** What comes from now on is the stream's. */
  release(): void {
    this.#reader = undefined;
    this.socket.off("data", this.#onData);
  }

  readonly #onData = (piece: Buffer) => this.#reader?.(piece);

  /** False where no more is to be read for now. */
  #take(bytes: number): boolean {
    const piece = shared.subarray(0, bytes);
    if (this.#reader === undefined) return this.socket.push(Buffer.from(piece));
    this.#reader(piece);
    return true;
  }
}
