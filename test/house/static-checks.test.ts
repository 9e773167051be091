import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { repositoryRoot } from "./program.ts";

/** Runs a tool from node_modules over the whole repository and fails with everything it printed. */
async function assertClean(tool: string, args: readonly string[]): Promise<void> {
  const script = join(repositoryRoot, "node_modules", tool);
  const options = { cwd: repositoryRoot, maxBuffer: 64 * 1024 * 1024 };
  await promisify(execFile)(process.execPath, [script, ...args], options).catch((error) =>
    assert.fail(`${tool} ended with ${error.code}:\n${error.stdout}${error.stderr}`),
  );
}

// Each of them waits for one processor most of the time.
describe("static checks", { concurrency: true }, () => {
  // Several checkers of one project are sooner at the end, and take half as much processor time again.
  for (const project of [".", "web"]) {
    test(`the types hold in ${project === "." ? "what Node runs" : "what browsers run"}`, () =>
      assertClean("typescript/bin/tsc", ["--project", project, "--checkers", "1", "--pretty", "false"]));
  }

  test("the linter finds nothing, not even a warning, every file is formatted, and its imports are sorted", () =>
    assertClean("@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "--colors=off", "."]));
});
