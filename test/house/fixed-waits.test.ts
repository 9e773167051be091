/** No test waits for a time that a slow machine may need more of: it waits for what is to happen. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fixedWaitsOf, REASON } from "./fixed-waits.ts";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

test("a test waits for a state and not for a time, or says why time itself is what it is about", () => {
  // This file shows such waits below.
  const own = "test/house/fixed-waits.test.ts";
  const files = repositoryFiles().filter((path) => /^(?:src|test)\/.*\.test\.ts$/.test(path) && path !== own);
  assert.ok(files.length > 300);
  const found = files.flatMap((file) =>
    fixedWaitsOf(readFileSync(join(repositoryRoot, file), "utf8")).map(({ line, text }) => `${file}:${line}: ${text}`),
  );
  assert.deepEqual(
    found,
    [],
    `Wait in a loop for what is to happen, or put a comment above that begins with "${REASON}".`,
  );
});

test("waits are found where they stand by themselves, and not where something is looked at again and again", () => {
  const line = (text: string) => fixedWaitsOf(text).map(({ line: at }) => at);
  assert.deepEqual(line("test(name, async () => {\n  await pause(20);\n});"), [2]);
  assert.deepEqual(line("  await new Promise((resolve) => setTimeout(resolve, 800));"), [1]);
  assert.deepEqual(line("for (const one of all) {\n  await delay(TOO_LONG_MS);\n}"), [2]);
  assert.deepEqual(line("while (!done) {\n  test(name, async () => {\n    await sleep(5);\n  });\n}"), [3]);
  assert.deepEqual(line("while (!done) await pause(20);"), []);
  assert.deepEqual(line("for (let tries = 0; tries < 9; tries++) {\n  if (done) return;\n  await pause(20);\n}"), []);
  assert.deepEqual(line("  // Time itself: a keypress.\n  // And more.\n  await pause(20);"), []);
  assert.deepEqual(line("  // A keypress.\n  await pause(20);"), [2]);
  assert.deepEqual(line("await delay(0);"), []);
});
