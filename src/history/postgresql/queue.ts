/**
 * Events of the venue that are not in the history yet. They stay until they are, since what fails midway is written
 * once more.
 */

export interface Chunk {
  readonly events: Uint8Array<ArrayBuffer>;
  /** The last command of it. */
  readonly lastSeq: number;
}

export class EventQueue {
  readonly #chunks: Chunk[] = [];
  readonly #onLeft: (chunk: Chunk) => void;
  #bytes = 0;
  #afterSeq: number;
  #lastSeq: number;

  /** The first chunk comes after `afterSeq`. `onLeft` gets each chunk that leaves. */
  constructor(afterSeq: number, onLeft: (chunk: Chunk) => void) {
    this.#afterSeq = this.#lastSeq = afterSeq;
    this.#onLeft = onLeft;
  }

  /** All commands behind this one, up to the last, are here. */
  get afterSeq(): number {
    return this.#afterSeq;
  }

  /** The last command that was told of. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#chunks.length === 0;
  }

  add(chunk: Chunk): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.events.byteLength;
    this.#lastSeq = Math.max(this.#lastSeq, chunk.lastSeq);
  }

  /** The first chunks, of about so many bytes; they stay. */
  first(bytesMax: number): Chunk[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#chunks.length && bytes < bytesMax) bytes += this.#chunks[count++]?.events.byteLength ?? 0;
    return this.#chunks.slice(0, count);
  }

  /** Removes what the history holds. */
  dropUpTo(seq: number): void {
    while (this.#chunks.length > 0 && (this.#chunks[0] as Chunk).lastSeq <= seq) this.#dropFirst();
  }

  dropAll(): void {
    while (this.#chunks.length > 0) this.#dropFirst();
    this.#afterSeq = this.#lastSeq;
  }

  #dropFirst(): void {
    const chunk = this.#chunks.shift() as Chunk;
    this.#bytes -= chunk.events.byteLength;
    this.#afterSeq = Math.max(this.#afterSeq, chunk.lastSeq);
    this.#onLeft(chunk);
  }
}
