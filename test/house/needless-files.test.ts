import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { KEPT, needlessFiles } from "./needless-files.ts";
import { withPlanted } from "./planted.ts";
import { repositoryRoot, withProgram } from "./program.ts";

test("no file of src is there for tests or scripts alone", () => {
  assert.deepEqual(withProgram(repositoryRoot, needlessFiles), []);
  for (const path of Object.keys(KEPT)) assert.ok(existsSync(join(repositoryRoot, path)), `${path} is gone`);
});

test("a planted helper is found, and a worker, a type and what they need are not", () => {
  const files = {
    "src/cli/main.ts": 'import type { A } from "../a/a.ts";\nexport const a: A = 1;\n',
    "src/a/a.ts": 'export type A = number;\nnew URL("worker.ts", import.meta.url);\n',
    "src/a/worker.ts": 'export * from "./needed.ts";\n',
    "src/a/needed.ts": "export {};\n",
    "src/a/a.test.ts": 'import "./helper.ts";\n',
    "src/a/helper.ts": 'import "./needed.ts";\nimport "./below.ts";\n',
    "src/a/below.ts": "export {};\n",
    "test/b.ts": "export {};\n",
  };
  const found = withPlanted(files, (root) => withProgram(root, needlessFiles));
  assert.deepEqual(found, ["src/a/below.ts", "src/a/helper.ts"]);
});
