/** The terminal without a mouse: an order from the first key to the last, and what each key does. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { limit, noBrowser, openStage, setIndex } from "./terminal-stage.ts";

const skip = noBrowser();

test("an order is typed, sent and taken back with the keyboard alone", { skip }, async (t) => {
  const { venue, page, bob, complaints, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  await bob.act("/v2/spot/order", limit("sell", "60010", "1"));
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  const { keyboard } = page;
  // The keys of the form are those of the form that is there.
  await page.getByRole("button", { name: "Buy BTC" }).waitFor();

  await keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  await keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.locator("body").click({ position: { x: 2, y: 2 } });
  await keyboard.press("s");
  const side = (name: string) => page.getByRole("radio", { name, exact: true });
  assert.equal(await side("Sell").isChecked(), true);
  await keyboard.press("b");
  assert.equal(await side("Buy").isChecked(), true);
  await keyboard.press("2");
  const price = page.getByLabel("Price", { exact: true });
  assert.equal(await price.isDisabled(), true, "a market order has none");
  await keyboard.press("1");
  await price.fill("59000");
  await keyboard.press("ArrowUp");
  assert.equal(await price.inputValue(), "59000.01");
  await keyboard.press("ArrowDown");
  await keyboard.press("Escape");
  await keyboard.press("a");
  await keyboard.type("0.1");
  assert.equal(await page.getByLabel("Amount", { exact: true }).inputValue(), "0.1");
  await keyboard.press("Enter");
  const row = page
    .getByRole("table", { name: "Open orders" })
    .locator("tbody tr")
    .filter({ hasText: "59\u202f000.00" });
  await row.waitFor();
  await row.focus();
  await keyboard.press("x");
  await page.getByText("No open orders.").waitFor();

  await keyboard.press("Escape");
  await keyboard.press("/");
  await page.getByLabel("Search markets").waitFor();
  await keyboard.press("Escape");
  await page.getByLabel("Search markets").waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
});
