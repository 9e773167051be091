const WAIT_FIRST_MS = 1_000;
/** Doublings of the wait; the longest is about a minute. */
const DOUBLINGS_MAX = 6;

/**
 * Makes a trader that is refused again and again ask less and less often, so that a barred account or a closed market
 * does not fill the log. One accepted order ends the wait.
 */
export class Backoff {
  #failures = 0;
  #notBeforeMs = 0;

  isOver(nowMs: number): boolean {
    return nowMs >= this.#notBeforeMs;
  }

  accepted(): void {
    this.#failures = 0;
    this.#notBeforeMs = 0;
  }

  refused(nowMs: number): void {
    this.#notBeforeMs = nowMs + WAIT_FIRST_MS * 2 ** Math.min(this.#failures, DOUBLINGS_MAX);
    this.#failures++;
  }
}
