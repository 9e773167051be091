import assert from "node:assert/strict";
import { test } from "node:test";
import { ORDER_FIELDS } from "../engine/event.ts";
import { UNITS } from "../engine/record.ts";
import { STOP_FIELDS } from "../engine/stops/stop-event.ts";
import { orderRows } from "./orders/tables.ts";
import { recordRows } from "./record-rows.ts";
import { stopRows } from "./stops/tables.ts";
import { int, text } from "./table.ts";

test("a row keeps what its columns name, and gives it back in the type of the field", () => {
  const fields = { id: "id", left: "asked", note: "text", rateE8: "rateE8", unkept: "value" } as const;
  const rows = recordRows(fields, { order_id: "id", unfilled: "left", note: "note", rate_e8: "rateE8" });
  assert.deepEqual(rows.columns, { order_id: int, unfilled: int, note: text, rate_e8: int });
  const record = { id: 7, left: 2n ** 62n, note: "", rateE8: 5, unkept: 9n };
  assert.deepEqual(rows.rowOf(record), { order_id: 7, unfilled: 2n ** 62n, note: "", rate_e8: 5 });
  const { unkept: _, ...kept } = record;
  assert.deepEqual(rows.fieldsOf({ order_id: 7n, unfilled: 2n ** 62n, note: "", rate_e8: 5n }), kept);
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
