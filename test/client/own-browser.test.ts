/** The TypeScript client in a real browser: calls, signatures, and a book that is unpacked without Node. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build, type Rolldown } from "vite";
import { VenueProcess } from "../support/venue-process.ts";
import { chromiumPath, openBrowser } from "../web/browser.ts";

// The bundler sets it for the whole process, which other files of tests share.
const nodeEnv = process.env["NODE_ENV"];
after(() => {
  if (nodeEnv === undefined) delete process.env["NODE_ENV"];
  else process.env["NODE_ENV"] = nodeEnv;
});

/** What a page loads and then runs; `key` is alice's, who is the same in every dev venue. */
const PROGRAM = `async (code, key) => {
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const { Book, Client } = await import(url);
  const client = new Client();
  const ticker = await client.get("/spot/ticker", { market: "BTCUSDT" });
  const book = await Book.follow(client.socket("spot"), "BTCUSDT", { limit: 5 });
  const balance = await new Client({ key }).get("/assets/spot/balance");
  const bids = book.ok ? book.data.bids : [];
  client.close();
  return { last: ticker.ok && ticker.data[0].last, bids, balance: balance.ok };
}`;
const ALICE = {
  accessId: "76C101C1D5579A41CA9066B9CCB187B5",
  secretKey: "799400991C9FCC1EAB583202E52473F16226EB2883EF46DB",
};

test("a page asks, signs and follows a book", async (context) => {
  const chromium = chromiumPath();
  if ("missing" in chromium) return context.skip(chromium.missing);
  const entry = fileURLToPath(new URL("../../client/index.ts", import.meta.url));
  const made = (await build({
    configFile: false,
    logLevel: "silent",
    build: { write: false, lib: { entry, formats: ["es"] }, rolldownOptions: { external: ["ws"] } },
  })) as Rolldown.RolldownOutput[];
  const code = made[0]?.output[0].code ?? "";
  assert.doesNotMatch(code, /from\s*"node:/);
  const venue = await VenueProcess.start(":memory:");
  const browser = await openBrowser();
  try {
    // The venue's pages load nothing but their own; this one is a page of somebody else at the same address.
    const page = await (await browser.newContext({ bypassCSP: true })).newPage();
    await page.goto(`${venue.url}/docs`);
    const call = `(${PROGRAM})(${JSON.stringify(code)}, ${JSON.stringify(ALICE)})`;
    const found = (await page.evaluate(call)) as { last: unknown; bids: unknown[][]; balance: boolean };
    assert.match(String(found.last), /^\d+(\.\d+)?$/);
    assert.match(String(found.bids[0]?.[0]), /^\d+(\.\d+)?$/);
    assert.equal(found.balance, true);
  } finally {
    await browser.close();
    await venue.end("SIGKILL");
  }
});
