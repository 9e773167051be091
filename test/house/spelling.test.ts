/** Documents, comments and messages are spelt as the dictionary or our own list, words.txt, has it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";
import { openSpeller, ownWords, proseOfComments, proseOfDocument, proseOfMessages } from "./spelling.ts";

const DOCUMENT = /^(?:docs\/.*|[^/]+)\.md$/;
const CODE = /^(?:src|test|bench|scripts|client|web|examples)\/.*\.(?:ts|tsx|js)$/;
/** Folders whose texts people read; those of tests are data as often as not. */
const WITH_MESSAGES = /^(?:src|client|web)\/(?!.*\.test\.)/;
/** Generated, and this file with its planted mistakes. */
const NOT_READ = /\.generated\.ts$|^web\/dist|^test\/golden\/rules-|^test\/house\/spelling\.test\.ts$/;

const spell = openSpeller();

function proseOf(path: string): string {
  const text = readFileSync(join(repositoryRoot, path), "utf8");
  if (DOCUMENT.test(path)) return proseOfDocument(text);
  return WITH_MESSAGES.test(path) ? `${proseOfComments(text)}\n${proseOfMessages(text)}` : proseOfComments(text);
}

test("documents, comments and messages are spelt right, or the word stands in words.txt", () => {
  const files = repositoryFiles().filter((path) => (DOCUMENT.test(path) || CODE.test(path)) && !NOT_READ.test(path));
  assert.ok(files.length > 1_500, `${files.length} files`);
  const wrong = files.flatMap((path) => spell(proseOf(path)).map((word) => `${path}: ${word}`));
  assert.deepEqual(wrong, [], "Spell the word right, or add it to test/house/words.txt.");
});

test("a planted misspelling is found in a document, a comment and a message, and not in code", () => {
  assert.deepEqual(spell(proseOfDocument("The recieved order.\n```\nteh\n```\n`teh` [the order](teh.md)")), [
    "recieved",
  ]);
  const source = [
    "/** Cancells the order. */",
    'const teh = "teh"; // It is teh end.',
    'const url = "https://teh.example";',
    'refuse("The amuont must be positive.");',
    `refuse(\`The prise of \${teh} must be a whole nubmer.\`);`,
  ].join("\n");
  assert.deepEqual(spell(proseOfComments(source)), ["Cancells", "teh"]);
  assert.deepEqual(spell(proseOfMessages(source)), ["amuont", "nubmer"]);
});

test("the own list is sorted, holds each word once, and none that the dictionary has", () => {
  const own = ownWords();
  assert.deepEqual(
    own,
    [...new Set(own)].sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)),
  );
  const dictionary = openSpeller([]);
  assert.deepEqual(
    own.filter((word) => dictionary(word).length === 0),
    [],
  );
});
