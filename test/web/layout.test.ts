/** The trading page is arranged as its user wants it, and stays so. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { limit, noBrowser, openStage, setIndex } from "./terminal-stage.ts";

const skip = noBrowser();

test("the book has as many levels as fit, and parts are arranged, hidden, sized and remembered", {
  skip,
}, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  for (let at = 1; at <= 30; at++) {
    await alice.act("/v2/spot/order", limit("buy", `${60_000 - at}`, "0.01"));
    await bob.act("/v2/spot/order", limit("sell", `${60_000 + at}`, "0.01"));
  }
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  const area = (name: string) => page.locator(`.area-${name}`);
  const height = async (name: string) => (await area(name).boundingBox())?.height ?? 0;
  const width = async (name: string) => (await area(name).boundingBox())?.width ?? 0;
  const layout = async (action: () => Promise<void>) => {
    await page.getByRole("button", { name: "Layout" }).click();
    await action();
    await page.keyboard.press("Escape");
  };

  await t.test("the book stands over the whole height of the page", async () => {
    const whole = (await page.getByRole("main").boundingBox())?.height ?? 0;
    assert.equal(await height("book"), whole);
    const bids = page.getByRole("list", { name: "Bids" }).getByRole("listitem");
    await bids.nth(15).waitFor();
    // 21 px a row; the head of the list and the last price stand between the sides.
    const fits = Math.floor((((await page.locator(".book").boundingBox())?.height ?? 0) - 62) / 2 / 21);
    assert.equal(await bids.count(), Math.min(30, fits));
  });

  await t.test("deals take turns with the book, or stand beside it", async () => {
    const deals = page.getByRole("list", { name: "Latest deals" });
    assert.equal(await deals.isVisible(), false);
    await page.getByRole("button", { name: "Latest deals" }).click();
    await deals.waitFor();
    await page.getByRole("button", { name: "Order book", exact: true }).click();
    await page.getByRole("list", { name: "Bids" }).waitFor();
    await layout(() => page.getByText("Beside the book").click());
    await deals.waitFor();
    assert.equal(await page.getByRole("list", { name: "Bids" }).isVisible(), true);
  });

  await t.test("a preset shows the chart alone, and after a reload it still does", async () => {
    await layout(() => page.getByRole("button", { name: "Chart only" }).click());
    await area("book").waitFor({ state: "hidden" });
    await page.reload();
    await page.locator(".chart canvas").first().waitFor();
    assert.equal(await width("chart"), 1_440);
    for (const name of ["book", "entry", "lists"]) assert.equal(await area(name).isVisible(), false, name);
    await layout(async () => {
      await page.getByRole("button", { name: "Classic" }).click();
      await page.getByRole("checkbox", { name: "Orders and balances" }).uncheck();
    });
    await area("lists").waitFor({ state: "hidden" });
    assert.equal(await height("chart"), await height("book"));
    await layout(() => page.getByRole("button", { name: "Classic" }).click());
  });

  await t.test("lines between the parts are moved with the arrow keys, and stay where they were left", async () => {
    const [book, lists] = [await width("book"), await height("lists")];
    await page.getByRole("separator", { name: "Width of the book" }).press("ArrowLeft");
    await page.getByRole("separator", { name: "Height of the lists" }).press("ArrowUp");
    await page.reload();
    await page.getByRole("list", { name: "Bids" }).waitFor();
    assert.deepEqual([await width("book"), await height("lists")], [book + 16, lists + 16]);
  });

  await t.test("the summary says what the API says", async () => {
    const summary = page.getByRole("region", { name: "Account summary" });
    const balances = (await alice.read("/v2/assets/spot/balance")) as {
      ccy: string;
      available: string;
      frozen: string;
    }[];
    const usdt = balances.find(({ ccy }) => ccy === "USDT");
    const shown = async (name: string) =>
      (await summary.locator(`dt:text-is("${name}") + dd`).textContent())?.replaceAll("\u202f", "");
    await summary.getByText("USDT in orders").waitFor();
    assert.equal(await shown("USDT in orders"), Number(usdt?.frozen).toFixed(2));
    assert.equal(await shown("USDT available"), (Math.floor(Number(usdt?.available) * 100) / 100).toFixed(2));
  });
  assert.deepEqual(complaints, []);
});

test("several markets are open in tabs, which are remembered", { skip }, async (t) => {
  const { venue, page, complaints } = await openStage(t);
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  const tabs = page.getByRole("navigation", { name: "Open markets" });
  const choose = async (text: string) => {
    await page.getByLabel("Search markets").fill(text);
    await page.keyboard.press("Enter");
  };
  await tabs.getByRole("button", { name: /^BTCUSDT/ }).waitFor();
  await tabs.getByRole("button", { name: "Open another market" }).click();
  await choose("ETHUSDT spot");
  await page.waitForURL(/\/trade\/spot\/ETHUSDT$/);
  // A market that is chosen otherwise takes the place of the one that is shown.
  await page.getByTitle("Markets (/)").click();
  await choose("BTCUSDT futures");
  await page.waitForURL(/\/trade\/futures\/BTCUSDT$/);
  await tabs.getByRole("button", { name: /^BTCUSDT Perp/ }).waitFor();
  await page.reload();
  await tabs.getByRole("button", { name: /^BTCUSDT Perp/ }).waitFor();
  assert.equal(await tabs.locator(".market-tab").count(), 2);
  await tabs.getByRole("button", { name: /^BTCUSDT(?! Perp)/ }).click();
  await page.waitForURL(/\/trade\/spot\/BTCUSDT$/);
  await tabs.getByRole("button", { name: "Close BTCUSDT", exact: true }).click();
  await page.waitForURL(/\/trade\/futures\/BTCUSDT$/);
  assert.equal(await tabs.locator(".market-tab").count(), 1);
  assert.deepEqual(complaints, []);
});

const LISTS = ["Positions", "Open orders", "Stops", "Order history", "Deals", "Position history", "Balances"] as const;

test("every column of every list stands under its name, and no tab is out of sight on the smallest desktop", {
  skip,
}, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t);
  for (const market_type of ["SPOT", "FUTURES"]) {
    const [path, kind] = market_type === "SPOT" ? ["spot", market_type] : ["futures", market_type];
    await setIndex(venue, "BTCUSDT", "60000", kind);
    await bob.act(`/v2/${path}/order`, limit("sell", "60000", "0.1", kind));
    await alice.act(`/v2/${path}/order`, limit("buy", "60000", "0.1", kind));
    await alice.act(`/v2/${path}/order`, limit("buy", "59000", "0.1", kind));
  }
  // Who begins on the smallest one has parts of its size.
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.goto(`${venue.url}/trade/futures/BTCUSDT`);
  await continueAs("alice");
  for (const width of [1_280, 1_440, 1_920]) {
    await page.setViewportSize({ width, height: 900 });
    for (const name of LISTS) {
      const tab = page.getByRole("tab", { name });
      await tab.click();
      const table = page.locator(".lists-panel table");
      await table.locator("tbody td").first().waitFor();
      const edges = await table.evaluate((found) => {
        const edgesOf = (cells: Iterable<{ getBoundingClientRect(): { left: number; right: number } }>) =>
          [...cells].map((cell) => [cell.getBoundingClientRect().left, cell.getBoundingClientRect().right]);
        const row = [...found.querySelectorAll("tbody tr")].find(({ children }) => children.length > 1);
        return { heads: edgesOf(found.querySelectorAll("thead th")), cells: edgesOf(row?.children ?? []) };
      });
      if (edges.cells.length > 0) assert.deepEqual(edges.cells, edges.heads, `${name} at ${width}`);
      if (name === "Positions") {
        const acts = (await table.locator("tbody td.acts").boundingBox()) ?? { x: 0 };
        for (const column of ["PnL", "Entry", "Liquidation", "TP / SL"]) {
          const cell = (await table.locator(`tbody td[data-name="${column}"]`).boundingBox()) ?? { x: 0, width: 0 };
          assert.ok(cell.width > 0 && cell.x + cell.width <= acts.x + 1, `${column} is covered at ${width}`);
        }
      }
    }
    const panel = (await page.locator(".lists-panel").boundingBox()) ?? { x: 0, width: 0 };
    const end = (await page.locator(".tabs-end").boundingBox()) ?? { x: 0, width: 0 };
    assert.ok(end.x + end.width <= panel.x + panel.width, `the end of the tabs is cut at ${width}`);
    const options = (await page.locator(".chart-options").boundingBox()) ?? { x: 0, width: 0 };
    assert.ok(options.x + options.width <= panel.x + panel.width, `the options of the chart are cut at ${width}`);
  }

  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await page.getByRole("tab", { name: "Deals" }).click();
  const deal = page.getByRole("table", { name: "Your deals" }).locator("tbody tr").first();
  await deal.getByText("BTCUSDT").waitFor();
  assert.equal(await deal.getByText("Margin").count(), 0, "a deal on spot is no deal on margin");
  assert.deepEqual(complaints, []);
});
