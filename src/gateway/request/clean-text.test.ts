import assert from "node:assert/strict";
import { test } from "node:test";
import { isCleanText, printable } from "./clean-text.ts";

test("texts of every script pass, with the joiners that they are written with", () => {
  for (const text of ["", "Alice & Bob", "Übergröße", "日本語", "नमस्ते क्‍ष", "می‌خواهم", "🏴 👩‍🚀", "a\u00a0b"]) {
    assert.ok(isCleanText(text), text);
  }
});

test("controls, invisible characters, turns of direction and separators of lines do not", () => {
  const unclean =
    "\u0000 \u0009 \n \u007f \u0085 \u00ad \u061c \u200b \u200e \u200f \u2028 \u2029 \u202a \u202e \u2060 " +
    "\u2066 \u2069 \ufeff";
  for (const character of unclean.split(" ")) {
    assert.equal(isCleanText(`a${character}b`), false, `U+${character.codePointAt(0)?.toString(16)}`);
  }
  assert.equal(isCleanText("a\u{e0041}b"), false, "a tag");
  assert.equal(isCleanText("a\ud800"), false, "half a character");
});

test("what is printable is clean, and says which characters were not", () => {
  assert.equal(printable("Übergröße 👩‍🚀"), "Übergröße 👩‍🚀");
  assert.equal(printable("a\u001b[2J\n\u202e\u{e0041}"), "a\\u{1b}[2J\\u{a}\\u{202e}\\u{e0041}");
  assert.ok(isCleanText(printable("\u0000\u009b\u2028")));
});
