/**
 * A toy market, a spot market that pays its makers in a third currency, is planted into a copy of the checkout: its own
 * folder, and one line in the engine's list of parts. docs/guides/adding-a-market.md goes through it.
 */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";
import { copyCheckout, enter, run } from "./toy.ts";

const LIST = "src/engine/parts.ts";

test("a toy market touches one list of parts, and trades, is logged, audited, kept and pushed in both generations", (t) => {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "bourse-toy-"));
  try {
    const before = copyCheckout(root);
    cpSync(join(repositoryRoot, "test/house/toy-market"), root, { recursive: true });
    enter(join(root, LIST), "LISTED", "rebates", "./rebates/part.ts");
    const touched = [...before].filter(([file, text]) => readFileSync(join(root, file), "utf8") !== text);
    const others = touched.filter(([file]) => file !== LIST);
    t.diagnostic(`The toy market touched ${others.length} existing files beside the list of parts.`);
    assert.deepEqual([touched.length, others.length], [1, 0]);
    run(root, "tsc", ["--project", "."]);
    t.diagnostic(run(root, "node", ["--test", "test/rebates/rebates.tests.ts"]));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
