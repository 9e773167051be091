import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";

const PAGE = "docs/background/seeds.md";

/** The file and the name of the test in each line of the table. */
function cited(page: string): readonly { readonly file: string; readonly name: string }[] {
  return [...page.matchAll(/^\| .+ \| .+ \| \[([^\]]+)\]\([^)]+\) \| (.+) \|$/gm)].map(([, file = "", name = ""]) => ({
    file,
    name,
  }));
}

/** Lines that name a test which is not there. */
function lost(page: string): string[] {
  return cited(page)
    .filter(({ file, name }) => {
      const path = join(repositoryRoot, file);
      return !existsSync(path) || !readFileSync(path, "utf8").includes(name);
    })
    .map(({ file, name }) => `${file}: ${name}`);
}

test("every fact of docs/background/seeds.md names a test that is there", () => {
  const page = readFileSync(join(repositoryRoot, PAGE), "utf8");
  assert.ok(cited(page).length >= 35, `${cited(page).length} facts`);
  assert.deepEqual(lost(page), []);
});

test("a line that names a test which is gone is found", () => {
  const line = (file: string, name: string) => `| A fact | [1](../domain.md) | [${file}](../../${file}) | ${name} |`;
  const here = "test/house/seed-statements.test.ts";
  assert.deepEqual(lost(line(here, "a line that names a test which is gone is found")), []);
  assert.deepEqual(lost(line(here, ["no", "such test"].join(" "))), [`${here}: ${["no", "such test"].join(" ")}`]);
  assert.deepEqual(lost(line("test/none.test.ts", "x")), ["test/none.test.ts: x"]);
});
