/**
 * What rate limits cost: the check of a request, in time, and an account, in memory, with a million known accounts; and
 * a long random run against the rule computed plainly.
 */
import { PerformanceObserver } from "node:perf_hooks";
import { State } from "../src/engine/state.ts";
import { loadContract } from "../src/gateway/current/contract.ts";
import { currentQuotas } from "../src/gateway/current/quotas.ts";
import { Buckets } from "../src/gateway/limits/buckets.ts";
import { rateFigures } from "../src/gateway/limits/figures.ts";
import type { Quota } from "../src/gateway/limits/quota.ts";
import { RateLimits } from "../src/gateway/limits/rate-limits.ts";
import { SteadyTime } from "../src/gateway/limits/steady-time.ts";
import { PlainBuckets } from "../test/limits/plain-buckets.ts";
import { xorshift } from "../test/support/xorshift.ts";
import { report } from "./report.ts";
import { threadMs } from "./thread-time.ts";

const ACCOUNTS = 1_000_000;
const CHECKS = 4_000_000;
const COMPARED = 1_000_000;
/** Checks beyond this are looked at for what they did. */
const LONG_MS = 2;
const START_MS = 1_750_000_000_000;

const contract = loadContract();
const random = xorshift(1);

const busy = await manyAccounts();
const { overAdmissions, wrongRefusals } = compare();
report("limits", [
  { name: "checks", value: checksPerSecond(1_000), unit: "checks/s", goal: 1_000_000 },
  { name: "checks_of_a_million", value: busy.perSecond, unit: "checks/s", goal: 500_000 },
  { name: "address_checks", value: addressChecksPerSecond(), unit: "checks/s", goal: 1_000_000 },
  { name: "longest_check", value: busy.longestMs, unit: "ms", goal: 20, atMost: true },
  { name: "longest_check_in_a_collection", value: busy.longestCollectingMs, unit: "ms" },
  { name: "bytes_per_known_account", value: busy.bytesKnown / ACCOUNTS, unit: "B", gate: 1, atMost: true },
  { name: "bytes_per_account_in_debt", value: busy.bytesPerQuota, unit: "B", gate: 64, atMost: true },
  { name: "bytes_per_account_of_today", value: busy.bytesPerDay, unit: "B", gate: 192, atMost: true },
  { name: "bytes_left_when_idle", value: busy.bytesIdle, unit: "B" },
  { name: "over_admissions", value: overAdmissions, gate: 0, atMost: true },
  { name: "wrong_refusals", value: wrongRefusals, gate: 0, atMost: true },
]);

function stateOf(accounts: number): State {
  const state = new State();
  for (let user = 1; user <= accounts; user++) state.users.add(String(user), 0, 0);
  return state;
}

function quotaOf(limits: RateLimits): Quota {
  const endpoint = contract.endpoints.find(({ path }) => path === "/spot/order");
  const quota = endpoint === undefined ? undefined : currentQuotas(contract, limits)(endpoint);
  if (quota === undefined) throw new Error("The contract has no group for orders.");
  return quota;
}

/** Requests of some accounts at random, fast enough that some are refused; with the headers that answers carry. */
function checksPerSecond(accounts: number): number {
  const limits = new RateLimits(rateFigures(contract), stateOf(accounts));
  const quota = quotaOf(limits);
  let headers = 0;
  const started = performance.now();
  for (let check = 0; check < CHECKS; check++) {
    if (quota.admits(1 + Math.floor(random() * accounts), START_MS + (check >> 5))) quota.spend();
    headers += quota.headerLines().length;
  }
  if (headers === 0) throw new Error("There were no headers.");
  return CHECKS / ((performance.now() - started) / 1_000);
}

/** A million known accounts, then all of them in debt at once, then none of them active any more. */
async function manyAccounts() {
  const state = stateOf(ACCOUNTS);
  const limits = new RateLimits(rateFigures(contract), state);
  const quota = quotaOf(limits);
  const bytesKnown = limits.counts.bytes;
  const collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  const long: { readonly from: number; readonly to: number; readonly processorMs: number }[] = [];
  let last = performance.now();
  const started = last;
  let used = threadMs();
  for (let user = 1; user <= ACCOUNTS; user++) {
    if (quota.admits(user, START_MS)) quota.spend();
    const now = performance.now();
    if (now - last > LONG_MS) {
      const usedNow = threadMs();
      long.push({ from: last, to: now, processorMs: Math.min(now - last, usedNow - used) });
    }
    if (user % 64 === 0 || now - last > LONG_MS) used = threadMs();
    last = now;
  }
  const perSecond = ACCOUNTS / ((last - started) / 1_000);
  // What is observed comes in a later turn.
  await new Promise((resolve) => setTimeout(resolve, 100));
  observer.disconnect();
  const collected = ({ from, to }: { from: number; to: number }) =>
    collections.some(({ startTime, duration }) => startTime < to && startTime + duration > from);
  const longestOf = (checks: typeof long) => Math.max(0, ...checks.map(({ processorMs }) => processorMs));
  const longestMs = longestOf(long.filter((check) => !collected(check)));
  const longestCollectingMs = longestOf(long.filter(collected));
  const { bytes, longCycleBytes } = limits.counts;
  // The next day, one account goes on asking.
  for (let check = 0; check < CHECKS; check++) {
    if (quota.admits(1, START_MS + 86_400_000 + check)) quota.spend();
  }
  return {
    bytesKnown,
    perSecond,
    longestMs,
    longestCollectingMs,
    bytesPerQuota: (bytes - longCycleBytes) / ACCOUNTS,
    bytesPerDay: longCycleBytes / ACCOUNTS,
    bytesIdle: limits.counts.bytes,
  };
}

function addressChecksPerSecond(): number {
  const limits = new RateLimits(rateFigures(contract), new State());
  const addresses = Array.from({ length: 10_000 }, (_, at) => `10.${at >> 8}.${at & 255}.1`);
  const started = performance.now();
  for (let check = 0; check < CHECKS; check++) {
    limits.admit(addresses[Math.floor(random() * addresses.length)] as string, START_MS + (check >> 11));
  }
  return CHECKS / ((performance.now() - started) / 1_000);
}

/** Random traffic with batches, debts and a clock that is now and then set back: what differs from the plain rule. */
function compare(): { overAdmissions: number; wrongRefusals: number } {
  const rate = 30;
  const buckets = new Buckets(rate);
  const plain = new PlainBuckets();
  const time = new SteadyTime();
  let [overAdmissions, wrongRefusals, nowMs] = [0, 0, START_MS];
  for (let request = 0; request < COMPARED; request++) {
    const chance = random();
    nowMs += chance < 0.0001 ? Math.floor(random() * -100_000) : chance < 0.3 ? 1 : 0;
    const user = Math.floor(random() ** 3 * 500);
    const cost = random() < 0.1 ? 1 + Math.floor(random() * 100) : 1;
    const place = buckets.refill(0, user, rate, time.at(nowMs));
    const passes = buckets.admits(place);
    if (passes) buckets.spend(place, cost);
    if (passes === plain.take(String(user), rate, nowMs, cost)) continue;
    if (passes) overAdmissions++;
    else wrongRefusals++;
  }
  return { overAdmissions, wrongRefusals };
}
