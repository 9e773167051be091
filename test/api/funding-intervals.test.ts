import assert from "node:assert/strict";
import { test } from "node:test";
import { contract, futuresApiVenue } from "../support/served-venue.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const INDEX = "30000";

test("funding is collected every 8 hours, after hours of large premiums every 4, and then every 2", async (t) => {
  const venue = await futuresApiVenue();
  t.after(() => venue.close());
  const { client } = await venue.addTrader("quoter", { USDT: "1000000" });
  // A book far above the index: each hour's mean premium is beyond the cap of the rate.
  await client.act("/v2/futures/order", contract("buy", "5", "30600"));
  await client.act("/v2/futures/order", contract("sell", "5", "30700"));
  const told = async () => {
    const [rate] = (await client.read("/v2/futures/funding-rate", { market: "BTCUSDT" })) as {
      latest_funding_time: number;
      next_funding_time: number;
    }[];
    const { latest_funding_time: latest = 0, next_funding_time: next = 0 } = rate ?? {};
    return { hours: (next - latest) / HOUR_MS, next };
  };
  /** Minute by minute, up to the first look after `hours`. */
  const live = async (hours: number) => {
    for (let minute = 0; minute < hours * 60; minute++) {
      await venue.wait(MINUTE_MS - (venue.control.timeMs % MINUTE_MS));
      await venue.index(INDEX);
    }
  };
  assert.equal((await told()).hours, 8);
  const seen: number[] = [];
  for (let hour = 0; hour < 16; hour++) {
    await live(1);
    const { hours, next } = await told();
    assert.equal(next % (hours * HOUR_MS), 0, "collections lie on multiples of the interval from midnight UTC");
    if (seen.at(-1) !== hours) seen.push(hours);
  }
  assert.deepEqual(seen, [8, 4, 2]);
  const { data } = await client.get("/v2/futures/funding-rate-history?market=BTCUSDT&limit=3");
  const [newest, before] = data as { funding_time: number }[];
  assert.equal((newest?.funding_time ?? 0) - (before?.funding_time ?? 0), 2 * HOUR_MS);
});
