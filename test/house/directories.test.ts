/**
 * Who makes a directory tells the operator what to do when the system refuses it: src/log/directory.ts does so for all.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

/**
 * A directory with its parents, or among the temporary files. One within a directory that was made before is no new
 * place.
 */
const MAKES_PLACES = /\bmkdir(?:Sync)?\([^;]*recursive: true|\bmkdtemp(?:Sync)?\(/;

test("directories are made with a sentence for the operator", () => {
  const makers = repositoryFiles("src").filter(
    (file) =>
      file.endsWith(".ts") &&
      !file.endsWith(".test.ts") &&
      MAKES_PLACES.test(readFileSync(join(repositoryRoot, file), "utf8")),
  );
  assert.deepEqual(makers, ["src/log/directory.ts"]);
});

test("the pattern sees both ways of making a place", () => {
  assert.match("mkdirSync(to, { recursive: true, mode: 0o700 });", MAKES_PLACES);
  assert.match('mkdtempSync(join(tmpdir(), "x-"))', MAKES_PLACES);
  assert.doesNotMatch("mkdirSync(unfinished, { mode: 0o700 }); rmSync(x, { recursive: true });", MAKES_PLACES);
});
