import assert from "node:assert/strict";
import { test } from "node:test";
import { didYouMean, similarName } from "./similar-name.ts";

const NAMES = ["port", "frozen", "admin-port", "log-level", "makers", "startTime"];

test("a misspelt name is recognized by a letter that is wrong, missing, too many or swapped", () => {
  for (const [wrong, right] of [
    ["frozn", "frozen"],
    ["frozzen", "frozen"],
    ["forzen", "frozen"],
    ["fr0zen", "frozen"],
    ["FROZEN", "frozen"],
    ["adminPort", "admin-port"],
    ["log_levle", "log-level"],
    ["prot", "port"],
    ["maker", "makers"],
    ["start-time", "startTime"],
  ] as const) {
    assert.equal(similarName(wrong, NAMES), right, wrong);
  }
});

test("a name that is like none is like none", () => {
  for (const name of ["", "nonsense", "po", "x".repeat(10_000), "__proto__", "constructor"]) {
    assert.equal(similarName(name, NAMES), undefined, name);
    assert.equal(didYouMean(name, NAMES), "");
  }
  assert.equal(
    didYouMean("frozn", NAMES, (name) => `--${name}`),
    " Did you mean --frozen?",
  );
});
