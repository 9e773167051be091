import type { Duplex } from "node:stream";

/**
 * Writes to one socket. What its reader does not take is kept here, by reference, and handed over when the stream has
 * passed on what it had. A kept write looks at neither stream nor socket, so that a thousand readers that have stopped
 * cost the others little.
 */
export class Backlog {
  readonly #socket: Duplex;
  readonly #isOpen: () => boolean;
  /** Shared bytes that wait behind what the stream has; none while the reader keeps up. */
  #kept: Buffer[] = [];
  #isKeeping = false;
  /** While it keeps: what the stream had when that began, and what is kept. */
  #waitingBytes = 0;

  /** Nothing is written once `isOpen` says no. */
  constructor(socket: Duplex, isOpen: () => boolean) {
    this.#socket = socket;
    this.#isOpen = isOpen;
  }

  /** Bytes that the reader's system has not taken. */
  get byteLength(): number {
    return this.#isKeeping ? this.#waitingBytes : this.#socket.writableLength;
  }

  write(bytes: Buffer): void {
    if (this.#isKeeping) {
      this.#kept.push(bytes);
      this.#waitingBytes += bytes.length;
    } else if (!this.#isOpen()) {
      return;
    } else if (this.#socket.writableLength === 0) {
      this.#socket.write(bytes);
    } else {
      this.#keepAfter(bytes);
    }
  }

  /** Gives the stream all that is kept, to be sent in its turn. */
  handOver(): void {
    const kept = this.#kept;
    this.#kept = [];
    this.#isKeeping = false;
    if (kept.length > 0 && this.#isOpen()) this.#keepAfter(Buffer.concat(kept));
  }

  /** Keeps what comes until the stream has passed these bytes on. */
  #keepAfter(bytes: Buffer): void {
    this.#isKeeping = true;
    this.#socket.write(bytes, () => this.handOver());
    this.#waitingBytes = this.#socket.writableLength;
  }
}
