import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { State } from "../../engine/state.ts";
import { loadContract } from "../current/contract.ts";
import { currentQuotas } from "../current/quotas.ts";
import { Refused } from "../refused.ts";
import { rateFigures } from "./figures.ts";
import { RateLimits } from "./rate-limits.ts";

const contract = loadContract();
const limits = new RateLimits(rateFigures(contract), new State());
const quotaOf = currentQuotas(contract, limits);

// Source: the tables of the interface description.
const RATES: Readonly<Record<string, number>> = {
  "spot:Place and edit orders": 30,
  "spot:Cancel orders": 60,
  "spot:Batch cancel": 40,
  "spot:Query orders": 50,
  "spot:Order history": 10,
  "spot:Modify accounts": 10,
  "spot:Query accounts": 10,
  "spot:Account history": 10,
  "futures:Place, edit, adjust position": 20,
  "futures:Cancel orders": 40,
  "futures:Batch cancel": 20,
  "futures:Query orders": 50,
  "futures:Order history": 10,
  "futures:Account query": 10,
  "ext:Cancel after": 20,
  "ext:Liability proof": 2,
  "ext:Market maker": 20,
  "ext:Mass quote": 200,
};

test("the figures are those that are given, 400 for an address, and each can be set", () => {
  const figures = rateFigures(contract);
  assert.equal(figures.ipPerSecond, 400);
  assert.deepEqual(Object.fromEntries(figures.groupsPerSecond), RATES);
  const groupsPerSecond = new Map([["spot:Cancel orders", 61]]);
  const set = rateFigures(contract, { ipPerSecond: 5, groupsPerSecond, longLimits: new Map([["8H", 3]]) });
  assert.equal(set.ipPerSecond, 5);
  assert.deepEqual(Object.fromEntries(set.groupsPerSecond), { ...RATES, "spot:Cancel orders": 61 });
  assert.deepEqual([...set.long.limits], [["8H", 3]]);
  assert.deepEqual([set.long.effectiveMinE4, set.long.lifespanMinMs], [50, 1_000]);
});

test("every group of an endpoint exists, and each lets exactly as much pass at once as it has per second", () => {
  let nowMs = 1_750_000_000_000;
  for (const endpoint of contract.endpoints.filter(({ group, signed }) => group !== null && signed)) {
    const quota = quotaOf(endpoint);
    assert.ok(quota);
    // The last request of the one before may have cost more than was left.
    nowMs += 2_000;
    let passed = 0;
    while (quota.admits(1, nowMs)) {
      quota.spend();
      passed++;
    }
    const rate = RATES[endpoint.group as string] as number;
    assert.equal(passed, Math.ceil(rate / quota.costOf(undefined)), endpoint.path);
    assert.deepEqual(quota.headerLines().split("\r\n").slice(0, 2), [
      `X-RateLimit-Limit: ${rate}`,
      "X-RateLimit-Remaining: 0",
    ]);
  }
});

test("an endpoint without a group draws on no account's quota", () => {
  for (const endpoint of contract.endpoints.filter(({ group }) => group === null)) {
    assert.equal(quotaOf(endpoint), undefined, endpoint.path);
  }
});

test("a batch costs its sub-requests, and 1 when it is empty, unreadable or too long; all else what the contract says", () => {
  let batches = 0;
  for (const endpoint of contract.endpoints.filter(({ group, signed }) => group !== null && signed)) {
    const quota = quotaOf(endpoint);
    const name = endpoint.params.find(({ type }) => type.startsWith("array"))?.name ?? "orders";
    const isBatch = endpoint.quota === "number of sub-requests";
    if (isBatch) batches++;
    const one = isBatch ? 1 : Number(endpoint.quota);
    assert.ok(one >= 1 && one <= 3, endpoint.path);
    const costs: readonly [body: Record<string, unknown> | Refused | undefined, cost: number][] = [
      [{ [name]: [{}, "rubbish", null] }, isBatch ? 3 : one],
      [{ [name]: Array(100).fill(1) }, isBatch ? 100 : one],
      [{ [name]: Array(101).fill(1) }, one],
      [{ [name]: [] }, one],
      [{ [name]: "1,2,3" }, one],
      [{ [name]: { length: 5 } }, one],
      [{ other: [1, 2, 3] }, one],
      [new Refused("request_malformed"), one],
      [undefined, one],
    ];
    for (const [body, cost] of costs)
      assert.equal(quota?.costOf(body), cost, `${endpoint.path} ${JSON.stringify(body)}`);
  }
  assert.equal(batches, 11);
});

test("an address has 400 requests at once and one more every 2.5 ms", () => {
  const own = new RateLimits(rateFigures(contract), new State());
  const START = 1_750_000_000_000;
  const takeAll = (address: string, nowMs: number) => {
    let taken = 0;
    while (own.admit(address, nowMs)) taken++;
    return taken;
  };
  assert.equal(takeAll("192.0.2.1", START), 400);
  assert.equal(takeAll("192.0.2.2", START), 400);
  assert.equal(takeAll("2001:db8::1", START), 400);
  assert.equal(takeAll("2001:db8::2", START), 0, "the same /64");
  assert.equal(takeAll("192.0.2.1", START + 2), 0);
  assert.equal(takeAll("192.0.2.1", START + 3), 1);
  assert.equal(takeAll("192.0.2.1", START + 5), 1);
  assert.equal(takeAll("192.0.2.1", START + 999), 397);
  assert.equal(takeAll("192.0.2.1", START + 3_000), 400);
  assert.equal(own.counts.refused.get("address"), 9);
});

test("on a virtual clock quotas fill by the machine's time, whether the venue's stands, jumps or steps back", () => {
  let machineMs = 1_750_000_000_000;
  const own = new RateLimits(rateFigures(contract), new State(), () => machineMs);
  const takeAll = (venueMs: number) => {
    let taken = 0;
    while (taken < 1_000 && own.admit("192.0.2.1", venueMs)) taken++;
    return taken;
  };
  const START = 1_600_000_000_000;
  assert.equal(takeAll(START), 400);
  assert.equal(takeAll(START + 86_400_000), 0, "a jump earns nothing");
  machineMs += 500;
  assert.equal(takeAll(START), 200, "a clock that stands starves nobody");
});

test("docs/reference/rate-limits.md lists the groups as the contract has them", () => {
  const page = readFileSync(new URL("../../../docs/reference/rate-limits.md", import.meta.url), "utf8");
  const rows = contract.rateGroups.map(
    ({ name, rate_per_second, long_cycle }) => `| ${name} | ${rate_per_second} | ${long_cycle ?? "none"} |`,
  );
  assert.deepEqual(
    page.split("\n").filter((line) => /^\| (spot|futures|ext):/.test(line)),
    rows,
  );
});
