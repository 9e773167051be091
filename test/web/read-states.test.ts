/** Loading, failed and empty are told apart, on the terminal, in a real browser. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SECTIONS } from "./sections.ts";
import { noBrowser, openStage } from "./terminal-stage.ts";
import { untilRead } from "./until-read.ts";

const skip = noBrowser();

test("a list that cannot be read says so and can be tried again; only one that was read is called empty", {
  skip,
}, async (t) => {
  const { venue, page, complaints, continueAs } = await openStage(t);
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  const history = page.getByRole("table", { name: "Order history" });
  const release = Promise.withResolvers<void>();

  await page.route("**/v2/spot/finished-order**", async (route) => {
    await release.promise;
    await route.abort();
  });
  await page.getByRole("tab", { name: "Order history" }).click();
  await history.getByText("Loading…").waitFor();
  assert.equal(await history.getByText("No orders have ended yet.").count(), 0);

  release.resolve();
  await history.getByText("The venue cannot be reached.").waitFor();
  assert.equal(await history.getByText("No orders have ended yet.").count(), 0);

  await page.unroute("**/v2/spot/finished-order**");
  await history.getByRole("button", { name: "Retry" }).click();
  await history.getByText("No orders have ended yet.").waitFor();

  await page.getByRole("list", { name: "Bids" }).getByText("No bids.").waitFor();
  assert.deepEqual(complaints, []);
});

test("keys that cannot be read are not called none", { skip }, async (t) => {
  const { venue, page, continueAs } = await openStage(t);
  await page.route("**/web/keys", (route) => route.abort());
  await page.goto(`${venue.url}/my/keys`);
  await continueAs("alice");
  const keys = page.getByRole("table", { name: "API keys" });
  await keys.getByRole("button", { name: "Retry" }).waitFor();
  assert.equal(await keys.getByText("No keys yet.").count(), 0);
});

test("markets that cannot be read are told of where chart and form would be, and can be tried again", {
  skip,
}, async (t) => {
  const { venue, page, complaints } = await openStage(t);
  const release = Promise.withResolvers<void>();
  await page.route("**/v2/*/market", async (route) => {
    await release.promise;
    await route.abort();
  });
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  const places = ["Chart", "Order entry"].map((name) => page.getByRole("region", { name, exact: true }));
  for (const place of places) await place.getByText("Loading…").waitFor();

  release.resolve();
  for (const place of places) await place.getByText("The venue cannot be reached.").waitFor();
  assert.equal(await page.getByRole("region", { name: "Order book" }).getByText("Loading…").count(), 0);

  await page.unroute("**/v2/*/market");
  await places[1]?.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("form", { name: "Order in BTCUSDT" }).waitFor();
  assert.deepEqual(complaints, []);
});

test("candles that cannot be read are not called none", { skip }, async (t) => {
  const { venue, page } = await openStage(t);
  await page.route("**/v2/spot/kline**", (route) => route.abort());
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  const chart = page.getByRole("region", { name: "Chart", exact: true });
  await chart.getByText("The venue cannot be reached.").waitFor();
  assert.equal(await chart.getByText("No candles yet.").count(), 0);

  await page.unroute("**/v2/spot/kline**");
  await chart.getByRole("button", { name: "Retry" }).click();
  await chart.getByText("No candles yet.").waitFor();
});

test("balances that cannot be read are not called none where an order or a transfer is written", {
  skip,
}, async (t) => {
  const { venue, page, complaints, continueAs } = await openStage(t);
  await page.route(/\/v2\/assets\/(?:spot|futures|margin)\/balance/, (route) => route.abort());
  for (const [path, product] of [
    ["/trade/spot/BTCUSDT", "spot"],
    ["/trade/futures/BTCUSDT", "futures"],
  ] as const) {
    const asked = page.waitForEvent("requestfailed", (request) => request.url().includes(`/assets/${product}/balance`));
    await page.goto(venue.url + path);
    if (product === "spot") await continueAs("alice");
    await asked;
    const form = page.locator("form.entry");
    await form.getByText("Available").waitFor();
    await page.getByRole("region", { name: "Account summary" }).getByText("The venue cannot be reached.").waitFor();
    assert.equal(await form.locator(".available").getByText("–", { exact: true }).count(), 1, path);
    assert.equal(await page.locator(".welcome").count(), 0, path);
  }
  for (const path of ["/my/transfer", "/my/withdraw"]) {
    await page.goto(venue.url + path);
    await page.locator(".available").getByText("–", { exact: true }).waitFor();
  }
  await page.unroute(/\/v2\/assets\/(?:spot|futures|margin)\/balance/);
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await page.locator("form.entry .available .figure").waitFor();
  assert.deepEqual(complaints, []);
});

/** Everything that an account page reads, but who has signed in and what time it is. */
const READS = /\/(?:v2|web)\/(?!session(?:$|\?)|time)/;
/** Sentences and figures that only an answer of the venue can tell. */
const NONE = /^(?:No|Nothing|Nobody)\b|\bhas no (?:chain|pool)\b|^0(?:\.0+)?(?:\s|$)/;

test("no page of the account says that there is none of what was not read", { skip }, async (t) => {
  const { venue, page, continueAs } = await openStage(t);
  await page.goto(venue.url);
  await continueAs("alice");
  const told = async () =>
    (await page.locator(".section > :not(.section-head)").locator(":scope, p, td, dd, li").allInnerTexts())
      .flatMap((text) => text.split("\n"))
      .filter((text) => NONE.test(text.trim()));
  const found: string[] = [];
  for (const section of SECTIONS) {
    // First nothing is answered, then all fails.
    await page.route(READS, () => {});
    await page.goto(`${venue.url}/my/${section}`);
    await page.locator(".section h1").waitFor();
    found.push(...(await told()).map((text) => `${section}, loading: ${text}`));
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.route(READS, (route) => route.abort());
    await page.goto(`${venue.url}/my/${section}`);
    await untilRead(page);
    found.push(...(await told()).map((text) => `${section}, failed: ${text}`));
    await page.unrouteAll({ behavior: "ignoreErrors" });
  }
  assert.deepEqual([...new Set(found)], []);
});
