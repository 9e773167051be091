/** Where the venue's time comes from. Only the sequencer stamps with it. */
export interface Clock {
  /** ms since 1970, whole. May stand still or step back; the sequencer sees to it that stamps never fall. */
  now(): number;
}

/** The machine's clock. */
export const realClock: Clock = { now: () => Date.now() };

/** The clocks that a guarded clock looks at: the machine's, and one that only ever runs on. Both in ms. */
export interface Machinery {
  wallMs(): number;
  monotonicMs(): number;
}

const MACHINE: Machinery = { wallMs: () => Date.now(), monotonicMs: () => performance.now() };

/**
 * The two clocks of a machine drift apart a little where the network sets one of them: 1 ms in a second is believed.
 */
const DRIFT_MAX = 0.001;

/**
 * The machine's clock, as far as it runs on with its monotonic one. A jump of more than `jumpMaxMs` ahead is not
 * followed: time that is in the log can never be taken back, and would fall due for everybody. Steps back are the log's
 * business, whose time never falls. `onJump` hears of either once, with the ms that the machine's clock is ahead, below
 * 0 behind, and of its end with 0.
 */
export class GuardedClock implements Clock {
  readonly #jumpMaxMs: number;
  readonly #onJump: (aheadMs: number) => void;
  readonly #machine: Machinery;
  /** The machine's clock less the monotonic one, ms, as believed at `#since`. */
  #offsetMs: number;
  #since: number;
  /** 1 while it is ahead, -1 while it is behind. */
  #jumped = 0;

  constructor(jumpMaxMs: number, onJump: (aheadMs: number) => void, machine: Machinery = MACHINE) {
    this.#jumpMaxMs = jumpMaxMs;
    this.#onJump = onJump;
    this.#machine = machine;
    this.#since = machine.monotonicMs();
    this.#offsetMs = machine.wallMs() - this.#since;
  }

  now(): number {
    const monotonicMs = this.#machine.monotonicMs();
    const wallMs = this.#machine.wallMs();
    const drift = (monotonicMs - this.#since) * DRIFT_MAX;
    const aheadMs = wallMs - (monotonicMs + this.#offsetMs);
    this.#since = monotonicMs;
    // Nor is a step back believed at once: when it is taken back in turn, that is no jump ahead.
    this.#offsetMs += Math.max(-drift, Math.min(aheadMs, drift));
    const isAhead = aheadMs > this.#jumpMaxMs;
    const jumped = Math.abs(aheadMs) > this.#jumpMaxMs ? Math.sign(aheadMs) : 0;
    if (jumped !== this.#jumped) this.#onJump(jumped === 0 ? 0 : Math.round(aheadMs));
    this.#jumped = jumped;
    return isAhead ? Math.floor(monotonicMs + this.#offsetMs) : wallMs;
  }
}

/** The log's time lies further ahead of the machine's clock than a venue may start with. */
export class ClockBehind extends Error {
  readonly code = "clock_behind";

  constructor(logMs: number, wallMs: number) {
    const ahead = logMs - wallMs;
    super(
      `The last command of the log is of ${new Date(logMs).toISOString()}, ${durationText(ahead)} ahead of this ` +
        "machine's clock " +
        `(${new Date(wallMs).toISOString()}). Set the clock right. If the log's time is to stand, so that it ` +
        "stands still until " +
        `the clock has caught up, start with --clock-jump ${ahead + CATCH_UP_MS}.`,
    );
    this.name = "ClockBehind";
  }
}

/** A start is not over at once: what the sentence above proposes must still be enough. */
const CATCH_UP_MS = 60_000;

function durationText(ms: number): string {
  const units: readonly (readonly [number, string])[] = [
    [86_400_000, "days"],
    [3_600_000, "hours"],
    [60_000, "minutes"],
  ];
  const [size, name] = units.find(([unit]) => ms >= 2 * unit) ?? [1_000, "seconds"];
  return `${Math.floor(ms / size)} ${name}`;
}

/** Throws ClockBehind when the log's last time is more than `jumpMaxMs` ahead of the machine's clock. */
export function refuseLogAhead(logMs: number, jumpMaxMs: number, wallMs: number = Date.now()): void {
  if (logMs - wallMs > jumpMaxMs) throw new ClockBehind(logMs, wallMs);
}

/** The state of a virtual clock, as an operator sees and sets it. */
export interface ClockState {
  readonly timeMs: number;
  readonly frozen: boolean;
  /** Venue milliseconds per real millisecond while it is not frozen. */
  readonly speed: number;
}

/** Sped up beyond this, a second of the machine would be days of the venue. */
export const SPEED_MAX = 100_000;

/**
 * A clock in the operator's hand: it runs from where it stood, can be frozen, moved forward and sped up; never back.
 */
export class VirtualClock implements Clock {
  #baseMs: number;
  /** Real time at which the clock showed `#baseMs`. */
  #since: number;
  #frozen: boolean;
  #speed = 1;
  readonly #real: Clock;

  constructor(startMs: number, real: Clock = realClock, frozen = false) {
    this.#baseMs = startMs;
    this.#frozen = frozen;
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

  /** Goes on from a time that it has passed: what lies between has been shown to nobody. */
  fallBack(ms: number): void {
    this.#settle();
    this.#baseMs = Math.min(this.#baseMs, ms);
  }

  /** 0 < `speed` <= SPEED_MAX. */
  setSpeed(speed: number): void {
    this.#settle();
    this.#speed = speed;
  }

  /** Sets it as it once was, back too: for a venue that goes back with it. */
  restore({ timeMs, frozen, speed }: ClockState): void {
    this.#baseMs = timeMs;
    this.#since = this.#real.now();
    this.#frozen = frozen;
    this.#speed = speed;
  }

  #settle(): void {
    this.#baseMs = this.now();
    this.#since = this.#real.now();
  }
}
