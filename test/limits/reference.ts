/** The limits of accounts beside the plain rule: random requests and batches, over every endpoint that draws on a quota. */
import { State } from "../../src/engine/state.ts";
import { type Endpoint, loadContract } from "../../src/gateway/current/contract.ts";
import { currentQuotas } from "../../src/gateway/current/quotas.ts";
import { rateFigures } from "../../src/gateway/limits/figures.ts";
import { RateLimits } from "../../src/gateway/limits/rate-limits.ts";
import { boundOf } from "../../src/gateway/request/rules.ts";
import { xorshift } from "../support/xorshift.ts";
import { PlainBuckets } from "./plain-buckets.ts";

const START_MS = 1_750_000_000_000;
const ACCOUNTS = 20;

/** What differs first, as a sentence; undefined when nothing does. The same seed makes the same requests. */
export function limitsDifference(requests: number, seed: number): string | undefined {
  const contract = loadContract();
  const state = new State();
  for (let user = 1; user <= ACCOUNTS; user++) state.users.add(String(user), 0, START_MS);
  // Without the long cycle: what is left of it has a rule of its own.
  const figures = rateFigures(contract, { longLimits: new Map() });
  const limits = new RateLimits(figures, state);
  const quotaOf = currentQuotas(contract, limits);
  const plain = new PlainBuckets();
  const random = xorshift(seed);
  const below = (end: number) => Math.floor(random() * end);
  const drawing = contract.endpoints.filter(({ group, signed }) => group !== null && signed);
  const quotas = drawing.map((endpoint) => ({ endpoint, quota: quotaOf(endpoint) }));
  let nowMs = START_MS;
  for (let request = 0; request < requests; request++) {
    nowMs += random() < 0.3 ? below(40) : 0;
    const { endpoint, quota } = quotas[below(quotas.length)] as (typeof quotas)[number];
    const user = 1 + below(ACCOUNTS);
    const list = endpoint.params.find(({ type }) => type.startsWith("array"));
    const most = boundOf(contract, list?.max_items) ?? 0;
    const items = below(random() < 0.1 ? most + 3 : 6);
    const body = list === undefined ? {} : { [list.name]: Array(items).fill({}) };
    const passes = quota?.admits(user, nowMs) === true;
    if (passes) quota.spend(body);
    const key = `${user} ${endpoint.group}`;
    const rate = figures.groupsPerSecond.get(endpoint.group as string) as number;
    const say = (what: string) => `Request ${request + 1}, ${endpoint.path} with ${items} items: ${what}.`;
    if (plain.take(key, rate, nowMs, plainCost(endpoint, items, most)) !== passes) {
      return say(passes ? "it passed and should have been refused" : "it was refused and should have passed");
    }
    const left = plain.quota(key, rate, nowMs) / 1_000n;
    if (quota?.headerLines().includes(`Remaining: ${left < 0n ? 0n : left}\r\n`) !== true) {
      return say(`${left} are left, and its headers say otherwise`);
    }
  }
  return undefined;
}

/** Domain 9: a batch costs its sub-requests; one that is empty or too long costs 1, as everything else does. */
function plainCost({ quota }: Endpoint, items: number, most: number): number {
  return quota === "1" || items === 0 || items > most ? 1 : items;
}
