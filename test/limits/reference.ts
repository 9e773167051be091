/**
 * The limits of accounts beside the plain rule: random requests and batches, over every endpoint that draws on a quota.
 */
import { State } from "../../src/engine/state.ts";
import { type Endpoint, loadContract } from "../../src/gateway/current/contract.ts";
import { currentQuotas } from "../../src/gateway/current/quotas.ts";
import { type RateFigures, rateFigures } from "../../src/gateway/limits/figures.ts";
import type { Quota } from "../../src/gateway/limits/quota.ts";
import { RateLimits } from "../../src/gateway/limits/rate-limits.ts";
import type { SharedQuotas } from "../../src/gateway/limits/shared/shared-quotas.ts";
import { boundOf } from "../../src/gateway/request/rules.ts";
import { xorshift } from "../support/xorshift.ts";
import { PlainBuckets } from "./plain-buckets.ts";

const START_MS = 1_750_000_000_000;
const ACCOUNTS = 20;

/** Opens what the limits of one node share with the others'. */
export type OpenOthers = (figures: RateFigures, nowMs: () => number) => Promise<SharedQuotas>;

/**
 * What differs first, as a sentence; undefined when nothing does. The same seed makes the same requests. With `open`
 * two nodes share what each request draws on at one of them.
 */
export async function limitsDifference(requests: number, seed: number, open?: OpenOthers): Promise<string | undefined> {
  const contract = loadContract();
  const state = new State();
  for (let user = 1; user <= ACCOUNTS; user++) state.users.add(String(user), 0, START_MS);
  // Without the long cycle: what is left of it has a rule of its own.
  const figures = rateFigures(contract, { longLimits: new Map() });
  let nowMs = START_MS;
  const others =
    open === undefined ? [undefined] : [await open(figures, () => nowMs), await open(figures, () => nowMs)];
  const nodes = others.map((shared) => currentQuotas(contract, new RateLimits(figures, state, undefined, shared)));
  const plain = new PlainBuckets();
  const random = xorshift(seed);
  const below = (end: number) => Math.floor(random() * end);
  const drawing = contract.endpoints.filter(({ group, signed }) => group !== null && signed);
  const quotas = drawing.map((endpoint) => ({ endpoint, at: nodes.map((quotaOf) => quotaOf(endpoint) as Quota) }));
  for (let request = 0; request < requests; request++) {
    nowMs += random() < 0.3 ? below(40) : 0;
    const { endpoint, at } = quotas[below(quotas.length)] as (typeof quotas)[number];
    const quota = at[request % at.length] as Quota;
    const user = 1 + below(ACCOUNTS);
    const list = endpoint.params.find(({ type }) => type.startsWith("array"));
    const most = boundOf(contract, list?.max_items) ?? 0;
    const items = below(random() < 0.1 ? most + 3 : 6);
    const body = list === undefined ? {} : { [list.name]: Array(items).fill({}) };
    const passes = await passesAt(quota, user, nowMs, body);
    const key = `${user} ${endpoint.group}`;
    const rate = figures.groupsPerSecond.get(endpoint.group as string) as number;
    const say = (what: string) => `Request ${request + 1}, ${endpoint.path} with ${items} items: ${what}.`;
    if (plain.take(key, rate, nowMs, plainCost(endpoint, items, most)) !== passes) {
      return say(passes ? "it passed and should have been refused" : "it was refused and should have passed");
    }
    const left = plain.quota(key, rate, nowMs) / 1_000n;
    if (!quota.headerLines().includes(`Remaining: ${left < 0n ? 0n : left}\r\n`)) {
      return say(`${left} are left, and its headers say otherwise`);
    }
  }
  for (const shared of others) await shared?.close();
  return undefined;
}

/** As the surfaces do it: where quotas are shared, what this node cannot refuse by itself is asked of all. */
function passesAt(
  quota: Quota,
  userId: number,
  nowMs: number,
  body: Record<string, unknown>,
): boolean | Promise<boolean> {
  if (!quota.admits(userId, nowMs)) return false;
  if (quota.isShared) return new Promise((resolve) => quota.ask(body, resolve));
  quota.spend(body);
  return true;
}

/** Domain 9: a batch costs its sub-requests, one that is empty or too long 1; all else costs what the contract says. */
function plainCost({ quota }: Endpoint, items: number, most: number): number {
  if (quota !== "number of sub-requests") return Number(quota);
  return items === 0 || items > most ? 1 : items;
}
