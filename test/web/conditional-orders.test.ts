/**
 * Trailing stops, pairs, brackets and icebergs on the order form: chosen, with figures that follow, sent, listed with
 * what they trail and belong to, as the API has it, and gone when they fire.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { limit, noBrowser, type Stage, setIndex, stages } from "./terminal-stage.ts";

const skip = noBrowser();
const openStage = stages();

type Conditional = Readonly<
  Record<"group_id" | "order_id" | "amount" | "trigger_price" | "trail" | "trail_rate", string>
>;

function rows(page: Page, label: string) {
  return page.getByRole("table", { name: label }).getByRole("row");
}

test("a trailing stop is sent with its figures, follows the price and fires when it turns", { skip }, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t);
  const deal = async (price: string) => {
    await bob.act("/v2/spot/order", limit("sell", price, "0.1"));
    await alice.act("/v2/spot/order", limit("buy", price, "0.1"));
  };
  await setIndex(venue, "BTCUSDT", "60000");
  await deal("60000");
  await bob.act("/v2/spot/order", limit("buy", "58000", "1"));
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");

  await page.getByLabel("Trailing", { exact: true }).check();
  await page.getByLabel("Sell", { exact: true }).check();
  assert.ok(await page.getByLabel("Price", { exact: true }).isDisabled());
  const first = page.locator(".sums dd").first();
  await page.getByLabel("Trail", { exact: true }).fill("1");
  await first.getByText("≤ 59\u202f400.00").waitFor();
  await page.getByLabel("Buy", { exact: true }).check();
  await first.getByText("≥ 60\u202f600.00").waitFor();
  await page.getByLabel("Sell", { exact: true }).check();
  await page.getByLabel("Unit of the trail").selectOption("price");
  await first.getByText("–").waitFor();
  await page.getByLabel("Trail", { exact: true }).fill("500");
  await first.getByText("≤ 59\u202f500.00").waitFor();

  await page.getByLabel("Amount", { exact: true }).fill("0.2");
  await page.getByRole("button", { name: /^Sell/ }).click();
  await page.getByText(/^Trailing stop placed/).waitFor();
  await page.getByRole("tab", { name: /^Stops/ }).click();
  const stop = rows(page, "Stop orders");
  await stop.getByText("59\u202f500.00").waitFor();
  await stop.getByText("Trailing 500.00").waitFor();
  await deal("60300");
  await stop.getByText("Last ≤ 59\u202f800.00").waitFor();
  await stop.getByTitle("Highest price since it began: 60\u202f300.00").waitFor();
  // Of a trail the amount alone can be changed.
  await stop.getByRole("button", { name: "Edit" }).click();
  assert.equal(await stop.getByRole("textbox").count(), 1);
  await stop.getByLabel("New amount").fill("0.1");
  await stop.getByLabel("New amount").press("Enter");
  await stop.getByText("0.100000").waitFor();
  await deal("59800");
  await page.getByText("No stop orders.").waitFor();
  await page.getByRole("button", { name: "Triggered", exact: true }).click();
  await rows(page, "Stop history").getByText("Last 59\u202f800.00").waitFor();
  await page.getByRole("tab", { name: "Order history" }).click();
  await rows(page, "Order history").filter({ hasText: "58\u202f000.00" }).getByText("0.100000").first().waitFor();
  assert.deepEqual(complaints, []);
});

test("a stop order at the market that was ordered in quote is listed with its own decimals", { skip }, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  await bob.act("/v2/spot/order", limit("sell", "60000", "1"));
  await alice.act("/v2/spot/stop-order", {
    market: "BTCUSDT",
    market_type: "SPOT",
    side: "buy",
    type: "market",
    ccy: "USDT",
    amount: "100.1234567",
    trigger_price: "60000",
  });
  await alice.act("/v2/spot/order", limit("buy", "60000", "0.1"));
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  await page.getByRole("tab", { name: /^Stops/ }).click();
  await page.getByRole("button", { name: "Triggered", exact: true }).click();
  await rows(page, "Stop history").getByText("100.1234567 USDT").waitFor();
  assert.deepEqual(complaints, []);
});

test("of a pair the trigger cancels the limit order, and without a trigger nothing is sent", { skip }, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  await bob.act("/v2/spot/order", limit("sell", "60000", "0.1"));
  await alice.act("/v2/spot/order", limit("buy", "60000", "0.1"));
  await bob.act("/v2/spot/order", limit("buy", "58000", "1"));
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  await page.getByRole("button", { name: "Market", exact: true }).click();
  await page.getByLabel("OCO", { exact: true }).check();
  await page.getByLabel("Price", { exact: true }).fill("62000");
  await page.getByLabel("Amount", { exact: true }).fill("0.2");
  await page.getByRole("button", { name: /^Sell/ }).click();
  await page.getByText("Enter the price that triggers the order.").waitFor();
  await page.getByLabel("Trigger", { exact: true }).fill("59000");
  await page.getByRole("button", { name: /^Sell/ }).click();
  await page.getByText(/^Pair of orders placed/).waitFor();
  await page.getByRole("tab", { name: /^Open orders/ }).click();
  await rows(page, "Open orders").getByText("62\u202f000.00").waitFor();
  await page.getByRole("tab", { name: /^Stops/ }).click();
  await rows(page, "Stop orders").getByText("59\u202f000.00").waitFor();

  await bob.act("/v2/spot/order", limit("sell", "58900", "0.1"));
  await bob.act("/v2/spot/order", limit("buy", "58900", "0.1"));
  await page.getByText("No stop orders.").waitFor();
  await page.getByRole("tab", { name: /^Open orders/ }).click();
  await page.getByText("No open orders.").waitFor();
  assert.deepEqual(complaints, []);
});

/** The waiting orders of the account, as the API has them, the take profit first. */
async function listed({ alice }: Stage, product: string, market_type: string): Promise<readonly Conditional[]> {
  const found = (await alice.read(`/v2/ext/${product}/conditional-order`, { market_type })) as Conditional[];
  return found.toReversed();
}

