import { decodeJson } from "../engine/command.ts";
import { EVENT, type RareEvent } from "../engine/event.ts";
import type { WordBuffer } from "../engine/words.ts";
import type { Part, PartWriter, RecordKind, TakeRecord, WrittenTables } from "./part.ts";
import { PARTS } from "./parts.ts";

type TakeRareEvent = (event: RareEvent, timeMs: number) => unknown;

/** A history that is open to be written. */
export interface OpenHistory extends WrittenTables<never> {
  /** Every event up to this sequence number is in it; 0 when it is new. */
  readonly appliedSeq: number;
  /** Begins a transaction. */
  readonly begin: () => void;
  /** Ends it; from now on everything up to `seq` is in the history. */
  readonly commit: (seq: number) => void | Promise<void>;
}

/**
 * Gives events to the parts that take them in, in one transaction from the first event to `commit`. Rows are written as
 * they come; how some are found is written at `settle`, for all rows since the last one.
 */
export class HistoryWriter {
  readonly #history: OpenHistory;
  readonly #writers: readonly PartWriter[];
  /** By number of the record's kind: who takes it in. */
  readonly #takers: readonly (readonly TakeRecord[])[];
  readonly #rareEvents = new Map<RareEvent["type"], TakeRareEvent[]>();
  #appliedSeq: number;
  #committedSeq: number;
  #inTransaction = false;

  static async open(history: OpenHistory, parts: readonly Part[] = PARTS): Promise<HistoryWriter> {
    const writers: PartWriter[] = [];
    for (const part of parts) writers.push(await part.begin(history));
    return new HistoryWriter(history, writers);
  }

  private constructor(history: OpenHistory, writers: readonly PartWriter[]) {
    this.#history = history;
    this.#writers = writers;
    this.#takers = takersOf(this.#writers);
    for (const { rareEvents = {} } of this.#writers) {
      for (const [type, take] of Object.entries(rareEvents) as [RareEvent["type"], TakeRareEvent][]) {
        this.#rareEvents.set(type, [...(this.#rareEvents.get(type) ?? []), take]);
      }
    }
    this.#appliedSeq = history.appliedSeq;
    this.#committedSeq = history.appliedSeq;
  }

  /** Last sequence number whose events were taken. */
  get takenSeq(): number {
    return this.#appliedSeq;
  }

  /** Last sequence number that is committed. */
  get committedSeq(): number {
    return this.#committedSeq;
  }

  /**
   * Takes the events of whole groups. Those of commands that are in the tables already are skipped. `lastSeq` is the
   * last command of the groups, which need not have left an event.
   */
  async take(events: WordBuffer, lastSeq: number): Promise<void> {
    if (lastSeq <= this.#appliedSeq && events.length === 0) return;
    this.#begin();
    const { i32, f64 } = events;
    let seq = this.#appliedSeq;
    let timeMs = 0;
    let skipped = false;
    for (let at = 0; at < events.length; at += (i32[at * 2] as number) >>> 8) {
      const kind = (i32[at * 2] as number) & 255;
      if (kind === EVENT.command) {
        skipped = (f64[at + 1] as number) <= this.#appliedSeq;
        seq = Math.max(seq, f64[at + 1] as number);
        timeMs = f64[at + 2] as number;
      } else if (skipped) {
        // The tables hold it.
      } else if (kind === EVENT.json) {
        const event = decodeJson(events, at) as RareEvent;
        for (const take of this.#rareEvents.get(event.type) ?? []) {
          const taken = take(event, timeMs);
          if (taken instanceof Promise) await taken;
        }
      } else {
        for (const take of this.#takers[kind] as readonly TakeRecord[]) {
          const taken = take(events, at, timeMs);
          if (taken instanceof Promise) await taken;
        }
      }
    }
    this.#appliedSeq = Math.max(seq, lastSeq);
  }

  /** Makes everything taken so far visible to queries. */
  settle(): void {
    if (!this.#inTransaction) return;
    for (const writer of this.#writers) writer.settle?.();
  }

  /** Ends the transaction. */
  async commit(): Promise<void> {
    if (!this.#inTransaction) return;
    this.settle();
    const seq = this.#appliedSeq;
    await this.#history.commit(seq);
    this.#inTransaction = false;
    this.#committedSeq = seq;
  }

  #begin(): void {
    if (this.#inTransaction) return;
    this.#history.begin();
    this.#inTransaction = true;
  }
}

function takersOf(writers: readonly PartWriter[]): TakeRecord[][] {
  const takers: TakeRecord[][] = [];
  for (const [kind, number] of Object.entries(EVENT)) {
    takers[number] = writers.flatMap((writer) => writer[kind as RecordKind]?.bind(writer) ?? []);
  }
  return takers;
}
