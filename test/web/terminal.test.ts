/** The terminal as somebody uses it, in a real browser: spot. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { limit, noBrowser, setIndex, stages } from "./terminal-stage.ts";

const skip = noBrowser();
const openStage = stages();

/** The form as it is filled in. */
async function order(page: Page, button: RegExp, price: string | undefined, amount: string): Promise<void> {
  if (price !== undefined) await page.getByLabel("Price", { exact: true }).fill(price);
  await page.getByLabel("Amount", { exact: true }).fill(amount);
  await page.getByRole("button", { name: button }).click();
}

const rows = (page: Page, table: string) =>
  page.getByRole("table", { name: table }).locator("tbody tr:not(:has(.empty))");

test("a stranger sees book, deals and candles move, and nothing is loaded from elsewhere", { skip }, async (t) => {
  const { venue, page, alice, bob, complaints } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  await alice.act("/v2/spot/order", limit("sell", "60010", "1"));
  await alice.act("/v2/spot/order", limit("buy", "59990", "1"));
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await page.getByRole("list", { name: "Asks" }).getByText("60\u202f010.00").waitFor();
  await page.getByRole("list", { name: "Bids" }).getByText("59\u202f990.00").waitFor();

  await bob.act("/v2/spot/order", limit("buy", "60010", "0.25"));
  await page.getByRole("button", { name: "Latest deals" }).click();
  await page.getByRole("list", { name: "Latest deals" }).getByText("0.25").waitFor();
  await page.getByRole("button", { name: "Order book", exact: true }).click();
  await page.locator(".chart[data-candles]").waitFor();
  await page.locator(".legend").getByText("60\u202f010.00").first().waitFor();
  const last = page.locator(".header-price");
  await last.getByText("60\u202f010.00").waitFor();

  await bob.act("/v2/spot/order", limit("sell", "59990", "0.25"));
  await last.getByText("59\u202f990.00").waitFor();
  await page.getByRole("button", { name: "5m", exact: true }).click();
  await page.locator(".legend").getByText("59\u202f990.00").first().waitFor();
  await page.getByRole("button", { name: "Depth", exact: true }).click();
  await page.getByRole("img", { name: "Depth of the book" }).waitFor();
  // A click in the book fills the price.
  await page.getByRole("list", { name: "Asks" }).getByText("60\u202f010.00").click();
  assert.equal(await page.getByLabel("Price", { exact: true }).inputValue(), "60010.00");
  assert.deepEqual(complaints, []);
});

test("candles that come when the chart has given way to the depth of the book are not drawn", { skip }, async (t) => {
  const { venue, page, alice, complaints } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  await alice.act("/v2/spot/order", limit("sell", "60010", "1"));
  await alice.act("/v2/spot/order", limit("buy", "59990", "1"));
  const released = Promise.withResolvers<void>();
  await page.route("**/spot/kline*", async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await page.locator(".chart canvas").first().waitFor();
  await page.getByRole("button", { name: "Depth", exact: true }).click();
  await page.getByRole("img", { name: "Depth of the book" }).waitFor();
  const come = page.waitForResponse(/\/spot\/kline/);
  released.resolve();
  await (await come).finished();
  // They are drawn, if at all, in one of the next frames.
  for (let frame = 0; frame < 5; frame++) await page.evaluate("new Promise(requestAnimationFrame)");
  assert.deepEqual(complaints, []);
});

test("markets are searched with the keyboard and chosen, and the address says where one is", { skip }, async (t) => {
  const { venue, page } = await openStage(t);
  await page.goto(venue.url);
  await page.waitForURL(/\/trade\/spot\/\w+$/);
  await page.getByRole("button", { name: "Limit", exact: true }).waitFor();
  await page.keyboard.press("/");
  await page.getByLabel("Search markets").fill("doge futures");
  await page.getByText("No market is found.").waitFor();
  await page.getByLabel("Search markets").fill("btcusd futures");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/trade\/futures\/BTCUSD$/);
  await page.getByRole("button", { name: /^Long/ }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: /^Buy/ }).waitFor();
});

