import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrderRecord } from "../engine/event.ts";
import { Depth } from "./depth.ts";
import { OwnHidden } from "./own-hidden.ts";

const PRECISION = { pricePrecision: 0, amountPrecision: 0 };

function order(orderId: number, side: "buy" | "sell", price: bigint, left: bigint): OrderRecord {
  return { orderId, side, price, left } as OrderRecord;
}

test("hidden orders stand where they are after each event, best first on both sides", () => {
  const own = new OwnHidden();
  own.note("put", order(1, "sell", 12n, 3n));
  own.note("put", order(2, "sell", 11n, 1n));
  own.note("put", order(3, "sell", 12n, 2n));
  own.note("put", order(4, "buy", 8n, 1n));
  own.note("put", order(5, "buy", 9n, 1n));
  assert.deepEqual(own.levels("sell"), [
    { price: 11n, lots: 1n },
    { price: 12n, lots: 5n },
  ]);
  assert.deepEqual(own.levels("buy"), [
    { price: 9n, lots: 1n },
    { price: 8n, lots: 1n },
  ]);
  own.note("update", order(1, "sell", 12n, 1n));
  own.note("modify", order(2, "sell", 13n, 7n));
  own.note("finish", order(5, "buy", 9n, 1n));
  assert.deepEqual(own.levels("sell"), [
    { price: 12n, lots: 3n },
    { price: 13n, lots: 7n },
  ]);
  for (const id of [1, 2, 3, 4]) own.note("finish", order(id, "buy", 0n, 0n));
  assert.ok(own.isEmpty);
});

test("a view with hidden orders has them before, among and behind what is displayed, merged and cut like these", () => {
  const depth = new Depth(0);
  for (const [price, lots] of [
    [20n, 1n],
    [22n, 1n],
  ] as const) {
    depth.set("sell", price, lots, 1);
    depth.set("buy", price - 10n, lots, 1);
  }
  const own = new OwnHidden();
  for (const [id, price] of [19n, 20n, 21n, 25n].entries()) {
    own.note("put", order(id, "sell", price, 2n));
    own.note("put", order(id + 10, "buy", price - 10n, 2n));
  }
  const { asks, bids } = depth.viewWith(own, 50, 1n, PRECISION);
  assert.deepEqual(asks, [
    ["19", "2"],
    ["20", "3"],
    ["21", "2"],
    ["22", "1"],
    ["25", "2"],
  ]);
  assert.deepEqual(bids, [
    ["15", "2"],
    ["12", "1"],
    ["11", "2"],
    ["10", "3"],
    ["9", "2"],
  ]);
  assert.deepEqual(depth.viewWith(own, 2, 10n, PRECISION).asks, [
    ["20", "5"],
    ["30", "5"],
  ]);
  assert.equal(depth.viewWith(own, 2, 1n, PRECISION).asks.length, 2);
  assert.deepEqual(depth.view(50, 1n, PRECISION).asks, [
    ["20", "1"],
    ["22", "1"],
  ]);
});
