import type { Clock } from "./clock.ts";

/**
 * A clock that shows no time that has not been lived yet: while it is held it stands where it is, however far the one
 * below it has gone, and is moved on step by step by the one who lives through the time between. Let go, it shows what
 * the other one shows.
 */
export class PacedClock implements Clock {
  readonly #below: Clock;
  #heldMs: number | undefined;

  /** `heldMs`: where it is held at first; unless given it is let go. */
  constructor(below: Clock, heldMs?: number) {
    this.#below = below;
    this.#heldMs = heldMs;
  }

  now(): number {
    const aimMs = this.#below.now();
    return this.#heldMs === undefined ? aimMs : Math.min(this.#heldMs, aimMs);
  }

  /** Where it would stand if nobody held it, ms. */
  get aimMs(): number {
    return this.#below.now();
  }

  get isHeld(): boolean {
    return this.#heldMs !== undefined;
  }

  /** Holds it where it stands now, unless it is held already. */
  hold(): void {
    this.#heldMs ??= this.#below.now();
  }

  /** Holds it at a later time, ms. */
  holdAt(ms: number): void {
    this.#heldMs = ms;
  }

  release(): void {
    this.#heldMs = undefined;
  }
}