test("an order is placed, refused, changed, met by somebody else and cancelled, and the lists follow", {
  skip,
}, async (t) => {
  const { venue, page, bob, complaints, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  const open = rows(page, "Open orders");

  await order(page, /^Sell/, "60100", "0.00001");
  await page.getByRole("alert").getByText("The amount is below the minimum of the market.").waitFor();

  await order(page, /^Sell/, "60100", "0.5");
  await open.getByText("60\u202f100.00").waitFor();
  await order(page, /^Buy/, "59000", "0.1");
  await open.getByText("59\u202f000.00").waitFor();
  assert.equal(await open.count(), 2);

  const selling = open.filter({ hasText: "60\u202f100.00" });
  await selling.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("New price").fill("60050");
  await page.getByLabel("New price").press("Enter");
  const changed = open.filter({ hasText: "60\u202f050.00" });
  await changed.waitFor();

  await bob.act("/v2/spot/order", limit("buy", "60050", "0.2"));
  await changed.getByText("40.0\u202f%").waitFor();
  await bob.act("/v2/spot/order", limit("buy", "60050", "0.3"));
  await changed.waitFor({ state: "detached" });

  await open.filter({ hasText: "59\u202f000.00" }).getByRole("button", { name: "Cancel" }).click();
  await page.getByText("No open orders.").waitFor();
  await page.getByRole("tab", { name: "Order history" }).click();
  await rows(page, "Order history").getByText("60\u202f050.00").first().waitFor();
  await page.getByRole("tab", { name: "Deals" }).click();
  await rows(page, "Your deals").nth(1).waitFor();
  assert.deepEqual(complaints, []);
});

test("a stop order waits, fires at its trigger and is filled", { skip }, async (t) => {
  const { venue, page, alice, bob, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  await bob.act("/v2/spot/order", limit("sell", "60000", "0.1"));
  await alice.act("/v2/spot/order", limit("buy", "60000", "0.1"));
  await bob.act("/v2/spot/order", limit("sell", "60200", "1"));
  await bob.act("/v2/spot/order", limit("sell", "60300", "1"));
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  await page.getByLabel("Stop", { exact: true }).check();
  await page.getByLabel("Trigger", { exact: true }).fill("60150");
  await order(page, /^Buy/, "60400", "0.3");
  await page.getByRole("tab", { name: /^Stops/ }).click();
  await rows(page, "Stop orders").getByText("60\u202f150.00").waitFor();

  await alice.act("/v2/spot/order", limit("buy", "60200", "0.1"));
  await page.getByText("No stop orders.").waitFor();
  await page.getByRole("tab", { name: "Order history" }).click();
  await rows(page, "Order history").filter({ hasText: "60\u202f400.00" }).getByText("0.300000").first().waitFor();
});

test("after a restart of the venue the page comes back by itself, signed in, with its orders", { skip }, async (t) => {
  const { venue, data, page, continueAs } = await openStage(t);
  const port = new URL(venue.url).port;
  await setIndex(venue, "BTCUSDT", "60000");
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  await order(page, /^Buy/, "59000", "0.1");
  await rows(page, "Open orders").getByText("59\u202f000.00").waitFor();

  const place = async () => await page.getByRole("button", { name: "Buy BTC" }).boundingBox();
  const before = await place();
  await venue.end("SIGTERM");
  await page.getByText("The connection to the venue is lost.").waitFor();
  // Prices are veiled and nothing can be sent, and nothing moves for it.
  assert.deepEqual(await place(), before);
  assert.equal(await page.getByRole("button", { name: "Buy BTC" }).isDisabled(), true);
  for (const veiled of [".book", ".chart", ".header-price"])
    assert.equal(
      await page.evaluate(`Number(getComputedStyle(document.querySelector("${veiled}")).opacity) < 1`),
      true,
      veiled,
    );
  const { VenueProcess } = await import("../support/venue-process.ts");
  const again = await VenueProcess.start(data, "--makers", "off", "--port", port, "--admin-port", "0");
  t.after(() => again.end("SIGKILL"));
  await page.getByText("The connection to the venue is lost.").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "alice", exact: true }).waitFor();
  await rows(page, "Open orders").getByText("59\u202f000.00").waitFor();
  await rows(page, "Open orders").getByRole("button", { name: "Cancel" }).click();
  await page.getByText("No open orders.").waitFor();
});
