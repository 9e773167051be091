/** The terminal tells of fills, triggers and closed positions, with the average price and the fee that the API has. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { limit, noBrowser, openStage, setIndex } from "./terminal-stage.ts";

const skip = noBrowser();

test("a trader is told what an order was filled at, that a stop was triggered, and what a position brought", {
  skip,
}, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  await setIndex(venue, "BTCUSDT", "60000", "FUTURES");
  await bob.act("/v2/spot/order", limit("sell", "60010", "0.1"));
  await bob.act("/v2/spot/order", limit("sell", "60020", "1"));
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  const toast = (text: RegExp) => page.locator(".toasts").getByText(text).waitFor();

  await t.test("a market order: average price over its deals and the fee that was paid", async () => {
    await page.getByRole("button", { name: "Market", exact: true }).click();
    await page.getByLabel("Amount", { exact: true }).fill("0.3");
    await page.getByRole("button", { name: "Buy BTC" }).click();
    // (0.1 · 60010 + 0.2 · 60020) / 0.3 = 60016.666…
    await toast(/^Buy 0\.3\d* BTC filled at 60\u202f016\.67\d* on average, fee 0\.000\d+ BTC\.$/);
  });

  await t.test("a limit order that waits, when somebody else meets it", async () => {
    await alice.act("/v2/spot/order", limit("buy", "59000", "0.2"));
    await bob.act("/v2/spot/order", limit("sell", "59000", "0.05"));
    await toast(/^Buy 0\.05\d* of 0\.2\d* BTC filled at 59\u202f000\.0\d*; the rest stays open\.$/);
    await bob.act("/v2/spot/order", limit("sell", "59000", "0.15"));
    await toast(/^Buy 0\.2\d* BTC filled at 59\u202f000\.0\d* on average/);
  });

  await t.test("a stop order that fires", async () => {
    await alice.act("/v2/spot/stop-order", { ...limit("buy", "58000", "0.1"), trigger_price: "59500" });
    await bob.act("/v2/spot/order", limit("sell", "59500", "0.1"));
    await alice.act("/v2/spot/order", limit("buy", "59500", "0.1"));
    await toast(/^Stop order of BTCUSDT triggered at 59\u202f500\.00/);
  });

  await t.test("a position that is closed", async () => {
    await bob.act("/v2/futures/order", limit("sell", "60000", "1", "FUTURES"));
    await alice.act("/v2/futures/order", limit("buy", "60000", "0.1", "FUTURES"));
    await bob.act("/v2/futures/order", limit("buy", "60000", "1", "FUTURES"));
    await alice.act("/v2/futures/order", limit("sell", "60000", "0.1", "FUTURES"));
    await toast(/^Your long position in BTCUSDT is closed: −\d+\.\d\d USDT realized\.$/);
  });
  assert.deepEqual(complaints, []);
});
