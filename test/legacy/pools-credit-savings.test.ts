import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiVenue, bitcoinApiVenue } from "../support/served-venue.ts";
import { marketOf } from "../support/venue.ts";
import { LegacyClient } from "./client.ts";

const DAY_MS = 86_400_000;

test("pools are listed, and a provider sees what is his in either generation", async (t) => {
  const venue = await ApiVenue.open();
  t.after(() => venue.close());
  await venue.listAssets("DSC", "USDT", "ETH");
  const grid = { amountPrecision: 2, pricePrecision: 6, minAmount: "0.01", maxAmount: "10000000" };
  await venue.operate({ ...marketOf("DSC", "USDT"), ...grid });
  await venue.operate(marketOf("ETH", "USDT"));
  await venue.operate({ kind: "set_pool", market: "DSCUSDT", type: "infinite" });
  const { client } = await venue.addUser("provider", { DSC: "1000000", USDT: "76500" });
  const provider = new LegacyClient(venue, client);
  assert.deepEqual((await provider.get("/v1/amm/market")).data, ["DSCUSDT"]);
  assert.deepEqual((await provider.spot("GET", "/account/amm/balance")).data, []);
  const all = { market: "DSCUSDT", base_ccy_amount: "1000000", quote_ccy_amount: "76500" };
  await client.act("/v2/assets/amm/add-liquidity", all);
  assert.deepEqual((await provider.spot("GET", "/account/amm/balance")).data, [
    {
      market: "DSCUSDT",
      base_asset: "DSC",
      quote_asset: "USDT",
      base_amount: "1000000.00000000",
      quote_amount: "76500.00000000",
    },
  ]);
  const other = new LegacyClient(venue, (await venue.addUser("other")).client);
  assert.deepEqual((await other.spot("GET", "/account/amm/balance")).data, []);
});

test("credit is told with what it allows", async (t) => {
  const venue = await bitcoinApiVenue();
  t.after(() => venue.close());
  const { userId, client } = await venue.addUser("borrower", { USDT: "1000" });
  const borrower = new LegacyClient(venue, client);
  const info = async () => (await borrower.spot("GET", "/credit/info")).data;
  assert.deepEqual(Object.values(await info()), Array(7).fill("0"));
  assert.deepEqual((await borrower.spot("GET", "/credit/balance")).data, []);

  await venue.operate({ kind: "deposit", cell: "sys:credit_pool", ccy: "USDT", amount: "5000", note: "" });
  const loan = { kind: "grant_credit", userId, ccy: "USDT", amount: "500", note: "a line" } as const;
  await venue.operate({ ...loan, dailyRate: "0.0024" });
  assert.deepEqual(await info(), {
    withdraw_rate: "1.35000000",
    trade_rate: "1.10000000",
    current_balance: "1500.00000000",
    unflat_balance: "500.05000000",
    can_withdraw_balance: "999.95000000",
    can_trade_balance: "1500.00000000",
    current_rate: "2.99970002",
  });
  assert.deepEqual((await borrower.spot("GET", "/credit/balance")).data, [
    { asset: "USDT", unflat_amount: "500.00000000", interest_amount: "0.05000000" },
  ]);
  await venue.operate({ kind: "set_credit_terms", withdrawalRisk: "4", tradeRisk: "3" });
  const held = await info();
  assert.deepEqual(
    [held.withdraw_rate, held.trade_rate, held.can_withdraw_balance, held.can_trade_balance],
    ["4.00000000", "3.00000000", "0.00000000", "0.00000000"],
  );
  const order = { market: "BTCUSDT", type: "buy", amount: "0.01", price: "20000" };
  assert.equal((await borrower.spot("POST", "/order/limit", order)).code, 158);
});

test("savings are told with what went in and out and what they earned", async (t) => {
  const venue = await bitcoinApiVenue();
  t.after(() => venue.close());
  const { userId, client } = await venue.addUser("saver", { USDT: "1000" });
  const saver = new LegacyClient(venue, client);
  const other = new LegacyClient(venue, (await venue.addUser("other", { USDT: "1000" })).client);
  assert.deepEqual((await saver.spot("GET", "/account/investment/balance")).data, []);
  await venue.operate({ kind: "deposit", cell: "sys:interest", ccy: "USDT", amount: "5", note: "" });
  await venue.operate({ kind: "set_savings_rate", ccy: "USDT", dailyRate: "0.001" });
  const move = { kind: "move_savings", userId, ccy: "USDT", note: "" } as const;
  const began = Math.floor(venue.control.timeMs / 1_000);
  await venue.operate({ ...move, to: "FINANCIAL", amount: "400" });
  const midnightMs = (Math.floor(venue.control.timeMs / DAY_MS) + 1) * DAY_MS;
  const midnight = midnightMs / 1_000;
  venue.control.timeMs = midnightMs;
  await venue.operate({ ...move, to: "SPOT", amount: "100" });

  assert.deepEqual((await saver.spot("GET", "/account/investment/balance")).data, [
    { asset: "USDT", available: "300.40000000", frozen: "0.00000000", lock: "0" },
  ]);
  const list = async (query = {}, by = saver) => (await by.spot("GET", "/investment/transfer/history", query)).data;
  const { records, total } = await list();
  assert.equal(total, 3);
  const row = { user_id: userId, investment_account_id: 0, asset: "USDT", day_rate: "0.001", status: "SUCCESS" };
  const times = (at: number) => ({ created_at: at, updated_at: at, success_at: at });
  assert.deepEqual(
    records.map(({ id: _id, ...rest }: { id: number }) => rest),
    [
      { ...row, ...times(midnight), report_date: null, amount: "100.00000000", opt_type: "OUT" },
      { ...row, ...times(midnight), report_date: midnight - 86_400, amount: "0.40000000", opt_type: "INTEREST" },
      { ...row, ...times(began), report_date: null, amount: "400.00000000", opt_type: "IN" },
    ],
  );
  for (const [at, op_type] of ["OUT", "INTEREST", "IN"].entries()) {
    assert.deepEqual(await list({ op_type }), { records: [records[at]], total: 1 }, op_type);
  }
  assert.equal((await list({ asset: "BTC" })).total, 0);
  assert.equal((await list({ start_time: midnight })).total, 2);
  assert.equal((await list({ end_time: midnight - 1 })).total, 1);
  assert.equal((await list({}, other)).total, 0);
  assert.equal((await saver.spot("GET", "/investment/transfer/history", { op_type: "in" })).code, 2);
  assert.equal((await saver.spot("GET", "/investment/transfer/history", { asset: "XYZ" })).code, 2);
});
