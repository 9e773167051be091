import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

/**
 * What can be cited, how the page marks it and how the code cites it. A citation may name several: "L1, L3 and L5",
 * "1-4".
 */
const KINDS: ReadonlyArray<readonly [kind: string, mark: RegExp, citation: RegExp]> = [
  ["section", /^#{2,3} (\d+(?:\.\d+)*) /gm, /\bdomain (\d+(?:\.\d+)*)/gi],
  ["listing check", /^\| (L\d+) \|/gm, /(?:\bchecks? |["'`])(L\d(?:(?:, | and |-)L\d)*)\b/gi],
  [
    "invariant",
    /^\| (\d+) \|.*\| [SET ]+ \|$/gm,
    /(?:\binvariants? |\bdomain 10, numbers )(\d+(?:(?:, | and |-)\d+)*)/gi,
  ],
  ["worked example", /^### (E\d+) /gm, /\bworked examples? (E\d+)/gi],
];

/** The citations in `text` that the page has no place for. */
function unresolved(text: string, page: string): string[] {
  // A comment may break a citation at the end of a line.
  const prose = text.replace(/\s+(?:(?:\*|\/\/)\s+)?/g, " ");
  return KINDS.flatMap(([kind, mark, citation]) => {
    const known = new Set(Array.from(page.matchAll(mark), ([, name]) => name));
    const cited = Array.from(prose.matchAll(citation), ([, names = ""]) => namesOf(names)).flat();
    return cited.filter((name) => !known.has(name)).map((name) => `${kind} ${name}`);
  });
}

/** "1-3, 8 and L5" as its single names: 1, 2, 3, 8, L5. */
function namesOf(list: string): string[] {
  return list.split(/, | and /).flatMap((part) => {
    const [, letter = "", first, last] = /^([LE]?)(\d+)-[LE]?(\d+)$/i.exec(part) ?? [];
    if (first === undefined) return [part];
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `${letter}${Number(first) + index}`);
  });
}

test("every rule that the code cites by number stands in docs/reference/domain.md", () => {
  const page = readFileSync(join(repositoryRoot, "docs/reference/domain.md"), "utf8");
  const dangling = repositoryFiles()
    .filter((path) => /^(?:src|test)\/.*\.ts$/.test(path))
    .flatMap((path) =>
      unresolved(readFileSync(join(repositoryRoot, path), "utf8"), page).map((what) => `${path}: ${what}`),
    );
  assert.deepEqual(dangling, []);
});

test("a citation of what the page lacks is found, in every form, and other numbers are left alone", () => {
  const page = "## 2 Two\n### 2.1 A\n| L1 | x |\n| L2 | x |\n| 1 | x | S |\n| 2 | x | S E |\n| 3 | x |\n### E1 First\n";
  // Put together from parts, or the other test would find them in this file.
  const cite = (...parts: string[]) => parts.join(" ");
  const sound = [
    cite("domain", "2.1. Then domain", "2, depth"),
    cite("Check", "L1; listing checks", "L1-L2"),
    "in 7.9, L9",
  ];
  assert.deepEqual(unresolved(sound.join("\n"), page), []);
  const text = [
    ` * Source: ${cite("domain\n *", "2.2")}`,
    cite("listing checks", "L1, L2 and L3-L4"),
    `"${"L"}5: a message"`,
    cite("domain", "10, numbers", "1-3 and 9;"),
    cite("invariant", "7"),
    cite("Worked example", "E9."),
  ].join("\n");
  assert.deepEqual(unresolved(text, page), [
    ...["section 2.2", "section 10", "listing check L3", "listing check L4", "listing check L5"],
    ...["invariant 3", "invariant 9", "invariant 7", "worked example E9"],
  ]);
});
