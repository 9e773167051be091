/** No order of calls that one human can make moves more than the bounds say. Source: domain 7.3. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import type { FaultTask } from "./authority-fault-worker.ts";
import { SCENES } from "./authority-scenes.ts";
import { OneHuman } from "./one-human.ts";

const { yesterday, ...today } = SCENES;

for (const scene of Object.values(today)) {
  test(`nothing above the bounds moves in ${scene.depth} calls of one human: ${scene.name}`, (t) => {
    const { path, states, calls } = new OneHuman(scene).explore();
    t.diagnostic(`${states} states, ${calls} calls`);
    assert.equal(path, undefined);
  });
}

test("under yesterday's rules one human consents to what he asked for, and the search finds how", (t) => {
  const { path } = new OneHuman(yesterday).explore();
  assert.ok(path !== undefined);
  t.diagnostic(path.join("\n"));
});

const FAULTS: readonly (FaultTask & { readonly name: string })[] = [
  {
    name: "an operator gives another one a token",
    file: "commands.ts",
    code: '!holds(state, "authority") || actor === name',
    instead: "true",
    scene: "dual",
  },
  {
    name: "whom one person let in consents",
    file: "authority.ts",
    code: "actor === ROOT || operators.byName.get(actor)?.isVouched === true",
    instead: "true",
    scene: "dual",
  },
  {
    name: "root goes on to count as a person",
    file: "authority.ts",
    code: "actor !== ROOT || !operators.isDual",
    instead: "true",
    scene: "dual",
  },
  {
    name: "one code of two lets in",
    file: "commands.ts",
    code: "enrolment.codeHashes.every(",
    instead: "enrolment.codeHashes.some(",
    scene: "obliged",
  },
  {
    name: "who asked consents",
    file: "approvals.ts",
    code: "if (approval.actor === actor) {",
    instead: "if (false) {",
    scene: "adminOnly",
  },
  {
    name: "what moved today is not added up",
    file: "four-eyes.ts",
    code: "units + moved.of(asset.ccy, day)",
    instead: "units",
    scene: "money",
  },
  {
    name: "what a recipient was given today is not added up",
    file: "four-eyes.ts",
    code: "units + before",
    instead: "units",
    scene: "money",
  },
  {
    name: "the bounds are one person's to change",
    file: "approvals.ts",
    code: "setFourEyes, change)",
    instead: "setFourEyes, () => undefined)",
    scene: "dual",
  },
];

for (const { name, ...task } of FAULTS) {
  test(`it is found when ${name}`, async (t) => {
    const worker = new Worker(new URL("authority-fault-worker.ts", import.meta.url), { workerData: task });
    const [path] = (await once(worker, "message")) as [readonly string[] | undefined];
    await worker.terminate();
    assert.ok(path !== undefined, "one human could do nothing by it");
    t.diagnostic(`${path.length} calls`);
  });
}
