/** What is remembered of orders is bounded, and what is told of one is its own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinApiVenue, limitOrder } from "../../../test/support/served-venue.ts";
import { EventRing } from "./event-ring.ts";

test("a ring keeps the latest in order, and no more than its memory", () => {
  const ring = new EventRing();
  const WORDS = 200;
  for (let seq = 1; seq <= 30_000; seq++) {
    ring.add(seq, seq * 10, 7, WORDS, (buffer) => {
      const at = buffer.open(WORDS);
      buffer.i32[at * 2] = WORDS << 8;
      buffer.f64[at + 2] = seq;
    });
  }
  const kept = [...ring.entries()];
  const first = (kept[0] as { seq: number }).seq;
  assert.ok(first > 15_000 && first < 21_000, `the oldest is ${first}`);
  assert.deepEqual(
    kept.map(({ seq, timeMs, commandKind, buffer, from }) => [seq, timeMs, commandKind, buffer.f64[from + 2]]),
    Array.from({ length: kept.length }, (_, at) => [first + at, (first + at) * 10, 7, first + at]),
  );
});

test("an entry that is longer than a page has one of its own", () => {
  const ring = new EventRing();
  const lengths = [10, 100_000, 10, 1_500_000, 10];
  lengths.forEach((words, index) => {
    ring.add(index, 0, 1, words, (buffer) => void buffer.open(words));
  });
  assert.deepEqual(
    [...ring.entries()].map(({ from, to }) => to - from),
    lengths,
  );
});

test("a command that ends many orders of two sides tells each of its own side's book", async () => {
  const venue = await bitcoinApiVenue();
  try {
    const ann = await venue.addUser("ann", { USDT: "1000000", BTC: "100" });
    const ben = await venue.addUser("ben", { USDT: "1000000", BTC: "100" });
    await ben.client.act("/v2/spot/order", limitOrder("sell", "1", "31000"));
    await ben.client.act("/v2/spot/order", limitOrder("buy", "1", "29000"));
    const buy = await ann.client.act("/v2/spot/order", limitOrder("buy", "1", "29500"));
    const sell = await ann.client.act("/v2/spot/order", limitOrder("sell", "1", "30500"));
    await ann.client.act("/v2/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" });
    const lastOf = (orderId: number) => venue.lifecycleTrace.orderSteps(orderId).at(-1);
    assert.deepEqual(lastOf(buy.order_id)?.levels, [{ price: 3_100_000n, lots: 1_000_000n }]);
    assert.deepEqual(lastOf(sell.order_id)?.levels, [{ price: 2_900_000n, lots: 1_000_000n }]);
    assert.equal(lastOf(buy.order_id)?.seq, lastOf(sell.order_id)?.seq);
    assert.deepEqual([lastOf(buy.order_id)?.isEnd, lastOf(buy.order_id)?.marketStatus], [true, "online"]);
  } finally {
    await venue.close();
  }
});
