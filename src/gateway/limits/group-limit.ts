import type { Figures } from "../refused.ts";
import { type AddressKey, keyOfAddress } from "./address.ts";
import { Buckets } from "./buckets.ts";
import type { LongCycle } from "./long-cycle.ts";
import { addressKey, groupKey, longCycleKey } from "./shared/keys.ts";
import type { SharedQuotas, Verdict } from "./shared/shared-quotas.ts";
import type { SteadyTime } from "./steady-time.ts";

/** The time, ms, by which quotas fill: that of the venue, or another one in its place. */
export type QuotaTime = (venueMs: number) => number;

/** The parts that all groups share. */
export interface Shared {
  readonly time: SteadyTime;
  readonly quotaTime: QuotaTime;
  readonly longCycle: LongCycle;
  /** Undefined where quotas are those of this process. */
  readonly others: SharedQuotas | undefined;
  mainUserIdOf(userId: number): number;
}

/** The quota that an account has in one group of endpoints. */
export interface GroupSpec {
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
  #isSlow = false;
  #isSlowable = false;
  #high = 0;
  #low = 0;
  #stepMs = 0;
  #place = 0;
  #asked: Buckets;
  readonly #addressKey: AddressKey = { high: 0, low: 0 };

  constructor({ name, requests, seconds, longCycle }: GroupSpec, headers: QuotaHeaders, shared: Shared) {
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
    this.buckets = new Buckets(requests, shared.others === undefined ? this.#slowestRate : 1);
    this.addressBuckets = new Buckets(requests, shared.others === undefined ? requests : 1);
    this.#asked = this.buckets;
  }

  /** Whether what a request costs is to be asked of all nodes, by `ask` in the place of `spend`. */
  get isShared(): boolean {
    return this.#shared.others?.isShared === true;
  }

  /**
   * As in Quota. What is not `slowable`, a cancel among what places, passes at the full rate whatever the long cycle
   * says.
   */
  admits(userId: number, venueMs: number, slowable = true): boolean {
    const nowMs = this.#shared.quotaTime(venueMs);
    this.#nowMs = nowMs;
    this.#asked = this.buckets;
    this.#mainUserId = this.#shared.mainUserIdOf(userId);
    this.#isSlowable = this.#isSlowed && slowable;
    this.#high = 0;
    this.#low = userId;
    return this.#hasSome();
  }

  /** The same of a request that nobody signed: the address counts, at the group's rate. */
  admitsAddress(address: string, venueMs: number): boolean {
    keyOfAddress(address, this.#addressKey);
    this.#nowMs = this.#shared.quotaTime(venueMs);
    this.#asked = this.addressBuckets;
    this.#mainUserId = NOBODY;
    this.#isSlowable = false;
    this.#high = this.#addressKey.high;
    this.#low = this.#addressKey.low;
    return this.#hasSome();
  }

  /** Whether something is left of the quota of the request under way, as far as this node knows. */
  #hasSome(): boolean {
    this.#stepMs = this.#inSteps(this.#shared.time.at(this.#nowMs));
    this.#refill();
    if (this.#asked.admits(this.#place)) return true;
    // No matter who else spends of it, no more than that is left; so it is not asked for where it cannot be.
    if (this.isShared && this.#asked.mayAdmit(this.#place, this.#rateNow)) return true;
    this.refused++;
    return false;
  }

  #refill(): void {
    const { longCycle, others } = this.#shared;
    this.#isSlow = this.#isSlowable && longCycle.isLimited(this.#mainUserId, this.#nowMs);
    const rate = this.#isSlow ? this.#slowRate : this.#rate;
    this.#rateNow = others === undefined ? rate : others.share(rate);
    this.#place = this.#asked.refill(this.#high, this.#low, this.#rateNow, this.#stepMs);
  }

  spend(cost: number): void {
    this.#asked.spend(this.#place, cost);
    if (this.#isCounted && this.#mainUserId !== NOBODY)
      this.#shared.longCycle.request(this.#mainUserId, cost, this.#nowMs);
  }

  /**
   * Asks all nodes for what the request under way costs, and takes it if it passes; `then` hears whether it does, and
   * finds figures and headers as they are by then. Where nobody answers in time, this node decides by itself.
   */
  ask(cost: number, then: (passes: boolean) => void): void {
    const others = this.#shared.others as SharedQuotas;
    const { longCycle } = this.#shared;
    const [asked, mainUserId, nowMs, isSlowable] = [this.#asked, this.#mainUserId, this.#nowMs, this.#isSlowable];
    const [high, low, stepMs] = [this.#high, this.#low, this.#stepMs];
    const isOfAccount = mainUserId !== NOBODY;
    const isInLongCycle = isOfAccount && longCycle.isUsed && (this.#tellsLongCycle || this.#isCounted);
    const terms = {
      bucketKey: isOfAccount ? groupKey(this.name, low) : addressKey(this.name, high, low),
      longKey: isInLongCycle ? longCycleKey(mainUserId) : undefined,
      rate: this.#rate,
      slowestRate: isOfAccount ? this.#slowestRate : this.#rate,
      seconds: this.#seconds,
      cost,
      poorWindows: isInLongCycle && isSlowable ? longCycle.poorWindows(mainUserId, nowMs) : 0,
      isCounted: isInLongCycle && this.#isCounted,
    };
    others.ask(terms, (verdict) => {
      this.#asked = asked;
      this.#mainUserId = mainUserId;
      this.#nowMs = nowMs;
      this.#isSlowable = isSlowable;
      this.#high = high;
      this.#low = low;
      this.#stepMs = stepMs;
      const passes = verdict === undefined ? this.#decideAlone(cost) : this.#takeOver(verdict);
      if (!passes) this.refused++;
      then(passes);
    });
  }

  #decideAlone(cost: number): boolean {
    this.#stepMs = this.#inSteps(this.#shared.time.last);
    this.#refill();
    const passes = this.#asked.admits(this.#place);
    if (passes) this.spend(cost);
    return passes;
  }

  /** From the time of the question on: what is known here is never less than there is. */
  #takeOver({ passes, quota, rate, used }: Verdict): boolean {
    this.#rateNow = rate;
    this.#isSlow = rate < this.#rate;
    this.#place = this.#asked.set(this.#high, this.#low, quota, this.#stepMs);
    if (used !== undefined) this.#shared.longCycle.learnUsed(this.#mainUserId, used, this.#nowMs);
    return passes;
  }

  /** Returns the figures that decided about the request under way. */
  figures(): Figures {
    return {
      group: this.name,
      limit: this.#rateNow,
      seconds: this.#seconds,
      remaining: this.#asked.remaining(this.#place),
      slowed_by_long_cycle: this.#isSlow,
    };
  }

  headerLines(): string {
    const remaining = this.#asked.remaining(this.#place);
    const short = `${this.#limitHeader}${this.#rateNow}${this.#remainingHeader}${remaining}\r\n`;
    return this.#tellsLongCycle && this.#mainUserId !== NOBODY
      ? short + this.#shared.longCycle.headerLines(this.#mainUserId, this.#nowMs)
      : short;
  }

  /** The least rate that an account is ever run at. */
  get #slowestRate(): number {
    return this.#isSlowed ? this.#slowRate : this.#rate;
  }

  /** Buckets fill in a second of their time: for a group of two seconds it passes half as fast. */
  #inSteps(steadyMs: number): number {
    return this.#seconds === 1 ? steadyMs : Math.floor(steadyMs / this.#seconds);
  }
}