/** The figures that the exits of the form would bring. */
async function expectGains(page: Page, profit: string, loss: string): Promise<void> {
  await page.locator(".expected .figure").nth(0).getByText(profit, { exact: true }).waitFor();
  await page.locator(".expected .figure").nth(1).getByText(loss, { exact: true }).waitFor();
}

for (const { product, market_type, account } of [
  { product: "spot", market_type: "SPOT", account: undefined },
  { product: "spot", market_type: "MARGIN", account: "Margin" },
  { product: "futures", market_type: "FUTURES", account: undefined },
] as const) {
  const isFutures = product === "futures";
  const [buys, does] = isFutures ? ["Long", /^Long/] : ["Buy", /^Buy BTC/];

  test(`a bracket of ${market_type} shows what its exits bring, wakes with its fill and ends by its take profit`, {
    skip,
  }, async (t) => {
    const stage = await openStage(t);
    const { venue, page, alice, bob, complaints, continueAs } = stage;
    const order = (side: "buy" | "sell", price: string, amount: string) =>
      bob.act(`/v2/${product}/order`, limit(side, price, amount, isFutures ? "FUTURES" : "SPOT"));
    const deal = async (price: string) => {
      await order("sell", price, "0.1");
      await order("buy", price, "0.1");
    };
    await setIndex(venue, "BTCUSDT", "60000", isFutures ? "FUTURES" : "SPOT");
    if (account !== undefined) {
      await alice.act("/v2/assets/transfer", {
        ...{ from_account_type: "SPOT", to_account_type: "MARGIN", market: "BTCUSDT", ccy: "USDT", amount: "50000" },
      });
    }
    await deal("60000");
    await page.goto(`${venue.url}/trade/${product}/BTCUSDT`);
    await continueAs("alice");
    if (account !== undefined) await page.getByRole("button", { name: account, exact: true }).click();
    const field = (name: string) => page.getByLabel(name, { exact: true });
    const send = page.getByRole("button", { name: does });

    await field("Bracket").check();
    await field(buys).check();
    await field("Price").fill("59000");
    await field("Amount").fill("0.2");
    await send.click();
    await page.getByText("Enter the price of the take profit: a bracket has both.").waitFor();
    await field("Take profit").fill("58500");
    await send.click();
    await page
      .getByText("The take profit of an order that buys lies above the price at which it would fill.")
      .waitFor();
    await field("Take profit").fill("59500");
    await field("Stop loss").fill("58000");
    await expectGains(page, "+100.00 USDT", "−200.00 USDT");
    await field("Amount").fill("0.3");
    await expectGains(page, "+150.00 USDT", "−300.00 USDT");
    await field("Stop loss by").selectOption("percent");
    await field("Stop loss").fill("1");
    // 0.3 · 590.
    await expectGains(page, "+150.00 USDT", "−177.00 USDT");
    await field("Stop loss by").selectOption("price");
    await page.locator(".expected .figure").nth(1).waitFor({ state: "detached" });
    await field("Stop loss").fill("500.5");
    await expectGains(page, "+150.00 USDT", "−150.15 USDT");
    await field("Price").fill("58900");
    await expectGains(page, "+180.00 USDT", "−150.15 USDT");

    await send.click();
    await page.getByText(/^Bracket placed/).waitFor();
    const before = await listed(stage, product, market_type);
    assert.deepEqual(
      before.map(({ amount, trigger_price, trail }) => [Number(amount), Number(trigger_price), Number(trail)]),
      [
        [0, 59_500, 0],
        [0, 0, 500.5],
      ],
    );
    const group = String(before[0]?.group_id);
    await page.getByRole("tab", { name: /^Open orders/ }).click();
    await rows(page, "Open orders").locator("td[data-name=Group]").getByText(group, { exact: true }).waitFor();
    await page.getByRole("tab", { name: /^Stops/ }).click();
    const stops = rows(page, "Stop orders").filter({ has: page.locator("td") });
    await stops.nth(1).waitFor();
    await stops.filter({ hasText: "Trailing 500.50" }).getByText("as filled").waitFor();
    await stops.filter({ hasText: "59\u202f500.00" }).locator("td[data-name=Group]").getByText(group).waitFor();

    await order("sell", "58900", "0.3");
    const amountOf = async () => (await listed(stage, product, market_type)).map(({ amount }) => amount);
    for (const amount of await amountOf()) {
      assert.ok(Number(amount) > 0.29 && Number(amount) <= 0.3, `what is filled is protected: ${amount}`);
      const shown = new RegExp(`^${amount.replace(".", "\\.")}0*$`);
      for (const at of [0, 1]) await stops.nth(at).getByText(shown).waitFor();
    }

    await order("buy", "59600", "1");
    await deal("59600");
    await page.getByText("No stop orders.").waitFor();
    assert.deepEqual(await listed(stage, product, market_type), []);
    await page.getByRole("button", { name: "Triggered", exact: true }).click();
    await rows(page, "Stop history").getByText("Last 59\u202f500.00").waitFor();
    assert.deepEqual(complaints, []);
  });
}

