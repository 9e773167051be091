import type { EngineEvent } from "../event.ts";
import type { WordBuffer } from "../words.ts";
import type { Report } from "./ledger-audit.ts";

/** Questions that an audit may ask, and reports that it may make, while it reads the events of a command. */
export interface Hearing {
  /** Time of the command. */
  readonly timeMs: number;
  /** Takes down what is wrong. */
  readonly report: Report;
  /** Gives the reason for `units` more in a cell, by its name of ledger-audit.ts; what moves without one is told. */
  explain(cell: string, units: bigint): void;
  /** The units that a cell holds available by its postings so far. */
  available(cell: string): bigint;
}

/**
 * A part's share of the audit: it follows what is the part's own by the events alone, and says where they do not tell
 * one true story. It begins with the state as it stands.
 */
export interface Audit {
  /** Before the first event of a command, which are the words from `from` to `to`. */
  begin?(events: WordBuffer, from: number, to: number): void;
  /** Each event, which stands at word `at`; those of all parts. */
  take?(event: EngineEvent, hearing: Hearing, at: number): void;
  /** After the last event of a command. */
  end?(hearing: Hearing): void;
  /** The units that have to be frozen in a cell for what the part follows. */
  frozen?(cell: string): bigint;
  /** Cells of what the present command told of. */
  readonly touched?: Iterable<string>;
  /** Says where what was followed is not what the state holds. Linear in the whole state. */
  compare?(report: Report): void;
}

export interface AuditOptions {
  /** Also that nobody had priority over who traded: each deal then costs time linear in all resting orders. */
  readonly checksPriority: boolean;
}
