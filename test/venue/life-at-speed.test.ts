/** The simulated market lives by the venue's time, however fast that goes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { IN_MEMORY } from "../../src/venue/settings.ts";
import type { ApiClient } from "../support/api-client.ts";
import { VenueProcess } from "../support/venue-process.ts";

const WORLD = ["--start-time", "2026-01-01T00:00:00Z", "--frozen", "--limits", "off"];
const START_MS = Date.parse("2026-01-01T00:00:00Z");
const HOUR_MS = 3_600_000;

/** Candles of a minute of every market, with a name for messages. */
async function minutesOf(client: ApiClient): Promise<[string, { created_at: number; volume: string }[]][]> {
  const found: [string, { created_at: number; volume: string }[]][] = [];
  for (const kind of ["spot", "futures"]) {
    const { data: markets } = await client.get(`/v2/${kind}/market`);
    for (const { market } of markets) {
      const { data } = await client.get(`/v2/${kind}/kline?market=${market}&period=1min&limit=1000`);
      found.push([`${market} of ${kind}`, data]);
    }
  }
  return found;
}

test("nine hours at once, and one at a thousand times the speed, leave a candle in every minute of every market and a funding", async () => {
  const venue = await VenueProcess.start(IN_MEMORY, ...WORLD);
  const client = venue.client();
  const { time_ms } = await venue.admin("/admin/clock", { advance_ms: 9 * HOUR_MS });
  assert.equal(new Date(time_ms).toISOString(), "2026-01-01T09:00:00.000Z");
  const all = await minutesOf(client);
  assert.equal(all.length, 6);
  for (const [name, minutes] of all) {
    assert.ok(minutes.length >= 9 * 60, name);
    assert.deepEqual(
      minutes.filter(({ volume }) => Number(volume) === 0),
      [],
      name,
    );
  }
  for (const market of ["BTCUSDT", "ETHUSDT", "BTCUSD"]) {
    const { data } = await client.get(`/v2/futures/funding-rate-history?market=${market}&limit=10`);
    assert.equal(data.length, 1, market);
    assert.notEqual(Number(data[0].actual_funding_rate), 0, market);
  }
  const { data } = await client.get("/v2/spot/depth?market=BTCUSDT&limit=20&interval=0");
  assert.equal(data.depth.asks.length, 20);

  await venue.admin("/admin/clock", { freeze: false, speed: 1_000 });
  let seenMs = time_ms;
  while (seenMs < time_ms + HOUR_MS) {
    const status = await venue.admin("/admin/status");
    assert.ok(status.time_ms >= seenMs);
    seenMs = status.time_ms;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const frozen = await venue.admin("/admin/clock", { freeze: true });
  for (const [name, minutes] of await minutesOf(client)) {
    assert.ok(minutes.length >= Math.floor((frozen.time_ms - START_MS) / 60_000), name);
    // The one that has just begun may be empty.
    assert.deepEqual(
      minutes.slice(0, -1).filter(({ volume }) => Number(volume) === 0),
      [],
      name,
    );
  }
  assert.equal((await venue.admin("/admin/clock", { speed: 1 })).time_ms, frozen.time_ms);
  assert.equal((await venue.admin("/admin/audit")).ok, true);
  assert.equal(await venue.end("SIGTERM"), 0);
});

test("the first start makes a past of candles and deals, twice the same to the byte", async () => {
  const seen: string[] = [];
  for (const _time of [1, 2]) {
    const venue = await VenueProcess.start(IN_MEMORY, ...WORLD, "--past", "3h");
    const client = venue.client();
    const { data: hours } = await client.get("/v2/spot/kline?market=ETHUSDT&period=1hour&limit=100");
    assert.equal(hours.length, 4);
    assert.equal(hours[0].created_at, START_MS - 3 * HOUR_MS);
    for (const [name, minutes] of await minutesOf(client)) {
      assert.deepEqual(
        minutes.filter(({ volume }) => Number(volume) === 0),
        [],
        name,
      );
    }
    const { data: deals } = await client.get("/v2/spot/deals?market=DSCUSDT&limit=1000");
    assert.ok(deals.length >= 100);
    const { state_hash, seq, time_ms } = await venue.admin("/admin/status");
    assert.equal(time_ms, START_MS);
    seen.push(JSON.stringify([hours, deals, state_hash, seq]));
    assert.equal(await venue.end("SIGTERM"), 0);
  }
  assert.equal(seen[0], seen[1]);
});
