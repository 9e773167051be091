/**
 * The rule of the short cycle as it is written down (domain 9), in whole numbers without bound and with nothing clever.
 */
export class PlainBuckets {
  readonly #buckets = new Map<string, { quota: bigint; passedMs: bigint }>();
  #lastMs: bigint | undefined;
  #passedMs = 0n;

  /** Thousandths of a request that a key has at `nowMs`, at `rate` per second. */
  quota(key: string, rate: number, nowMs: number): bigint {
    const now = BigInt(nowMs);
    if (this.#lastMs !== undefined && now > this.#lastMs) this.#passedMs += now - this.#lastMs;
    this.#lastMs = now;
    const bucket = this.#buckets.get(key) ?? { quota: 1_000n * BigInt(rate), passedMs: this.#passedMs };
    const refilled = bucket.quota + BigInt(rate) * (this.#passedMs - bucket.passedMs);
    const most = 1_000n * BigInt(rate);
    const quota = refilled < most ? refilled : most;
    this.#buckets.set(key, { quota, passedMs: this.#passedMs });
    return quota;
  }

  /** Whether a request of `cost` passes; if so it is paid for. */
  take(key: string, rate: number, nowMs: number, cost: number): boolean {
    const quota = this.quota(key, rate, nowMs);
    if (quota < 1_000n) return false;
    this.#buckets.set(key, { quota: quota - 1_000n * BigInt(cost), passedMs: this.#passedMs });
    return true;
  }
}
