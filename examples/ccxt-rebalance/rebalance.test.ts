/** The ccxt bot among the simulated makers and takers of a venue, whose time the test moves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startVenue } from "bourse";
import { exchangeAt, rebalance } from "./rebalance.ts";

test("it buys until the halves are even, then leaves them alone", async (t) => {
  const venue = await startVenue({ startTime: "2026-01-01T00:00:00Z", frozen: true });
  t.after(() => venue.stop());
  // A minute in which the makers quote and the takers trade.
  await venue.admin.advance(60_000);
  const key = await venue.admin.createAccount("rebalancer", { USDT: "10000" });
  const exchange = exchangeAt(venue.url, key);
  t.after(() => exchange.close());

  assert.equal(await rebalance(exchange), "bought");
  assert.equal(await rebalance(exchange), "left");
  const balance = await exchange.fetchBalance();
  const price = (await exchange.fetchTicker("BTC/USDT")).last as number;
  const bitcoin = (balance["BTC"]?.total as number) * price;
  assert.ok(Math.abs(bitcoin - 5_000) < 150, `it holds bitcoin for ${bitcoin}`);
});
