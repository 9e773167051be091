import assert from "node:assert/strict";
import { test } from "node:test";
import { ORDER_FIELDS } from "../engine/event.ts";
import { type Fields, UNITS } from "../engine/record.ts";
import { STOP_FIELDS } from "../engine/stops/stop-event.ts";
import { orderRows } from "./orders/tables.ts";
import { recordRows } from "./record-rows.ts";
import { stopRows } from "./stops/tables.ts";
import { int, text } from "./table.ts";

test("a row keeps each field in a column of its name, and gives it back in the type of the field", () => {
  const fields = {
    ...{ orderId: "id", left: "asked", note: "text", rateE8: "rateE8", createdAt: "ms", isIn: "flag", unkept: "value" },
  } as const satisfies Fields;
  const rows = recordRows(fields, { left: "unfilled", unkept: null });
  assert.deepEqual(Object.entries(rows.columns), [
    ...([
      ["order_id", int] as const,
      ["unfilled", int],
      ["note", text],
      ["rate_e8", int],
      ["created_ms", int],
      ["is_in", int],
    ] as const),
  ]);
  const record = { orderId: 7, left: 2n ** 62n, note: "", rateE8: 5, createdAt: 9, isIn: true, unkept: 9n };
  assert.deepEqual(rows.rowOf(record), {
    order_id: 7,
    unfilled: 2n ** 62n,
    note: "",
    rate_e8: 5,
    created_ms: 9,
    is_in: 1,
  });
  const { unkept: _, ...kept } = record;
  assert.deepEqual(
    rows.fieldsOf({ order_id: 7n, unfilled: 2n ** 62n, note: "", rate_e8: 5n, created_ms: 9n, is_in: 1n }),
    kept,
  );
});

test("the columns are those of the histories that are on disks", () => {
  assert.deepEqual(Object.keys(orderRows.columns), [
    ...["order_id", "user_id", "market_id", "price", "amount", "unfilled", "filled_lots", "filled_value", "base_fee"],
    ...["quote_fee", "maker_fee_rate_e8", "taker_fee_rate_e8", "last_filled_lots", "last_filled_price"],
    ...["created_ms", "updated_ms", "client_id"],
  ]);
  assert.deepEqual(Object.keys(stopRows.columns), [
    ...["stop_id", "user_id", "market_id", "price", "amount", "trigger_price", "created_ms", "updated_ms", "client_id"],
  ]);
});

/** Kept in columns of their own, because an order has either the one or the other. */
const SHARED = ["discountFee", "realizedPnl"];

test("every figure of orders and stop orders is kept when they have ended", () => {
  for (const [fields, { columns, fieldsOf }, others] of [
    [ORDER_FIELDS, orderRows, SHARED],
    [STOP_FIELDS, stopRows, []],
  ] as const) {
    const row = Object.fromEntries(Object.entries(columns).map(([name, { sql }]) => [name, sql === "text" ? "" : 0n]));
    const kept = Object.keys(fieldsOf(row as never));
    assert.deepEqual([...kept, ...others].sort(), Object.keys(fields).sort());
    assert.ok(Object.values(fields).every((unit) => Object.hasOwn(UNITS, unit)));
  }
});
