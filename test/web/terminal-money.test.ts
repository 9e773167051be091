/**
 * The terminal as somebody uses it, in a real browser: borrowed money, pools, sub-accounts, money that leaves, and an
 * interruption.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { limit, noBrowser, openStage, setIndex } from "./terminal-stage.ts";

const skip = noBrowser();
const CHAIN = "TRC20";
const OUTSIDE = `sim${"0".repeat(38)}42`;

test("money is borrowed and repaid, given to a sub-account and sent out, all from the page", {
  skip,
}, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  const table = (name: string) => page.getByRole("table", { name }).locator("tbody tr");
  const area = async (name: string) => {
    await page.goto(`${venue.url}/my/${name}`);
    await page.getByRole("button", { name: "alice", exact: true }).waitFor();
  };

  await t.test("an order goes from the margin account with borrowed money, and the loan is repaid", async () => {
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Margin", exact: true }).click();
    await page.getByRole("button", { name: "Transfer some from spot" }).click();
    await dialog.getByLabel("Amount", { exact: true }).fill("1000");
    await dialog.getByRole("button", { name: "Transfer", exact: true }).click();
    await page.getByText("1\u202f000 USDT transferred.").waitFor();
    await page.getByRole("button", { name: "Borrow", exact: true }).click();
    await dialog.getByLabel("Amount", { exact: true }).fill("2000");
    await dialog.getByRole("button", { name: "Borrow", exact: true }).click();
    await page
      .locator(".margin-line")
      .getByText(/^2\u202f000\.\d+ USDT$/)
      .waitFor();

    // More than the account had without the loan.
    await page.getByLabel("Price", { exact: true }).fill("59000");
    await page.getByLabel("Amount", { exact: true }).fill("0.04");
    await page.getByRole("button", { name: "Buy BTC" }).click();
    const open = table("Open orders").filter({ hasText: "59\u202f000.00" });
    await open.getByText("Margin", { exact: true }).waitFor();
    await bob.act("/v2/spot/order", limit("sell", "59000", "0.04"));
    await page.getByText("No open orders.").waitFor();
    await page.getByRole("tab", { name: "Order history" }).click();
    await table("Order history").getByText("Margin", { exact: true }).waitFor();
    await page.getByRole("tab", { name: "Deals" }).click();
    await table("Your deals").getByText("Margin", { exact: true }).waitFor();

    await page.getByRole("button", { name: "Repay", exact: true }).click();
    await dialog.getByLabel("Amount", { exact: true }).fill("500");
    await dialog.getByRole("button", { name: "Repay", exact: true }).click();
    await page
      .locator(".margin-line")
      .getByText(/^1\u202f500(\.\d+)? USDT$/)
      .waitFor();
    // What was bought stays: the rest of the debt is paid with money of one's own.
    await alice.act("/v2/assets/transfer", {
      from_account_type: "SPOT",
      to_account_type: "MARGIN",
      market: "BTCUSDT",
      ccy: "USDT",
      amount: "2000",
    });
    await area("loans");
    await table("Loans").getByRole("button", { name: "Repay" }).click();
    await page.getByText(/^1\u202f500(\.\d+)? USDT repaid\.$/).waitFor();
  });

  await t.test("a sub-account is made and given money", async () => {
    await area("sub-accounts");
    await page.getByLabel("Name", { exact: true }).fill("alice-bot");
    await page.getByRole("button", { name: "Make a sub-account" }).click();
    const row = table("Sub-accounts").filter({ hasText: "alice-bot" });
    await row.getByRole("button", { name: "Transfer" }).click();
    await page.getByRole("dialog").getByLabel("Amount", { exact: true }).fill("250");
    await page.getByRole("dialog").getByRole("button", { name: "Transfer" }).click();
    await row.getByText("250.00 USD").waitFor();
  });

  await t.test("test money is given where it is worth nothing", async () => {
    await area("deposit");
    await page.getByRole("combobox", { name: "Currency" }).selectOption("BTC");
    await page.getByRole("button", { name: "Get test BTC worth 10,000 USDT" }).click();
    await page.getByText(/^0\.\d+ BTC are in your spot account\.$/).waitFor();
  });

  await t.test("a withdrawal reaches the world outside", async () => {
    await venue.admin("/admin/withdraw-addresses", { user_id: "alice", chain: CHAIN, address: OUTSIDE });
    await area("withdraw");
    await page.getByRole("combobox", { name: /^Chain/ }).selectOption(CHAIN);
    await page.getByLabel("Address", { exact: true }).fill(OUTSIDE);
    await page.getByLabel("Amount", { exact: true }).fill("50");
    await page.getByRole("button", { name: "Review", exact: true }).click();
    await page.getByRole("dialog", { name: "Withdraw this?" }).getByText(OUTSIDE).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw", exact: true }).click();
    await table("Withdrawals").getByText("50 USDT").waitFor();
    const arrived = async () => {
      await venue.admin(`/admin/chains/${CHAIN}/blocks`, { count: 10 });
      const { transactions } = await venue.admin(`/admin/chains/${CHAIN}/transactions?address=${OUTSIDE}`);
      return transactions as unknown[];
    };
    let came = await arrived();
    for (let round = 0; came.length === 0 && round < 50; round++) came = await arrived();
    assert.equal(came.length, 1);
    await venue.admin(`/admin/chains/${CHAIN}/blocks`, { count: 50 });
    await table("Withdrawals").getByText("finished").waitFor();
  });
  assert.deepEqual(complaints, []);
});

test("a share of a pool is bought, held for a day, and taken out again with all that was given", {
  skip,
}, async (t) => {
  const { venue, page, alice, complaints, continueAs } = await openStage(t, "--clock", "virtual");
  const held = async () => {
    const rows = (await alice.read("/v2/assets/spot/balance")) as { ccy: string; available: string }[];
    return Object.fromEntries(rows.map(({ ccy, available }) => [ccy, Number(available)]));
  };
  await page.goto(`${venue.url}/my/pools`);
  await continueAs("alice");
  const before = await held();
  const pool = page.getByRole("article").filter({ hasText: "DSC/USDT" });
  await pool.getByText("You have no share in it.").waitFor();
  await pool.getByLabel("Give", { exact: true }).fill("10000");
  // What was typed stays while the markets are read again, as they are whenever a socket comes back.
  const isRead = page.waitForResponse((response) => response.url().endsWith("/v2/futures/ticker"));
  await venue.admin("/admin/faults", { fault: "close_sockets" });
  await isRead;
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
  await pool.getByRole("button", { name: "Add liquidity" }).click();
  await pool.getByText(/^Your share:/).waitFor();
  const given = await held();
  assert.ok(Math.abs((before["DSC"] ?? 0) - (given["DSC"] ?? 0) - 10_000) < 0.001);

  const asked = page.getByRole("dialog");
  await pool.getByRole("button", { name: "Remove liquidity" }).click();
  await asked.getByText(/DSC and [\d.\u202f]+ USDT come back to spot/).waitFor();
  await asked.getByRole("button", { name: "Remove liquidity" }).click();
  await pool.getByText("Liquidity stays in a pool for 24 hours after the last addition.").waitFor();
  assert.deepEqual(await held(), given);

  await venue.admin("/admin/clock", { advance_ms: 86_400_000, hold_index: true });
  // A day passed for sessions, too.
  await page.reload();
  await continueAs("alice");
  await pool.getByRole("button", { name: "Remove liquidity" }).click();
  await asked.getByRole("button", { name: "Keep liquidity" }).click();
  assert.deepEqual(await held(), given);
  await pool.getByRole("button", { name: "Remove liquidity" }).click();
  await asked.getByRole("button", { name: "Remove liquidity" }).click();
  await page.getByText("Your share is back in spot.").waitFor();
  await pool.getByText("You have no share in it.").waitFor();
  const back = await held();
  // Nobody traded with it: down to what division leaves to the pool.
  for (const ccy of ["DSC", "USDT"])
    assert.ok(Math.abs((back[ccy] ?? 0) - (before[ccy] ?? 0)) < 0.001, `${back[ccy]} ${ccy}`);
  assert.equal((await venue.admin("/admin/audit")).ok, true);
  assert.deepEqual(complaints, []);
});

test("an interrupted market says that it is, and for how long", { skip }, async (t) => {
  const { venue, page, alice, bob, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  const interruption = { move: "0.05", window_ms: 60_000, auction_ms: 600_000 };
  await venue.admin("/admin/markets", { market: "BTCUSDT", interruption });
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  await alice.act("/v2/spot/order", limit("sell", "66000", "1"));
  await bob.act("/v2/spot/order", limit("buy", "66000", "1"));
  const banner = page.getByText(/^Trading in BTCUSDT is interrupted, .* by an auction in 00:0\d:\d\d/);
  await banner.waitFor();
  await page.reload();
  await banner.waitFor();
});
