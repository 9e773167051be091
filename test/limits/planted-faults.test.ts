import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { QuotaServerProcess, withoutQuotaServer } from "../support/quota-server.ts";
import type { LimitsFaultTask } from "./fault-worker.ts";
import { limitsDifference } from "./reference.ts";

const REQUESTS = 20_000;
/** Each goes to a server and back. */
const SHARED_REQUESTS = 5_000;
const SHARED = { skip: withoutQuotaServer() };

test("requests and batches of many accounts pass as the plain rule says, and headers tell what is left", async () => {
  for (let seed = 1; seed <= 5; seed++) assert.equal(await limitsDifference(REQUESTS, seed), undefined, `seed ${seed}`);
});

test("the same to the digit where each request comes to one of two nodes that share quotas", SHARED, async (t) => {
  const server = await QuotaServerProcess.start();
  t.after(() => server.close());
  assert.equal(await limitsDifference(SHARED_REQUESTS, 6, server.share), undefined);
});

const FAULTS: readonly (Omit<LimitsFaultTask, "requests"> & { readonly name: string })[] = [
  {
    name: "a batch is charged as one request",
    file: "quota.ts",
    plant: {
      code: "list.length <= this.#batch.most ? list.length : 1",
      instead: "list.length <= this.#batch.most ? 1 : 1",
    },
  },
  {
    name: "a batch may not go into debt",
    file: "buckets.ts",
    plant: {
      code: "this.#table.quota(place) - cost * REQUEST)",
      instead: "Math.max(0, this.#table.quota(place) - cost * REQUEST))",
    },
  },
  {
    name: "a batch that is too long is charged for all of it",
    file: "quota.ts",
    plant: { code: " && list.length <= this.#batch.most", instead: "" },
  },
  {
    name: "quota comes back in whole seconds only",
    file: "buckets.ts",
    plant: {
      code: "+ rate * (timeMs - since)));",
      instead: "+ rate * Math.floor((timeMs - since) / 1_000) * 1_000));",
    },
  },
];

for (const { name, ...fault } of FAULTS) {
  test(`the comparison finds it when ${name}`, async (t) => {
    const difference = await differenceWith(fault);
    assert.ok(difference !== undefined, `${REQUESTS} requests ran clean with the fault in ${fault.file}.`);
    t.diagnostic(difference);
  });
}

async function differenceWith(fault: Omit<LimitsFaultTask, "requests">): Promise<string | undefined> {
  const workerData: LimitsFaultTask = { ...fault, requests: REQUESTS };
  const worker = new Worker(new URL("fault-worker.ts", import.meta.url), { workerData });
  const [difference] = (await once(worker, "message")) as [string | undefined];
  await worker.terminate();
  return difference;
}
