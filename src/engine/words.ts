/** All bits of a word's place; see SLOT in store/table.ts. */
const WORD = 2 ** 26 - 1;

/**
 * A growable run of 64-bit words seen through several views of the same memory: the one shape in which commands
 * enter the engine and events leave it. Binary records need no allocation, travel between threads as they are and
 * are the log's own payload.
 *
 * Byte order is the machine's; every platform we pin Node for is little-endian.
 */
export class WordBuffer {
  /** Words written so far. */
  length = 0;
  /** Words that fit. */
  private capacity: number;
  bytes: Uint8Array<ArrayBuffer>;
  i32: Int32Array<ArrayBuffer>;
  f64: Float64Array<ArrayBuffer>;
  i64: BigInt64Array<ArrayBuffer>;

  /** Over memory of its own, unless that is given. */
  constructor(capacityWords: number, memory = new ArrayBuffer(capacityWords * 8), byteOffset = 0) {
    this.capacity = capacityWords;
    this.bytes = new Uint8Array(memory, byteOffset, capacityWords * 8);
    this.i32 = new Int32Array(memory, byteOffset, capacityWords * 2);
    this.f64 = new Float64Array(memory, byteOffset, capacityWords);
    this.i64 = new BigInt64Array(memory, byteOffset, capacityWords);
  }

  /** A buffer over `bytes`, copied only when they do not start on a word. `bytes.length` is a multiple of 8. */
  static over(bytes: Uint8Array): WordBuffer {
    const aligned = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
    const words = aligned.byteLength / 8;
    const buffer = new WordBuffer(words, aligned.buffer as ArrayBuffer, aligned.byteOffset);
    buffer.length = words;
    return buffer;
  }

  /**
   * Appends a record of `words` and returns its first word. The caller writes every word, because they hold what stood
   * there before the last `clear`. The buffer grows when they do not fit, so a writer takes the views after it has
   * opened.
   */
  open(words: number): number {
    const at = this.length & WORD;
    if (at + words > this.capacity) this.grow(words);
    this.length = at + words;
    return at;
  }

  /** Forgets what was written and keeps the memory. */
  clear(): void {
    this.length = 0;
  }

  /** The words written so far as bytes, in place: valid until the next word is written. */
  written(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length * 8);
  }

  /** A copy of the words from `from` to the end, for another thread or the log. */
  copy(from = 0): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(from * 8, this.length * 8);
  }

  private grow(words: number): void {
    const capacity = Math.max(this.capacity * 2, this.length + words);
    if (capacity > WORD) throw new Error("A buffer of words is full.");
    const grown = new ArrayBuffer(capacity * 8);
    new Uint8Array(grown).set(this.bytes.subarray(0, this.length * 8));
    this.capacity = capacity;
    this.bytes = new Uint8Array(grown);
    this.i32 = new Int32Array(grown);
    this.f64 = new Float64Array(grown);
    this.i64 = new BigInt64Array(grown);
  }
}

/** Words that `byteLength` bytes occupy. */
export function wordsFor(byteLength: number): number {
  return (byteLength + 7) >> 3;
}

/** Writes `text`, which holds only ASCII, at word `at`. They have been opened. Returns the words used. */
export function writeAscii(buffer: WordBuffer, at: number, text: string): number {
  const start = at * 8;
  const words = wordsFor(text.length);
  buffer.bytes.fill(0, start, start + words * 8);
  for (let index = 0; index < text.length; index++) buffer.bytes[start + index] = text.charCodeAt(index);
  return words;
}

/** The `length` ASCII characters at word `at`. */
export function readAscii(buffer: WordBuffer, at: number, length: number): string {
  const start = at * 8;
  let text = "";
  for (let index = 0; index < length; index++) text += String.fromCharCode(buffer.bytes[start + index] as number);
  return text;
}

/** Words of the record at `at`, a command or an event. */
export function recordWords({ i32 }: WordBuffer, at: number): number {
  return (i32[at * 2] as number) >>> 8;
}

/** The flags of the record at `at`, of those that have any. */
export function flagsAt({ i32 }: WordBuffer, at: number): number {
  return i32[at * 2 + 3] as number;
}
