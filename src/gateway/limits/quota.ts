/** The cost of an endpoint in its group's quota, and the headers that tell how much is left. */
import { Refused } from "../refused.ts";
import type { GroupLimit } from "./group-limit.ts";

/** The list that a batch's sub-requests stand in, and how many it may hold. */
export interface BatchOptions {
  readonly name: string;
  readonly most: number;
}

export class Quota {
  readonly #group: GroupLimit;
  readonly #batch: BatchOptions | undefined;
  readonly #isSlowable: boolean;
  readonly #cost: number;

  /**
   * `batch`: each sub-request costs as much as a request. Who gives something up is not `slowable`: see GroupLimit.
   * `cost`: that of a request without a batch, as of one that places several orders.
   */
  constructor(group: GroupLimit, batch?: BatchOptions, isSlowable = true, cost = 1) {
    this.#group = group;
    this.#batch = batch;
    this.#isSlowable = isSlowable;
    this.#cost = cost;
  }

  /** Whether `ask` must follow in the place of `spend`, because quotas are shared with other nodes. */
  get isShared(): boolean {
    return this.#group.isShared;
  }

  /**
   * Whether a request of the user passes, whatever it costs. If it does, `spend` must follow before anything else is
   * asked; where quotas are shared, `ask`, for all that is known is that something may be left.
   */
  admits(userId: number, nowMs: number): boolean {
    return this.#group.admits(userId, nowMs, this.#isSlowable);
  }

  /** The same of a request that nobody signed. */
  admitsAddress(address: string, nowMs: number): boolean {
    return this.#group.admitsAddress(address, nowMs);
  }

  /** Takes what the request costs. `body` is what its JSON holds; absent on requests without a body. */
  spend(body?: Record<string, unknown> | Refused): void {
    this.#group.spend(this.costOf(body));
  }

  /** As `spend`, of all nodes; `then` hears, a little later, whether the request passes after all. */
  ask(body: Record<string, unknown> | Refused | undefined, then: (passes: boolean) => void): void {
    this.#group.ask(this.costOf(body), then);
  }

  /**
   * One for each sub-request of a batch. A batch that is empty, unreadable or longer than allowed costs 1. All else
   * costs the same whatever it holds: 1, or as many as the orders that it places.
   */
  costOf(body: Record<string, unknown> | Refused | undefined): number {
    if (this.#batch === undefined || body === undefined || body instanceof Refused) return this.#cost;
    const list = body[this.#batch.name];
    return Array.isArray(list) && list.length > 0 && list.length <= this.#batch.most ? list.length : 1;
  }

  /** The refusal of the request that `admits` or `ask` turned away. */
  refused(): Refused {
    return new Refused("rate_limited", undefined, undefined, this.#group.figures());
  }

  /** The headers that tell what the last `admits` and `spend`, or `ask`, left: each a line with its end. */
  headerLines(): string {
    return this.#group.headerLines();
  }
}
