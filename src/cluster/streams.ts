import { decodeEntry, type Entry, encodeEntry, type SeedEntry } from "./entry.ts";
import type { ReadFrame } from "./frame.ts";
import { type NatsLink, READ_AT_ONCE, type StoredEntry } from "./nats-link.ts";

export interface StreamHandlers {
  entered(slot: number, streamSeq: number, entry: Entry): void;
  /** What was published did not go in: the stream ends at `last` instead; undefined: nobody knows. */
  refused(slot: number, last: number | undefined): void;
  /** What was to be read is no longer in the stream. */
  missing(slot: number): void;
}

/** The streams as those who agree know them: entries where the servers have bytes. */
export class Streams {
  readonly #link: NatsLink;
  readonly #read: ReadFrame;
  readonly #handlers: StreamHandlers;

  constructor(link: NatsLink, read: ReadFrame, handlers: StreamHandlers) {
    this.#link = link;
    this.#read = read;
    this.#handlers = handlers;
  }

  /** An entry that the stream tells, or that was asked for. */
  enter(slot: number, { streamSeq, bytes }: StoredEntry): void {
    const entry = this.#read(() => decodeEntry(bytes));
    if (entry !== undefined) this.#handlers.entered(slot, streamSeq, entry);
  }

  async publish(slot: number, entry: Entry, expected: number): Promise<void> {
    const came = await this.#link.publish(slot, encodeEntry(entry), expected);
    if (came !== true) this.#handlers.refused(slot, came);
  }

  /** Reads entries, both ends included. */
  async readEntries(slot: number, from: number, to: number): Promise<void> {
    const entries = await this.#link.read(slot, from, to);
    for (const entry of entries) this.enter(slot, entry);
    if (entries[0]?.streamSeq === from) return;
    const first = await this.#link.firstOf(slot);
    if (first !== undefined && first > from) this.#handlers.missing(slot);
  }

  /** Puts a seed at the end of a stream unless one of its generation, or of a later one, is there; tells what is. */
  async seed(slot: number, entry: SeedEntry): Promise<void> {
    const end = await this.#link.endOf(slot);
    if (end === undefined) return;
    const { bytes } = end;
    const there = bytes && this.#read(() => decodeEntry(bytes));
    if (there !== undefined && there.generation >= entry.generation) await this.#findSeed(slot, entry.generation);
    else await this.#link.publish(slot, encodeEntry(entry), end.last);
  }

  /** Somebody's seed of this generation is in the stream already, and was missed here. */
  async #findSeed(slot: number, generation: number): Promise<void> {
    const [first, end] = await Promise.all([this.#link.firstOf(slot), this.#link.endOf(slot)]);
    if (first === undefined || end === undefined) return;
    for (let to = end.last; to >= first; to -= READ_AT_ONCE) {
      let isBefore = false;
      for (const { streamSeq, bytes } of await this.#link.read(slot, Math.max(first, to - READ_AT_ONCE + 1), to)) {
        const entry = this.#read(() => decodeEntry(bytes));
        if (entry === undefined) continue;
        if (entry.kind === "seed" && entry.generation === generation) this.#handlers.entered(slot, streamSeq, entry);
        if (entry.generation < generation) isBefore = true;
      }
      if (isBefore) return;
    }
  }
}
