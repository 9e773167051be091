import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";

test("decisions are numbered without gaps or twins, in the name of the file and in its title", () => {
  const folder = join(repositoryRoot, "docs", "decisions");
  const files = readdirSync(folder).sort();
  assert.deepEqual(
    files.map((file) => file.slice(0, 5)),
    files.map((_, index) => `${String(index + 1).padStart(4, "0")}-`),
  );
  for (const [index, file] of files.entries()) {
    const [title = ""] = readFileSync(join(folder, file), "utf8").split("\n");
    assert.ok(title.startsWith(`# ${index + 1}. `), `${file} begins with "${title}"`);
  }
});
