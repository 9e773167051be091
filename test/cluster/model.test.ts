/** The rules of ordering as a model, which the model checker spin goes through state by state. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { pathOf, programHere } from "../../scripts/cluster/programs.ts";

const MODEL = fileURLToPath(new URL("ordering.pml", import.meta.url));
/** States by their hash at first, bytes of memory, and depth: more than the model has. */
const SIZES = ["-w24", "-m100000"];
const MEMORY_MB = 2_000;

const missing = [programHere("spin"), programHere("compiler")].flatMap((program) =>
  "missing" in program ? [program.missing] : [],
);

/** What the checker says of the model with these definitions. */
function checked(t: TestContext, ...definitions: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "bourse-model-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const run = (program: string, ...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, `${program}: ${stdout}${stderr}`);
    return stdout;
  };
  run(pathOf("spin"), ...definitions.map((each) => `-D${each}`), "-a", MODEL);
  run(pathOf("compiler"), "-O2", "-w", "-DSAFETY", "-DCOLLAPSE", `-DMEMLIM=${MEMORY_MB}`, "-o", "pan", "pan.c");
  return run(join(folder, "pan"), ...SIZES);
}

for (const [what, definitions] of [
  ["leaders that change twice", ["DEATHS=0", "CHANGES=2"]],
  ["a process that dies, and reads", ["DEATHS=1", "CHANGES=1", "READS"]],
] as const) {
  test(`nothing goes wrong in any state: ${what}`, { skip: missing[0] ?? false }, (t) => {
    const said = checked(t, ...definitions);
    assert.match(said, /errors: 0/);
    assert.doesNotMatch(said, /Search not completed|max search depth too small/);
    t.diagnostic(/(\d+) states, stored/.exec(said)?.[0] ?? "");
  });
}

for (const [name, ...definitions] of [
  ["NO_FENCE", "DEATHS=0"],
  ["EARLY_PROPOSAL", "DEATHS=0"],
  ["TAKEN_TWICE", "DEATHS=0"],
  ["READ_BEHIND", "DEATHS=0", "CHANGES=1", "READS"],
  ["COUNT_WITHOUT_BASE", "DEATHS=0", "CHANGES=1", "READS"],
] as const) {
  test(`the model finds it: ${name}`, { skip: missing[0] ?? false }, (t) => {
    assert.match(checked(t, name, ...definitions), /errors: 1/);
  });
}
