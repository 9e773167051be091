/** How often nodes speak, and how long they wait for each other. What only one rule waits for stands with that rule. */

/** The leader is heard this often, and each node's position is. */
export const BEAT_MS = 100;
/** Who has not heard of the leader for so long wants to lead. */
export const MISSED_MS = 700;
/** What was said or published and has had no effect is said again. */
export const RESEND_MS = 200;

/** Whose own turn of the clock was so late has heard nothing meanwhile either, and must not hold it against others. */
const OWN_DELAY_MS = 250;

/** A stream in which nothing moves for so long is left. Twice as long after each time, for machines that are merely slow. */
const STALL_MS = 800;
const STALL_MAX_MS = 6_400;
/** With so long a time without a stall it is as at first. */
const STALL_FORGIVEN_MS = 60_000;
/** A generation that does not begin within this time is followed by the next one; twice as long is waited for each further one. */
const SEED_MS = 600;
const SEED_MAX_MS = 9_600;

/** For how long nothing was heard of who leads, as far as this process was awake to hear it. */
export class Silence {
  #heardAt: number;
  #startedAt: number;
  #tickedAt: number;

  constructor(now: number) {
    this.#heardAt = now;
    this.#startedAt = now;
    this.#tickedAt = now;
  }

  /** To be called at each turn of the clock. */
  tick(now: number): void {
    const delay = now - this.#tickedAt;
    this.#tickedAt = now;
    if (delay <= OWN_DELAY_MS) return;
    this.#heardAt += delay;
    this.#startedAt += delay;
  }

  /** The connection is there again, or gone: what was not heard meanwhile does not count. */
  beginAnew(now: number): void {
    this.#heardAt = now;
    this.#startedAt = now;
    this.#tickedAt = now;
  }

  /** Somebody leads, `msAgo` at least. */
  heard(now: number, msAgo = 0): void {
    this.#heardAt = now - msAgo;
  }

  /** There is no stream to follow from now on. */
  startLooking(now: number): void {
    this.#startedAt = now;
  }

  sinceHeard(now: number): number {
    return now - this.#heardAt;
  }

  sinceLooking(now: number): number {
    return now - this.#startedAt;
  }
}

/** How long a stream may be stuck: longer on a machine that was found to be slow. */
export class Patience {
  #stallMs = STALL_MS;
  #stalledAt = Number.NEGATIVE_INFINITY;
  #seedMs = SEED_MS;

  /** A machine that was slow once is given more time; where all is well for a minute, as little as at first. */
  isStuck(sinceMs: number, now: number): boolean {
    if (now - this.#stalledAt > STALL_FORGIVEN_MS) this.#stallMs = STALL_MS;
    if (now - sinceMs < this.#stallMs) return false;
    this.#stallMs = Math.min(this.#stallMs * 2, STALL_MAX_MS);
    this.#stalledAt = now;
    return true;
  }

  /** Whether a generation that a quorum agreed on at `sinceMs` ought to have begun. */
  isSeedLate(sinceMs: number, now: number): boolean {
    if (now - sinceMs <= this.#seedMs) return false;
    this.#seedMs = Math.min(this.#seedMs * 2, SEED_MAX_MS);
    return true;
  }

  /** A generation has begun here. */
  seeded(): void {
    this.#seedMs = SEED_MS;
  }
}
