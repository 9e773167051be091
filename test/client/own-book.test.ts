import assert from "node:assert/strict";
import { test } from "node:test";
import { Book } from "../../client/book.ts";
import { crc32 } from "../../client/crc32.ts";
import type { DepthUpdate, Level } from "../../client/sockets.generated.ts";

function push(is_full: boolean, bids: Level[], asks: Level[], checksum: number): DepthUpdate {
  return { market: "BTCUSDT", is_full, depth: { bids, asks, last: "100.2", checksum, updated_at: 0 } };
}

function pricesOf(levels: readonly Level[]): readonly string[] {
  return levels.map(([price]) => price);
}

test("a book grows from a whole one by changes, in order of price and not of text, and its checksum is the contract's", () => {
  const book = new Book("BTCUSDT");
  book.take(
    push(
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
    ),
  );
  assert.deepEqual([book.isSound, book.changed], [true, []]);
  const text = "100.10:2.00000000:99.5:1:9.9:4:100.20:1.25000000:100.3:2:100.50:3.00000000";
  book.take(
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
  assert.deepEqual([book.isSound, book.resyncs], [true, 0]);
  assert.deepEqual(pricesOf(book.bids), ["100.10", "99.5", "9.9"]);
  assert.deepEqual(pricesOf(book.asks), ["100.20", "100.3", "100.50"]);
  assert.deepEqual(book.changed, ["100.00", "9.9", "99.5", "100.3"]);
});

test("a book whose checksum differs is none, and neither is a change without a book", () => {
  const seen: boolean[] = [];
  const book = new Book("BTCUSDT", ({ isSound }) => seen.push(isSound));
  book.take(push(false, [], [], 0));
  assert.deepEqual([book.isSound, seen], [false, []]);
  book.take(push(true, [], [], 0));
  book.take(push(false, [["1", "1"]], [], 12345));
  assert.deepEqual([book.isSound, book.resyncs, book.bids, seen], [false, 1, [], [true, false]]);
  book.close();
});
