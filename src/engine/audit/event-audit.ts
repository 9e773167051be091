import { decodeEvent } from "../event.ts";
import { PARTS } from "../parts.ts";
import type { State } from "../state.ts";
import type { WordBuffer } from "../words.ts";
import { recordWords } from "../words.ts";
import type { Audit, Hearing } from "./audit.ts";
import { LedgerAudit } from "./ledger-audit.ts";

/**
 * Reads the events of command after command and checks that they tell one true story: every unit that moves has a deal,
 * a deposit or an adjustment as its reason, every freeze an order, every order event follows from the last one and from
 * its deals, and what is published of the book is what it displays. It follows cells and orders by their events alone,
 * so it also finds what the state keeps to itself. Of listings it reads the state, which tells how large lots and ticks
 * are. What is a part's own its own audits follow.
 *
 * Source: domain 10, numbers 1-4, 8-15, 31, 34 and 37-41. The state itself is checked by invariants.ts.
 */
export class EventAudit {
  private readonly state: State;
  private readonly ledger: LedgerAudit;
  private readonly audits: readonly Audit[];
  private lastSeq: number;
  private lastTimeMs: number;

  /** Begins with the state as it stands. With `checksPriority` each deal costs time linear in all resting orders. */
  constructor(state: State, checksPriority = false) {
    this.state = state;
    this.ledger = new LedgerAudit(state);
    this.audits = PARTS.flatMap((part) => part.audits?.(state, { checksPriority }) ?? []);
    this.lastSeq = state.seq;
    this.lastTimeMs = state.timeMs;
  }

  /** Checks the events of one command, the words from `from` to `to`. Sentences that say what is wrong with them. */
  check(events: WordBuffer, from: number, to: number): string[] {
    const breaches: string[] = [];
    const report = (breach: string) => breaches.push(breach);
    const { ledger, audits } = this;
    for (const audit of audits) audit.begin?.(events, from, to);
    for (let at = from; at < to; at += recordWords(events, at)) {
      const event = decodeEvent(events, at);
      if ((at === from) !== (event.kind === "command")) report("Events do not begin with their one command.");
      if (event.kind === "command") this.follow(event.seq, event.timeMs, report);
      else if (event.kind === "posting") ledger.post(event, report);
      const hearing = this.hearing(report);
      for (const audit of audits) audit.take?.(event, hearing, at);
    }
    for (const cell of new Set([...ledger.touched, ...audits.flatMap((audit) => [...(audit.touched ?? [])])])) {
      const frozen = ledger.frozen(cell);
      const needed = audits.reduce((sum, audit) => sum + (audit.frozen?.(cell) ?? 0n), 0n);
      if (frozen !== needed) report(`${frozen} units are frozen in ${cell} for orders that need ${needed}.`);
    }
    const hearing = this.hearing(report);
    for (const audit of audits) audit.end?.(hearing);
    ledger.end(report);
    return breaches;
  }

  /** Checks that the events told everything: what was followed is what the state holds. Linear in the whole state. */
  compare(): string[] {
    const breaches: string[] = [];
    const report = (breach: string) => breaches.push(breach);
    this.ledger.compare(this.state, report);
    for (const audit of this.audits) audit.compare?.(report);
    return breaches;
  }

  private follow(seq: number, timeMs: number, report: (breach: string) => void): void {
    if (seq <= this.lastSeq) report(`Command ${seq} follows command ${this.lastSeq}.`);
    if (timeMs < this.lastTimeMs) report(`Command ${seq} is earlier than the one before it.`);
    this.lastSeq = seq;
    this.lastTimeMs = timeMs;
  }

  private hearing(report: (breach: string) => void): Hearing {
    const { ledger, lastTimeMs: timeMs } = this;
    return {
      timeMs,
      report,
      explain: (cell, units) => ledger.explain(cell, units),
      available: (cell) => ledger.available(cell),
    };
  }
}
