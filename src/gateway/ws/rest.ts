/** Reading stops for so long after a long message that was refused, and for twice as long after each further one, */
const FIRST_REST_MS = 1_000;
/** up to here: anyone who has a wrong list and not a bad will is heard again soon. */
const REST_MAX_MS = 8_000;

/**
 * A source of messages that can be paused. The data that a paused source does not read waits in the buffers of its
 * sender.
 */
export interface Source {
  pause(): void;
  resume(): void;
}

/**
 * Lets a connection be whose long messages are refused. To read, check and refuse one costs the venue more than it
 * costs its sender, and with every one that is not read, the memory that it would take; what goes out to the connection
 * goes on.
 */
export class Rest {
  readonly #source: Source;
  #restMs = 0;
  #resting: NodeJS.Timeout | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  /** A long message was refused. */
  refused(): void {
    if (this.#resting !== undefined) return;
    this.#restMs = Math.min(REST_MAX_MS, Math.max(FIRST_REST_MS, 2 * this.#restMs));
    this.#source.pause();
    this.#resting = setTimeout(() => this.end(), this.#restMs).unref();
  }

  /** A long message was served. */
  served(): void {
    this.#restMs = 0;
  }

  /** Reads on: the rest is over, or the connection is to be closed and what its peer says to that must be heard. */
  end(): void {
    if (this.#resting === undefined) return;
    clearTimeout(this.#resting);
    this.#resting = undefined;
    this.#source.resume();
  }
}
