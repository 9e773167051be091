/** The log as a sequence of single commands, with the names that they need to be read. */
import { type Command, decodeCommand, KIND } from "../engine/command.ts";
import { type Outcome, refusalIn } from "../engine/engine.ts";
import { decodeOrder, orderEventName } from "../engine/event.ts";
import { loadSnapshot } from "../engine/snapshot.ts";
import type { State } from "../engine/state.ts";
import { recordWords, WordBuffer } from "../engine/words.ts";
import type { LogReader } from "../log/reader.ts";
import { baseSnapshot, listSnapshots, readSnapshot } from "../log/snapshot-file.ts";
import { EngineMachine } from "../venue/machine.ts";

export interface LoggedCommand {
  readonly seq: number;
  readonly timeMs: number;
  readonly command: Command;
  /** The outcome of the command, where it is known. */
  readonly outcome: string | undefined;
}

export interface LogRange {
  readonly from: number;
  readonly to: number;
  /** Whether what came of orders is told, too. */
  readonly outcomes: boolean;
}

/**
 * Reads commands and applies them to an engine beside them, which knows names and what came of each. Orders are
 * applied, too, whether or not anybody asks for them: what is available to a user, and with it whether money moved,
 * depends on all that he did.
 */
export class LogView {
  readonly #reader: LogReader;
  readonly #dir: string;
  readonly #range: LogRange;
  #engine = new EngineMachine().engine;
  #nextSeq: number;
  /** A command could not be applied: what came of those behind it is not known. */
  #isLost = false;

  constructor(reader: LogReader, dir: string, range: LogRange) {
    this.#reader = reader;
    this.#dir = dir;
    this.#range = range;
    this.#nextSeq = this.#takeSnapshot() + 1;
  }

  /** Names as they are at the command that was read last. */
  get state(): State {
    return this.#engine.state;
  }

  /** Whether everything that was asked for has been read, whatever is still to come. */
  get isDone(): boolean {
    return this.#nextSeq > this.#range.to;
  }

  /** The commands of the range that are there by now and have not been read yet. */
  *read(): Generator<LoggedCommand> {
    const { from, to } = this.#range;
    for (const { firstSeq, timeMs, payload } of this.#reader.groups(this.#nextSeq, to)) {
      const records = WordBuffer.over(payload);
      let seq = firstSeq;
      for (let at = 0; at < records.length && seq <= to; at += recordWords(records, at), seq++) {
        if (seq < this.#nextSeq) continue;
        this.#nextSeq = seq + 1;
        const outcome = this.#apply(records, at, seq, timeMs);
        if (seq >= from) yield { seq, timeMs, command: decodeCommand(records, at), outcome };
      }
    }
  }

  #apply(records: WordBuffer, at: number, seq: number, timeMs: number): string | undefined {
    if (this.#isLost) return undefined;
    const { events } = this.#engine;
    let text: string | undefined;
    try {
      text = outcomeText(this.#engine.apply(records, at, seq, timeMs), events);
    } catch (error) {
      this.#isLost = true;
      return `unknown, and so is all that follows: ${(error as Error).message}`;
    }
    events.clear();
    const kind = (records.i32[at * 2] as number) & 255;
    return kind === KIND.json || kind === KIND.begin_epoch || this.#range.outcomes ? text : undefined;
  }

  /** Begins with the newest snapshot before the range; gives its seq, 0 without one. */
  #takeSnapshot(): number {
    const { lastSeq: start } = this.#reader.start;
    const base = start === 0 ? undefined : baseSnapshot(this.#dir, start);
    for (const { file, seq } of [...listSnapshots(this.#dir).heads, ...(base === undefined ? [] : [base])]) {
      if (seq < start || (seq >= this.#range.from && seq > start)) continue;
      const snapshot = readSnapshot(file);
      if (typeof snapshot === "string") continue;
      try {
        loadSnapshot(this.#engine.state, snapshot.chunks, snapshot.seq, snapshot.timeMs);
        return snapshot.seq;
      } catch {
        // One of another version of the program; the log itself can still be read from an older one, or from its start.
        this.#engine = new EngineMachine().engine;
      }
    }
    return 0;
  }
}

function outcomeText(outcome: Outcome, events: WordBuffer): string | undefined {
  const refusal = refusalIn(outcome);
  if (refusal !== undefined) return `refused: ${outcome.detail ?? refusal}`;
  if (outcome.orderEvent >= 0) {
    const { orderId, status } = decodeOrder(events, outcome.orderEvent);
    return `order ${orderId} ${orderEventName(events, outcome.orderEvent) === "put" ? "rests" : status}`;
  }
  const { userId, depositId, adjustmentId, maintenanceId } = (outcome.result ?? {}) as Partial<Record<string, number>>;
  if (depositId !== undefined) return `deposit ${depositId}`;
  if (adjustmentId !== undefined) return `adjustment ${adjustmentId}`;
  if (maintenanceId !== undefined) return `maintenance ${maintenanceId}`;
  return userId === undefined ? undefined : `user ${userId}`;
}
