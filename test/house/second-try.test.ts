/** Of a run before a change is taken: which failures are tried once more, and what that comes to. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunResult } from "../../scripts/testing/runner.ts";
import { tryAgain } from "../../scripts/testing/second-try.ts";

const COSTS = { skipped: 0, seconds: 1, processorSeconds: 1 };

function resultOf(outcomes: Readonly<Record<string, boolean>>): RunResult {
  const names = Object.keys(outcomes);
  return {
    files: names.map((file) => ({ ...COSTS, file, passed: outcomes[file] ? 2 : 1, failed: outcomes[file] ? 0 : 1 })),
    failures: names.filter((file) => !outcomes[file]).map((file) => `✖ ${file}: it holds\n    why`),
    notRun: [],
  };
}

async function tried(first: RunResult, second: Readonly<Record<string, boolean>>) {
  const asked: string[] = [];
  let printed = "";
  const run = (files: readonly string[]) => {
    asked.push(...files);
    return Promise.resolve(resultOf(Object.fromEntries(files.map((file) => [file, second[file] === true]))));
  };
  const result = await tryAgain(first, run, (text) => {
    printed += text;
  });
  return { result, asked, printed };
}

test("a file that fails twice has failed", async () => {
  const first = resultOf({ "test/a.test.ts": true, "test/b.test.ts": false });
  const { result, asked, printed } = await tried(first, { "test/b.test.ts": false });
  assert.deepEqual(asked, ["test/b.test.ts"]);
  assert.deepEqual(result, first);
  assert.doesNotMatch(printed, /UNSTEADY/);
});

test("a file that passes alone is told as unsteady, with what went wrong at first", async () => {
  const first = resultOf({ "test/a.test.ts": false, "test/b.test.ts": false, "src/c.test.ts": true });
  const { result, printed } = await tried(first, { "test/a.test.ts": true });
  assert.deepEqual(result.failures, ["✖ test/b.test.ts: it holds\n    why"]);
  assert.deepEqual(
    result.files.map(({ failed }) => failed),
    [0, 1, 0],
  );
  assert.match(printed, /UNSTEADY: test\/a\.test\.ts failed beside others and passed alone\.\n✖ .*: it holds\n {4}why/);
  assert.doesNotMatch(printed, /UNSTEADY: test\/b/);
});

test("where many fail, nothing is tried again", async () => {
  const first = resultOf(Object.fromEntries(["a", "b", "c", "d"].map((name) => [`test/${name}.test.ts`, false])));
  const { result, asked } = await tried(first, {});
  assert.deepEqual(asked, []);
  assert.equal(result, first);
});

test("a failure that belongs to no file is never forgotten", async () => {
  const first = resultOf({ "test/a.test.ts": false });
  const strange = { ...first, failures: [...first.failures, "✖ test/a.test.tsx did not end"] };
  const { result, asked } = await tried(strange, { "test/a.test.ts": true });
  assert.deepEqual(asked, []);
  assert.equal(result, strange);
});

test("a run without failures is what it was", async () => {
  const first = resultOf({ "test/a.test.ts": true });
  assert.equal((await tried(first, {})).result, first);
});
