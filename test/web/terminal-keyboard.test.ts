/**
 * The terminal and the console without a mouse: an order and a position from the first key to the last, what each key
 * does, and the reason of a refused order.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openConsole } from "./console-stage.ts";
import { pressAt, tabTo, typeAt } from "./keyboard.ts";
import { limit, noBrowser, type Stage, setIndex, stages } from "./terminal-stage.ts";

const skip = noBrowser();
const openStage = stages();

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

/** The position of the account, as the API has it. */
async function held({ alice }: Stage): Promise<readonly Readonly<Record<string, string>>[]> {
  return await alice.read("/v2/futures/pending-position?market_type=FUTURES");
}

test("a position is opened with its exits, closed and exported with the keyboard alone", { skip }, async (t) => {
  const stage = await openStage(t);
  const { venue, page, bob, complaints } = stage;
  const { keyboard } = page;
  await setIndex(venue, "BTCUSDT", "60000", "FUTURES");
  await bob.act("/v2/futures/order", limit("sell", "60000", "1", "FUTURES"));
  await bob.act("/v2/futures/order", limit("buy", "59990", "1", "FUTURES"));
  await page.goto(`${venue.url}/trade/futures/BTCUSDT`);
  await pressAt(page, page.getByRole("button", { name: "Continue as alice" }));
  await page.getByRole("button", { name: "alice", exact: true }).waitFor();
  await page.getByRole("button", { name: /^Long/ }).and(page.locator(":enabled")).waitFor();
  const field = (name: string) => page.getByLabel(name, { exact: true });

  await keyboard.press("b");
  await keyboard.press("2");
  await keyboard.press("a");
  await keyboard.type("0.25");
  await pressAt(page, field("TP/SL"), "Space");
  await typeAt(page, field("Take profit"), "61000");
  await typeAt(page, field("Stop loss"), "59000");
  await keyboard.press("Enter");
  const row = page.getByRole("table", { name: "Positions" }).locator("tbody tr");
  await row.getByText("61\u202f000.00 / 59\u202f000.00").waitFor();
  assert.deepEqual(
    (await held(stage)).map((each) => [Number(each["open_interest"]), Number(each["take_profit_price"])]),
    [[0.25, 61_000]],
  );

  await pressAt(page, row.getByRole("button", { name: "Reduce" }));
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await pressAt(page, row.getByRole("button", { name: "Close", exact: true }));
  await page.getByText("No positions.").waitFor();
  assert.deepEqual(await held(stage), []);

  // Positions, open orders, stops, and the history of orders.
  await tabTo(page, page.getByRole("tab", { name: /^Positions/ }));
  for (let step = 0; step < 3; step++) await keyboard.press("ArrowRight");
  await page.getByRole("table", { name: "Order history" }).locator("tbody tr").nth(1).waitFor();
  const saved = page.waitForEvent("download");
  await pressAt(page, page.getByRole("button", { name: "CSV" }));
  assert.equal((await saved).suggestedFilename(), "order-history.csv");
  assert.deepEqual(complaints, []);
});

test("the reason of a refused order is found with the keyboard alone", { skip }, async (t) => {
  const stage = await openStage(t);
  await stage.alice.post("/v2/spot/order", limit("buy", "60000", "0.000000001"));
  const { refusals } = await stage.venue.admin("/admin/refusals");
  const page = await openConsole(stage);
  const { keyboard } = page;
  await pressAt(page, page.getByRole("link", { name: "Refused requests" }));
  const row = page.getByRole("table", { name: "Refused requests" }).locator("tbody tr").first();
  await row.getByText("alice").waitFor();
  await pressAt(page, row);
  const panel = page.getByRole("complementary", { name: /^Request / });
  await panel.getByText(refusals[0].because).first().waitFor();
  await keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await row.and(page.locator(":focus")).waitFor();

  const search = page.getByLabel("Search the venue");
  await typeAt(page, search, "alice");
  await keyboard.press("Enter");
  await pressAt(page, page.getByRole("list", { name: "Found for alice" }).getByRole("link", { name: "user 1" }));
  await page.getByRole("heading", { name: /^alice/ }).waitFor();
});
