/**
 * How much each address and each account may ask for. State of the gateway: nothing of it is logged, and a restart begins
 * with full quotas. Source: domain 9.
 */
import type { State } from "../../engine/state.ts";
import type { WordBuffer } from "../../engine/words.ts";
import { type AddressKey, keyOfAddress } from "./address.ts";
import { Buckets } from "./buckets.ts";
import type { RateFigures } from "./figures.ts";
import { GroupLimit, type GroupTerms, type QuotaHeaders, type QuotaTime, type Shared } from "./group-limit.ts";
import { LongCycle } from "./long-cycle.ts";
import { mainUserIdOf, OrderQuality } from "./order-quality.ts";
import { SteadyTime } from "./steady-time.ts";

/** What is counted for operators. */
export interface RateCounts {
  /** Requests refused, by `address` and by the names of the groups. */
  readonly refused: ReadonlyMap<string, number>;
  /** Addresses and accounts (one for each group in use) whose quota is not full. */
  readonly addresses: number;
  readonly accounts: number;
  /** Main accounts counted in the long cycle today. */
  readonly longCycle: number;
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
  readonly #longCycle: LongCycle;
  readonly #orders: OrderQuality;

  readonly figures: RateFigures;

  /**
   * `state` is only read: who belongs to whom, and markets. Quotas go by the venue's time, unless `machineNow` is given: on a
   * virtual clock that stands, races or jumps, a client would starve or have no limits at all.
   */
  constructor(figures: RateFigures, state: State, machineNow?: () => number) {
    this.figures = figures;
    this.#addressRate = figures.ipPerSecond;
    this.#addresses = new Buckets(figures.ipPerSecond);
    this.#longCycle = new LongCycle(figures.long);
    this.#quotaTime = machineNow === undefined ? (venueMs) => venueMs : machineNow;
    this.#orders = new OrderQuality(state, this.#longCycle, this.#quotaTime);
    this.#shared = {
      time: this.#time,
      quotaTime: this.#quotaTime,
      longCycle: this.#longCycle,
      mainUserIdOf: (userId) => mainUserIdOf(state, userId),
    };
  }

  /** Adds the groups of a surface, whose names must be its own; gives them by name. */
  addGroups(groups: readonly GroupTerms[], headers: QuotaHeaders): ReadonlyMap<string, GroupLimit> {
    for (const terms of groups) {
      if (this.#groups.has(terms.name)) throw new Error(`There are two rate groups "${terms.name}".`);
      this.#groups.set(terms.name, new GroupLimit(terms, headers, this.#shared));
    }
    return new Map(groups.map(({ name }) => [name, this.#groups.get(name) as GroupLimit]));
  }

  /** Counts a request or a message from an address; false when it has sent too many. */
  admit(address: string, venueMs: number): boolean {
    keyOfAddress(address, this.#addressKey);
    const { high, low } = this.#addressKey;
    const place = this.#addresses.refill(high, low, this.#addressRate, this.#time.at(this.#quotaTime(venueMs)));
    if (!this.#addresses.admits(place)) {
      this.#addressesRefused++;
      return false;
    }
    this.#addresses.spend(place, 1);
    return true;
  }

  /** Takes in what happened in the engine, from which the quality of orders is seen. */
  apply(events: WordBuffer): void {
    this.#orders.apply(events);
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
      bytes:
        this.#addresses.byteLength +
        sum(({ buckets, addressBuckets }) => buckets.byteLength + addressBuckets.byteLength) +
        this.#longCycle.byteLength,
      longCycleBytes: this.#longCycle.byteLength,
    };
  }
}
