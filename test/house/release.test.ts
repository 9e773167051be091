import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { released } from "../../scripts/changelog.ts";
import { repositoryRoot } from "./program.ts";

test("a release gives what has landed its version and date, and leaves what was released before", () => {
  const text = "# Changelog\n\n## Unreleased\n\n- A new thing.\n\n## 0.1.0 - 2026-01-01\n\n- The first.\n";
  assert.equal(
    released(text, "0.2.0", "2026-02-03"),
    "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-02-03\n\n- A new thing.\n\n## 0.1.0 - 2026-01-01\n\n- The first.\n",
  );
  assert.throws(() => released(text, "0.1.0", "2026-02-03"), /already/);
  assert.throws(
    () => released("# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-01-01\n", "0.2.0", ""),
    /Nothing has landed/,
  );
  assert.throws(() => released("# Changelog\n", "0.2.0", ""), /no heading/);
});

test("the changelog of this repository can be released", () => {
  const text = readFileSync(join(repositoryRoot, "CHANGELOG.md"), "utf8");
  assert.match(released(text, "999.0.0", "2026-02-03"), /## Unreleased\n\n## 999\.0\.0 - 2026-02-03\n/);
});
