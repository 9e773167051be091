import assert from "node:assert/strict";
import { test } from "node:test";
import { circles } from "./circles.ts";
import { withPlanted } from "./planted.ts";
import { repositoryRoot, withProgram } from "./program.ts";

/** Spot and futures share one matching (docs/decisions/0007), and these files are where they ask each other. */
const LARGEST = 18;

test("no circle of imports is larger than that of matching, which spot and futures share", (t) => {
  const found = withProgram(repositoryRoot, circles);
  t.diagnostic(`The largest circles of imports have ${found.slice(0, 3).map((members) => members.length)} files.`);
  const [largest = []] = found;
  assert.ok(largest.length <= LARGEST, `${largest.length} files import each other:\n${largest.join("\n")}`);
});

test("a planted circle is found, and what only looks into one is not part of it", () => {
  const files = {
    "src/a.ts": 'import "./b.ts";',
    "src/b.ts": 'import type { C } from "./c.ts";',
    "src/c.ts": 'import "./a.ts";\nexport interface C { c: 1 }',
    "src/d.ts": 'import "./a.ts";',
    "src/e.ts": "export const e = 1;",
  };
  const found = withPlanted(files, (root) => withProgram(root, circles));
  assert.deepEqual(found, [["src/a.ts", "src/b.ts", "src/c.ts"]]);
});
