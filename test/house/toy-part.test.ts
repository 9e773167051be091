/**
 * A toy part is planted into a copy of the checkout: its own folders, and its line in each list of parts. That it compiles, runs and is
 * looked after there shows that a product needs nothing else. docs/adding-a-part.md goes through it.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

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

    for (const [file, list, part] of LISTS) enter(join(root, file), list, part);

    const touched = [...before].filter(([file, text]) => readFileSync(join(root, file), "utf8") !== text);
    t.diagnostic(`The toy part touched ${touched.length} existing files: ${touched.map(([file]) => file).join(", ")}.`);
    assert.deepEqual(touched.map(([file]) => file).sort(), LISTS.map(([file]) => file as string).sort());
    run(root, "tsc", ["--project", "."]);
    t.diagnostic(run(root, "node", ["--test", "test/points/points.tests.ts"]));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

/** Copies what is compiled; returns the text of each file by path. */
function copyCheckout(root: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const file of repositoryFiles()) {
    if (!/^(src|test|contract|bench|scripts|web|client|examples)\/|^[^/]+\.json$/.test(file) || file.startsWith(TOY))
      continue;
    cpSync(join(repositoryRoot, file), join(root, file));
    files.set(file, readFileSync(join(root, file), "utf8"));
  }
  symlinkSync(join(repositoryRoot, "node_modules"), join(root, "node_modules"), "junction");
  return files;
}

/** Adds the toy's part to the end of a list, and its import to the file. */
function enter(path: string, list: string, part: string): void {
  const text = readFileSync(path, "utf8");
  const entered = text.replace(
    new RegExp(`(const ${list}\\b[^=]*= \\[[^\\]]*?),?(\\s*\\])`),
    (_, items, end) => `${items}, points${end}`,
  );
  assert.notEqual(entered, text, `${path} has no list ${list}.`);
  writeFileSync(path, `import { points } from "${part}";\n${entered}`);
}

function run(cwd: string, command: string, args: readonly string[]): string {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const done = spawnSync(binary(command), args, { cwd, env, encoding: "utf8" });
  assert.equal(done.status, 0, `${command} ${args.join(" ")}\n${done.stdout}\n${done.stderr}`);
  return done.stdout;
}

function binary(command: string): string {
  return command === "node" ? process.execPath : join(repositoryRoot, "node_modules/.bin", command);
}
