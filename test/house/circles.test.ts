import assert from "node:assert/strict";
import { test } from "node:test";
import { circles } from "./circles.ts";
import { withPlanted } from "./planted.ts";
import { repositoryRoot, withProgram } from "./program.ts";

/**
 * The state, and the contracts of what works on it, name each other in their types: no order of loading hangs on it.
 */
const LARGEST_OF_TYPES = 22;

test("no files of src import each other in a circle", () => {
  assert.deepEqual(
    withProgram(repositoryRoot, (program) => circles(program)),
    [],
  );
});

test("no circle of types is larger than that of the state and the contracts of its parts", (t) => {
  const found = withProgram(repositoryRoot, (program) => circles(program, true));
  t.diagnostic(`With types the largest circles have ${found.slice(0, 3).map((members) => members.length)} files.`);
  const [largest = []] = found;
  assert.ok(largest.length <= LARGEST_OF_TYPES, `${largest.length} files name each other:\n${largest.join("\n")}`);
});

test("a planted circle is found, and what only looks into one is not part of it", () => {
  const files = {
    "src/a.ts": 'import "./b.ts";',
    "src/b.ts": 'import type { C } from "./c.ts";\nexport * from "./e.ts";',
    "src/c.ts": 'import "./a.ts";\nexport interface C { c: 1 }',
    "src/d.ts": 'import "./a.ts";',
    "src/e.ts": 'import { f } from "./f.ts";\nexport const e = f;',
    "src/f.ts": 'import type { C } from "./c.ts";\nimport "./e.ts";\nexport const f: C = { c: 1 };',
  };
  const found = (withTypes: boolean) =>
    withPlanted(files, (root) => withProgram(root, (program) => circles(program, withTypes)));
  assert.deepEqual(found(true), [["src/a.ts", "src/b.ts", "src/c.ts", "src/e.ts", "src/f.ts"]]);
  assert.deepEqual(found(false), [["src/e.ts", "src/f.ts"]]);
});
