/**
 * What an account is worth by days, its address book and the search in its histories, compared with what the API says.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { axeFaults } from "./axe.ts";
import { limit, noBrowser, openStage, setIndex } from "./terminal-stage.ts";

const skip = noBrowser();

test("the portfolio is what the balances are worth, histories are searched, noted addresses are chosen from", {
  skip,
}, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t);
  await setIndex(venue, "BTCUSDT", "60000");
  await bob.act("/v2/spot/order", limit("sell", "60000", "0.1"));
  await alice.act("/v2/spot/order", limit("buy", "60000", "0.1"));
  const address = "0x52908400098527886E0F7030069857D2E4169EE7";
  await venue.admin("/admin/withdraw-addresses", { user_id: 1, chain: "ERC20", address, remark: "cold wallet" });
  await page.goto(`${venue.url}/my/portfolio`);
  await continueAs("alice");

  await t.test("today's value is what is held, by the last price", async () => {
    const today = page.getByRole("table", { name: "Portfolio by day" }).locator("tbody tr").first();
    await today.waitFor();
    const balances = (await alice.read("/v2/assets/spot/balance")) as {
      ccy: string;
      available: string;
      frozen: string;
    }[];
    const futures = (await alice.read("/v2/assets/futures/balance")) as { ccy: string; account_balance: string }[];
    const priced: Readonly<Record<string, number>> = { USDT: 1, BTC: 60_000 };
    const held = [...balances.map((row) => ({ ccy: row.ccy, is: Number(row.available) + Number(row.frozen) }))].concat(
      futures.map((row) => ({ ccy: row.ccy, is: Number(row.account_balance) })),
    );
    const worth = held.reduce((sum, { ccy, is }) => sum + is * (priced[ccy] ?? 0), 0);
    const shown = (await today.locator("td").nth(1).innerText()).replaceAll(/\s/g, "");
    assert.ok(Math.abs(Number(shown) - worth) <= 0.02, `${shown} is shown, ${worth} is held`);
    const rows = page.getByRole("table", { name: "Portfolio by account and currency" }).locator("tbody tr");
    for (const [account, list] of [
      ["Spot", balances.map((row) => ({ ccy: row.ccy, is: Number(row.available) + Number(row.frozen) }))],
      ["Futures", futures.map((row) => ({ ccy: row.ccy, is: Number(row.account_balance) }))],
    ] as const) {
      for (const { ccy, is } of list.filter((each) => each.is !== 0)) {
        const row = rows.filter({ has: page.getByText(account, { exact: true }) }).filter({ hasText: ccy });
        const figures = (await row.locator("td.number").allInnerTexts()).map((text) => text.replaceAll(/\s/g, ""));
        assert.equal(Number(figures[0]), is, `${account} ${ccy}`);
        const price = priced[ccy];
        if (price === undefined) assert.equal(figures[1], "–", `${ccy} has no price`);
        else assert.ok(Math.abs(Number(figures[1]) - is * price) <= 0.01, `${account} ${ccy}: ${figures[1]}`);
      }
    }
    // Nobody has traded in the market of ETH here.
    await page.getByText(/Not counted for want of a price: .*ETH/).waitFor();
    assert.deepEqual(await axeFaults(page, "main"), []);
  });

  await t.test("an address that operators noted is chosen, and stands in the field", async () => {
    await page.goto(`${venue.url}/my/withdraw`);
    await page.getByLabel("Chain").selectOption("ERC20");
    const book = page.getByLabel("Address book");
    await book.selectOption({ label: `cold wallet: ${address}` });
    assert.equal(await page.getByLabel("Address", { exact: true }).inputValue(), address);
    const { addresses } = (await (await page.request.get(`${venue.url}/web/withdraw-addresses`)).json()).data;
    assert.deepEqual(
      addresses.map((each: { chain: string; remark: string }) => [each.chain, each.remark]),
      [["ERC20", "cold wallet"]],
    );
  });

  await t.test("a history shows what fits the search", async () => {
    await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
    await page.getByRole("tab", { name: "Order history" }).click();
    const history = page.getByRole("table", { name: "Order history" });
    await history.getByText("BTCUSDT").first().waitFor();
    const search = page.getByRole("searchbox", { name: "Search order history" });
    await search.fill("ethusdt");
    await history.getByText("Nothing fits.").waitFor();
    await search.fill("btc");
    await history.getByText("BTCUSDT").first().waitFor();
  });
  assert.deepEqual(complaints, []);
});
