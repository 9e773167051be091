import type { RateGroup } from "../current/contract.ts";
import { Buckets } from "./buckets.ts";
import type { LongCycle } from "./long-cycle.ts";
import type { SteadyTime } from "./steady-time.ts";

/** What all groups go by. */
export interface Shared {
  readonly time: SteadyTime;
  readonly longCycle: LongCycle;
  mainUserIdOf(userId: number): number;
}

/** While an account is limited by the long cycle, groups that place and edit run at a tenth of their rate. */
const SLOWED_SHARE = 10;

/** One group of endpoints: the quotas of all accounts in it. */
export class GroupLimit {
  readonly name: string;
  readonly buckets: Buckets;
  refused = 0;
  readonly #rate: number;
  readonly #slowRate: number;
  readonly #isSlowed: boolean;
  readonly #isCounted: boolean;
  readonly #shared: Shared;
  /** The request under way. */
  #mainUserId = 0;
  #nowMs = 0;
  #rateNow = 0;
  #place = 0;

  constructor({ name, long_cycle }: RateGroup, rate: number, shared: Shared) {
    this.name = name;
    this.#rate = rate;
    this.#slowRate = Math.max(1, Math.floor(rate / SLOWED_SHARE));
    this.#isSlowed = long_cycle === "slowed";
    this.#isCounted = long_cycle !== undefined;
    this.#shared = shared;
    this.buckets = new Buckets(rate, this.#isSlowed ? this.#slowRate : rate);
  }

  /** As in Quota. */
  admits(userId: number, nowMs: number): boolean {
    const { time, longCycle, mainUserIdOf } = this.#shared;
    this.#nowMs = nowMs;
    this.#mainUserId = mainUserIdOf(userId);
    this.#rateNow = this.#isSlowed && longCycle.isLimited(this.#mainUserId, nowMs) ? this.#slowRate : this.#rate;
    this.#place = this.buckets.refill(0, userId, this.#rateNow, time.at(nowMs));
    if (this.buckets.admits(this.#place)) return true;
    this.refused++;
    return false;
  }

  spend(cost: number): void {
    this.buckets.spend(this.#place, cost);
    if (this.#isCounted) this.#shared.longCycle.request(this.#mainUserId, cost, this.#nowMs);
  }

  headerLines(): string {
    const short = `X-RateLimit-Limit: ${this.#rateNow}\r\nX-RateLimit-Remaining: ${this.buckets.remaining(this.#place)}\r\n`;
    return short + this.#shared.longCycle.headerLines(this.#mainUserId, this.#nowMs);
  }
}
