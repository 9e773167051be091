/**
 * The list of settable texts is whole: a text that a call takes is planted by the browser test, or it is said why it
 * need not be.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EXCUSED, PLANTINGS, settableTexts } from "./settable-texts.ts";

const planted = new Set(PLANTINGS.flatMap(({ fields }) => fields));

/** Settable texts that are neither planted nor excused. */
function forgotten(texts: readonly string[]): string[] {
  return texts.filter((text) => !planted.has(text) && !EXCUSED.some(([names]) => names.test(text)));
}

test("every text that a call takes is planted, or it is said why not", () => {
  const texts = settableTexts();
  assert.ok(texts.length > 150, "the calls are seen");
  assert.deepEqual(forgotten(texts), []);
  assert.deepEqual(
    [...planted].filter((field) => !texts.includes(field)),
    [],
    "planted, and no call takes it any more",
  );
  const needless = EXCUSED.filter(([names]) => !texts.some((text) => names.test(text) && !planted.has(text)));
  assert.deepEqual(needless, []);
});

test("a new text is found, and no address of a page may be a script", () => {
  assert.deepEqual(forgotten(["admin POST /admin/users nickname"]), ["admin POST /admin/users nickname"]);
  const addresses = settableTexts("javascript:ran()").filter((text) => / \S*(?:_url|link|href)$/.test(text));
  assert.deepEqual(addresses, []);
});
