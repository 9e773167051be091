import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { PLACES, type Place, type Played, playLies } from "./lies.ts";
import type { LiesTask } from "./lies-worker.ts";

const ROUNDS = 150;

for (const place of PLACES) {
  test(`a node that lies in every way, as the ${place} one, makes payments wait and moves no money`, async (t) => {
    const { breach, counts } = await playLies(1, place, ROUNDS);
    assert.equal(breach, undefined);
    t.diagnostic(`${counts.size} kinds of lies and deeds`);
    assert.ok((counts.get("a withdrawal") ?? 0) > 0);
  });
}

test("every field of every answer is lied in", async () => {
  const { counts } = await playLies(2, "second", ROUNDS);
  for (const field of FIELDS) assert.ok(counts.has(field), `${field} was never lied in`);
});

const FIELDS = [
  ...["number", "hash", "parentHash", "timestamp", "baseFeePerGas", "transactions"].map(
    (name) => `eth_getBlockByNumber ${name}`,
  ),
  ...["hash", "to", "value"].map((name) => `eth_getBlockByNumber transactions.[].${name}`),
  ...["status", "blockHash", "blockNumber", "transactionHash", "gasUsed"].map(
    (name) => `eth_getTransactionReceipt ${name}`,
  ),
  ...["address", "data", "blockHash", "transactionHash", "logIndex"].map((name) => `eth_getLogs [].${name}`),
  ...["eth_chainId", "eth_getTransactionCount", "eth_getBalance", "eth_call", "eth_estimateGas"].map(
    (name) => `${name} `,
  ),
  ...["eth_maxPriorityFeePerGas", "eth_sendRawTransaction"].map((name) => `${name} `),
];

/** What is wrong with the program, where, and where the liar stands that must be found. */
const FAULTS: readonly (Omit<LiesTask, "seed" | "rounds"> & { readonly name: string })[] = [
  {
    name: "the first node is trusted",
    place: "first",
    fault: {
      file: "chains/evm/nodes.ts",
      plant: {
        code: "if (answers.every((answer) => canonical(answer) === text)) return first as Answer;",
        instead: "return first as Answer;",
      },
    },
  },
  {
    name: "a single node's word gives money back",
    place: "only",
    fault: {
      file: "chains/desk.ts",
      plant: { code: "isOpen(withdrawal) && !chain.isAttested", instead: "isOpen(withdrawal) && false" },
    },
  },
  {
    name: "a single node's deposits are credited",
    place: "only",
    fault: {
      file: "chains/news.ts",
      plant: { code: "holdsDeposits ? { needsReview: true } : {}", instead: "holdsDeposits ? {} : {}" },
    },
  },
];

for (const { name, ...task } of FAULTS) {
  test(`it is found when ${name}`, async (t) => {
    for (let seed = 1; seed <= 8; seed++) {
      const { breach } = await playedApart({ ...task, seed, rounds: ROUNDS });
      if (breach === undefined || /still|swept/.test(breach)) continue;
      t.diagnostic(`seed ${seed}, ${breach}`);
      return;
    }
    assert.fail("Nothing was found.");
  });
}

async function playedApart(task: LiesTask & { readonly place: Place }): Promise<Played> {
  const worker = new Worker(new URL("lies-worker.ts", import.meta.url), { workerData: task });
  const [played] = (await once(worker, "message")) as [Played];
  await worker.terminate();
  return played;
}
