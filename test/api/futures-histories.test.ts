import assert from "node:assert/strict";
import { test } from "node:test";
import { contract, futuresApiVenue } from "../support/api-venue.ts";

const OF_BTCUSDT = { market: "BTCUSDT", market_type: "FUTURES" };
const EVERY_MS = 8 * 3_600_000;

test("a settlement that was missed is told as of when it was due, as a collection of funding is", async (t) => {
  const venue = await futuresApiVenue();
  t.after(() => venue.close());
  const maker = await venue.addTrader("maker", { USDT: "100000" });
  const { client } = await venue.addTrader("trader", { USDT: "10000" });
  await maker.client.act("/v2/futures/order", contract("sell", "0.5", "30000"));
  await client.act("/v2/futures/order", contract("buy", "0.5", "30000"));
  await venue.index("30100");
  const dueAt = Math.ceil(venue.control.timeMs / EVERY_MS) * EVERY_MS;

  await venue.wait(2 * EVERY_MS);

  const [{ position_id }] = await client.read("/v2/futures/pending-position", OF_BTCUSDT);
  const settlements = (query: object) =>
    client.read("/v2/futures/position-settle-history", { ...OF_BTCUSDT, position_id, ...query });
  const rows = await settlements({ start_time: dueAt, end_time: dueAt });
  assert.deepEqual(
    rows.map(({ margin_change, created_at }: { margin_change: string; created_at: number }) => [
      margin_change,
      created_at,
    ]),
    [["50.00000000", dueAt]],
  );
  assert.deepEqual(await settlements({ start_time: dueAt + 1 }), []);
  assert.deepEqual(await settlements({ end_time: dueAt - 1 }), []);
});
