/** The terminal as somebody uses it, in a real browser: futures and the account pages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { limit, noBrowser, openStage, setIndex } from "./terminal-stage.ts";

const skip = noBrowser();

test("a position is opened with a liquidation price that is told before, gets a take profit, and is closed", {
  skip,
}, async (t) => {
  const { venue, page, bob, complaints, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000", "FUTURES");
  await bob.act("/v2/futures/order", limit("sell", "60010", "1", "FUTURES"));
  await bob.act("/v2/futures/order", limit("buy", "59990", "1", "FUTURES"));
  await page.goto(`${venue.url}/trade/futures/BTCUSDT`);
  await continueAs("alice");

  await page.getByRole("button", { name: /Cross/ }).click();
  await page.getByText("Isolated", { exact: true }).click();
  await page.getByRole("slider", { name: /Leverage/ }).fill("7");
  await page.getByRole("button", { name: "Set", exact: true }).click();
  await page.getByRole("button", { name: "Isolated 20x" }).waitFor();

  await page.getByRole("button", { name: "Market", exact: true }).click();
  await page.getByLabel("Amount", { exact: true }).fill("0.5");
  // 60010 · (1 - 1/20) / (1 - 0.005), down to the tick.
  await page.getByText("≈ 57\u202f295.97").waitFor();
  await page.getByRole("button", { name: /^Long/ }).click();
  await page.getByRole("tab", { name: /^Positions/ }).click();
  const position = page.getByRole("table", { name: "Positions" }).locator("tbody tr");
  await position.getByText("0.5000 BTC").waitFor();
  await position.getByText("57\u202f295.97").waitFor();

  await position.getByTitle("Take profit and stop loss").click();
  const takeProfit = page.getByRole("region", { name: "Take profit" });
  await takeProfit.getByLabel("Trigger", { exact: true }).fill("61000");
  await takeProfit.getByRole("button", { name: "Set" }).click();
  await takeProfit.getByText("Last 61\u202f000.00").waitFor();
  await page.getByRole("button", { name: "Close dialog" }).click();
  await position.getByText(/61\u202f000\.00 \//).waitFor();

  await position.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByText("No positions.").waitFor();
  await page.getByRole("tab", { name: "Position history" }).click();
  await page.getByRole("table", { name: "Position history" }).getByText("Long", { exact: true }).waitFor();
  assert.deepEqual(complaints, []);
});

test("money is transferred to the futures account, and the statement has it", { skip }, async (t) => {
  const { venue, page, complaints, continueAs } = await openStage(t);
  await page.goto(`${venue.url}/my/transfer`);
  await continueAs("alice");
  await page.getByLabel("Amount", { exact: true }).fill("123.45");
  await page.getByRole("button", { name: "Transfer", exact: true }).click();
  await page.getByRole("table", { name: "Transfers" }).getByText("123.45").waitFor();
  await page.getByRole("navigation", { name: "Account" }).getByText("Statement").click();
  await page.getByRole("table", { name: "Statement" }).getByText("−123.45").waitFor();

  await page.getByRole("navigation", { name: "Account" }).getByText("Deposit").click();
  await page.getByRole("img", { name: /as a QR code/ }).waitFor();
  assert.deepEqual(complaints, []);
});
