/**
 * How long orders have rested, by their priority numbers alone: an order has the same number for as long as it stands
 * at its price and grows by nothing, and a new one after every other change (2.10). So a number that was given out
 * before a tick tells of an order that has rested since then, and no order has to remember a time. Source: domain 4.11.
 */

/** The record of a tick: the first one in its second. */
export interface TickMark {
  readonly tickMs: number;
  /** When the last command before it came: whatever rested at the tick has rested since then at least. */
  readonly sinceMs: number;
  /** Orders that rested at the tick have numbers below this one. */
  readonly prio: number;
}

/**
 * How long an order must have rested to count, at most; at least and unless the operator says otherwise it is a second.
 */
export const REST_MS_MAX = 10_000;
export const REST_MS = 1_000;
const SECOND_MS = 1_000;

/** The ticks of the last ten seconds, and the one before these: at most twelve, since each is another second's. */
export class TickMarks {
  /**
   * When the command before the present one came; told before anything reads it, and known to nobody between commands.
   */
  beforeMs = 0;
  private marks: TickMark[] = [];

  /**
   * Takes a tick down that is the first in its second; `prio` is the number that the next order gets. False: another
   * one was.
   */
  note(tickMs: number, prio: number): boolean {
    const { marks, beforeMs: sinceMs } = this;
    if (Math.floor((marks.at(-1)?.tickMs ?? -SECOND_MS) / SECOND_MS) === Math.floor(tickMs / SECOND_MS)) return false;
    marks.push({ tickMs, sinceMs, prio });
    while (marks.length > 1 && (marks[1] as TickMark).sinceMs <= tickMs - REST_MS_MAX) marks.shift();
    return true;
  }

  /**
   * Orders with a number below this one have rested since `sinceMs` or longer; 0: it is not known of any. What all
   * prices of a book ask that somebody is paid or held to. `nextPrio` is the number that the next order gets.
   */
  restedBefore(sinceMs: number, nextPrio: number): number {
    if (this.beforeMs <= sinceMs) return nextPrio;
    return this.marks.findLast((mark) => mark.sinceMs <= sinceMs)?.prio ?? 0;
  }

  /** Its rows, for a snapshot. */
  get rows(): readonly TickMark[] {
    return this.marks;
  }

  load(rows: readonly TickMark[]): void {
    this.marks = [...rows];
  }
}
