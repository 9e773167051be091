import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

/** The word is put together from parts, or this file would find itself. */
const ASSERTION = ["fc", "assert("].join(".");

function tries(text: string, call: string): number {
  return text.split(call).length - 1;
}

test("every property says how often it is tried by runs(), so that the same cases come each day", () => {
  const found: string[] = [];
  for (const path of repositoryFiles().filter((path) => path.endsWith(".test.ts"))) {
    const text = readFileSync(join(repositoryRoot, path), "utf8");
    const properties = tries(text, ASSERTION);
    // A suite that goes over several databases takes its share of runs by runsOf().
    const bounded = tries(text, "runs(") + tries(text, "runsOf(");
    if (properties > bounded) found.push(`${path} has ${properties} properties and ${bounded} calls of runs().`);
  }
  assert.deepEqual(found, []);
});
