import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { allFiles } from "../../scripts/testing/plan.ts";
import { repositoryRoot } from "../house/program.ts";
import { mutantsOf } from "./mutate.ts";
import { ImportGraph, nearestFirst } from "./nearest.ts";

test("a line is changed in one place at a time, and texts, comments, types and imports never are", () => {
  const text = [
    'import { a } from "./1 < 2.ts";',
    "  // if (a < b) return true;",
    '  if (count < 10n && name !== "a < b") return true; // 1 < 2',
    "  const list: Map<string, Array<number>> = new Map();",
    "  this.note(slot);",
  ].join("\n");
  assert.deepEqual(
    mutantsOf("x.ts", text).map(({ line, after }) => [line, after.trim()]),
    [
      [3, 'if (count <= 10n && name !== "a < b") return true; // 1 < 2'],
      [3, 'if (count < 10n && name === "a < b") return true; // 1 < 2'],
      [3, 'if (count < 10n || name !== "a < b") return true; // 1 < 2'],
      [3, 'if (count < 10n && name !== "a < b") return false; // 1 < 2'],
      [3, 'if (count < 11n && name !== "a < b") return true; // 1 < 2'],
      [5, ""],
    ],
  );
});

test("the nearest tests of a file are those beside it, and every file of the engine is come to by some", () => {
  const graph = new ImportGraph(repositoryRoot);
  const file = "src/engine/wallet/adjust.ts";
  assert.ok(existsSync(join(repositoryRoot, file)));
  const nearest = nearestFirst(allFiles(), file, graph, () => 1);
  assert.equal(nearest[0], "src/engine/wallet/adjust.test.ts");
  assert.ok(nearest.some((each) => each.startsWith("test/engine/")));
  assert.ok(!nearest.includes("src/gateway/http/http-date.test.ts"));
});
