import type { State } from "../engine/state.ts";

export interface GuardianOptions {
  readonly state: State;
  /** Breaches as sentences; none when all is well. */
  readonly check: (state: State) => readonly string[];
  /** Called at the first breach, once. */
  readonly onBreach: (breaches: readonly string[]) => void;
  readonly onChecked?: ((breaches: readonly string[], durationMs: number) => void) | undefined;
}

/** Pause between two checks of a small venue. */
const PAUSE_MS = 10_000;
/** A check looks at the whole state at one instant, so it may take at most this share of the time. */
const SHARE_MAX = 0.01;

/**
 * Holds the living state against the invariants on a beat. A breach is a bug that has already happened: what can still be
 * done is to stop trading on it, loudly.
 */
export class Guardian {
  readonly #options: GuardianOptions;
  #timer: NodeJS.Timeout | undefined;
  #hasBreached = false;

  constructor(options: GuardianOptions) {
    this.#options = options;
  }

  start(): void {
    this.#schedule(PAUSE_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Checks now; also the answer of an audit. */
  checkNow(): readonly string[] {
    const startMs = performance.now();
    const breaches = this.#options.check(this.#options.state);
    this.#options.onChecked?.(breaches, performance.now() - startMs);
    if (breaches.length > 0 && !this.#hasBreached) {
      this.#hasBreached = true;
      this.#options.onBreach(breaches);
    }
    return breaches;
  }

  #schedule(pauseMs: number): void {
    this.#timer = setTimeout(() => {
      const startMs = performance.now();
      this.checkNow();
      this.#schedule(Math.max(PAUSE_MS, (performance.now() - startMs) / SHARE_MAX));
    }, pauseMs);
    this.#timer.unref();
  }
}
