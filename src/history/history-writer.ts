import type { DatabaseSync, StatementSync } from "node:sqlite";
import { decodeJson } from "../engine/command.ts";
import { EVENT, type Happening } from "../engine/event.ts";
import type { WordBuffer } from "../engine/words.ts";
import type { HistoryFile } from "./history-file.ts";
import type { Part, PartWriter, RecordKind, TakeRecord } from "./part.ts";
import { PARTS } from "./parts.ts";

type TakeHappening = (event: Happening, timeMs: number) => void;

/**
 * Gives events to the parts that take them in, in one transaction from the first event to `commit`. Rows are written as they come;
 * how some are found is written at `settle`, for all rows since the last one.
 */
export class HistoryWriter {
  readonly #database: DatabaseSync;
  readonly #writers: readonly PartWriter[];
  /** By number of the record's kind: who takes it in. */
  readonly #takers: readonly (readonly TakeRecord[])[];
  readonly #happenings = new Map<Happening["type"], TakeHappening[]>();
  readonly #storeAppliedSeq: StatementSync;
  #appliedSeq: number;
  #committedSeq: number;
  #inTransaction = false;

  constructor(file: HistoryFile, parts: readonly Part[] = PARTS) {
    this.#database = file.database;
    this.#writers = parts.map((part) => part.begin(file));
    this.#takers = takersOf(this.#writers);
    for (const { happenings = {} } of this.#writers) {
      for (const [type, take] of Object.entries(happenings) as [Happening["type"], TakeHappening][]) {
        this.#happenings.set(type, [...(this.#happenings.get(type) ?? []), take]);
      }
    }
    this.#storeAppliedSeq = file.database.prepare("update meta set applied_seq = ?");
    this.#appliedSeq = file.appliedSeq;
    this.#committedSeq = file.appliedSeq;
  }

  /** Last sequence number that is committed. */
  get committedSeq(): number {
    return this.#committedSeq;
  }

  /**
   * Takes the events of whole groups. Those of commands that are in the tables already are skipped. `lastSeq` is the last
   * command of the groups, which need not have left an event.
   */
  take(events: WordBuffer, lastSeq: number): void {
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
        const event = decodeJson(events, at) as Happening;
        for (const take of this.#happenings.get(event.type) ?? []) take(event, timeMs);
      } else {
        for (const take of this.#takers[kind] as readonly TakeRecord[]) take(events, at, timeMs);
      }
    }
    this.#appliedSeq = Math.max(seq, lastSeq);
  }

  /** Makes everything taken so far visible to queries on this connection. */
  settle(): void {
    if (!this.#inTransaction) return;
    for (const writer of this.#writers) writer.settle?.();
  }

  /** Ends the transaction. */
  commit(): void {
    if (!this.#inTransaction) return;
    this.settle();
    this.#storeAppliedSeq.run(this.#appliedSeq);
    this.#database.exec("commit");
    this.#inTransaction = false;
    this.#committedSeq = this.#appliedSeq;
  }

  #begin(): void {
    if (this.#inTransaction) return;
    this.#database.exec("begin");
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
