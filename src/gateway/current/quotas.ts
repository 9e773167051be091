/** The quotas that the endpoints of the current generation draw on, as its contract says. */
import type { GroupSpec, QuotaHeaders } from "../limits/group-limit.ts";
import { type BatchOptions, Quota } from "../limits/quota.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import { boundOf } from "../request/rules.ts";
import type { Contract, Endpoint } from "./contract.ts";

/** The quota value of endpoints whose cost is counted in their list of sub-requests. */
const PER_SUB_REQUEST = "number of sub-requests";

const HEADERS: QuotaHeaders = { limit: "X-RateLimit-Limit", remaining: "X-RateLimit-Remaining", longCycle: true };

/** Undefined for an endpoint of which only the quota of the address counts. */
export type QuotaOf = (endpoint: Endpoint) => Quota | undefined;

/** Adds the contract's groups to the limits. */
export function currentQuotas(contract: Contract, limits: RateLimits): QuotaOf {
  const { groupsPerSecond } = limits.figures;
  const terms = contract.rateGroups.map(
    ({ name, long_cycle: longCycle }): GroupSpec => ({
      name,
      requests: groupsPerSecond.get(name) as number,
      seconds: 1,
      longCycle,
    }),
  );
  const groups = limits.addGroups(terms, HEADERS);
  return (endpoint) => {
    if (endpoint.group === null) return undefined;
    const group = groups.get(endpoint.group);
    if (group === undefined) throw new Error(`The contract has no rate group "${endpoint.group}".`);
    if (endpoint.quota === PER_SUB_REQUEST) return new Quota(group, batchOf(contract, endpoint));
    return new Quota(group, undefined, true, Number(endpoint.quota));
  };
}

function batchOf(contract: Contract, endpoint: Endpoint): BatchOptions {
  const list = endpoint.params.find(({ type }) => type.startsWith("array"));
  if (list === undefined) throw new Error(`The batch endpoint ${endpoint.path} of the contract has no list.`);
  return { name: list.name, most: boundOf(contract, list.max_items) as number };
}
