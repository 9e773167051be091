/**
 * Time for limits: ms that have passed, as the venue's clock tells, counting only its steps forward. A clock that is
 * set back neither takes quota away nor gives any, and nobody waits until it is where it was.
 */
export class SteadyTime {
  #lastMs = Number.NaN;
  #passedMs = 0;

  /** As Buckets.save: what was passed in between never was. */
  save(): () => void {
    const passedMs = this.#passedMs;
    return () => {
      this.#passedMs = passedMs;
      this.#lastMs = Number.NaN;
    };
  }

  /** The time of the last reading, ms. */
  get last(): number {
    return this.#passedMs;
  }

  /** ms since the first reading. Never falls. */
  at(nowMs: number): number {
    const step = nowMs - this.#lastMs;
    this.#lastMs = nowMs;
    if (step > 0) this.#passedMs += step;
    return this.#passedMs;
  }
}
