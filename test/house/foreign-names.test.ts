import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

/**
 * What only exists on one machine or at one registry and therefore has no place in the repository. The words are put
 * together from parts, or this file would find itself.
 */
const FOREIGN: ReadonlyArray<readonly [what: string, pattern: RegExp]> = [
  ["a folder of one machine", new RegExp(`(?<![\\w.~-])/(?:${["work", "tmp", "home", "root"].join("|")})/`)],
  ["a folder beside the repository", new RegExp(["\\.\\.", "shared"].join("/"))],
  [
    "a package registry",
    new RegExp(["registry\\.", "npmjs|", "registry\\.", "yarnpkg|", "npm", "mirror|", "art", "ifactory"].join("")),
  ],
];

function foreignNames(text: string): string[] {
  return FOREIGN.filter(([, pattern]) => pattern.test(text)).map(([what]) => what);
}

test("no file names a machine's folder, a folder beside the repository or a package registry", () => {
  const found: string[] = [];
  for (const path of repositoryFiles()) {
    const lines = readFileSync(join(repositoryRoot, path), "latin1").split("\n");
    lines.forEach((line, index) => {
      for (const what of foreignNames(line)) found.push(`${path}:${index + 1} names ${what}.`);
    });
  }
  assert.deepEqual(found, []);
});

test("the search for foreign names finds each kind and leaves ordinary words alone", () => {
  const slash = "/";
  assert.deepEqual(foreignNames(`see ${slash}work${slash}x`), ["a folder of one machine"]);
  assert.deepEqual(foreignNames(`"${slash}tmp${slash}x"`), ["a folder of one machine"]);
  assert.deepEqual(foreignNames(`..${slash}shared`), ["a folder beside the repository"]);
  assert.deepEqual(foreignNames(`https:${slash}${slash}registry.${"npmjs"}.org`), ["a package registry"]);
  assert.deepEqual(foreignNames(`how they work/rest, ./tmp${slash}x, src${slash}work${slash}x`), []);
});
