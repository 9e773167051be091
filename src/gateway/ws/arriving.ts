import type { Duplex } from "node:stream";

/** RFC 6455: two bytes of head and four of a mask before the data of a control frame of a client. */
const CONTROL_HEAD_BYTES = 6;

/** How often it looks within the time that a message may take. */
const LOOKS = 10;

/**
 * Whether a message of a connection has begun and not ended. The package tells of messages only when they are whole, so
 * this counts what has come in against what has come to its end: what is left over is the beginning of something.
 */
export class Arriving {
  readonly #socket: { readonly bytesRead?: number };
  /** Bytes of all that has come to its end. */
  #endedBytes: number;
  #unfinishedSinceMs: number | undefined;
  #lookAtMs = 0;

  constructor(socket: Duplex & { readonly bytesRead?: number }) {
    this.#socket = socket;
    this.#endedBytes = this.#readBytes;
  }

  /** A message has come to its end, and with it all of its frames. */
  message(): void {
    this.#endedBytes = this.#readBytes;
    this.#unfinishedSinceMs = undefined;
  }

  /** A PING or PONG with so many bytes of data has come, maybe between the frames of a message. */
  control(dataBytes: number): void {
    this.#endedBytes = Math.min(this.#readBytes, this.#endedBytes + CONTROL_HEAD_BYTES + dataBytes);
  }

  /**
   * Whether what has begun was already there so many ms ago. To be asked often; looking costs something, so it looks
   * now and then.
   */
  isUnfinishedFor(ms: number, nowMs: number): boolean {
    if (nowMs < this.#lookAtMs) return false;
    this.#lookAtMs = nowMs + ms / LOOKS;
    if (this.#readBytes <= this.#endedBytes) this.#unfinishedSinceMs = undefined;
    else this.#unfinishedSinceMs ??= nowMs;
    return this.#unfinishedSinceMs !== undefined && nowMs - this.#unfinishedSinceMs >= ms;
  }

  get #readBytes(): number {
    return this.#socket.bytesRead ?? 0;
  }
}
