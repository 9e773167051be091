/** Refusals of a field name it in words, on the terminal and in the forms of the console. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inWords, Refusal, sentenceOf } from "../../web/src/api/client.ts";
import { wordsOf } from "../../web/src/console/words.ts";

test("the field that a refusal begins with is said in words", () => {
  const rows = [
    ["Invalid Parameter: trigger_price must be above 0.", "Trigger price must be above 0."],
    [
      "Invalid Parameter: in item 2, stp_mode must be one of ct, cm, both.",
      "In item 2, stp mode must be one of ct, cm, both.",
    ],
    ["Invalid Parameter: started_at must lie before ended_at.", "Started at must lie before ended at."],
    ['Invalid Parameter: note must not be "my_bot".', 'Note must not be "my_bot".'],
    ["Invalid Parameter: the address is none of the chain.", "The address is none of the chain."],
    ["balance not enough", "balance not enough"],
    // Not of a field: a name stays as it is.
    ["my_bot is frozen.", "my_bot is frozen."],
  ] as const;
  for (const [said, read] of rows) assert.equal(sentenceOf(new Refusal(3639, said)), read);
  assert.equal(inWords("Invalid Parameter: price is required."), "Price is required.");
});

test("a form of the console has its own words for fields", () => {
  const said = "Invalid Parameter: stp_mode must be one of ct, cm, both.";
  assert.equal(inWords(said, wordsOf), "Self-trade protection must be one of ct, cm, both.");
  assert.equal(inWords("user_id is required.", wordsOf), "User ID is required.");
});
