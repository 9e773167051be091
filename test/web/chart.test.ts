/** The chart: candles as the API has them, indicators, drawings that stay, and lines of one's own orders. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped, shown } from "../../web/src/number/show.ts";
import { limit, noBrowser, openStage, setIndex } from "./terminal-stage.ts";

const skip = noBrowser();

interface Kline {
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
}

test("candles and indicators say what the API's candles say, drawings stay, and lines are grouped and hidden", {
  skip,
}, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t, "--clock", "virtual");
  await setIndex(venue, "BTCUSDT", "60000");
  const trade = async (price: number) => {
    await bob.act("/v2/spot/order", limit("sell", `${price}`, "0.01"));
    await alice.act("/v2/spot/order", limit("buy", `${price}`, "0.01"));
  };
  for (let at = 0; at < 12; at++) {
    for (const off of [0, 40, -30, 10]) await trade(60_000 + at * 20 + off);
    await venue.admin("/admin/clock", { advance_ms: 60_000, hold_index: true });
  }
  await trade(60_300);
  await trade(60_260);
  await bob.act("/v2/spot/order", limit("sell", "60400", "0.5"));
  await alice.act("/v2/spot/order", limit("buy", "60100", "0.25"));
  await alice.act("/v2/spot/order", limit("buy", "60000", "0.25"));
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  const legend = page.locator(".legend");
  const chart = page.locator(".chart");
  const klines = async () =>
    (await bob.read("/v2/spot/kline?market=BTCUSDT&period=1min&price_type=latest_price&limit=20")) as Kline[];
  const menu = async (button: string, action: () => Promise<void>) => {
    await page.getByRole("button", { name: button }).click();
    await action();
    await page.keyboard.press("Escape");
  };

  await t.test("the open candle has the wicks of the API's", async () => {
    const last = (await klines()).at(-1);
    assert.ok(last !== undefined && Number(last.high) > Number(last.close));
    for (const [name, price] of [
      ["O", last.open],
      ["H", last.high],
      ["L", last.low],
      ["C", last.close],
    ] as const) {
      await legend.locator(`dt:text-is("${name}") + dd`).getByText(shown(price, 2), { exact: true }).waitFor();
    }
  });

  await t.test("a moving average is that of the API's candles, after a deal, too", async () => {
    await menu("Indicators", async () => {
      await page.getByLabel("MA", { exact: true }).check();
      await page.getByLabel("MACD", { exact: true }).check();
    });
    const average = async () => {
      const closes = (await klines()).slice(-7).map(({ close }) => Number(close));
      return grouped((closes.reduce((sum, close) => sum + close, 0) / 7).toFixed(2));
    };
    const told = legend.locator('.reading dt:text-is("MA 7") + dd');
    await told.getByText(await average(), { exact: true }).waitFor();
    await trade(60_330);
    await told.getByText(await average(), { exact: true }).waitFor();
  });

  await t.test("lines and retracements are drawn, kept over a reload, and removed", async () => {
    const box = await chart.boundingBox();
    assert.ok(box);
    const press = (x: number, y: number) => page.mouse.click(box.x + box.width * x, box.y + box.height * y);
    await page.getByRole("button", { name: "Trend line" }).click();
    await press(0.3, 0.5);
    await press(0.6, 0.3);
    await page.getByRole("button", { name: "Drawings: 1" }).waitFor();
    await page.getByRole("button", { name: "Fibonacci retracement" }).click();
    await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.6);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.3, { steps: 4 });
    await page.mouse.up();
    await page.getByRole("button", { name: "Drawings: 2" }).waitFor();
    await page.getByRole("button", { name: "Horizontal line" }).click();
    await press(0.2, 0.2);
    await page.getByRole("button", { name: "Drawings: 3" }).waitFor();
    // It is held by what was drawn last, and Delete takes it away.
    await page.keyboard.press("Delete");
    await page.getByRole("button", { name: "Drawings: 2" }).waitFor();
    await page.getByRole("button", { name: "Measure", exact: true }).click();
    await page.keyboard.press("Escape");
    await page.reload();
    await menu("Drawings: 2", async () => {
      await page.getByRole("button", { name: /^Remove Trend line/ }).click();
      await page
        .getByRole("button", { name: /^Fibonacci retracement/ })
        .last()
        .waitFor();
    });
    await page.getByRole("button", { name: "Drawings: 1" }).waitFor();
    await legend.locator('.reading dt:text-is("MA 7")').waitFor();
    // Another market has its own.
    await page.goto(`${venue.url}/trade/spot/ETHUSDT`);
    await page.getByRole("toolbar", { name: "Drawing tools" }).waitFor();
    assert.equal(await page.getByRole("button", { name: /^Drawings/ }).count(), 0);
    await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
    await page.getByRole("button", { name: "Drawings: 1" }).waitFor();
  });

  await t.test(
    "orders out of sight are marked at the edge, several at a price as one, and lines can be hidden",
    async () => {
      await alice.act("/v2/spot/order", limit("sell", "90000", "0.1"));
      await alice.act("/v2/spot/order", limit("sell", "90000", "0.2"));
      const above = page.getByRole("list", { name: "Lines above what is seen" });
      await above.getByText("Sell 0.30000000 (2) 90\u202f000.00").waitFor();
      await page.getByRole("button", { name: "Lines", exact: true }).click();
      await above.getByText("Sell").waitFor({ state: "detached" });
      for (const scale of ["log", "percent", "linear"]) await page.getByLabel("Scale of prices").selectOption(scale);
      await page.getByRole("button", { name: "Auto", exact: true }).click();
    },
  );

  await t.test("the depth is read at the pointer", async () => {
    await page.getByRole("button", { name: "Depth", exact: true }).click();
    const depth = page.getByRole("img", { name: "Depth of the book" });
    await depth.hover({ position: { x: 2, y: 20 } });
    // The scale goes from 60000 to 90000: so near to its beginning lies the bid at 60100, and not that at 60000.
    await page.locator(".depth-readout").getByText("Bids 0.25000000 BTC").waitFor();
    await page
      .locator(".depth-readout")
      .getByText(/^15\.02 K USDT/)
      .waitFor();
  });
  assert.deepEqual(complaints, []);
});
