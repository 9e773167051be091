/** The latest of what happened, as the engine wrote it: copied and looked at only when somebody asks. */
import { recordWords, WordBuffer } from "../../engine/words.ts";

/** Words of memory in all, 16 MiB: some ten thousands of orders with their books. Beyond it the oldest is forgotten. */
const RING_WORDS = 2 ** 21;
/** Words that are taken and given back at a time; a longer entry has a page of its own. */
const PAGE_WORDS = 2 ** 15;
const HEAD_WORDS = 3;

/** The records that one command left in the ring, in the shape of events, from word `from` to `to` of `buffer`. */
export interface Entry {
  readonly seq: number;
  readonly timeMs: number;
  /** The number of the command's kind, see KIND. */
  readonly commandKind: number;
  readonly buffer: WordBuffer;
  readonly from: number;
  readonly to: number;
}

interface Page {
  readonly buffer: WordBuffer;
  readonly words: number;
}

/** Layout of an entry, in words: 0 words of the entry + kind of the command, 1 seq, 2 time, 3.. records. */
export class EventRing {
  /** Oldest first. */
  readonly #pages: Page[] = [];
  #words = 0;

  /**
   * Adds an entry; `write` appends its records to the buffer that it is given, no more than `wordsMost` words of them.
   */
  add(seq: number, timeMs: number, commandKind: number, wordsMost: number, write: (buffer: WordBuffer) => void): void {
    const { buffer } = this.#pageFor(HEAD_WORDS + wordsMost);
    const at = buffer.open(HEAD_WORDS);
    buffer.f64[at + 1] = seq;
    buffer.f64[at + 2] = timeMs;
    write(buffer);
    buffer.i32[at * 2] = buffer.length - at;
    buffer.i32[at * 2 + 1] = commandKind;
  }

  forget(): void {
    this.#pages.length = 0;
    this.#words = 0;
  }

  /** All that is remembered, oldest first. */
  *entries(): Generator<Entry> {
    for (const { buffer } of this.#pages) {
      for (let at = 0; at < buffer.length; at += buffer.i32[at * 2] as number) {
        yield {
          seq: buffer.f64[at + 1] as number,
          timeMs: buffer.f64[at + 2] as number,
          commandKind: buffer.i32[at * 2 + 1] as number,
          buffer,
          from: at + HEAD_WORDS,
          to: at + (buffer.i32[at * 2] as number),
        };
      }
    }
  }

  #pageFor(words: number): Page {
    const last = this.#pages.at(-1);
    if (last !== undefined && last.buffer.length + words <= last.words) return last;
    const size = Math.max(PAGE_WORDS, words);
    this.#words += size;
    let forgotten: Page | undefined;
    while (this.#words > RING_WORDS && this.#pages.length > 0) {
      forgotten = this.#pages.shift() as Page;
      this.#words -= forgotten.words;
    }
    // Memory that was never touched costs the system more than all that is written to it.
    const page = forgotten?.words === size ? forgotten : { buffer: new WordBuffer(size), words: size };
    page.buffer.clear();
    this.#pages.push(page);
    return page;
  }
}

/** Appends a copy of the record at word `at` of `from`. */
export function copyRecord(to: WordBuffer, from: WordBuffer, at: number): void {
  const words = recordWords(from, at);
  const place = to.open(words);
  // By halves of a word, which are numbers: a whole one would be made a bigint first.
  for (let half = 0; half < words * 2; half++) to.i32[place * 2 + half] = from.i32[at * 2 + half] as number;
}
