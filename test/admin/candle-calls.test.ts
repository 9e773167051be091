import assert from "node:assert/strict";
import { test } from "node:test";
import { listBtcUsdt, openAdminVenue } from "./venue.ts";

test("candles are taken that begin where candles of their length begin, and no others", async (t) => {
  const venue = await openAdminVenue(t);
  await listBtcUsdt(venue);
  const minute = Date.UTC(2025, 0, 1, 0, 1);
  const candle = { open: "60000", high: "60000", low: "60000", close: "60000", volume: "0.1", value: "6000" };
  const add = (time: number, period: string) =>
    venue.post("/admin/candles", { market: "BTCUSDT", period, candles: [{ time, ...candle }] });
  for (const [time, period] of [
    [minute + 1, "1min"],
    [minute + 1_000, "1min"],
    [minute, "5min"],
    [minute, "1hour"],
  ] as const) {
    const said = await add(time, period);
    assert.match(said.message, new RegExp(`Candle 1: no candle of ${period} begins at`));
  }
  assert.deepEqual((await add(minute, "1min")).message, "OK");
  assert.deepEqual((await add(minute - 60_000, "1hour")).message, "OK");
});
