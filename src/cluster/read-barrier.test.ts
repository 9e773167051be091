import assert from "node:assert/strict";
import { test } from "node:test";
import { ReadBarrier } from "./read-barrier.ts";

test("whoever comes while the store is silent is refused in time, however long the question before has had no answer", () => {
  let nowMs = 0;
  const due: { readonly atMs: number; readonly run: () => void }[] = [];
  const barrier = new ReadBarrier({
    store: { endFrom: () => {} },
    place: () => 0,
    later: (ms, run) => void due.push({ atMs: nowMs + ms, run }),
  });
  const answers: (boolean | undefined)[] = [];
  for (; nowMs <= 20_000; nowMs += 500) {
    const at = answers.push(undefined) - 1;
    barrier.ask((isCurrent) => {
      answers[at] = isCurrent;
    });
    for (const { run } of due.filter(({ atMs }) => atMs <= nowMs + 500)) run();
    due.splice(0, due.length, ...due.filter(({ atMs }) => atMs > nowMs + 500));
  }
  assert.deepEqual(answers.slice(0, 34), new Array(34).fill(false));
});
