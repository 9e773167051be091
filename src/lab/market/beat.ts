/**
 * Something that is due every so often. It keeps its rhythm when looked at a little late, and skips what it slept
 * through.
 */
export class Beat {
  readonly #everyMs: number;
  #nextMs: number;

  /** Due for the first time at `fromMs`. */
  constructor(everyMs: number, fromMs = 0) {
    this.#everyMs = everyMs;
    this.#nextMs = fromMs;
  }

  /** Whether it is due; if so, it is not again before the next beat. */
  isDue(nowMs: number): boolean {
    if (nowMs < this.#nextMs) return false;
    this.#nextMs += this.#everyMs;
    if (this.#nextMs <= nowMs) this.#nextMs = nowMs + this.#everyMs;
    return true;
  }

  /** Leaves out what would be due within `ms` from now. */
  sleep(nowMs: number, ms: number): void {
    this.#nextMs = nowMs + ms;
  }
}
