/** What an endpoint costs of its group's quota, and the headers that tell how much is left. */
import { boundOf, type Contract, type Endpoint } from "../current/contract.ts";
import { Refused } from "../refused.ts";
import type { GroupLimit } from "./group-limit.ts";

/** The quota value of endpoints whose cost is counted in their list of sub-requests. */
const PER_SUB_REQUEST = "number of sub-requests";

/** The list that a batch endpoint's sub-requests stand in, and how many it may hold. */
interface Batch {
  readonly name: string;
  readonly most: number;
}

export class Quota {
  readonly #group: GroupLimit;
  readonly #batch: Batch | undefined;

  constructor(contract: Contract, endpoint: Endpoint, group: GroupLimit) {
    this.#group = group;
    this.#batch = endpoint.quota === PER_SUB_REQUEST ? batchOf(contract, endpoint) : undefined;
  }

  /** Whether a request of the user passes, whatever it costs. If it does, `spend` must follow before anything else is asked. */
  admits(userId: number, nowMs: number): boolean {
    return this.#group.admits(userId, nowMs);
  }

  /** Takes what the request costs. `body` is what its JSON holds; absent on requests without a body. */
  spend(body?: Record<string, unknown> | Refused): void {
    this.#group.spend(this.costOf(body));
  }

  /** One for each sub-request of a batch. A batch that is empty, unreadable or longer than allowed costs 1, as all else does. */
  costOf(body: Record<string, unknown> | Refused | undefined): number {
    if (this.#batch === undefined || body === undefined || body instanceof Refused) return 1;
    const list = body[this.#batch.name];
    return Array.isArray(list) && list.length > 0 && list.length <= this.#batch.most ? list.length : 1;
  }

  /** The headers that tell what the last `admits` and `spend` left: each a line with its end. */
  headerLines(): string {
    return this.#group.headerLines();
  }
}

function batchOf(contract: Contract, endpoint: Endpoint): Batch {
  const list = endpoint.params.find(({ type }) => type.startsWith("array"));
  if (list === undefined) throw new Error(`The batch endpoint ${endpoint.path} of the contract has no list.`);
  return { name: list.name, most: boundOf(contract, list.max_items) as number };
}
