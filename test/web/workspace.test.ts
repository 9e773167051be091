/**
 * What somebody is told of, and what makes daily work easy: notices and alerts, files of histories, favourites, hidden
 * balances, cards on a phone.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { axeFaults } from "./axe.ts";
import { limit, noBrowser, openStage, setIndex } from "./terminal-stage.ts";
import { untilRead } from "./until-read.ts";
import { visibleFaults } from "./visible-faults.ts";
import { WebClient } from "./web-client.ts";

const skip = noBrowser();
const CHAIN = "TRC20";

test("deposits, sign-ins and prices that were waited for are told and listed", { skip }, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  await bob.act("/v2/spot/order", limit("sell", "60000", "0.1"));
  await alice.act("/v2/spot/order", limit("buy", "60000", "0.1"));
  const looked = page.waitForResponse(/\/web\/sessions/);
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  await (await looked).finished();
  const toast = (text: string | RegExp) => page.locator(".toasts").getByText(text).first().waitFor();
  const bell = page.getByRole("button", { name: /^Notices/ });

  await t.test("a deposit that arrives", async () => {
    const of = { ccy: "USDT", chain: CHAIN };
    const { address } = (await alice.read(`/v2/assets/deposit-address?ccy=${of.ccy}&chain=${of.chain}`)) as {
      address: string;
    };
    await venue.admin(`/admin/chains/${CHAIN}/transactions`, { ccy: "USDT", to_address: address, amount: "250" });
    await venue.admin(`/admin/chains/${CHAIN}/blocks`, { count: 1 });
    await toast(/^Your deposit of 250 USDT (is on its way|waits for its blocks)\./);
    await venue.admin(`/admin/chains/${CHAIN}/blocks`, { count: 100 });
    await toast("Your deposit of 250 USDT has arrived in your spot account.");
  });

  await t.test("a sign-in from elsewhere", async () => {
    const other = new WebClient(venue.url);
    await other.act("/web/demo", { account: "alice" });
    await toast(/^Somebody signed in to your account by .* from 127\.0\.0\.1/);
  });

  await t.test("a price that the market comes to, once", async () => {
    await bell.click();
    await page.getByLabel("Price of BTCUSDT to be told of").fill("60100");
    await page.getByRole("button", { name: "Add alert" }).click();
    await page.getByRole("list", { name: "Price alerts" }).getByText("BTCUSDT ≥ 60\u202f100.00").waitFor();
    await page.keyboard.press("Escape");
    await bob.act("/v2/spot/order", limit("sell", "60150", "0.1"));
    await alice.act("/v2/spot/order", limit("buy", "60150", "0.1"));
    await toast("BTCUSDT is at or above 60\u202f100.00.");
  });

  await t.test("the list has them all, after a reload, too", async () => {
    await page.reload();
    await bell.click();
    const list = page.getByRole("list", { name: "Notices" });
    for (const text of ["Your deposit of 250 USDT", "Somebody signed in", "at or above 60\u202f100.00"])
      await list.getByText(text).first().waitFor();
    assert.equal(await page.getByRole("list", { name: "Price alerts" }).getByRole("listitem").count(), 0);
    assert.deepEqual(await axeFaults(page, "#notice-menu"), []);
    await page.getByRole("button", { name: "Clear" }).click();
    await list.getByText("Nothing has happened yet.").waitFor();
  });
  assert.deepEqual(complaints, []);
});

test("a history is filtered and taken as a file that says what the API says", { skip }, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  for (const price of ["60000", "60010.5"]) {
    await bob.act("/v2/spot/order", limit("sell", price, "0.1"));
    await alice.act("/v2/spot/order", limit("buy", price, "0.1"));
  }
  await alice.act("/v2/spot/order", limit("sell", "60020", "0.05"));
  await bob.act("/v2/spot/order", limit("buy", "60020", "0.05"));
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  await page.getByRole("tab", { name: "Order history" }).click();
  const rows = page.getByRole("table", { name: "Order history" }).locator("tbody tr");
  await rows.nth(2).waitFor();
  const [first] = (await alice.read("/v2/spot/finished-order?market_type=SPOT&market=BTCUSDT")) as Record<
    string,
    string
  >[];
  await rows.first().getByText(`${first?.["quote_fee"]} USDT`).waitFor();
  await rows.first().getByText("filled", { exact: true }).waitFor();

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  const file = await download;
  assert.equal(file.suggestedFilename(), "order-history.csv");
  const [names, ...lines] = readFileSync(await file.path(), "utf8")
    .trim()
    .split("\r\n");
  const orders = (await alice.read("/v2/spot/finished-order?market_type=SPOT&limit=100")) as Record<string, string>[];
  const fields = names?.split(",") ?? [];
  assert.equal(lines.length, orders.length);
  for (const [at, line] of lines.entries()) {
    const record = Object.fromEntries(line.split(",").map((cell, field) => [fields[field], cell]));
    for (const field of ["order_id", "price", "amount", "filled_value", "quote_fee", "side"])
      assert.equal(record[field], String(orders[at]?.[field]), field);
  }
  await page.getByRole("combobox", { name: "Side" }).selectOption("sell");
  await rows.nth(1).waitFor({ state: "detached" });
  await rows.first().getByText("Sell").waitFor();
  assert.equal(await rows.count(), 1);
  assert.deepEqual(complaints, []);
});

test("favourites come first, and balances can be hidden", { skip }, async (t) => {
  const { venue, page, complaints, continueAs } = await openStage(t);
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  await page.getByTitle("Markets (/)").click();
  const markets = page.getByRole("dialog", { name: "Markets" });
  await markets.getByRole("button", { name: "Favourite ETHUSDT futures" }).click();
  await markets.getByRole("button", { name: "Favourites", exact: true }).click();
  const rows = markets.locator("tbody tr");
  await rows.nth(1).waitFor({ state: "detached" });
  await rows.filter({ hasText: "ETH" }).waitFor();
  await page.keyboard.press("Escape");
  await page.reload();
  await page.getByTitle("Markets (/)").click();
  await rows.first().getByText("ETH").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "alice", exact: true }).click();
  await page.getByLabel("Hide balances").check();
  await page.waitForFunction(
    '(getComputedStyle(document.querySelector(".account-summary dd") ?? document.body).filter).startsWith("blur")',
  );
  assert.deepEqual(complaints, []);
});

test("a timer that a program has set on open orders is seen coming, and can be ended", { skip }, async (t) => {
  const { venue, page, alice, complaints, continueAs } = await openStage(t);
  await alice.act("/v2/spot/order", limit("buy", "50000", "0.1"));
  await alice.act("/v2/ext/cancel-after", { scope: "FUTURES", timeout_ms: 600_000 });
  const timer = (await alice.act("/v2/ext/cancel-after", { scope: "ALL", timeout_ms: 600_000 })) as {
    cancel_at: number;
  };
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  const told = page.getByText(/^All open orders are cancelled at .*, in 0[01]:0\d:\d\d, unless/);
  await told.waitFor();
  const at = await page.evaluate(`new Date(${timer.cancel_at}).toTimeString().slice(0, 8)`);
  assert.ok((await told.innerText()).includes(` ${at},`), String(at));
  assert.equal(await page.getByText("Open futures orders are cancelled").count(), 0, "not among spot orders");
  await page.getByRole("button", { name: "End timer" }).click();
  await told.waitFor({ state: "detached" });
  const left = (await alice.read("/v2/ext/cancel-after")) as { scope: string }[];
  assert.deepEqual(
    left.map(({ scope }) => scope),
    ["FUTURES"],
  );
  assert.deepEqual(complaints, []);
});

test("on a phone a position is a card with its entry, liquidation price and profit", { skip }, async (t) => {
  const { venue, page, alice, bob, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000", "FUTURES");
  const settings = { market: "BTCUSDT", market_type: "FUTURES", margin_mode: "isolated", leverage: 10 };
  await alice.act("/v2/futures/adjust-position-leverage", settings);
  await bob.act("/v2/futures/order", limit("sell", "60000", "0.1", "FUTURES"));
  await alice.act("/v2/futures/order", limit("buy", "60000", "0.1", "FUTURES"));
  await alice.act("/v2/futures/order", limit("buy", "50000", "0.1", "FUTURES"));
  await page.goto(`${venue.url}/trade/futures/BTCUSDT`);
  await continueAs("alice");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("button", { name: "Orders", exact: true }).click();
  await page.getByRole("tab", { name: /^Positions/ }).click();
  const card = page.getByRole("row").filter({ hasText: "BTCUSDT" }).first();
  const [position] = (await alice.read("/v2/futures/pending-position?market_type=FUTURES")) as Record<string, string>[];
  const grouped = (text = "") =>
    Number(text)
      .toFixed(2)
      .replace(/\B(?=(\d{3})+\.)/g, "\u202f");
  for (const text of ["60\u202f000.00", grouped(position?.["liq_price"])]) {
    const figure = card.getByText(text, { exact: true }).first();
    await figure.waitFor();
    const box = await figure.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 360, text);
  }
  for (const name of ["Reduce", "Reverse", "Close"]) {
    const box = await card.getByRole("button", { name, exact: true }).boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 360, name);
  }
  assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
  await page.getByRole("tab", { name: /^Open orders/ }).click();
  await page.getByRole("row").filter({ hasText: "50\u202f000.00" }).getByRole("button", { name: "Cancel" }).click();
  await page.getByText("No open orders.").waitFor();
});

test("the statement is filtered by account, currency, kind and day, searched, and taken as it is filtered", {
  skip,
}, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t);
  await bob.act("/v2/spot/order", limit("sell", "60000", "0.1"));
  await alice.act("/v2/spot/order", limit("buy", "60000", "0.1"));
  const transfer = { ccy: "USDT", from_account_type: "SPOT", to_account_type: "FUTURES", amount: "250" };
  await alice.act("/v2/assets/transfer", transfer);
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  await page.goto(`${venue.url}/my/statement`);
  const rows = page.getByRole("table", { name: "Statement" }).locator("tbody tr");
  const expect = async (query: string) => {
    const lines = (await alice.read(`/v2/assets/statement?limit=50&${query}`)) as Record<string, string>[];
    assert.ok(lines.length > 0, query);
    await rows.nth(lines.length - 1).waitFor();
    await rows.nth(lines.length).waitFor({ state: "detached" });
    return lines;
  };
  const all = await expect("");
  await page.getByRole("combobox", { name: "Kind" }).selectOption("Transfer");
  const transfers = await expect("type=transfer");
  assert.ok(transfers.length < all.length);
  await rows.first().getByText("Transfer", { exact: true }).waitFor();
  await page.getByRole("combobox", { name: "Account" }).selectOption("Futures");
  const futures = await expect("type=transfer&account_type=FUTURES");
  await rows.first().getByText(`+${futures[0]?.["change"]} USDT`).waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  const lines = readFileSync(await (await download).path(), "utf8")
    .trim()
    .split("\r\n");
  assert.equal(lines.length, 1 + futures.length);
  await page.getByRole("button", { name: "Show all" }).click();
  await expect("");
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("From", { exact: true }).fill(tomorrow);
  await page.getByText("No change of a balance fits these filters.").waitFor();
  await page.getByRole("button", { name: "Show all" }).click();
  await expect("");
  await page.getByRole("searchbox", { name: "Search the statement" }).fill("futures");
  const found = all.filter((line) => line["account_type"] === "FUTURES");
  await rows.nth(found.length).waitFor({ state: "detached" });
  assert.equal(await rows.count(), found.length);

  // Each change is a card on a phone, with all that it has.
  await page.getByRole("button", { name: "Show all" }).click();
  await page.setViewportSize({ width: 360, height: 740 });
  for (const section of ["statement", "balances", "transfer", "security", "keys", "withdraw", "deposit", "portfolio"]) {
    await page.goto(`${venue.url}/my/${section}`);
    await untilRead(page);
    assert.deepEqual(await visibleFaults(page), [], section);
  }
  assert.deepEqual(complaints, []);
});
