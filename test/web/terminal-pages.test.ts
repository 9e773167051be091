/** What holds of every page of the terminal: it is accessible in both themes, and fits on a phone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { axeFaults, OF_THEMES } from "./axe.ts";
import { SECTIONS } from "./sections.ts";
import { limit, noBrowser, openStage, setIndex } from "./terminal-stage.ts";
import { untilRead } from "./until-read.ts";
import { visibleFaults } from "./visible-faults.ts";

const skip = noBrowser();

const SCREENS = [
  { width: 360, height: 740 },
  { width: 820, height: 1180 },
  { width: 1920, height: 1080 },
  { width: 1440, height: 900 },
];
const PAGES = ["/trade/spot/BTCUSDT", "/trade/futures/BTCUSDT", ...SECTIONS.map((section) => `/my/${section}`)];

test("every page is accessible in both themes and whole on every screen", { skip }, async (t) => {
  const { venue, page, alice, bob, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  await bob.act("/v2/spot/order", limit("sell", "60000", "1"));
  await alice.act("/v2/spot/order", limit("buy", "60000", "0.1"));
  await alice.act("/v2/spot/order", limit("buy", "59000", "0.1"));
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  assert.deepEqual(await axeFaults(page), [], "as a stranger");
  await continueAs("alice");
  const found: string[] = [];
  for (const path of PAGES) {
    await page.goto(venue.url + path);
    await page.getByRole("button", { name: "alice", exact: true }).waitFor();
    await untilRead(page);
    await page.emulateMedia({ colorScheme: "light" });
    found.push(...(await axeFaults(page)).map((fault) => `${path}: ${fault}`));
    await page.emulateMedia({ colorScheme: "dark" });
    found.push(...(await axeFaults(page, "html", OF_THEMES)).map((fault) => `${path}, dark: ${fault}`));
    for (const screen of SCREENS) {
      await page.setViewportSize(screen);
      found.push(...(await visibleFaults(page)).map((fault) => `${path}, ${screen.width} wide: ${fault}`));
    }
  }
  assert.deepEqual(found, []);
});

test("on a phone nothing is wider than the screen, and the form comes up from below", { skip }, async (t) => {
  const { venue, page, alice, bob, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000", "FUTURES");
  await bob.act("/v2/futures/order", limit("sell", "60008.88", "0.1", "FUTURES"));
  await alice.act("/v2/futures/order", limit("buy", "60008.88", "0.1", "FUTURES"));
  await page.goto(`${venue.url}/trade/futures/BTCUSDT`);
  await continueAs("alice");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.locator(".header-price").getByText("60\u202f008.88").waitFor();
  // Market, price, bell and account stand in one row.
  const middles: number[] = [];
  for (const part of [".market-switch", ".header-price", ".header-end"]) {
    const box = await page.locator(part).boundingBox();
    assert.ok(box !== null, part);
    middles.push(box.y + box.height / 2);
  }
  assert.ok(Math.max(...middles) - Math.min(...middles) < 10, middles.join(", "));
  for (const path of PAGES) {
    await page.goto(venue.url + path);
    await untilRead(page);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, path);
  }
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await page.getByRole("button", { name: "Buy", exact: true }).click();
  await page.getByLabel("Amount", { exact: true }).fill("1");
  await page.getByRole("button", { name: "Buy BTC" }).waitFor();
  await page.getByRole("button", { name: "Close the form" }).click();
  await page.getByRole("button", { name: "Book", exact: true }).click();
  await page.getByRole("heading", { name: "Order book" }).waitFor();
});
