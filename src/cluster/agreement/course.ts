import type { Entry } from "../entry.ts";
import { BEAT_MS } from "./pace.ts";
import type { AgreementPorts, Tail } from "./ports.ts";

/** Entries that may lie ready while those before them are fetched; what comes beyond is fetched later. */
const AHEAD_MAX = 1_024;

interface CourseTerms {
  readonly generation: number;
  readonly slot: number;
  readonly next: number;
  readonly from: Tail;
}

/** A generation that this node follows: its stream, taken entry by entry whatever the order in which they come. */
export class Course {
  readonly generation: number;
  readonly slot: number;
  /** The log must come to this before anything is taken over. */
  readonly from: Tail;
  readonly #ports: Pick<AgreementPorts, "now" | "readEntries">;
  readonly #ahead = new Map<number, Entry>();
  #next: number;
  #askedAt = 0;
  #isAligned = false;

  /** `before`: the same generation as it was followed from another place. */
  constructor(terms: CourseTerms, ports: Pick<AgreementPorts, "now" | "readEntries">, before: Course | undefined) {
    this.generation = terms.generation;
    this.slot = terms.slot;
    this.from = terms.from;
    this.#next = terms.next;
    this.#ports = ports;
    for (const [streamSeq, entry] of before?.generation === terms.generation ? before.#ahead : [])
      if (streamSeq >= terms.next) this.#ahead.set(streamSeq, entry);
  }

  /** The next entry to be taken over. */
  get next(): number {
    return this.#next;
  }

  /** Whether the log has come to where the course begins. */
  get isAligned(): boolean {
    return this.#isAligned;
  }

  /** When others were last asked for what is missing. */
  get askedAt(): number {
    return this.#askedAt;
  }

  asked(): void {
    this.#askedAt = this.#ports.now();
  }

  align(): void {
    this.#isAligned = true;
    this.#askedAt = 0;
  }

  /** An entry of the stream, which waits for those before it. */
  hold(streamSeq: number, entry: Entry): void {
    if (this.#ahead.size < AHEAD_MAX) this.#ahead.set(streamSeq, entry);
    if (!this.#isAligned) return;
    if (streamSeq > this.#next && !this.#ahead.has(this.#next)) this.readUpTo(streamSeq - 1);
  }

  /** The next entry if it is there, which is taken over with that. */
  take(): Entry | undefined {
    const entry = this.#ahead.get(this.#next);
    if (entry !== undefined) this.#ahead.delete(this.#next++);
    return entry;
  }

  /** Asks the stream for what is missing up to `to`, unless it was asked just now. */
  readUpTo(to: number): void {
    const now = this.#ports.now();
    if (now - this.#askedAt < BEAT_MS / 2) return;
    this.#askedAt = now;
    this.#ports.readEntries(this.slot, this.#next, to);
  }
}
