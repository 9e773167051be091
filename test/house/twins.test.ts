/** A helper stands once: no two functions of the source have the same body. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

/** Shorter ones, such as a function that does nothing, are as quickly written as imported. */
const CHARS_MIN = 60;

/** Groups of functions of the same body, each as `path name`. */
function twins(files: Readonly<Record<string, string>>): string[][] {
  const groups = new Map<string, string[]>();
  for (const [path, text] of Object.entries(files)) {
    for (const { name, body } of functionsIn(text)) {
      if (body.length >= CHARS_MIN) groups.set(body, [...(groups.get(body) ?? []), `${path} ${name}`]);
    }
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/** Functions at the top of a file: their parameters and bodies without names of their own, white space made one. */
function functionsIn(text: string): { readonly name: string; readonly body: string }[] {
  return [...text.matchAll(/^(?:export )?(?:async )?function\*? (\w+)([^\n]*\n(?:(?!\}$)[^\n]*\n)*)\}$/gm)].map(
    ([, name = "", rest = ""]) => ({ name, body: rest.replaceAll(/\s+/g, " ").trim() }),
  );
}

test("no two functions of the source have the same body", () => {
  const paths = repositoryFiles().filter((path) => /^src\/.*\.ts$/.test(path) && !path.endsWith(".test.ts"));
  const found = twins(
    Object.fromEntries(paths.map((path) => [path, readFileSync(join(repositoryRoot, path), "utf8")])),
  );
  assert.deepEqual(found, []);
});

test("planted twins are found under any name, and what only looks alike is not", () => {
  const body = (what: string) =>
    `(a: bigint, b: bigint): bigint {\n  const least = a < b ? a : b;\n  return least + ${what};\n}\n`;
  const files = {
    "a.ts": `export function smaller${body("1n")}`,
    "b.ts": `const x = 1;\nfunction least${body("1n").replaceAll("\n  ", "\n    ")}`,
    "c.ts": `function other${body("2n")}`,
    "d.ts": "function nothing() {\n}\n",
    "e.ts": "function nought() {\n}\n",
  };
  assert.deepEqual(twins(files), [["a.ts smaller", "b.ts least"]]);
});
