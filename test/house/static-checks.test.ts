import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";

/** Runs a tool from node_modules over the whole repository and fails with everything it printed. */
function assertClean(tool: string, args: readonly string[]): void {
  const script = join(repositoryRoot, "node_modules", tool);
  const run = spawnSync(process.execPath, [script, ...args], { cwd: repositoryRoot, encoding: "utf8" });
  if (run.status !== 0) assert.fail(`${tool} ended with ${run.status}:\n${run.stdout}${run.stderr}`);
}

for (const project of [".", "web"]) {
  test(`the types hold in ${project === "." ? "what Node runs" : "what browsers run"}`, () => {
    assertClean("typescript/bin/tsc", ["--project", project, "--pretty", "false"]);
  });
}

test("the linter finds nothing, not even a warning", () => {
  assertClean("@biomejs/biome/bin/biome", ["lint", "--error-on-warnings", "--colors=off", "."]);
});

test("every file is formatted and its imports are sorted", () => {
  assertClean("@biomejs/biome/bin/biome", ["check", "--linter-enabled=false", "--colors=off", "."]);
});
