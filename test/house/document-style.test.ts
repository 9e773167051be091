/** Documents keep to lines of 120 characters. `npm run tool documents` wraps them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { longLines, wrapped } from "../../scripts/documents.ts";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

const documents = repositoryFiles().filter((path) => /^(?:docs\/.*|[^/]+)\.md$/.test(path));

function read(path: string): string {
  return readFileSync(join(repositoryRoot, path), "utf8");
}

test("no line of a document's prose is longer than 120 characters; npm run tool documents wraps them", () => {
  assert.ok(documents.length > 50);
  const long = documents.flatMap((path) => longLines(read(path)).map((line) => `${path}:${line}`));
  assert.deepEqual(long, []);
});

test("paragraphs and items are wrapped; tables, code, comments and short paragraphs stay", () => {
  const word = "word ".repeat(40).trim();
  const kept = `| ${word} |\n\n\`\`\`\n${word}\n\`\`\`\n<!-- before: ${word} -->\nshort\nlines\n`;
  assert.equal(wrapped(kept), kept);
  const text = wrapped(`- ${word}\n- a\n\n1. ${word} - ${word}\n`);
  assert.deepEqual(longLines(text), []);
  assert.match(text, /^- .*\n(?: {2}w.*\n)+- a\n\n1\. .*\n(?: {3}w.*\n)+$/);
  assert.equal(text.replace(/\s+/g, " "), `- ${word} - a 1. ${word} - ${word} `);
  assert.deepEqual(longLines(`a\n\n${word}\n`), [3]);
  assert.deepEqual(longLines(`x\`${word}\`\n`), []);
});
