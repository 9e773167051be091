import type { Exchange } from "./exchange.ts";

/** Bodies are cut until this share of the bound is left, so that one look at all of them makes room for many pieces. */
const ROOM_SHARE = 7 / 8;

/**
 * The requests whose body has begun and is not whole: all of them together hold so many bytes and no more. Who goes beyond it
 * costs those their place whose bodies come slowest, which are those of whoever stalls.
 */
export class UnfinishedBodies {
  readonly #bytesMax: number;
  readonly #screen: (exchange: Exchange) => boolean;
  readonly #cut: (exchange: Exchange) => void;
  readonly #open = new Set<Exchange>();
  /** Begun in this turn of the loop. Nearly every body is whole before it ends, and none of this is needed. */
  #begun: Exchange[] = [];
  #bytes = 0;

  /** `screen` looks at a request whose body is awaited; false when it was refused. `cut` ends one for want of room. */
  constructor(bytesMax: number, screen: (exchange: Exchange) => boolean, cut: (exchange: Exchange) => void) {
    this.#bytesMax = bytesMax;
    this.#screen = screen;
    this.#cut = cut;
  }

  /** Bytes held. */
  get byteLength(): number {
    return this.#bytes;
  }

  /** The head of a request with a body has come. */
  begin(exchange: Exchange): void {
    if (this.#begun.push(exchange) === 1) setImmediate(() => this.#look());
  }

  /** Bodies that are not whole hold so many bytes more, or less. */
  grow(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#bytesMax) this.#makeRoom();
  }

  #look(): void {
    const begun = this.#begun;
    this.#begun = [];
    for (const exchange of begun) {
      if (exchange.connection.isClosed) exchange.releaseBody();
      else if (exchange.isAwaitingBody && this.#screen(exchange)) this.#await(exchange);
    }
  }

  #await(exchange: Exchange): void {
    this.#open.add(exchange);
    exchange.response.once("close", () => {
      this.#open.delete(exchange);
      exchange.releaseBody();
    });
    exchange.ownBody();
  }

  #makeRoom(): void {
    // One turn of the loop can read more than the bound.
    this.#look();
    const nowMs = performance.now();
    const speed = ({ unfinishedBytes, startMs }: Exchange) => unfinishedBytes / Math.max(1, nowMs - startMs);
    const slowestFirst = [...this.#open]
      .map((exchange) => ({ exchange, speed: speed(exchange) }))
      .sort((one, other) => one.speed - other.speed);
    for (const { exchange } of slowestFirst) {
      if (this.#bytes <= this.#bytesMax * ROOM_SHARE) return;
      if (exchange.isAwaitingBody) this.#cut(exchange);
    }
  }
}
