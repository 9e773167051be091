import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { TextIndex } from "./text-index.ts";

test("the index of texts finds what a map finds, whatever the texts are", () => {
  const text = fc.oneof(fc.string({ maxLength: 3 }), fc.string({ unit: "grapheme" }), fc.constantFrom("__proto__", ""));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 300, size: "max" }), (asked) => {
      const texts: string[] = [];
      const index = new TextIndex(texts);
      const model = new Map<string, number>();
      for (const each of asked) {
        assert.equal(index.get(each), model.get(each));
        assert.equal(index.has(each), model.has(each));
        if (model.has(each)) continue;
        model.set(each, texts.length);
        index.insert(texts.push(each) - 1);
        assert.equal(index.size, model.size);
      }
      for (const [each, row] of model) assert.equal(index.get(each), row);
    }),
    runs(300),
  );
});

test("a hundred thousand names that count up crowd nowhere: room made at once or on the way finds the same", () => {
  const texts = Array.from({ length: 100_000 }, (_, at) => `user-${at}`);
  const [grown, reserved] = [new TextIndex(texts), new TextIndex(texts)];
  reserved.reserve(texts.length);
  for (let row = 0; row < texts.length; row++) {
    grown.insert(row);
    reserved.insert(row);
  }
  assert.equal(grown.byteLength, reserved.byteLength);
  for (let row = 0; row < texts.length; row += 7) {
    assert.equal(grown.get(texts[row] as string), row);
    assert.equal(reserved.get(texts[row] as string), row);
    assert.equal(grown.get(`nobody-${row}`), undefined);
  }
});

test("texts that were chosen to crowd in one place are all found, and keep no search of others long", () => {
  const texts: string[] = [];
  const index = new TextIndex(texts);
  for (const text of alikeInPlace(3_000)) index.insert(texts.push(text) - 1);
  for (let row = 0; row < 20_000; row++) index.insert(texts.push(`other-${row}`) - 1);
  assert.equal(index.size, 23_000);
  texts.forEach((text, row) => {
    assert.equal(index.get(text), row);
  });
  assert.equal(index.get("nobody"), undefined);
});

/** Texts that begin their search within few places: found as an attacker would who has read how they are spread. */
function alikeInPlace(count: number): string[] {
  const found: string[] = [];
  for (let number = 0; found.length < count; number++) {
    const text = `u${number}`;
    let hash = 0x811c9dc5;
    for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    if (((hash ^ (hash >>> 13)) & 255) === 77) found.push(text);
  }
  return found;
}
