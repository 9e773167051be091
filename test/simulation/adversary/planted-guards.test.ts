/** Every guard of the list is broken once, and the test that is named for it must notice. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "../../house/program.ts";
import { GUARDS, type Guard } from "./guards.ts";
import { NOT_PLAYED } from "./planted-faults.ts";

const RULE = "return rulesVersion >= SINCE[rule];";
const RULES: readonly Guard[] = Object.entries(NOT_PLAYED).map(([rule, { test: name }]) => ({
  name: `the rule ${rule} does not hold`,
  file: "rules-version.ts",
  code: RULE,
  instead: RULE.replace(";", ` && rule !== "${rule}";`),
  test: name,
}));

for (const guard of [...GUARDS, ...RULES]) {
  test(`${guard.test} notices when ${guard.name}`, () => {
    const { status, stdout, stderr } = runWith(guard);
    assert.ok(stderr.includes("PLANTED"), `the test does not load ${guard.file}: ${stderr.slice(0, 500)}`);
    assert.notEqual(status, 0, `It passes with the fault in ${guard.file}.`);
    assert.match(stdout, /^not ok /m);
  });
}

test("a fault that changes nothing is not noticed", () => {
  const [first] = GUARDS as [Guard];
  const { status, stderr } = runWith({ ...first, instead: first.code });
  assert.equal(status, 0, stderr);
});

/** Runs the test of a guard in a process of its own, with the fault in it. */
function runWith({ file, code, instead, test: name }: Guard) {
  const url = new URL(`../../../src/engine/${file}`, import.meta.url).href;
  // A test runner's child speaks its own language, whatever reporter it is given.
  const { NODE_TEST_CONTEXT: _, ...outside } = process.env;
  const env = { ...outside, BOURSE_PLANT: JSON.stringify({ url, code, instead }) };
  const plant = new URL("../../support/plant-from-environment.ts", import.meta.url).href;
  const argv = ["--import", plant, "--test-reporter=tap", join(repositoryRoot, name)];
  return spawnSync(process.execPath, argv, { cwd: repositoryRoot, env, encoding: "utf8", timeout: 600_000 });
}
