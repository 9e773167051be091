/**
 * The day of somebody who never saw the terminal: a futures position with its exits, seen, told of, closed and
 * exported. Every figure is the API's.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { limit, noBrowser, openStage, setIndex } from "./terminal-stage.ts";

const skip = noBrowser();

type Said = Readonly<Record<string, string>>;

test("a trader opens a position with exits, sees what the API says of it, is told of the fill, and exports the history", {
  skip,
}, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t, "--limits", "off");
  await setIndex(venue, "BTCUSDT", "60000", "FUTURES");
  const settings = { market: "BTCUSDT", market_type: "FUTURES", margin_mode: "isolated", leverage: 8 };
  await alice.act("/v2/futures/adjust-position-leverage", settings);
  for (const [price, amount] of [
    ["60003.33", "0.1"],
    ["60010.77", "0.2"],
    ["60500", "1"],
  ] as const)
    await bob.act("/v2/futures/order", limit("sell", price, amount, "FUTURES"));
  await bob.act("/v2/futures/order", limit("buy", "59988.12", "1", "FUTURES"));
  await page.goto(`${venue.url}/trade/futures/BTCUSDT`);
  await continueAs("alice");
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const read = async (path: string) => (await alice.read(`/v2/futures/${path}`)) as Said[];
  const position = async () => (await read("pending-position?market_type=FUTURES"))[0] ?? {};
  const balance = async () =>
    ((await alice.read("/v2/assets/futures/balance")) as Said[]).find(({ ccy }) => ccy === "USDT") ?? {};

  await t.test("he opens it from the form, and is told what it was filled at and what it cost", async () => {
    await button("Isolated 8x").waitFor();
    await button("Market").click();
    await page.getByLabel("TP/SL").check();
    await field("Amount").fill("0.2345");
    await field("Take profit").fill("61234.56");
    await field("Stop loss").fill("58765.43");
    await button(/^Long/).click();
    const toast = page.locator(".toasts").getByText(/^Buy 0\.2345 BTC filled at/);
    await toast.waitFor();
    const deals = await read("user-deals?market=BTCUSDT&market_type=FUTURES");
    assert.equal(deals.length, 2);
    const [, average = "", fee = ""] =
      /filled at ([\d.\u202f]+) on average, fee ([\d.\u202f]+) USDT/.exec(await toast.innerText()) ?? [];
    const value = deals.reduce((sum, { price, amount }) => sum + Number(price) * Number(amount), 0);
    assertShows(average, String(value / 0.2345), "the average price");
    assertShows(fee, String(deals.reduce((sum, deal) => sum + Number(deal["fee"]), 0)), "the fee");
  });

  await t.test("each figure of the position is the API's", async () => {
    await page.getByRole("tab", { name: /^Positions/ }).click();
    const row = page.getByRole("table", { name: "Positions" }).locator("tbody tr");
    await row.getByText("61\u202f234.56 / 58\u202f765.43").waitFor();
    for (const [column, name] of [
      ["Amount", "open_interest"],
      ["PnL", "unrealized_pnl"],
      ["Entry", "avg_entry_price"],
      ["Liquidation", "liq_price"],
      ["Margin", "margin_avbl"],
    ] as const)
      await shows(row.locator(`td[data-name="${column}"]`), async () => (await position())[name], column);
    const now = await position();
    assert.deepEqual([now["take_profit_price"], now["stop_loss_price"]], ["61234.56", "58765.43"]);
  });

  await t.test("each figure of the account is the API's", async () => {
    const summary = page.getByRole("region", { name: "Account summary" });
    for (const [line, name] of [
      ["Balance", "account_balance"],
      ["Unrealized PnL", "unrealized_pnl"],
      ["Isolated margin", "margin"],
      ["In orders", "frozen"],
      ["Available", "available"],
    ] as const) {
      const figure = summary
        .locator("dt", { hasText: new RegExp(`^${line}$`) })
        .first()
        .locator("xpath=following-sibling::dd[1]");
      await shows(figure, async () => (await balance())[name], line);
    }
  });

  await t.test("he closes it, and its history and its file say what the API says", async () => {
    await page.getByRole("table", { name: "Positions" }).getByRole("button", { name: "Close", exact: true }).click();
    await page.getByText("No positions.").waitFor();
    await page.getByRole("tab", { name: "Order history" }).click();
    await page.getByRole("table", { name: "Order history" }).locator("tbody tr").nth(1).waitFor();
    const saved = page.waitForEvent("download");
    await button("CSV").click();
    const [names = "", ...lines] = readFileSync(await (await saved).path(), "utf8")
      .trim()
      .split("\r\n");
    const orders = await read("finished-order?market_type=FUTURES&limit=100");
    assert.equal(lines.length, orders.length);
    for (const [at, line] of lines.entries()) {
      const cells = line.split(",");
      for (const [column, name] of names.split(",").entries()) {
        const said = orders[at]?.[name];
        if (said !== undefined) assert.equal(cells[column], String(said), name);
      }
    }
  });
  assert.deepEqual(complaints, []);
});

const ROUNDS = 300;

/** Waits until the page shows what the API says: both change until all has been pushed. */
async function shows(at: Locator, said: () => Promise<string | undefined>, what: string): Promise<void> {
  for (let round = 1; ; round++) {
    const [text, value] = [await at.innerText(), await said()];
    assert.ok(value !== undefined, `the API says nothing of ${what}`);
    if (round === ROUNDS) return assertShows(text, value, what);
    if (isShown(text, value)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function assertShows(text: string, value: string, what: string): void {
  assert.ok(isShown(text, value), `${what} is ${value}, and the page shows ${text}`);
}

/** To the last digit that is shown: which way it is rounded depends on the kind of figure. */
function isShown(text: string, value: string): boolean {
  const digits = /-?\d+(?:\.\d+)?/.exec(text.replaceAll(/[\s\u202f]/g, "").replaceAll("−", "-"))?.[0];
  if (digits === undefined) return false;
  const unit = 10 ** -(digits.split(".")[1]?.length ?? 0);
  // Binary fractions are off by less than a thousandth of it.
  return Math.abs(Number(digits) - Number(value)) < unit * 0.999;
}
