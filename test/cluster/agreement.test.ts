import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { budget, onePerFamily } from "../support/ring.ts";
import type { AgreementFaultTask } from "./fault-worker.ts";
import { World } from "./world.ts";

const SEEDS = budget(6, 12);
const STEPS = 4_000;

test("nodes come to one log whatever is killed, stopped, stuck, late or lost: nothing final is lost, nothing is in it twice", (t) => {
  let generations = 0;
  let acknowledged = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const report = World.run({ seed, steps: STEPS });
    generations += report.generations;
    acknowledged += report.acknowledged;
  }
  t.diagnostic(`${acknowledged} acknowledged proposals in ${generations} generations`);
  assert.ok(acknowledged > 1_000 && generations > 50);
});

/** What goes wrong first in worlds with a changed rule; undefined: nothing does. */
async function failureWith(workerData: AgreementFaultTask): Promise<string | undefined> {
  const worker = new Worker(new URL("fault-worker.ts", import.meta.url), { workerData });
  const [failure] = (await once(worker, "message")) as [string | undefined];
  await worker.terminate();
  return failure;
}

test("nodes come to one log, too, when hardly anything may be on its way to their disks at a time", async () => {
  const plant = { code: "PENDING_BYTES_MAX = 64 * 1024 * 1024;", instead: "PENDING_BYTES_MAX = 8;" };
  assert.equal(await failureWith({ module: "held-log.ts", plant, from: 1, seeds: 6, steps: STEPS }), undefined);
});

/** Rare ones begin near the seed that finds them. */
const FAULTS: readonly {
  readonly name: string;
  readonly module: AgreementFaultTask["module"];
  readonly plant: AgreementFaultTask["plant"];
  readonly from?: number;
}[] = [
  {
    name: "one disk is enough",
    module: "ports.ts",
    plant: { code: "return Math.floor(nodes.length / 2) + 1;", instead: "return Math.min(1, nodes.length);" },
  },
  {
    name: "the shortest log begins a generation",
    module: "sealing.ts",
    plant: { code: "isLonger(other, one) ? other : one", instead: "isLonger(other, one) ? one : other" },
  },
  {
    name: "a log of an older generation passes for longer",
    module: "sealing.ts",
    plant: { code: "if (one.adopted !== other.adopted) return one.adopted > other.adopted;", instead: "" },
    from: 165,
  },
  {
    name: "who has promised another generation goes on with the one before",
    module: "agreement.ts",
    plant: {
      code: "    this.#promises.promise(generation);\n    this.#leaveCourse();\n",
      instead: "    this.#promises.promise(generation);\n",
    },
  },
  {
    name: "a promise is forgotten by a restart",
    module: "promises.ts",
    plant: {
      code: "this.#standing = standing;\n",
      instead: "this.#standing = { promised: 0, adopted: standing.adopted };\n",
    },
  },
  {
    name: "a leader takes a proposal as often as it comes",
    module: "leadership.ts",
    plant: { code: "if (nth === taken + 1) {", instead: "if (nth > 0) {" },
  },
  {
    name: "what is under way is proposed again as soon as it is late",
    module: "proposals.ts",
    plant: {
      code: "if (this.#session?.generation !== generation || this.#session.term !== term) {",
      instead: "if (this.#session === undefined || this.#ports.now() - this.#session.sentAt > 100) {",
    },
  },
  {
    name: "what is not on a disk yet counts as stored",
    module: "held-log.ts",
    plant: { code: "const seqs = [this.#synced.seq];", instead: "const seqs = [this.#tail.seq, this.#tail.seq];" },
  },
  {
    name: "nobody asks whose groups another node hands over",
    module: "agreement.ts",
    from: 30,
    plant: {
      code: "if (origin === undefined && this.#proposals.areOut) {",
      instead: "if (false as boolean) {",
    },
  },
];

for (const { name, module, plant, from = 1 } of onePerFamily(FAULTS, () => "agreement")) {
  test(`the worlds find it when ${name}`, async (t) => {
    const failure = await failureWith({ module, plant, from, seeds: 60, steps: STEPS });
    assert.ok(failure !== undefined, "All worlds ran clean with it.");
    t.diagnostic(failure);
  });
}
