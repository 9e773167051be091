import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Candle, candleStart, KLINE_PERIODS, PRICE_TYPES, withoutGaps } from "./kline.ts";

const at = (text: string) => Date.parse(text) / 1000;

test("every instant falls into the candle that the table names", () => {
  const table: [keyof typeof KLINE_PERIODS, string, string][] = [
    ["1min", "2025-03-05T13:47:59Z", "2025-03-05T13:47:00Z"],
    ["1min", "2025-03-05T13:48:00Z", "2025-03-05T13:48:00Z"],
    ["3min", "2025-03-05T13:47:59Z", "2025-03-05T13:45:00Z"],
    ["5min", "2025-03-05T13:47:59Z", "2025-03-05T13:45:00Z"],
    ["15min", "2025-03-05T13:47:59Z", "2025-03-05T13:45:00Z"],
    ["30min", "2025-03-05T13:47:59Z", "2025-03-05T13:30:00Z"],
    ["1hour", "2025-03-05T13:47:59Z", "2025-03-05T13:00:00Z"],
    ["2hour", "2025-03-05T13:47:59Z", "2025-03-05T12:00:00Z"],
    ["4hour", "2025-03-05T13:47:59Z", "2025-03-05T12:00:00Z"],
    ["6hour", "2025-03-05T13:47:59Z", "2025-03-05T12:00:00Z"],
    ["12hour", "2025-03-05T13:47:59Z", "2025-03-05T12:00:00Z"],
    ["1day", "2025-03-05T13:47:59Z", "2025-03-05T00:00:00Z"],
    // The epoch was a Thursday; 3-day candles count from it: 2025-03-05 is day 20152 = 3 · 6717 + 1.
    ["3day", "2025-03-05T13:47:59Z", "2025-03-04T00:00:00Z"],
    ["3day", "1970-01-03T23:59:59Z", "1970-01-01T00:00:00Z"],
    ["3day", "1970-01-04T00:00:00Z", "1970-01-04T00:00:00Z"],
    // Weeks start on Monday.
    ["1week", "2025-03-02T23:59:59Z", "2025-02-24T00:00:00Z"],
    ["1week", "2025-03-03T00:00:00Z", "2025-03-03T00:00:00Z"],
    ["1week", "2025-03-05T13:47:59Z", "2025-03-03T00:00:00Z"],
    ["1week", "1970-01-04T23:59:59Z", "1969-12-29T00:00:00Z"],
    ["1week", "1970-01-05T00:00:00Z", "1970-01-05T00:00:00Z"],
  ];
  for (const [period, instant, start] of table) {
    const startS = candleStart(KLINE_PERIODS[period], at(instant));
    assert.equal(new Date(startS * 1000).toISOString(), new Date(start).toISOString(), `${period} of ${instant}`);
  }
});

test("the periods and the price types are those of the contract", () => {
  const { enums } = JSON.parse(readFileSync(new URL("../../../contract/current/enums.json", import.meta.url), "utf8"));
  const valuesOf = (name: string) => enums[name].values.map(({ value }: { value: string }) => value);
  assert.deepEqual(Object.keys(KLINE_PERIODS), valuesOf("kline_period"));
  assert.deepEqual([...PRICE_TYPES].sort(), valuesOf("kline_price_type").sort());
});

test("gaps are filled flat at the close before, from the first trade on", () => {
  const traded = (startS: number, open: bigint, close: bigint): Candle => ({
    createdAt: startS * 1000,
    open,
    high: close + 5n,
    low: open - 5n,
    close,
    volume: 7n,
    value: 9n,
  });
  const flat = (startS: number, price: bigint): Candle => ({
    createdAt: startS * 1000,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: 0n,
    value: 0n,
  });
  const first = traded(120, 100n, 110n);
  const second = traded(300, 110n, 90n);
  const table: [string, Candle[], Candle | undefined, number, number, Candle[]][] = [
    ["nothing ever traded", [], undefined, 0, 300, []],
    ["the first trade lies inside", [first], undefined, 0, 240, [first, flat(180, 110n), flat(240, 110n)]],
    ["the last trade lies before", [], first, 180, 240, [flat(180, 110n), flat(240, 110n)]],
    [
      "a gap between trades",
      [first, second],
      undefined,
      120,
      360,
      [first, flat(180, 110n), flat(240, 110n), second, flat(360, 90n)],
    ],
    ["no gap at all", [second], first, 300, 300, [second]],
  ];
  for (const [name, rows, before, fromS, toS, expected] of table) {
    assert.deepEqual(withoutGaps(rows, before, fromS, toS, 60), expected, name);
  }
});
