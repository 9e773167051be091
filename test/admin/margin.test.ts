import assert from "node:assert/strict";
import { test } from "node:test";
import { bourse } from "./command-line.ts";
import { openAdminVenue } from "./venue.ts";

test("an operator makes a margin market, sees its terms, the lending pool and the loans, by call and by command line", async (t) => {
  const venue = await openAdminVenue(t);
  for (const ccy of ["BTC", "USDT"]) await venue.post("/admin/assets", { ccy, scale: 8 });
  const market = {
    market: "BTCUSDT",
    base_ccy: "BTC",
    quote_ccy: "USDT",
    base_ccy_precision: 6,
    quote_ccy_precision: 2,
    min_amount: "0.0001",
    maker_fee_rate: "0.001",
    taker_fee_rate: "0.002",
  };
  assert.equal((await venue.post("/admin/markets", market)).code, 0);
  const loans = [{ ccy: "USDT", min_amount: "10", max_amount: "1000", daily_interest_rate: "0.0009" }];
  const terms = { market: "BTCUSDT", leverage: 10, loans };
  const set = async (more: object) => (await venue.post("/admin/margin-markets", { ...terms, ...more })).message;
  assert.match(await set({}), /needs at least one source of its index/);
  await venue.post("/admin/index-prices", { market: "BTCUSDT", sources: [{ exchange: "one", price: "30000" }] });
  for (const [more, sentence] of [
    [{ market: "ETHUSDT" }, /no spot market ETHUSDT/],
    [{ leverage: 11 }, /from 2 to 10/],
    [{ liq_rate: "1.2" }, /1 < liq_rate < warn_rate/],
    [{ transfer_rate: "1.05" }, /transfer_rate is at least warn_rate/],
    [{ loans: [{ ...loans[0], ccy: "ETH" }] }, /ETH is not a currency of BTCUSDT/],
    [{ loans: [loans[0], loans[0]] }, /named twice/],
    [{ loans: [{ ...loans[0], max_amount: "9" }] }, /max_amount that is not below/],
    [{ loans: [{ ...loans[0], daily_interest_rate: "1" }] }, /below 1/],
  ] as const) {
    assert.match(await set(more), sentence);
  }
  const where = ["--admin", venue.url, "--token", venue.token];
  const lent = "ccy=USDT,min_amount=10,max_amount=1000,daily_interest_rate=0.0009";
  const args = ["margin-market", "set", "--market", "BTCUSDT", "--leverage", "10", "--loans", lent];
  assert.equal((await bourse(...args, ...where)).stdout, "market  BTCUSDT\n");
  await venue.post("/admin/deposits", { cell: "sys:lend_pool", ccy: "USDT", amount: "5000" });
  assert.deepEqual((await venue.get("/admin/margin-markets")).data, {
    margin_markets: [
      {
        market: "BTCUSDT",
        leverage: 10,
        liq_rate: "1.05000000",
        warn_rate: "1.10000000",
        transfer_rate: "1.11120000",
        loans: [{ ccy: "USDT", min_amount: "10.00000000", max_amount: "1000.00000000", daily_interest_rate: "0.0009" }],
      },
    ],
    lending_pool: [{ ccy: "USDT", available: "5000.00000000", lent: "0.00000000", insurance_fund: "0.00000000" }],
  });
  assert.deepEqual((await venue.get("/admin/loans?status=loan&market=BTCUSDT")).data, { loans: [], has_next: false });
  assert.match((await venue.get("/admin/loans?market=NOPE")).message, /NOPE/);
  assert.match((await bourse("loan", "list", ...where)).stdout, /loans/);
});
