/** The pages of the documents in a browser: readable by day and in the dark, keys to copy, signed in with a click. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { type StartedVenue, startVenue } from "../../src/lab/library/index.ts";
import { axeFaults } from "./axe.ts";
import { openBrowser } from "./browser.ts";

let venue: StartedVenue;
let browser: Browser;
before(async () => {
  [venue, browser] = await Promise.all([startVenue(), openBrowser()]);
});
after(async () => {
  await browser?.close();
  await venue?.stop();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the API reference can be read (${colorScheme}), and one click signs its calls`, async () => {
    const page = await (await browser.newContext({ colorScheme })).newPage();
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(`${venue.url}/docs/api`);
    await page.getByRole("button", { name: "Sign in as alice" }).click();
    assert.equal(await page.getByRole("status").first().textContent(), "Calls are signed as alice.");
    assert.deepEqual(await axeFaults(page), []);
    const call = page.locator(".opblock", { hasText: "/assets/spot/balance" }).first();
    await call.locator("button.opblock-summary-control").click();
    await call.locator("button.execute").click();
    await call.locator(".live-responses-table .microlight").first().waitFor();
    assert.match((await call.locator(".live-responses-table").textContent()) ?? "", /"code": 0/);
    assert.match(
      (await call.locator(".curl").textContent()) ?? "",
      new RegExp(`X-SVC-KEY: ${venue.accounts[0]?.accessId}`),
    );
    assert.deepEqual(await axeFaults(page), [], "what came can be read, too");
    assert.deepEqual(complaints, []);
    await page.close();
  });
}

for (const [path, title] of [
  ["/docs/legacy", "API reference of the legacy generation"],
  ["/docs/sockets", "Sockets"],
  ["/docs/pages", "Documents"],
  ["/docs/pages/start/run-a-venue", "Run a venue in ten minutes"],
  ["/docs/legacy-sockets", "Legacy sockets"],
  ["/no/such/page", "There is nothing at this address."],
] as const) {
  test(`the page at ${path} can be read on a desktop by day and on a phone in the dark, and leads to the others`, async () => {
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 390],
    ] as const) {
      const page = await (await browser.newContext({ colorScheme, viewport: { width, height: 844 } })).newPage();
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("console", (message) => {
        if (/content security policy/i.test(message.text())) complaints.push(message.text());
      });
      await page.goto(venue.url + path);
      await page.getByRole("heading", { name: title }).waitFor();
      if (path === "/docs/legacy") await page.locator(".opblock").first().waitFor();
      assert.deepEqual(await axeFaults(page), [], `${colorScheme} ${width}`);
      assert.equal(
        await page.evaluate("document.documentElement.scrollWidth"),
        width,
        "nothing is wider than the screen",
      );
      const links = page.getByRole("navigation", { name: "Documents" }).getByRole("link");
      assert.deepEqual(await links.allTextContents(), ["Terminal", "Documents", "API reference", "Sockets", "OpenAPI"]);
      assert.deepEqual(complaints, []);
      await page.close();
    }
  });
}

test("the search finds a section by its words, and leads to it", async () => {
  const page = await (await browser.newContext({ colorScheme: "dark" })).newPage();
  await page.goto(`${venue.url}/docs/pages`);
  const box = page.getByRole("searchbox", { name: "Search the documents" });
  await box.fill("restore passphrase");
  const result = page.locator("#results").getByRole("link", { name: "Data and backups: Backups" });
  await result.waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await result.click();
  await page.getByRole("heading", { name: "Backups", exact: true }).waitFor();
  assert.match(page.url(), /\/docs\/pages\/guides\/backups#backups$/);
  await page.getByRole("searchbox").fill("nosuchword");
  await page.getByText("Nothing found.").waitFor();
  await page.close();
});

test("the API reference is filtered by path and name, and shows each call as a program", async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${venue.url}/docs/api`);
  const calls = page.locator(".opblock");
  await calls.first().waitFor();
  const all = await calls.count();
  await page.getByLabel("Filter the calls").fill("kline futures");
  await page.waitForFunction(`document.querySelectorAll(".opblock").length < ${all}`);
  assert.equal(await calls.count(), 1);
  await calls.first().locator("button.opblock-summary-control").click();
  const programs = calls.first().locator("details");
  await programs.nth(2).waitFor();
  assert.deepEqual(await programs.locator("summary").allTextContents(), ["curl", "JavaScript", "Python"]);
  await programs.first().locator("summary").click();
  assert.match((await programs.first().textContent()) ?? "", /curl -s .*\/v2\/futures\/kline\?market=BTCUSDT/);
  assert.deepEqual(await axeFaults(page), []);
  await page.close();
});

test("keys that were drawn stand on no page", async (t) => {
  const drawn = await startVenue({ accounts: "random", makers: false });
  t.after(() => drawn.stop());
  assert.equal((await fetch(`${drawn.url}/docs/accounts.json`)).status, 404);
  for (const path of ["/docs", "/docs/api"]) {
    const text = await (await fetch(drawn.url + path)).text();
    for (const { accessId, secretKey } of drawn.accounts)
      assert.ok(!text.includes(accessId) && !text.includes(secretKey));
  }
});
