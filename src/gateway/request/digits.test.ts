import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { numberOfDigits, numberOfPlainDigits } from "./digits.ts";

test("digits are read as the number that they say, and nothing else is", () => {
  const nearlyDigits = fc.string({
    unit: fc.constantFrom(..."0123456789".split(""), "0", "+", ".", "٣", " "),
    maxLength: 17,
  });
  fc.assert(
    fc.property(nearlyDigits, fc.integer({ min: 1, max: 15 }), (text, max) => {
      const isDigits = new RegExp(`^[0-9]{1,${max}}$`).test(text);
      assert.equal(numberOfDigits(text, max), isDigits ? Number(text) : -1);
      assert.equal(numberOfPlainDigits(text, max), isDigits && String(Number(text)) === text ? Number(text) : -1);
    }),
    runs(1_000),
  );
});
