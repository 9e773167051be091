/** The terminal tells of fills, triggers and closed positions, with the average price and the fee that the API has. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { limit, noBrowser, openStage, setIndex } from "./terminal-stage.ts";
import { WebClient } from "./web-client.ts";

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

/** How long a message that warns stands. */
const SHOWN_MS = 8_000;
const SCREENS = [
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];

test("messages lie over the chart, never over the form, the account summary, the book or a list", {
  skip,
}, async (t) => {
  const { venue, page, complaints, continueAs } = await openStage(t);
  // Messages stand until somebody dismisses them, however slow the machine is.
  await page.addInitScript(`{
    const soon = globalThis.setTimeout;
    globalThis.setTimeout = (run, ms, ...more) => (ms === ${SHOWN_MS} ? 0 : soon(run, ms, ...more));
  }`);
  for (const product of ["spot", "futures"]) {
    const looked = page.waitForResponse("**/web/sessions");
    await page.goto(`${venue.url}/trade/${product}/BTCUSDT`);
    if (product === "spot") await continueAs("alice");
    await page.getByRole("table", { name: product === "spot" ? "Open orders" : "Positions" }).waitFor();
    await looked;
    for (const screen of SCREENS) {
      await page.setViewportSize(screen);
      for (let time = 0; time < 2; time++) await new WebClient(venue.url).act("/web/demo", { account: "alice" });
      // What was said twice stands once.
      const toasts = page.locator(".toast");
      await toasts.getByText(/^Somebody signed in .* \(2 times\)$/).waitFor();
      assert.equal(await toasts.count(), 1);
      const covered = await page.evaluate(`(() => {
        const toast = document.querySelector(".toast").getBoundingClientRect();
        const parts = document.querySelectorAll(".area-entry, .area-book, .area-lists, .header");
        return [...parts].filter((part) => {
          const box = part.getBoundingClientRect();
          return box.left < toast.right && box.right > toast.left && box.top < toast.bottom && box.bottom > toast.top;
        }).map((part) => part.className);
      })()`);
      assert.deepEqual(covered, [], `${product}, ${screen.width} wide`);
      await toasts.getByRole("button", { name: "Dismiss" }).click();
    }
  }
  assert.deepEqual(complaints, []);
});
