/** The figures of the order form: each follows each input, and margin mode and leverage are the venue's. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { grouped } from "../../web/src/number/show.ts";
import { limit, noBrowser, openStage, setIndex } from "./terminal-stage.ts";

const skip = noBrowser();

/** What takes longer hangs. */
const PATIENCE_MS = 120_000;

/** The figures under the form as they are shown, by their names. */
async function sums(page: Page): Promise<Record<string, string>> {
  const names = await page.locator(".sums dt").allTextContents();
  const figures = await page.locator(".sums dd").allTextContents();
  return Object.fromEntries(names.map((name, at) => [name, (figures[at] ?? "").replaceAll("\u202f", " ").trim()]));
}

/** Waits until a figure is what it should be: the page draws once a frame. */
async function expectFigure(page: Page, name: string, expected: string | RegExp): Promise<void> {
  const isMet = (shown = "") => (typeof expected === "string" ? shown === expected : expected.test(shown));
  for (const giveUpAt = Date.now() + PATIENCE_MS; Date.now() < giveUpAt; await sleep(50)) {
    if (isMet((await sums(page))[name])) return;
  }
  assert.fail(`${name} is "${(await sums(page))[name]}" and not ${expected}.`);
}

test("every figure of a futures order follows every input", { skip }, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t);
  const leverage = (margin_mode: string, at: number) =>
    alice.act("/v2/futures/adjust-position-leverage", {
      ...{ market: "BTCUSDT", market_type: "FUTURES", margin_mode, leverage: at },
    });
  await setIndex(venue, "BTCUSDT", "60000", "FUTURES");
  await bob.act("/v2/futures/order", limit("sell", "60010", "2", "FUTURES"));
  await bob.act("/v2/futures/order", limit("buy", "59990", "2", "FUTURES"));
  await leverage("isolated", 20);
  await page.goto(`${venue.url}/trade/futures/BTCUSDT`);
  const price = page.getByLabel("Price", { exact: true });
  const amount = page.getByLabel("Amount", { exact: true });

  await t.test("margin and liquidation are unknown until the venue knows who asks", async () => {
    await price.fill("60000");
    await amount.fill("1");
    await expectFigure(page, "Value", "60 000.00 USDT");
    assert.deepEqual(await sums(page).then(({ Margin, "Liquidation price": at }) => [Margin, at]), ["–", "–"]);
  });

  await t.test("a browser that never saw the venue shows the margin mode and leverage of the venue", async () => {
    await continueAs("alice");
    await page.getByRole("button", { name: "Isolated 20x" }).waitFor();
    await expectFigure(page, "Margin", "3 000.00 USDT");
    // 60000 · (1 - 1/20) / (1 - 0.005), down to the tick.
    await expectFigure(page, "Liquidation price", "≈ 57 286.43");
  });

  await t.test(
    "typing twice, another price, side, type and share change value, margin, fee and liquidation",
    async () => {
      await amount.fill("0.5");
      await expectFigure(page, "Value", "30 000.00 USDT");
      await expectFigure(page, "Margin", "1 500.00 USDT");
      await expectFigure(page, "Fee", "≤ 15 USDT");
      await amount.fill("0.25");
      await expectFigure(page, "Value", "15 000.00 USDT");
      await expectFigure(page, "Margin", "750.00 USDT");
      await price.fill("50000");
      await expectFigure(page, "Value", "12 500.00 USDT");
      await expectFigure(page, "Margin", "625.00 USDT");
      await expectFigure(page, "Liquidation price", "≈ 47 738.69");
      await page.getByRole("radio", { name: "Short" }).check({ force: true });
      // 50000 · (1 + 1/20) / (1 + 0.005), up to the tick.
      await expectFigure(page, "Liquidation price", "≈ 52 238.81");
      await page.getByRole("button", { name: "Market", exact: true }).click();
      await expectFigure(page, "Value", "≈ 14 997.50 USDT");
      await page.getByRole("radio", { name: "Long" }).check({ force: true });
      await expectFigure(page, "Value", "≈ 15 002.50 USDT");
      await expectFigure(page, "Margin", "750.13 USDT");
      await page.getByRole("button", { name: "Limit", exact: true }).click();
      await price.fill("60000");
      await page.getByRole("button", { name: "50 %" }).click();
      await expectFigure(page, "Margin", /^(?!750\.13)[1-9]/);
      const half = Number((await sums(page))["Margin"]?.replace(/[^\d.]/g, ""));
      await page.getByRole("button", { name: "25 %" }).click();
      await expectFigure(
        page,
        "Margin",
        new RegExp(
          `^${grouped((half / 2).toFixed(2))
            .replaceAll("\u202f", " ")
            .slice(0, 5)}`,
        ),
      );
    },
  );

  await t.test("leverage that another program sets is shown within the page's beat, with its figures", async () => {
    await amount.fill("1");
    await leverage("isolated", 10);
    await page.getByRole("button", { name: "Isolated 10x" }).waitFor();
    await expectFigure(page, "Margin", "6 000.00 USDT");
    await leverage("cross", 50);
    await page.getByRole("button", { name: "Cross 50x" }).waitFor();
    await expectFigure(page, "Margin", "1 200.00 USDT");
  });

  await t.test("nothing can be sent while the venue does not say what leverage holds", async () => {
    await page.getByRole("button", { name: "Cross 50x" }).click();
    const dialog = page.getByRole("dialog", { name: "Margin and leverage of BTCUSDT" });
    await dialog.getByLabel("Leverage").fill("0");
    await page.route("**/web/futures-settings/**", (route) => route.abort());
    const long = page.getByRole("button", { name: /^Long/ });
    await expectFigure(page, "Margin", "–");
    assert.equal(await long.isDisabled(), true);
    assert.equal(await dialog.getByText("1x").first().isVisible(), true, "what is chosen in the dialog stays");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.unroute("**/web/futures-settings/**");
    await expectFigure(page, "Margin", "1 200.00 USDT");
    assert.equal(await long.isDisabled(), false);
  });
  assert.deepEqual(complaints, []);
});

test("the total and the fee of a spot order follow every input", { skip }, async (t) => {
  const { venue, page, bob, complaints, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  await bob.act("/v2/spot/order", limit("sell", "60010", "1"));
  await bob.act("/v2/spot/order", limit("buy", "59990", "1"));
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  const price = page.getByLabel("Price", { exact: true });
  const amount = page.getByLabel("Amount", { exact: true });
  await price.fill("60000");
  for (const [typed, total] of [
    ["1", "60 000.00"],
    ["12", "720 000.00"],
    ["0.5", "30 000.00"],
  ] as const) {
    await amount.fill(typed);
    await expectFigure(page, "Total", `${total} USDT`);
  }
  await price.fill("50000.01");
  await expectFigure(page, "Total", "25 000.01 USDT");
  await page.getByRole("radio", { name: "Sell" }).check({ force: true });
  await expectFigure(page, "Total", "25 000.00 USDT");
  await expectFigure(page, "Fee", /USDT$/);
  await page.getByRole("radio", { name: "Buy" }).check({ force: true });
  await expectFigure(page, "Fee", /BTC$/);
  await page.getByRole("button", { name: "Market", exact: true }).click();
  await expectFigure(page, "Total", "≈ 30 005.00 USDT");
  assert.deepEqual(complaints, []);
});
