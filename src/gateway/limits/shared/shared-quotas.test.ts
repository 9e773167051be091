import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { QuotaServer } from "./quota-server.ts";
import { ENTRY_ANSWERS } from "./scripts.ts";
import { type Ask, SharedQuotas, type Verdict } from "./shared-quotas.ts";

/** Answers what is asked of it as a test says, and remembers what that was. */
class StandIn implements QuotaServer {
  /** Keys of each trip. */
  readonly trips: (readonly string[])[] = [];
  answers: "at once" | "never" | "refusing" = "at once";
  nodes = 1;
  trouble: string | undefined;

  check(keys: readonly string[]): Promise<readonly number[]> {
    this.trips.push(keys);
    const entry = [1, 29_000, 30, -1, -1, -1, -1];
    return this.#answer(keys.slice(keys.length / 2).flatMap(() => entry));
  }

  beat(): Promise<number> {
    return this.#answer(this.nodes);
  }

  leave(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {}

  #answer<T>(what: T): Promise<T> {
    if (this.answers === "refusing") return Promise.reject(new Error("its memory is full"));
    return this.answers === "never" ? new Promise(() => {}) : Promise.resolve(what);
  }
}

const ASK: Ask = {
  bucketKey: "bucket",
  longKey: undefined,
  rate: 30,
  slowestRate: 3,
  seconds: 1,
  cost: 1,
  poorWindows: 0,
  isCounted: false,
};

async function opened(t: { after(end: () => Promise<void>): void }, server = new StandIn(), waitMs?: number) {
  const told: string[] = [];
  const note = (details: { reason?: string }) => void told.push(details.reason ?? "shared");
  const shared = await SharedQuotas.open({
    server,
    log: { info: note, warn: note },
    longLimits: [-1, -1, -1, -1],
    waitMs,
  });
  t.after(() => shared.close());
  return { server, shared, told };
}

/** Longer than any machine needs: what a test waits for is what happens, not the time. */
const PATIENT_MS = 120_000;

const ask = (shared: SharedQuotas, bucketKey = "bucket") =>
  new Promise<Verdict | undefined>((resolve) => shared.ask({ ...ASK, bucketKey }, resolve));

test("what is asked and told of in one turn goes in one trip, a hundred and some at a time", async (t) => {
  const { server, shared } = await opened(t, new StandIn(), PATIENT_MS);
  const verdicts: unknown[] = [];
  for (let at = 0; at < 130; at++) shared.ask({ ...ASK, bucketKey: `b${at}` }, () => verdicts.push(at));
  const settled: number[] = [];
  for (let times = 0; times < 7; times++) {
    shared.spend("address", 5, () => ({ rate: ASK.rate, settled: (quota) => void settled.push(quota) }));
  }
  assert.equal(server.trips.length, 0);
  await ask(shared);
  assert.deepEqual(
    server.trips.map((keys) => keys.length / 2),
    [128 + 1, 2 + 1],
  );
  assert.deepEqual(
    verdicts,
    Array.from({ length: 130 }, (_, at) => at),
  );
  assert.deepEqual(settled, [29_000], "told of once");
});

test("what is spent while a trip is under way is taken off what the trip says is left", async (t) => {
  const { server, shared } = await opened(t, new StandIn(), PATIENT_MS);
  const settled: [quota: number, timeMs: number][] = [];
  const told = { rate: ASK.rate, settled: (quota: number, timeMs: number) => void settled.push([quota, timeMs]) };
  const answer = server.check.bind(server);
  server.check = (keys) => {
    // The first trip has left.
    if (server.trips.length === 0)
      for (let times = 0; times < 3; times++) shared.spend("address", 6, () => assert.fail("it is known"));
    return answer(keys);
  };
  shared.spend("address", 5, () => told);
  await until(() => settled.length === 2);
  assert.deepEqual(settled, [
    [26_000, 5],
    [29_000, 6],
  ]);
});

test("a server that falls silent keeps nobody waiting: what waits is decided here, in its order, and the rest at once", async (t) => {
  const { server, shared, told } = await opened(t);
  server.nodes = 4;
  await until(() => shared.counts.nodes === 4);
  server.answers = "never";
  const order: number[] = [];
  const waiting = Array.from({ length: 300 }, (_, at) =>
    ask(shared, `b${at}`).then((verdict) => {
      order.push(at);
      return verdict;
    }),
  );
  const startMs = performance.now();
  const verdicts = await Promise.all(waiting);
  const waitedMs = performance.now() - startMs;
  t.diagnostic(`they waited ${waitedMs.toFixed(1)} ms`);
  assert.ok(waitedMs < PATIENT_MS);
  assert.deepEqual(new Set(verdicts), new Set([undefined]));
  assert.deepEqual(
    order,
    Array.from({ length: 300 }, (_, at) => at),
  );
  let isDecided = false;
  shared.ask(ASK, (verdict) => {
    isDecided = verdict === undefined;
  });
  assert.ok(isDecided, "nobody waits for a server that is not relied on");
  assert.deepEqual([shared.isShared, shared.share(30), shared.share(3)], [false, 7, 1]);
  assert.deepEqual(told, ["shared", "it did not answer within 20 ms"]);
  assert.equal(shared.counts.partings, 1);
});

test("a server that refuses, as one whose memory is full, is gone on without, and relied on again when it answers", async (t) => {
  const { server, shared, told } = await opened(t, new StandIn(), PATIENT_MS);
  server.answers = "refusing";
  assert.equal(await ask(shared), undefined);
  assert.equal(shared.isShared, false);
  server.answers = "at once";
  await until(() => shared.isShared);
  assert.equal((await ask(shared))?.quota, 29_000);
  assert.deepEqual(told, ["shared", "its memory is full", "shared"]);
});

test("a start does not wait for a server that is away, and shares once it is there", async (t) => {
  const server = new StandIn();
  server.answers = "never";
  const { shared, told } = await opened(t, server, PATIENT_MS);
  assert.deepEqual([shared.isShared, told], [false, ["it does not answer"]]);
});

test("verdicts are those of the entries that were asked for", async (t) => {
  const server = new StandIn();
  const { shared } = await opened(t, server, PATIENT_MS);
  server.check = (keys) => {
    const answers = keys.slice(0, keys.length / 2).flatMap((_, at) => [at % 2, at * 1_000, 30, at, at, at, at]);
    assert.equal(answers.length, (keys.length / 2) * ENTRY_ANSWERS);
    return Promise.resolve(answers);
  };
  const verdicts = await Promise.all([ask(shared, "a"), ask(shared, "b"), ask(shared, "c")]);
  assert.deepEqual(
    verdicts.map((verdict) => [verdict?.passes, verdict?.quota, verdict?.used]),
    [
      [false, 0, [0, 0, 0, 0]],
      [true, 1_000, [1, 1, 1, 1]],
      [false, 2_000, [2, 2, 2, 2]],
    ],
  );
});

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + PATIENT_MS;
  while (!isSo()) {
    assert.ok(performance.now() < end, "it did not happen");
    await pause(10);
  }
}
