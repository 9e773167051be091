/** Where the venue's time comes from. Only the sequencer stamps with it. */
export interface Clock {
  /** ms since 1970, whole. May stand still or step back; the sequencer sees to it that stamps never fall. */
  now(): number;
}

/** The machine's clock. */
export const realClock: Clock = { now: () => Date.now() };

/** What an operator sees and sets of a virtual clock. */
export interface ClockState {
  readonly timeMs: number;
  readonly frozen: boolean;
  /** Venue milliseconds per real millisecond while it is not frozen. */
  readonly speed: number;
}

/** Sped up beyond this, a second of the machine would be days of the venue. */
export const SPEED_MAX = 100_000;

/** A clock in the operator's hand: it runs from where it stood, can be frozen, moved forward and sped up; never back. */
export class VirtualClock implements Clock {
  #baseMs: number;
  /** Real time at which the clock showed `#baseMs`. */
  #since: number;
  #frozen = false;
  #speed = 1;
  readonly #real: Clock;

  constructor(startMs: number, real: Clock = realClock) {
    this.#baseMs = startMs;
    this.#real = real;
    this.#since = real.now();
  }

  now(): number {
    if (this.#frozen) return this.#baseMs;
    return this.#baseMs + Math.max(0, Math.floor((this.#real.now() - this.#since) * this.#speed));
  }

  get state(): ClockState {
    return { timeMs: this.now(), frozen: this.#frozen, speed: this.#speed };
  }

  freeze(frozen: boolean): void {
    this.#settle();
    this.#frozen = frozen;
  }

  /** `ms` >= 0. */
  advance(ms: number): void {
    this.#settle();
    this.#baseMs += ms;
  }

  /** 0 < `speed` <= SPEED_MAX. */
  setSpeed(speed: number): void {
    this.#settle();
    this.#speed = speed;
  }

  #settle(): void {
    this.#baseMs = this.now();
    this.#since = this.#real.now();
  }
}