test("a group is cancelled as one, and amounts typed in quote are not taken for base", { skip }, async (t) => {
  const stage = await openStage(t);
  const { venue, page, alice, bob, complaints, continueAs } = stage;
  await setIndex(venue, "BTCUSDT", "60000");
  await bob.act("/v2/spot/order", limit("sell", "60000", "1"));
  await alice.act("/v2/spot/order", limit("buy", "60000", "0.1"));
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  const field = (name: string) => page.getByLabel(name, { exact: true });
  for (const leave of [
    () => field("Bracket").check(),
    () => field("Trailing").check(),
    () => page.getByRole("button", { name: "Limit", exact: true }).click(),
    () => field("OCO").check(),
  ]) {
    await page.getByRole("button", { name: "Market", exact: true }).click();
    await field("Currency of the amount").selectOption("quote");
    await field("Amount").fill("100");
    await leave();
    assert.equal(await field("Amount").inputValue(), "");
    for (const condition of ["Bracket", "Trailing", "OCO"]) await field(condition).uncheck();
  }
  await page.getByRole("button", { name: "Limit", exact: true }).click();
  await field("Bracket").check();
  await field("Buy").check();
  await field("Price").fill("59000");
  await field("Amount").fill("0.2");
  await field("Take profit").fill("62000");
  await field("Stop loss").fill("58000");
  await page.getByRole("button", { name: /^Buy BTC/ }).click();
  await page.getByText(/^Bracket placed/).waitFor();
  await page.getByRole("tab", { name: /^Open orders/ }).click();
  await rows(page, "Open orders").getByRole("button", { name: "Cancel group" }).click();
  await page.getByText("No open orders.").waitFor();
  assert.deepEqual(await listed(stage, "spot", "SPOT"), []);
  assert.deepEqual(await alice.read("/v2/spot/pending-order", { market_type: "SPOT" }), []);
  assert.deepEqual(complaints, []);
});

