import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "../../web/src/api/crc32.ts";
import { afterPush, type DepthPush, type Level } from "../../web/src/book/local-book.ts";

function push(is_full: boolean, bids: Level[], asks: Level[], checksum: number): DepthPush {
  return { market: "BTCUSDT", is_full, depth: { bids, asks, last: "100.2", checksum, updated_at: 0 } };
}

test("a book grows from a whole one by changes, in order of price and not of text, and its checksum is the contract's", () => {
  const whole = push(
    true,
    [
      ["100.10", "2.00000000"],
      ["100.00", "0.50000000"],
    ],
    [
      ["100.20", "1.25000000"],
      ["100.50", "3.00000000"],
    ],
    1338560837,
  );
  const book = afterPush(undefined, whole);
  assert.ok(book);
  const text = "100.10:2.00000000:99.5:1:9.9:4:100.20:1.25000000:100.3:2:100.50:3.00000000";
  const changed = afterPush(
    book,
    push(
      false,
      [
        ["100.00", "0"],
        ["9.9", "4"],
        ["99.5", "1"],
      ],
      [["100.3", "2"]],
      crc32(text),
    ),
  );
  assert.deepEqual(
    changed?.bids.map(([price]) => price),
    ["100.10", "99.5", "9.9"],
  );
  assert.deepEqual(
    changed?.asks.map(([price]) => price),
    ["100.20", "100.3", "100.50"],
  );
  assert.ok(changed?.changed.has("99.5"));
});

test("a book whose checksum differs is none, and neither is a change without a book", () => {
  const book = afterPush(undefined, push(true, [], [], 0));
  assert.ok(book);
  assert.equal(afterPush(book, push(false, [["1", "1"]], [], 12345)), undefined);
  assert.equal(afterPush(undefined, push(false, [], [], 0)), undefined);
});
