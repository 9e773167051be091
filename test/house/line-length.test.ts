/** Lines of code have at most 120 characters. The formatter keeps to that, but for texts, templates and comments. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { LINE_MAX } from "../../scripts/documents.ts";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

const CODE = /\.(?:ts|tsx|js|cjs)$/;
/** Written by programs, or by others. */
const GENERATED = /\.generated\.ts$|^contract\/|^test\/golden\/rules-/;
/** The title of a test is one sentence, by which a reader looks for it. */
const TITLE = /^\s*(?:await )?(?:\w+\.)?(?:test|describe|it)\(\s*["'`]/;
const REGEXP = /^\s*(?:(?:export )?const \w+ = |\[|\w+: )?\/(?![/*]).*\/[a-z]*\W*$/;
/** Files that may have longer lines, and why. */
const MAY_BE_LONG: Readonly<Record<string, string>> = {
  "src/gateway/docs/examples.js": "programs in templates, as a reader is shown them",
  "test/chains/contracts/test-token.ts": "a compiled contract",
  "test/examples/packed.ts": "a program in a template",
  "test/examples/testcontainers.test.ts": "a module in a template",
  "test/house/module-state.test.ts": "modules in templates, a line each",
  "test/package/packed.test.ts": "a program in a template",
  "test/web/visible-faults.ts": "a program for the browser, in a template",
};

/** The numbers of the lines that are too long. */
function longLines(text: string): number[] {
  return text
    .split("\n")
    .flatMap((line, at) => ([...line].length > LINE_MAX && !TITLE.test(line) && !REGEXP.test(line) ? [at + 1] : []));
}

test("no line of code is longer than 120 characters, but in files that say why", () => {
  const files = repositoryFiles().filter((path) => CODE.test(path) && !GENERATED.test(path));
  assert.ok(files.length > 1_500, `${files.length} files`);
  const long = files.flatMap((path) =>
    longLines(readFileSync(join(repositoryRoot, path), "utf8")).map((line) => ({ path, line })),
  );
  assert.deepEqual(
    long.filter(({ path }) => MAY_BE_LONG[path] === undefined).map(({ path, line }) => `${path}:${line}`),
    [],
  );
  const needless = Object.keys(MAY_BE_LONG).filter((path) => long.every((each) => each.path !== path));
  assert.deepEqual(needless, [], "These need no reason any more.");
});

test("a long text or comment counts, and the title of a test or a pattern does not", () => {
  const words = "word ".repeat(30);
  assert.deepEqual(longLines(`const a = "${words}";\n// ${words}\n${"ü".repeat(LINE_MAX)}`), [1, 2]);
  assert.deepEqual(longLines(`  test("${words}", () => {\n  /${words}/,\nconst A = /${words}/gi;`), []);
});

/** Tags that tools read; in the midst of a line they are text. */
const TAG = /^\s*\*.*[^\s*].*\s@(?:param|property|typedef|returns|throws|type)\s/;

test("each tag of a doc comment begins its line", () => {
  const files = repositoryFiles().filter((path) => CODE.test(path) && !GENERATED.test(path));
  const buried = files.flatMap((path) =>
    readFileSync(join(repositoryRoot, path), "utf8")
      .split("\n")
      .flatMap((line, at) => (TAG.test(line) ? [`${path}:${at + 1}`] : [])),
  );
  assert.deepEqual(buried, []);
  assert.ok(TAG.test(" * itself. @param {number} pid") && !TAG.test(" * @param {number} pid"));
});
