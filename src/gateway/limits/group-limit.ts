import { type AddressKey, keyOfAddress } from "./address.ts";
import { Buckets } from "./buckets.ts";
import type { LongCycle } from "./long-cycle.ts";
import type { SteadyTime } from "./steady-time.ts";

/** The time, ms, by which quotas fill: that of the venue, or another one in its place. */
export type QuotaTime = (venueMs: number) => number;

/** What all groups go by. */
export interface Shared {
  readonly time: SteadyTime;
  readonly quotaTime: QuotaTime;
  readonly longCycle: LongCycle;
  mainUserIdOf(userId: number): number;
}

/** What one group of endpoints lets an account ask. */
export interface GroupTerms {
  readonly name: string;
  /** So many requests at once, and as many again in `seconds`. */
  readonly requests: number;
  readonly seconds: number;
  /** Part in the long cycle: `slowed` groups count there and are slowed down by it, `counted` ones only count. */
  readonly longCycle?: "slowed" | "counted" | undefined;
}

/** The headers in which a surface tells what is left. */
export interface QuotaHeaders {
  readonly limit: string;
  readonly remaining: string;
  /** Whether the windows of the long cycle are told as well. */
  readonly longCycle: boolean;
}

/** While an account is limited by the long cycle, groups that place and edit run at a tenth of their rate. */
const SLOWED_SHARE = 10;
/** Stands for who signed nothing. */
const NOBODY = -1;

/** One group of endpoints: the quotas of all accounts in it, and of addresses where an endpoint takes no signature. */
export class GroupLimit {
  readonly name: string;
  readonly buckets: Buckets;
  readonly addressBuckets: Buckets;
  refused = 0;
  readonly #rate: number;
  readonly #seconds: number;
  readonly #limitHeader: string;
  readonly #remainingHeader: string;
  readonly #tellsLongCycle: boolean;
  readonly #slowRate: number;
  readonly #isSlowed: boolean;
  readonly #isCounted: boolean;
  readonly #shared: Shared;
  /** The request under way. */
  #mainUserId = 0;
  #nowMs = 0;
  #rateNow = 0;
  #place = 0;
  #asked: Buckets;
  readonly #addressKey: AddressKey = { high: 0, low: 0 };

  constructor({ name, requests, seconds, longCycle }: GroupTerms, headers: QuotaHeaders, shared: Shared) {
    this.name = name;
    this.#rate = requests;
    this.#seconds = seconds;
    this.#slowRate = Math.max(1, Math.floor(requests / SLOWED_SHARE));
    this.#isSlowed = longCycle === "slowed";
    this.#isCounted = longCycle !== undefined;
    this.#limitHeader = `${headers.limit}: `;
    this.#remainingHeader = `\r\n${headers.remaining}: `;
    this.#tellsLongCycle = headers.longCycle;
    this.#shared = shared;
    this.buckets = new Buckets(requests, this.#isSlowed ? this.#slowRate : requests);
    this.addressBuckets = new Buckets(requests);
    this.#asked = this.buckets;
  }

  /** As in Quota. What is not `slowable`, a cancel among what places, passes at the full rate whatever the long cycle says. */
  admits(userId: number, venueMs: number, slowable = true): boolean {
    const { time, longCycle, mainUserIdOf } = this.#shared;
    const nowMs = this.#shared.quotaTime(venueMs);
    this.#nowMs = nowMs;
    this.#asked = this.buckets;
    this.#mainUserId = mainUserIdOf(userId);
    this.#rateNow =
      this.#isSlowed && slowable && longCycle.isLimited(this.#mainUserId, nowMs) ? this.#slowRate : this.#rate;
    this.#place = this.buckets.refill(0, userId, this.#rateNow, this.#inSteps(time.at(nowMs)));
    if (this.buckets.admits(this.#place)) return true;
    this.refused++;
    return false;
  }

  /** The same of a request that nobody signed: the address counts, at the group's rate. */
  admitsAddress(address: string, venueMs: number): boolean {
    keyOfAddress(address, this.#addressKey);
    const nowMs = this.#shared.quotaTime(venueMs);
    this.#nowMs = nowMs;
    this.#asked = this.addressBuckets;
    this.#mainUserId = NOBODY;
    this.#rateNow = this.#rate;
    const { high, low } = this.#addressKey;
    this.#place = this.addressBuckets.refill(high, low, this.#rate, this.#inSteps(this.#shared.time.at(nowMs)));
    if (this.addressBuckets.admits(this.#place)) return true;
    this.refused++;
    return false;
  }

  spend(cost: number): void {
    this.#asked.spend(this.#place, cost);
    if (this.#isCounted && this.#mainUserId !== NOBODY)
      this.#shared.longCycle.request(this.#mainUserId, cost, this.#nowMs);
  }

  headerLines(): string {
    const remaining = this.#asked.remaining(this.#place);
    const short = `${this.#limitHeader}${this.#rateNow}${this.#remainingHeader}${remaining}\r\n`;
    return this.#tellsLongCycle && this.#mainUserId !== NOBODY
      ? short + this.#shared.longCycle.headerLines(this.#mainUserId, this.#nowMs)
      : short;
  }

  /** Buckets fill in a second of their time: for a group of two seconds it passes half as fast. */
  #inSteps(steadyMs: number): number {
    return this.#seconds === 1 ? steadyMs : Math.floor(steadyMs / this.#seconds);
  }
}
