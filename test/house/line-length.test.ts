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
/**
 * Programs and pages that stand in a template as they are, texts of planted faults, and what is still to be mended: it
 * gets less and never more.
 */
const LEFT_MAX = 131;

/** The numbers of the lines that are too long. */
function longLines(text: string): number[] {
  return text
    .split("\n")
    .flatMap((line, at) => ([...line].length > LINE_MAX && !TITLE.test(line) && !REGEXP.test(line) ? [at + 1] : []));
}

test("no further line of code is longer than 120 characters", (t) => {
  const files = repositoryFiles().filter((path) => CODE.test(path) && !GENERATED.test(path));
  assert.ok(files.length > 1_500, `${files.length} files`);
  const long = files.flatMap((path) =>
    longLines(readFileSync(join(repositoryRoot, path), "utf8")).map((line) => `${path}:${line}`),
  );
  t.diagnostic(`${long.length} lines are longer than ${LINE_MAX} characters.`);
  assert.ok(long.length <= LEFT_MAX, `${long.length} lines, ${LEFT_MAX} may be left:\n${long.join("\n")}`);
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
