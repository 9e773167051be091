/** A copy of the checkout into which a toy is planted: what it needs beside its own folder shows there. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

/** No toy is part of what another is planted into. */
const TOYS = "test/house/toy-";

/** Copies what is compiled, the toys aside; returns the text of each file by path. */
export function copyCheckout(root: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const file of repositoryFiles()) {
    if (!/^(src|test|contract|bench|scripts|web|client|examples)\/|^[^/]+\.json$/.test(file) || file.startsWith(TOYS))
      continue;
    cpSync(join(repositoryRoot, file), join(root, file));
    files.set(file, readFileSync(join(root, file), "utf8"));
  }
  symlinkSync(join(repositoryRoot, "node_modules"), join(root, "node_modules"), "junction");
  return files;
}

/** Adds a toy's part to the end of a list, and its import to the file. */
export function enter(path: string, list: string, name: string, part: string): void {
  const text = readFileSync(path, "utf8");
  const entered = text.replace(
    new RegExp(`(const ${list}\\b[^=]*= \\[[^\\]]*?),?(\\s*\\])`),
    (_, items, end) => `${items}, ${name}${end}`,
  );
  assert.notEqual(entered, text, `${path} has no list ${list}.`);
  writeFileSync(path, `import { ${name} } from "${part}";\n${entered}`);
}

export function run(cwd: string, command: string, args: readonly string[]): string {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const done = spawnSync(binary(command), args, { cwd, env, encoding: "utf8" });
  assert.equal(done.status, 0, `${command} ${args.join(" ")}\n${done.stdout}\n${done.stderr}`);
  return done.stdout;
}

export function binary(command: string): string {
  return command === "node" ? process.execPath : join(repositoryRoot, "node_modules/.bin", command);
}
