import assert from "node:assert/strict";
import { test } from "node:test";
import { redacted } from "./redaction.ts";

test("what lets somebody in is hidden, with its name in sight", () => {
  for (const [text, shown] of [
    ["postgres://ann:s3cret@db:5432/x", "postgres://ann:[hidden]@db:5432/x"],
    ["1postgres+ssl://ann:s3cret@db", "1postgres+ssl://ann:[hidden]@db"],
    ["Authorization: Bearer abc.def", "Authorization: Bearer [hidden]"],
    ["x=1&access-token=abc&y=2", "x=1&access-token=[hidden]&y=2"],
    ['{"api_secret": "abc", "name": "ann"}', '{"api_secret": "[hidden]", "name": "ann"}'],
    ["a=token=abc", "a=token=[hidden]"],
    ["--passphrase: hush", "--passphrase: [hidden]"],
    ["#sign-up=abc", "#sign-up=[hidden]"],
    ["no token here", "no token here"],
  ] as const) {
    assert.equal(redacted(text), shown);
  }
  assert.equal(redacted("abc", "devToken"), "[hidden]");
});

test("no text takes longer than it is long", () => {
  // Where a pattern looked at a text from each of its places, these would take days.
  for (const unit of [
    "token-",
    "secret",
    "a.",
    "a-",
    "x://",
    "x://a:",
    "bearer ",
    "token=",
    "token ",
    " ",
    '"',
    "a://b:c",
  ]) {
    const text = `${unit.repeat(100_000)}!`;
    assert.ok(redacted(text).length > 0, unit);
  }
});
