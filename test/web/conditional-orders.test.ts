/**
 * Trailing stops and pairs on the order form: chosen, with figures that follow, sent, listed, and gone when they fire.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { limit, noBrowser, openStage, setIndex } from "./terminal-stage.ts";

const skip = noBrowser();

function rows(page: Page, label: string) {
  return page.getByRole("table", { name: label }).getByRole("row");
}

test("a trailing stop is sent with its figures, follows the price and fires when it turns", { skip }, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t);
  const deal = async (price: string) => {
    await bob.act("/v2/spot/order", limit("sell", price, "0.1"));
    await alice.act("/v2/spot/order", limit("buy", price, "0.1"));
  };
  await setIndex(venue, "BTCUSDT", "60000");
  await deal("60000");
  await bob.act("/v2/spot/order", limit("buy", "58000", "1"));
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");

  await page.getByLabel("Trailing", { exact: true }).check();
  await page.getByLabel("Sell", { exact: true }).check();
  assert.ok(await page.getByLabel("Price", { exact: true }).isDisabled());
  const first = page.locator(".sums dd").first();
  await page.getByLabel("Trail", { exact: true }).fill("1");
  await first.getByText("≤ 59\u202f400.00").waitFor();
  await page.getByLabel("Buy", { exact: true }).check();
  await first.getByText("≥ 60\u202f600.00").waitFor();
  await page.getByLabel("Sell", { exact: true }).check();
  await page.getByLabel("Unit of the trail").selectOption("price");
  await first.getByText("–").waitFor();
  await page.getByLabel("Trail", { exact: true }).fill("500");
  await first.getByText("≤ 59\u202f500.00").waitFor();

  await page.getByLabel("Amount", { exact: true }).fill("0.2");
  await page.getByRole("button", { name: /^Sell/ }).click();
  await page.getByText(/^Trailing stop placed/).waitFor();
  await page.getByRole("tab", { name: /^Stops/ }).click();
  await rows(page, "Stop orders").getByText("59\u202f500.00").waitFor();
  await deal("60300");
  await deal("59800");
  await page.getByText("No stop orders.").waitFor();
  await page.getByRole("tab", { name: "Order history" }).click();
  await rows(page, "Order history").filter({ hasText: "58\u202f000.00" }).getByText("0.200000").first().waitFor();
  assert.deepEqual(complaints, []);
});

test("of a pair the trigger cancels the limit order, and without a trigger nothing is sent", { skip }, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  await bob.act("/v2/spot/order", limit("sell", "60000", "0.1"));
  await alice.act("/v2/spot/order", limit("buy", "60000", "0.1"));
  await bob.act("/v2/spot/order", limit("buy", "58000", "1"));
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  await page.getByRole("button", { name: "Market", exact: true }).click();
  await page.getByLabel("OCO", { exact: true }).check();
  await page.getByLabel("Price", { exact: true }).fill("62000");
  await page.getByLabel("Amount", { exact: true }).fill("0.2");
  await page.getByRole("button", { name: /^Sell/ }).click();
  await page.getByText("Enter the price that triggers the order.").waitFor();
  await page.getByLabel("Trigger", { exact: true }).fill("59000");
  await page.getByRole("button", { name: /^Sell/ }).click();
  await page.getByText(/^Pair of orders placed/).waitFor();
  await page.getByRole("tab", { name: /^Open orders/ }).click();
  await rows(page, "Open orders").getByText("62\u202f000.00").waitFor();
  await page.getByRole("tab", { name: /^Stops/ }).click();
  await rows(page, "Stop orders").getByText("59\u202f000.00").waitFor();

  await bob.act("/v2/spot/order", limit("sell", "58900", "0.1"));
  await bob.act("/v2/spot/order", limit("buy", "58900", "0.1"));
  await page.getByText("No stop orders.").waitFor();
  await page.getByRole("tab", { name: /^Open orders/ }).click();
  await page.getByText("No open orders.").waitFor();
  assert.deepEqual(complaints, []);
});
