/** What a page shows before its program runs, and what it loads. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { noBrowser, openStage } from "./terminal-stage.ts";

const skip = noBrowser();
const APP = fileURLToPath(new URL("../../web/dist/app/", import.meta.url));

/** All scripts of the terminal together, compressed: more than a first view loads. */
const SCRIPT_BYTES_MAX = 250_000;
/** One font for everything. */
const FONT_BYTES_MAX = 60_000;

const ON_A_BEAT = ["/web/futures-settings/", "/web/sessions", "/v2/assets/deposit-history", "/v2/assets/withdraw"];

test("the first frame has the theme that was chosen, before the program of the page has come", { skip }, async (t) => {
  const { venue, page, complaints } = await openStage(t);
  const ground = async () =>
    (await page.evaluate("document.fonts.ready.then(() => getComputedStyle(document.body).backgroundColor)")) as string;
  await page.goto(`${venue.url}/my/settings`);
  const light = await ground();
  await page.getByText("Dark", { exact: true }).click();
  const dark = await ground();
  assert.notEqual(dark, light);
  await page.route(/\/app\/index-.*\.js$/, (route) => route.abort());
  await page.goto(`${venue.url}/my/settings`, { waitUntil: "load" });
  assert.equal(await ground(), dark);
  await page.evaluate('localStorage.removeItem("bourse.theme")');
  await page.goto(`${venue.url}/my/settings`, { waitUntil: "load" });
  assert.equal(await ground(), light);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(`${venue.url}/my/settings`, { waitUntil: "load" });
  assert.equal(await ground(), dark);
  assert.deepEqual(complaints, []);
});

test("the page is set in its own font, asks for nothing twice, and its scripts are small", { skip }, async (t) => {
  const { venue, page, continueAs } = await openStage(t);
  await page.goto(venue.url);
  await continueAs("alice");
  const asked = new Map<string, number>();
  page.on("request", (request) => {
    const key = `${request.method()} ${request.url().slice(venue.url.length)}`;
    asked.set(key, (asked.get(key) ?? 0) + 1);
  });
  for (const path of ["/trade/spot/BTCUSDT", "/trade/futures/BTCUSDT"]) {
    // What the page before still asks for is not this one's.
    await page.goto("about:blank");
    asked.clear();
    await page.goto(venue.url + path);
    await page.getByRole("button", { name: "alice", exact: true }).waitFor();
    await page.locator(".chart canvas").first().waitFor();
    await page.waitForLoadState("networkidle");
    // Of some things no push tells: they are asked for on a beat.
    const twice = [...asked].filter(([what, times]) => times > 1 && !ON_A_BEAT.some((each) => what.includes(each)));
    assert.deepEqual(twice, [], path);
  }
  assert.equal(await page.evaluate("document.fonts.check(\"13px 'Inter Variable'\")"), true);

  const files = readdirSync(APP).map((name) => ({ name, body: readFileSync(APP + name) }));
  const scripts = files.filter(({ name }) => name.endsWith(".js"));
  const bytes = scripts.reduce((sum, { body }) => sum + gzipSync(body, { level: 9 }).length, 0);
  assert.ok(bytes > 50_000 && bytes <= SCRIPT_BYTES_MAX, `${bytes} bytes of scripts`);
  const fonts = files.filter(({ name }) => name.endsWith(".woff2"));
  assert.deepEqual([fonts.length, (fonts[0]?.body.length ?? 0) <= FONT_BYTES_MAX], [1, true]);
});