test("an iceberg is placed alone, as a stop order and in a group, and the list says what the book shows", {
  skip,
}, async (t) => {
  const stage = await openStage(t);
  const { venue, page, alice, bob, complaints, continueAs } = stage;
  await setIndex(venue, "BTCUSDT", "60000");
  await bob.act("/v2/spot/order", limit("sell", "60000", "0.1"));
  await bob.act("/v2/spot/order", limit("buy", "60000", "0.1"));
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const send = page.getByRole("button", { name: /^Buy BTC/ });
  const shownInBook = async () => {
    const { depth } = (await alice.read("/v2/spot/depth", { market: "BTCUSDT", limit: 5, interval: "0" })) as {
      readonly depth: { readonly bids: readonly (readonly [string, string])[] };
    };
    return depth.bids.map(([price, amount]) => [Number(price), Number(amount)]);
  };
  await field("Iceberg").check();
  await field("Hidden").check();
  assert.equal(await field("Iceberg").isChecked(), false, "what is hidden shows no part");
  await field("Iceberg").check();
  assert.equal(await field("Hidden").isChecked(), false);
  await field("Price").fill("59000");
  await field("Amount").fill("0.5");
  for (const wrong of ["", "0", "0.5", "0.6"]) {
    await field("Shown").fill(wrong);
    await send.click();
    await page.getByText("Enter how much the book shows at a time: less than the amount.").waitFor();
  }
  await field("Shown").fill("0.01");
  await send.click();
  await page.getByText(/^Display amount is less than/).waitFor();
  await field("Shown").fill("0.1");
  await send.click();
  await page.getByText(/^Order placed: Buy 0\.5 BTC/).waitFor();
  const order = rows(page, "Open orders").filter({ hasText: "59\u202f000.00" });
  await order
    .locator("td[data-name=Shown]")
    .getByText(/^0\.10*$/)
    .waitFor();
  assert.deepEqual(await shownInBook(), [[59_000, 0.1]]);

  await field("Bracket").check();
  await field("Price").fill("58000");
  await field("Take profit").fill("62000");
  await field("Stop loss").fill("57000");
  await send.click();
  await page.getByText(/^Bracket placed/).waitFor();
  await field("OCO").check();
  await field("Price").fill("57500");
  await field("Trigger").fill("61000");
  await send.click();
  await page.getByText(/^Pair of orders placed/).waitFor();
  assert.deepEqual(await shownInBook(), [
    [59_000, 0.1],
    [58_000, 0.1],
    [57_500, 0.1],
  ]);
  await field("Stop").check();
  await field("Price").fill("57000");
  await field("Trigger").fill("59500");
  await send.click();
  await page.getByText(/^Stop order placed/).waitFor();
  const stop = (await listed(stage, "spot", "SPOT")) as readonly (Conditional & { readonly display_amount: string })[];
  assert.deepEqual(
    stop.filter(({ trigger_price }) => Number(trigger_price) === 59_500).map((each) => Number(each.display_amount)),
    [0.1],
  );
  await page.getByRole("button", { name: "IOC", exact: true }).click();
  assert.ok(await field("Iceberg").isDisabled());
  assert.deepEqual(complaints, []);
});
