/** How chains reach the venue: its state, to be read only, and its log, by which alone anything changes. */
import type { JsonCommand } from "../engine/command.ts";
import type { Refusal } from "../engine/refusal.ts";
import type { State } from "../engine/state.ts";

/** The outcome of a command. */
export interface Answered {
  /** Undefined: accepted. */
  readonly refusal: Refusal | undefined;
  readonly detail: string | undefined;
}

export interface VenueLink {
  readonly state: State;
  /** The venue's time, ms. */
  now(): number;
  /**
   * Puts commands next to each other into the log; settles when they are durable and applied. Rejects when the venue
   * stops.
   */
  enter(commands: readonly JsonCommand[]): Promise<readonly Answered[]>;
}

/**
 * The venue did not take what the program thought to be true: a bug, or a log that somebody else writes. Nothing is
 * sent.
 */
export class VenueRefused extends Error {
  readonly code = "VENUE_REFUSED";
}
