import assert from "node:assert/strict";
import { test } from "node:test";
import { lines } from "./output.ts";

test("fields line up, and what is empty or made of several parts reads as words", () => {
  const data = { seq: 7, fee_level: null, scope: ["SPOT", "FUTURES"], api_keys: [], clock: { kind: "real", speed: 1 } };
  const expected = [
    "seq        7",
    "fee_level  null",
    "scope      SPOT, FUTURES",
    "api_keys   none",
    "clock      kind=real speed=1",
  ];
  assert.equal(lines(data), `${expected.join("\n")}\n`);
});

test("records are a table, and records with records in them a block each", () => {
  const sources = [
    { exchange: "one", weight: "0.5" },
    { exchange: "harbour", weight: "0.25" },
  ];
  const table = ["  exchange  weight", "  one          0.5", "  harbour     0.25"];
  assert.equal(lines({ market: "A", sources }), `market   A\nsources\n${table.join("\n")}\n`);
  const markets = [
    { market: "A", sources },
    { market: "B", sources: [] },
  ];
  const blocks = [
    "markets",
    "  market   A",
    "  sources",
    ...table.map((row) => `  ${row}`),
    "",
    "  market   B",
    "  sources  none",
  ];
  assert.equal(lines({ markets }), `${blocks.join("\n")}\n`);
});
