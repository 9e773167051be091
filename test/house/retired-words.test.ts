/** Words of our own that the trade has better ones for: the pages must not bring them back. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";

/** By what stands in their place. */
const RETIRED: readonly (readonly [RegExp, string])[] = [
  [/\bLeast (?:amount|order|value)\b/, "Minimum"],
  [/"Stands"|>\s*Stands\s*</, "Status"],
  [/\bCame to\b/, "Result"],
  [/["'>]\s*Read again\b/, "Refresh"],
];

test("the pages of the terminal and the console use the words of the trade", () => {
  const files = globSync("web/src/**/*.{ts,tsx}", { cwd: repositoryRoot });
  assert.ok(files.length > 100);
  const found = files.flatMap((file) => {
    const source = readFileSync(join(repositoryRoot, file), "utf8");
    return RETIRED.filter(([word]) => word.test(source)).map(([word, better]) => `${file}: ${word}, say ${better}`);
  });
  assert.deepEqual(found, []);
});
