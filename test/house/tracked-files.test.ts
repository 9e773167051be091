import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";

/** Mode with which git keeps a symbolic link. */
const LINK = "120000";

/** Sentences about files that git should not keep, from the lines of `git ls-files --stage`. */
function misplaced(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const [head, path] = line.split("\t") as [string, string];
    const found: string[] = [];
    if (head.startsWith(LINK)) found.push(`${path} is a link, which points somewhere else on every machine.`);
    if (/^(?:node_modules|data)(?:\/|$)/.test(path))
      found.push(`${path} belongs to a checkout, not to the repository.`);
    return found;
  });
}

test("git keeps no link, no packages and no venue's data: a checkout would put them over what is there", (context) => {
  const { status, stdout } = spawnSync("git", ["ls-files", "--stage"], { cwd: repositoryRoot, encoding: "utf8" });
  if (status !== 0) return context.skip("this is no checkout of git");
  assert.deepEqual(misplaced(stdout.split("\n").filter((line) => line !== "")), []);
});

test("links and packages are noticed, files with such words in their names are not", () => {
  assert.equal(misplaced([`${LINK} 0123 0\tnode_modules`]).length, 2);
  assert.equal(misplaced(["100644 0123 0\tnode_modules/ws/index.js"]).length, 1);
  assert.deepEqual(misplaced(["100644 0123 0\tsrc/log/data-dir.ts"]), []);
});
