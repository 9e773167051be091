import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { released } from "../../scripts/changelog.ts";
import { bringsRules, rulesReleasedBy } from "../../scripts/rules-of-release.ts";
import { unrecordedForms } from "../golden/forms.ts";
import { goldenVenues } from "../golden/golden.ts";
import { repositoryRoot } from "./program.ts";

test("a release gives what has landed its version and date, and leaves what was released before", () => {
  const text = "# Changelog\n\n## Unreleased\n\n- A new thing.\n\n## 0.1.0 - 2026-01-01\n\n- The first.\n";
  assert.equal(
    released(text, "0.2.0", "2026-02-03"),
    "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-02-03\n\n- A new thing.\n\n## 0.1.0 - 2026-01-01\n\n- The " +
      "first.\n",
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

test("a release makes the golden venues of rules that it brings, and of none that an earlier one brought", () => {
  assert.equal(bringsRules("0.5.0", [1, 2, 3, 4], 5), true);
  assert.equal(bringsRules("0.5.1", [1, 2, 3, 4, 5], 5), false);
  assert.throws(() => bringsRules("0.4.9", [1, 2, 3, 4], 5), /Rules version 5 comes with release 0\.5\.0/);
  assert.throws(() => bringsRules("0.5.0", [1], 99), /release of no number/);
  assert.deepEqual(rulesReleasedBy("0.2.9"), [1, 2]);
  assert.deepEqual(rulesReleasedBy("0.10.0").includes(5), true);
});

test("rules that were released have golden venues, and what a release writes is recorded", () => {
  const read = (name: string) => readFileSync(join(repositoryRoot, name), "utf8");
  const { version } = JSON.parse(read("package.json")) as { readonly version: string };
  const kept = new Set(goldenVenues().map(({ rulesVersion }) => rulesVersion));
  assert.deepEqual(
    rulesReleasedBy(version).filter((rules) => !kept.has(rules)),
    [],
    "npm run tool release makes them: node test/golden/make.ts",
  );
  // Nothing has landed since: this is the release.
  const isRelease = /## Unreleased\s+## /.test(read("CHANGELOG.md"));
  assert.deepEqual(
    isRelease ? unrecordedForms() : [],
    [],
    "npm run tool release does: node test/golden/record-forms.ts",
  );
});
