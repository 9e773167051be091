import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Labels } from "./metrics.ts";

/** The delay is sampled this often. */
const SAMPLE_MS = 20;
const WINDOW_MS = 30_000;

const QUANTILES = [0.5, 0.99, 1] as const;

/**
 * How late the event loop is. What was once slow is forgotten: the figures are those of the last half to whole minute.
 */
export class LoopDelay {
  readonly #monitor = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  #before: readonly number[] = QUANTILES.map(() => 0);
  readonly #timer: NodeJS.Timeout;

  constructor(windowMs = WINDOW_MS) {
    this.#monitor.enable();
    this.#timer = setInterval(() => this.#turn(), windowMs).unref();
  }

  /** Seconds by quantile, the larger of the window that is under way and the one before. */
  *figures(): Generator<[Labels, number]> {
    const now = this.#read();
    for (const [at, quantile] of QUANTILES.entries()) {
      yield [{ quantile: String(quantile) }, Math.max(now[at] as number, this.#before[at] as number)];
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#monitor.disable();
  }

  #turn(): void {
    this.#before = this.#read();
    this.#monitor.reset();
  }

  #read(): readonly number[] {
    const { count } = this.#monitor;
    return QUANTILES.map((quantile) => (count === 0 ? 0 : delayIn(this.#monitor.percentile(quantile * 100))));
  }
}

/**
 * The monitor measures from sample to sample, in nanoseconds: what is above its own pause is delay, here in seconds.
 */
function delayIn(intervalNs: number): number {
  return Math.max(0, intervalNs / 1e9 - SAMPLE_MS / 1_000);
}
