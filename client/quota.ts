/**
 * Quotas as the venue keeps them, docs/reference/rate-limits.md: one second's worth that refills all the time; a
 * request passes while one whole request is left, then takes its cost. The client keeps the same count, corrects it by
 * what answers tell, and waits before it asks.
 */

/** The venue counts when a request arrives, and two may arrive closer together than they left. */
const MARGIN = 0.1;
const MARGIN_MS = 5;

export class Quota {
  /** Requests per second; what is left is at most one second's worth. */
  #rate: number;
  #left: number;
  #countedAtMs = performance.now();
  /** Cost of what was asked and is not answered yet. */
  #underWay = 0;
  #isUnlimited = false;
  /** First come, first served. */
  #line: Promise<unknown> = Promise.resolve();

  constructor(rate: number) {
    this.#rate = rate;
    this.#left = rate;
  }

  /** Waits for its turn and takes the cost; false, and nothing is taken, where that would last longer than `waitMs`. */
  async take(cost: number, waitMs: number): Promise<boolean> {
    const deadlineMs = performance.now() + waitMs;
    const turn = this.#line.then(() => this.#pass(cost, deadlineMs));
    this.#line = turn;
    return await turn;
  }

  /**
   * The answer has come. `limit` and `remaining`: what its headers say; none on a success means that nothing is
   * limited.
   */
  answered(cost: number, isSuccess: boolean, limit: number | undefined, remaining: number | undefined): void {
    this.#underWay -= cost;
    if (limit === undefined || remaining === undefined) {
      if (isSuccess) this.#isUnlimited = true;
      return;
    }
    this.#isUnlimited = false;
    this.#rate = limit;
    this.#left = Math.min(limit, remaining - this.#underWay);
    this.#countedAtMs = performance.now();
  }

  /** The venue has refused for want of quota: nothing is left, whatever was counted here. */
  exhausted(): void {
    this.#isUnlimited = false;
    this.#refill();
    this.#left = Math.min(this.#left, 0);
  }

  /** Gives back what was taken: it counts no more. */
  giveBack(cost: number): void {
    this.#refill();
    this.#left = Math.min(this.#rate, this.#left + cost);
  }

  lift(): void {
    this.#isUnlimited = true;
  }

  async #pass(cost: number, deadlineMs: number): Promise<boolean> {
    while (!this.#isUnlimited) {
      this.#refill();
      const needed = Math.min(this.#rate, 1 + MARGIN * this.#rate);
      if (this.#left >= needed) break;
      const waitMs = ((needed - this.#left) / this.#rate) * 1_000 + MARGIN_MS;
      if (performance.now() + waitMs > deadlineMs) return false;
      await sleep(waitMs);
    }
    this.#left -= cost;
    this.#underWay += cost;
    return true;
  }

  #refill(): void {
    const nowMs = performance.now();
    this.#left = Math.min(this.#rate, this.#left + ((nowMs - this.#countedAtMs) / 1_000) * this.#rate);
    this.#countedAtMs = nowMs;
  }
}

export async function sleep(ms: number): Promise<void> {
  await new Promise<void>((resolve) => setTimeout(resolve, ms));
}

/** Longer from time to time, and never at one moment for a crowd that lost its venue together. */
export function backoffMs(tries: number, firstMs: number, mostMs: number): number {
  return Math.min(firstMs * 2 ** tries, mostMs) * (0.75 + Math.random() / 2);
}
