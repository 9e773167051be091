/**
 * How much each address and each account may ask for. State of the gateway: nothing of it is logged, and a restart
 * begins with full quotas, unless other nodes share them. Source: domain 9.
 */
import type { State } from "../../engine/state.ts";
import type { WordBuffer } from "../../engine/words.ts";
import { type AddressKey, keyOfAddress } from "./address.ts";
import { Buckets } from "./buckets.ts";
import type { RateFigures } from "./figures.ts";
import { GroupLimit, type GroupSpec, type QuotaHeaders, type QuotaTime, type Shared } from "./group-limit.ts";
import { LongCycle } from "./long-cycle.ts";
import { OrderQuality } from "./order-quality.ts";
import { addressKey } from "./shared/keys.ts";
import type { SharedCounts, SharedQuotas } from "./shared/shared-quotas.ts";
import { SteadyTime } from "./steady-time.ts";

/** The counts that operators see. */
export interface RateCounts {
  /** Requests refused, by `address` and by the names of the groups. */
  readonly refused: ReadonlyMap<string, number>;
  /** Addresses and accounts (one for each group in use) whose quota is not full. */
  readonly addresses: number;
  readonly accounts: number;
  /** Main accounts counted in the long cycle today. */
  readonly longCycle: number;
  /** Undefined where quotas are those of this process. */
  readonly shared: SharedCounts | undefined;
  /** Memory of all of it, and the part of the long cycle. */
  readonly bytes: number;
  readonly longCycleBytes: number;
}

export class RateLimits {
  readonly #time = new SteadyTime();
  readonly #quotaTime: QuotaTime;
  readonly #addresses: Buckets;
  readonly #addressRate: number;
  readonly #addressKey: AddressKey = { high: 0, low: 0 };
  #addressesRefused = 0;
  readonly #groups = new Map<string, GroupLimit>();
  readonly #shared: Shared;
  readonly #others: SharedQuotas | undefined;
  readonly #longCycle: LongCycle;
  readonly #orders: OrderQuality;

  readonly figures: RateFigures;

  /**
   * `state` is only read: who belongs to whom, and markets. Quotas go by the venue's time, unless `machineNow` is
   * given: on a virtual clock that stands, races or jumps, a client would starve or have no limits at all. `others` are
   * those that share them.
   */
  constructor(figures: RateFigures, state: State, machineNow?: () => number, others?: SharedQuotas) {
    this.figures = figures;
    this.#addressRate = figures.ipPerSecond;
    this.#others = others;
    this.#addresses = new Buckets(figures.ipPerSecond, others === undefined ? figures.ipPerSecond : 1);
    this.#longCycle = new LongCycle(figures.long);
    this.#quotaTime = machineNow === undefined ? (venueMs) => venueMs : machineNow;
    this.#orders = new OrderQuality(state, this.#longCycle, this.#quotaTime);
    this.#shared = {
      time: this.#time,
      quotaTime: this.#quotaTime,
      longCycle: this.#longCycle,
      others,
      mainUserIdOf: (userId) => state.users.mainOf(userId),
    };
  }

  /** Adds the groups of a surface, whose names must be its own; gives them by name. */
  addGroups(groups: readonly GroupSpec[], headers: QuotaHeaders): ReadonlyMap<string, GroupLimit> {
    for (const terms of groups) {
      if (this.#groups.has(terms.name)) throw new Error(`There are two rate groups "${terms.name}".`);
      this.#groups.set(terms.name, new GroupLimit(terms, headers, this.#shared));
    }
    return new Map(groups.map(({ name }) => [name, this.#groups.get(name) as GroupLimit]));
  }

  /**
   * Counts a request or a message from an address; false when it has sent too many. Where quotas are shared, it is
   * decided by what is known here, and told to the others at once: nothing but protection hangs on it, and no message
   * waits for a trip.
   */
  admit(address: string, venueMs: number): boolean {
    keyOfAddress(address, this.#addressKey);
    const { high, low } = this.#addressKey;
    const others = this.#others;
    const rate = others === undefined ? this.#addressRate : others.share(this.#addressRate);
    const timeMs = this.#time.at(this.#quotaTime(venueMs));
    const place = this.#addresses.refill(high, low, rate, timeMs);
    if (!this.#addresses.admits(place)) {
      this.#addressesRefused++;
      return false;
    }
    this.#addresses.spend(place, 1);
    if (others !== undefined) this.#tell(others, high, low, timeMs);
    return true;
  }

  #tell(others: SharedQuotas, high: number, low: number, timeMs: number): void {
    others.spend(addressKey(undefined, high, low), timeMs, () => ({
      rate: this.#addressRate,
      settled: (quota, sinceMs) => {
        this.#addresses.set(high, low, quota, sinceMs);
      },
    }));
  }

  /** Whose quotas hold: those of this process, of all nodes, or of this one while it is apart from the others. */
  get standing(): "own" | "shared" | "apart" {
    if (this.#others === undefined) return "own";
    return this.#others.isShared ? "shared" : "apart";
  }

  /** Takes in what happened in the engine, from which the quality of orders is seen. */
  apply(events: WordBuffer): void {
    this.#orders.apply(events);
  }

  /**
   * Keeps all quotas as they are, for a venue that goes back: what it gives sets them so again, as often as it is
   * called.
   */
  save(): () => void {
    const groups = [...this.#groups.values()].flatMap(({ buckets, addressBuckets }) => [buckets, addressBuckets]);
    const all = [this.#time, this.#addresses, ...groups, this.#longCycle, this.#orders].map((each) => each.save());
    return () => {
      for (const restore of all) restore();
    };
  }

  get counts(): RateCounts {
    const groups = [...this.#groups.values()];
    const sum = (figure: (group: GroupLimit) => number) => groups.reduce((total, group) => total + figure(group), 0);
    return {
      refused: new Map([
        ["address", this.#addressesRefused],
        ...groups.map(({ name, refused }) => [name, refused] as const),
      ]),
      addresses: this.#addresses.count,
      accounts: sum(({ buckets }) => buckets.count),
      longCycle: this.#longCycle.count,
      shared: this.#others?.counts,
      bytes:
        this.#addresses.byteLength +
        sum(({ buckets, addressBuckets }) => buckets.byteLength + addressBuckets.byteLength) +
        this.#longCycle.byteLength,
      longCycleBytes: this.#longCycle.byteLength,
    };
  }
}
