/**
 * A toy part is planted into a copy of the checkout: its own folders, and its line in each list of parts. That it
 * compiles, runs and is looked after there shows that a product needs nothing else. docs/guides/adding-a-part.md goes
 * through it.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";
import { binary, copyCheckout, enter, run } from "./toy.ts";

const TOY = "test/house/toy-part";

/** The lists of parts: file, what the list is called, and where the toy's part lies as seen from there. */
const LISTS = [
  ["src/engine/parts.ts", "LISTED", "./points/part.ts"],
  ["src/history/parts.ts", "PARTS", "./points/part.ts"],
  ["src/gateway/parts.ts", "LIST", "./parts/points/part.ts"],
  ["test/simulation/parts.ts", "SPOT_PARTS", "./spot/points/part.ts"],
] as const;

test("a toy part touches the lists of parts and no other file, and is compiled, run, checked, kept and shown; without them it does not compile", (t) => {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "bourse-toy-"));
  try {
    const before = copyCheckout(root);
    cpSync(join(repositoryRoot, TOY), root, { recursive: true });
    const forgotten = spawnSync(binary("tsc"), ["--project", "."], { cwd: root, encoding: "utf8" });
    assert.match(forgotten.stdout, /src\/engine\/parts\.ts.*"(grant|move|redeem)_points"/s);
    assert.match(forgotten.stdout, /src\/gateway\/parts\.ts.*"(not_enough|too_many)_points"/s);

    for (const [file, list, part] of LISTS) enter(join(root, file), list, "points", part);

    const touched = [...before].filter(([file, text]) => readFileSync(join(root, file), "utf8") !== text);
    t.diagnostic(`The toy part touched ${touched.length} existing files: ${touched.map(([file]) => file).join(", ")}.`);
    assert.deepEqual(touched.map(([file]) => file).sort(), LISTS.map(([file]) => file as string).sort());
    run(root, "tsc", ["--project", "."]);
    t.diagnostic(run(root, "node", ["--test", "test/points/points.tests.ts"]));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
