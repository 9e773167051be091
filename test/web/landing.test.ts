/**
 * The landing page in a browser: figures that the venue pushes, and what a person may do with a venue of one's own
 * machine.
 */
import assert from "node:assert/strict";
import { after, before, describe, type TestContext, test } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type StartedVenue, type StartOptions, startVenue } from "../../src/lab/library/index.ts";
import { axeFaults } from "./axe.ts";
import { openBrowser } from "./browser.ts";
import { noBrowser } from "./terminal-stage.ts";

const START_MS = Date.parse("2026-01-01T00:00:00Z");
const LIVE = "serving, live";
/** Slow machines, shared by many: what takes longer hangs. */
const PATIENCE_MS = 120_000;

interface Visit {
  readonly page: Page;
  /** Paths asked for over HTTP by the page's program, */
  readonly asked: string[];
  /** and what it complained of. */
  readonly complaints: string[];
}

describe("the landing page", { skip: noBrowser() }, () => {
  let browser: Browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser?.close());

  async function opened(t: TestContext, options: StartOptions): Promise<StartedVenue> {
    const venue = await startVenue(options);
    t.after(() => venue.stop());
    return venue;
  }

  async function visit(t: TestContext, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await browser.newContext(options);
    t.after(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => {
      if (request.resourceType() === "fetch") asked.push(new URL(request.url()).pathname);
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (/content security policy/i.test(message.text())) complaints.push(message.text());
    });
    await page.goto(`${url}/docs`);
    return { page, asked, complaints };
  }

  const isSaid = (page: Page, id: string, text: string | RegExp) =>
    page.locator(`#${id}`).filter({ hasText: text }).waitFor();
  /** The cell of a market in a column, counted from 0. */
  const cellOf = (page: Page, key: string, column: number) => page.locator(`tr[data-market="${key}"] td`).nth(column);
  const look = (page: Page, isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));`);
  /** Waits until there is another text. */
  const changed = async (page: Page, id: string) => {
    const hasNotText = (await page.locator(`#${id}`).textContent()) ?? "";
    await page.locator(`#${id}`).filter({ hasNotText }).waitFor();
  };

  test("lives on what the venue pushes, and asks nothing over HTTP once it has begun", async (t) => {
    const venue = await opened(t, {});
    const { page, asked, complaints } = await visit(t, venue.url);
    await isSaid(page, "state", LIVE);
    await page.locator("#deals li").nth(1).waitFor();
    await page.waitForLoadState("networkidle");
    const before = asked.length;
    assert.ok(asked.includes("/v2/spot/market") && asked.includes("/v2/spot/kline"), asked.join());
    for (const id of ["deals", "markets", "bids", "clock", "deals", "markets"]) await changed(page, id);
    assert.equal(asked.length, before, asked.slice(before).join());
    await page.getByRole("button", { name: "ETHUSDT" }).last().click();
    await isSaid(page, "book-title", "Order book of ETHUSDT perpetual");
    await page.locator("#bids li span").nth(1).waitFor();
    assert.equal(asked.length, before, "another market's book comes over the socket, too");
    assert.match((await page.locator("#trade").getAttribute("href")) ?? "", /^\/trade\/futures\/ETHUSDT$/);
    assert.deepEqual(complaints, []);
  });

  test("rests while nobody looks at it", async (t) => {
    const venue = await opened(t, { makers: false });
    const { page, asked } = await visit(t, venue.url);
    const sockets = new Set<string>();
    page.on("websocket", (socket) => {
      sockets.add(socket.url());
      socket.on("close", () => sockets.delete(socket.url()));
    });
    await page.reload();
    await isSaid(page, "state", LIVE);
    assert.equal(sockets.size, 2);
    await look(page, true);
    while (sockets.size > 0) await page.waitForTimeout(50);
    const before = asked.length;
    await isSaid(page, "state", "paused");
    await look(page, false);
    await isSaid(page, "state", LIVE);
    assert.equal(sockets.size, 2);
    assert.ok(asked.length > before, "what was missed is read");
  });

  test("shows a market that is listed later, and survives that the venue goes back to a snapshot", async (t) => {
    const venue = await opened(t, { makers: false });
    const { page } = await visit(t, venue.url);
    await isSaid(page, "state", LIVE);
    const { snapshot_id } = await venue.admin.snapshot();
    await venue.admin.post("/admin/assets", { ccy: "NEW", scale: 8 });
    const terms = {
      base_ccy_precision: 4,
      quote_ccy_precision: 2,
      min_amount: "0.1",
      maker_fee_rate: 0,
      taker_fee_rate: 0,
    };
    await venue.admin.post("/admin/markets", { market: "NEWUSDT", base_ccy: "NEW", quote_ccy: "USDT", ...terms });
    await page.getByRole("button", { name: "NEWUSDT" }).waitFor();
    await page.evaluate(`globalThis.said = [];
      const state = document.getElementById("state");
      new MutationObserver(() => said.push(state.textContent)).observe(state, { childList: true });`);
    await venue.admin.revert(snapshot_id);
    await page.getByRole("button", { name: "NEWUSDT" }).waitFor({ state: "detached" });
    await isSaid(page, "state", LIVE);
    const said = (await page.evaluate("said")) as string[];
    assert.ok(said.includes("the venue went back to a snapshot, connecting again"), said.join());
  });

  test("says that the venue is gone, and comes back with it", async (t) => {
    const first = await startVenue({ makers: false });
    const { page } = await visit(t, first.url);
    await isSaid(page, "state", LIVE);
    await first.stop();
    await isSaid(page, "state", /^not connected, trying again in \d+ s$/);
    assert.equal(await page.locator("#dot.down").count(), 1);
    const again = await opened(t, { makers: false, port: Number(new URL(first.url).port) });
    const sources = ["northgate", "harbour", "meridian", "quayside"].map((exchange) => ({ exchange, price: "30000" }));
    await again.admin.post("/admin/index-prices", { market: "BTCUSDT", market_type: "SPOT", sources });
    await isSaid(page, "state", LIVE);
    await cellOf(page, "spot/BTCUSDT", 7).filter({ hasText: "30000" }).waitFor();
  });

  test("shows a dozen of many markets, says how many more there are, and finds any by name", async (t) => {
    const venue = await opened(t, { makers: false, settings: { markets: 100 } });
    const { page } = await visit(t, venue.url);
    const followed: string[] = [];
    page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => followed.push(String(payload))));
    await page.reload();
    await isSaid(page, "more", "These are the 12 most traded markets; there are 91 more.");
    await isSaid(page, "state", LIVE);
    assert.equal(await page.locator("#markets tr").count(), 12);
    assert.ok(followed.length > 0);
    assert.ok(
      !followed.some((text) => text.includes('"market_list":[]')),
      "nobody follows a hundred markets for twelve rows",
    );
    const find = page.getByLabel("Find");
    await find.fill("dsc");
    await isSaid(page, "more", "1 of 103 markets have “DSC” in their name.");
    assert.deepEqual(await page.locator("#markets button").allTextContents(), ["DSCUSDT"]);
    await find.fill("nothing of that kind");
    await isSaid(page, "markets", "No market has that in its name.");
    await find.fill("");
    await page.locator("#markets tr").nth(11).waitFor();
  });

  test("signs in with a click and gives test money with another", async (t) => {
    const venue = await opened(t, { makers: false });
    const { page, complaints } = await visit(t, venue.url);
    const [alice] = venue.accounts;
    const row = page.getByRole("row", { name: /^alice/ });
    assert.deepEqual(await row.locator("code").allTextContents(), [alice?.accessId, alice?.secretKey]);
    assert.equal(await page.getByRole("link", { name: "operators' console" }).getAttribute("href"), venue.adminUrl);
    const take = page.getByRole("button", { name: "USDT", exact: true });
    await take.waitFor();
    assert.equal(await take.isDisabled(), true);
    await page.getByRole("button", { name: "Sign in as alice" }).click();
    await isSaid(page, "account-said", "You are signed in as alice.");
    await take.click();
    await isSaid(page, "money-said", "alice got 10000.0000000000 USDT.");
    const { deposits } = await venue.admin.get<{ deposits: { actor: string }[] }>("/admin/deposits", {
      actor: "user 1",
    });
    assert.equal(deposits.length, 1);
    await page.getByLabel("Another currency").fill("btc");
    await page.getByLabel("Another currency").press("Enter");
    await isSaid(page, "money-said", /an index tells the worth of, which none does of BTC/);
    await page.getByRole("button", { name: "Sign out" }).click();
    await isSaid(page, "account-said", "Sign in to take test money and to move the clock.");
    assert.equal(await take.isDisabled(), true);
    await isSaid(page, "clock-kind", "This venue runs by the machine's clock.");
    assert.equal(await page.locator("#freeze").isVisible(), false);
    assert.deepEqual(complaints, []);
  });

  test("moves a virtual clock for who is signed in, over the end of his session too, and shows how it runs", async (t) => {
    const venue = await opened(t, { startTime: START_MS, frozen: true });
    const { page, complaints } = await visit(t, venue.url);
    await isSaid(page, "clock", "2026-01-01 00:00:00");
    await isSaid(page, "pace", "frozen");
    await page.getByRole("button", { name: "Sign in as bob" }).click();
    for (const [button, time] of [
      ["+ 1 minute", "2026-01-01 00:01:00"],
      ["+ 1 hour", "2026-01-01 01:01:00"],
      ["+ 1 day", "2026-01-02 01:01:00"],
    ] as const) {
      await page.getByRole("button", { name: button }).click();
      await isSaid(page, "clock-said", `It is ${time}, and time stands still.`);
      await isSaid(page, "clock", time);
    }
    await isSaid(page, "account-said", "You are signed in as bob.");
    assert.equal((await venue.admin.status()).time_ms, Date.parse("2026-01-02T01:01:00Z"));
    await page.getByLabel("Speed").fill("60");
    await page.getByRole("button", { name: "Set" }).click();
    await isSaid(page, "clock-said", /and time stands still\.$/);
    await page.getByRole("button", { name: "Let it run" }).click();
    await isSaid(page, "pace", "at speed 60");
    await isSaid(page, "clock-said", /and time runs at speed 60\.$/);
    await changed(page, "clock");
    await page.getByRole("button", { name: "Freeze" }).click();
    await isSaid(page, "pace", "frozen");
    await page.locator("#markets .chart path[d^=M]").first().waitFor({ state: "attached" });
    assert.deepEqual(complaints, []);
  });

  test("copies by keyboard and tells who cannot see it", async (t) => {
    const venue = await opened(t, { makers: false });
    const { page } = await visit(t, venue.url, { permissions: ["clipboard-read", "clipboard-write"] });
    await isSaid(page, "state", LIVE);
    await page.getByRole("button", { name: "Copy the secret key of alice" }).focus();
    await page.keyboard.press("Enter");
    await page
      .getByRole("status")
      .filter({ hasText: "Copied the secret key of alice." })
      .waitFor({ state: "attached" });
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), venue.accounts[0]?.secretKey);
    await page.getByRole("button", { name: "Copy the example in Python" }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("status").filter({ hasText: "Copied the example in Python." }).waitFor({ state: "attached" });
    assert.match(
      (await page.evaluate("navigator.clipboard.readText()")) as string,
      new RegExp(`"${venue.url}" \\+ target`),
    );
  });

  test("can be used by everybody, by day and in the dark, on a desktop and on a phone", async (t) => {
    const venue = await opened(t, { clock: "virtual" });
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1280, 390]) {
        const { page } = await visit(t, venue.url, { colorScheme, viewport: { width, height: 844 } });
        await isSaid(page, "state", LIVE);
        await page.getByRole("button", { name: "Sign in as alice" }).click();
        await isSaid(page, "account-said", "You are signed in as alice.");
        assert.deepEqual(await axeFaults(page), [], `${colorScheme} ${width}`);
        assert.equal(
          await page.evaluate("document.documentElement.scrollWidth"),
          width,
          "nothing is wider than the screen",
        );
      }
    }
  });

  test("has no accounts to offer where keys were drawn", async (t) => {
    const venue = await opened(t, { accounts: "random", makers: false, clock: "virtual" });
    const { page, complaints } = await visit(t, venue.url);
    await isSaid(page, "state", LIVE);
    assert.equal(await page.locator("#sandbox").count(), 0);
    assert.deepEqual(complaints, []);
  });
});
