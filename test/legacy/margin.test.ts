import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ApiClient } from "../support/api-client.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";
import { LegacyClient, type LegacyRequest } from "./client.ts";

const HOUR_MS = 3_600_000;
const MARKET = { market: "BTCUSDT" };
const ZERO = { sell_type: "0.00000000", buy_type: "0.00000000" };

describe("margin of the legacy generation", () => {
  let venue: ApiVenue;
  let maker: ApiUser;
  let current: ApiClient;
  let ann: LegacyClient;
  let ben: LegacyClient;
  let benId: number;
  const now = () => Math.floor(venue.control.timeMs / 1_000);
  const speak = (price: string, market = "BTCUSDT") =>
    venue.operate({ kind: "set_index_prices", market, sources: [{ exchange: "alpha", price }] });

  before(async () => {
    venue = await bitcoinApiVenue();
    maker = await venue.addUser("maker", { USDT: "1000000", BTC: "100" });
    await speak("30000");
    await speak("2000", "ETHUSDT");
    await venue.operate({ kind: "deposit", cell: "sys:lend_pool", ccy: "USDT", amount: "100000", note: "" });
    // The market that was listed last is the first of them.
    await venue.operate({ kind: "set_margin_market", market: "ETHUSDT", leverage: 3, loans: [] });
    const usdt = { ccy: "USDT", minAmount: "10", maxAmount: "50000", dailyInterestRate: "0.0009" };
    await venue.operate({ kind: "set_margin_market", market: "BTCUSDT", leverage: 5, loans: [usdt] });
    const user = await venue.addUser("ann", { USDT: "10000" });
    await venue.operate({ kind: "change_user", userId: user.userId, takerFeeRate: "0" });
    current = user.client;
    ann = new LegacyClient(venue, current);
    const other = await venue.addUser("ben", { USDT: "1000" });
    benId = other.userId;
    ben = new LegacyClient(venue, other.client);
  });
  after(() => venue.close());

  const move = (from: number, to: number, more: LegacyRequest = {}, client = ann) =>
    client.spot("POST", "/margin/transfer", {
      ...{ from_account: from, to_account: to, coin_type: "USDT", amount: "10000" },
      ...more,
    });
  const accountOf = async (client = ann) => (await client.spot("GET", "/margin/account", MARKET)).data;

  test("margin markets are told with the ids of their accounts, and on which terms they lend", async () => {
    const markets = await ann.get("/v1/margin/market");
    assert.deepEqual([markets.message, markets.data], ["Ok", { ETHUSDT: 1, BTCUSDT: 2 }]);
    const usdt = { min_amount: "10.00000000", max_amount: "50000.00000000", day_rate: "0.0009" };
    const nothing = { min_amount: "0", max_amount: "0", day_rate: "0" };
    const bitcoin = { ...MARKET, leverage: 5, day_rate: "0.0009", BTC: nothing, USDT: usdt };
    assert.deepEqual((await ann.spot("GET", "/margin/config", MARKET)).data, bitcoin);
    const all = await ann.spot("GET", "/margin/config");
    assert.deepEqual(all.data, [
      { market: "ETHUSDT", leverage: 3, day_rate: "0", ETH: nothing, USDT: nothing },
      bitcoin,
    ]);
    assert.equal((await ann.spot("GET", "/margin/config", { market: "NOPE" })).code, 2);
  });

  test("an account that has not been used holds nothing, and lends nothing", async () => {
    assert.deepEqual(await accountOf(), {
      account_id: 2,
      leverage: 5,
      market_type: "BTCUSDT",
      sell_asset_type: "BTC",
      buy_asset_type: "USDT",
      balance: ZERO,
      frozen: ZERO,
      loan: ZERO,
      interest: ZERO,
      can_transfer: ZERO,
      warn_rate: "",
      liquidation_price: "",
    });
    assert.equal((await ann.spot("GET", "/margin/account", { market: "NOPE" })).code, 2);
    const loan = { ...MARKET, coin_type: "USDT", amount: "10" };
    assert.equal((await ann.spot("POST", "/margin/loan", loan)).code, 2);
  });

  test("money moves between spot and one margin account, which both generations tell of", async () => {
    assert.deepEqual((await move(0, 2)).data, {});
    assert.deepEqual((await move(2, 0, { amount: "500" })).data, {});
    await current.act("/v2/assets/transfer", {
      ...{ from_account_type: "SPOT", to_account_type: "MARGIN", ...MARKET, ccy: "USDT", amount: "500" },
    });
    const { data } = await ann.spot("GET", "/margin/transfer/history", { asset: "USDT", ...MARKET });
    const moved = { created_at: now(), updated_at: now(), user_id: 2, asset: "USDT", status: "SUCCESS" };
    assert.equal(data.total, 3);
    assert.deepEqual(
      data.records.map(({ id: _id, ...row }: { id: number }) => row),
      [
        ["IN", "500.00000000", "10000.00000000"],
        ["OUT", "500.00000000", "9500.00000000"],
        ["IN", "10000.00000000", "10000.00000000"],
      ].map(([type, amount, balance]) => ({
        ...moved,
        from_account_id: type === "IN" ? 0 : 2,
        to_account_id: type === "IN" ? 2 : 0,
        amount,
        balance,
        transfer_type: type,
      })),
    );
    const out = await ann.spot("GET", "/margin/transfer/history", { transfer_type: "OUT", limit: 1 });
    assert.deepEqual([out.data.total, out.data.records[0].amount], [1, "500.00000000"]);
    const elsewhere = await ann.spot("GET", "/margin/transfer/history", { market: "ETHUSDT" });
    assert.deepEqual(elsewhere.data, { records: [], total: 0 });
    assert.equal((await ben.spot("GET", "/margin/transfer/history")).data.total, 0);
    const lines = await current.read("/v2/assets/transfer-history", { ccy: "USDT", transfer_type: "MARGIN" });
    assert.equal(lines.length, 3);
    const own = await ann.spot("GET", "/account/balance/history", { account_id: 2 });
    assert.deepEqual([own.data.total, own.data.data[0].account], [3, 2]);
  });

  test("transfers are refused for what is wrong with them", async () => {
    const cases: readonly (readonly [number, number, LegacyRequest, number])[] = [
      [0, 0, {}, 2],
      [1, 2, {}, 2],
      [0, 3, {}, 2],
      [99, 0, {}, 2],
      [0, 2, { coin_type: "ETH" }, 2],
      [0, 2, { coin_type: "XYZ" }, 2],
      [0, 2, { amount: "0" }, 2],
      [0, 2, { amount: "1" }, 107],
      [2, 0, { amount: "10001" }, 107],
      [1, 0, {}, 2],
    ];
    for (const [from, to, more, code] of cases) {
      assert.equal((await move(from, to, more)).code, code, `${from} ${to} ${JSON.stringify(more)}`);
    }
  });

  test("worked example E8: a loan, what it lets move, its interest and its risk", async () => {
    const loan = { ...MARKET, coin_type: "USDT", amount: "10000" };
    assert.equal((await ann.spot("POST", "/margin/loan", { ...loan, amount: "9" })).code, 2);
    assert.equal((await ann.spot("POST", "/margin/loan", { ...loan, amount: "50001" })).code, 2);
    assert.equal((await ann.spot("POST", "/margin/loan", { ...loan, coin_type: "BTC" })).code, 2);
    const { data } = await ann.spot("POST", "/margin/loan", loan);
    assert.deepEqual(data, { loan_id: 1 });
    const borrowed = await accountOf();
    // 20000 - 0.375 - 1.25 * 10000, and not a unit more.
    assert.equal(borrowed.can_transfer.buy_type, "7499.62500000");
    assert.equal((await move(2, 0, { amount: "7499.62500001" })).code, 107);

    await maker.client.act("/v2/spot/order", limitOrder("sell", "0.6", "30000"));
    const order = { ...MARKET, account_id: 2, type: "buy", amount: "0.6", price: "30000" };
    const bought = await ann.spot("POST", "/order/limit", order);
    assert.deepEqual([bought.code, bought.data.account_id, bought.data.status], [0, 2, "done"]);
    await venue.wait(2 * HOUR_MS);
    // The index is stale by now, so nothing may leave.
    assert.deepEqual((await accountOf()).can_transfer, ZERO);
    await speak("30000");
    await venue.wait(5_000);
    await speak("30000");
    assert.deepEqual(await accountOf(), {
      ...borrowed,
      balance: { sell_type: "0.60000000", buy_type: "2000.00000000" },
      interest: { sell_type: "0.00000000", buy_type: "1.12500000" },
      // 0.6 * 30000 + 2000 - 1.125 - 12500 is worth 7498.875, of which there is that much in bitcoins and 2000 in cash.
      can_transfer: { sell_type: "0.24996250", buy_type: "2000.00000000" },
      warn_rate: "1.99988750",
      liquidation_price: "14668.54",
    });
    assert.equal((await move(2, 0, { coin_type: "BTC", amount: "0.24996251" })).code, 107);
    const [seen] = await current.read("/v2/assets/margin/balance", MARKET);
    assert.deepEqual([seen.risk_rate, seen.liq_price], ["1.99988750", "14668.54"]);
  });

  test("loans are listed and repaid by their owner, whichever generation they were taken in", async () => {
    const second = await current.act("/v2/assets/margin/borrow", {
      ...{ ...MARKET, ccy: "USDT", borrow_amount: "100", is_auto_renew: true },
    });
    const flat = { ...MARKET, coin_type: "USDT", amount: "1000" };
    assert.equal((await ben.spot("POST", "/margin/flat", { ...flat, loan_id: 1 })).code, 2);
    assert.equal((await ann.spot("POST", "/margin/flat", { ...flat, loan_id: 99 })).code, 2);
    assert.equal((await ann.spot("POST", "/margin/flat", { ...flat, amount: "0" })).code, 2);
    assert.deepEqual((await ann.spot("POST", "/margin/flat", { ...flat, loan_id: second.borrow_id })).data, {});
    assert.deepEqual((await ann.spot("POST", "/margin/flat", { ...flat, amount: "1.125" })).data, {});
    const list = async (query: LegacyRequest = {}) => (await ann.spot("GET", "/margin/loan/history", query)).data;
    const all = await list(MARKET);
    assert.deepEqual([all.total, all.total_page, all.has_next], [2, 1, false]);
    const [finished, running] = all.data;
    assert.deepEqual(running, {
      loan_id: 1,
      create_time: now() - 7_205,
      market_type: "BTCUSDT",
      coin_type: "USDT",
      day_rate: "0.0009",
      loan_amount: "10000.00000000",
      interest_amount: "0.00000000",
      unflat_amount: "10000.00000000",
      expire_time: now() - 7_205 + 864_000,
      is_renew: false,
      status: "pass",
    });
    assert.deepEqual(
      [finished.loan_id, finished.status, finished.is_renew, finished.unflat_amount],
      [second.borrow_id, "finish", true, "0.00000000"],
    );
    // The filter is taken in any case of its letters.
    for (const status of ["pass", "Pass", "PASS"]) assert.equal((await list({ status })).total, 1, status);
    assert.deepEqual([(await list({ status: "BURST" })).total, (await list({ status: "arrears" })).total], [0, 0]);
    assert.equal((await ann.spot("GET", "/margin/loan/history", { status: "gone" })).code, 2);
    assert.equal((await ben.spot("GET", "/margin/loan/history")).data.total, 0);
  });

  test("a sub-account needs the permission, and a key that of trading", async () => {
    const made = { kind: "create_sub_account", userId: benId, name: "ben-1", permissions: [] } as const;
    const { userId } = (await venue.operate(made)) as { userId: number };
    const sub = new LegacyClient(venue, await venue.addKey(userId, ["read", "trade"]));
    const reader = new LegacyClient(venue, await venue.addKey(benId, ["read"]));
    const loan = { ...MARKET, coin_type: "USDT", amount: "10" };
    for (const client of [sub, reader]) {
      assert.equal((await client.spot("POST", "/margin/loan", loan)).code, 158);
      assert.equal((await client.spot("POST", "/margin/flat", loan)).code, 158);
      assert.equal((await move(0, 2, {}, client)).code, 158);
    }
    assert.equal((await sub.spot("GET", "/margin/account", MARKET)).code, 158);
    assert.equal((await reader.spot("GET", "/margin/account", MARKET)).code, 0);
  });
});
