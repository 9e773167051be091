import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  type ApiUser,
  type ApiVenue,
  bitcoinApiVenue,
  contract,
  futuresApiVenue,
  limitOrder,
} from "../support/served-venue.ts";

const STATEMENT = "/v2/assets/statement";
const TRANSACTIONS = "/v2/assets/spot/transcation-history";

interface Line {
  readonly type: string;
  readonly ccy: string;
  readonly change: string;
  readonly balance: string;
}

const textOf = (lines: readonly Line[]) =>
  lines.map(({ type, ccy, change, balance }) => `${type} ${ccy} ${change} = ${balance}`);

describe("statements and the fee switch", () => {
  let venue: ApiVenue;
  let buyer: ApiUser;
  let seller: ApiUser;
  let startMs: number;

  before(async () => {
    venue = await bitcoinApiVenue();
    await venue.operate({ kind: "list_asset", ccy: "DSC", scale: 8 });
    await venue.operate({
      kind: "list_market",
      market: "DSCUSDT",
      baseCcy: "DSC",
      quoteCcy: "USDT",
      amountPrecision: 2,
      pricePrecision: 6,
      minAmount: "1",
      makerFeeRate: "0",
      takerFeeRate: "0",
    });
    startMs = venue.control.timeMs;
    buyer = await venue.addUser("buyer", { USDT: "20000" });
    seller = await venue.addUser("seller", { BTC: "1", DSC: "1000" });
    venue.control.timeMs += 1_000;
    await seller.client.act("/v2/spot/order", limitOrder("sell", "0.2", "30000"));
    await buyer.client.act("/v2/spot/order", limitOrder("buy", "0.2", "30000"));
    venue.control.timeMs += 1_000;
    await seller.client.act("/v2/spot/order", limitOrder("sell", "500", "0.0765", { market: "DSCUSDT" }));
    await buyer.client.act("/v2/spot/order", limitOrder("buy", "500", "0.0765", { market: "DSCUSDT" }));
    venue.control.timeMs += 1_000;
    await venue.operate({
      kind: "set_index_prices",
      market: "DSCUSDT",
      sources: [{ exchange: "one", price: "0.0765" }],
    });
    await buyer.client.act("/v2/account/settings", { cet_discount_enabled: true });
    await seller.client.act("/v2/spot/order", limitOrder("sell", "0.2", "30000"));
    await buyer.client.act("/v2/spot/order", limitOrder("buy", "0.2", "30000"));
  });
  after(() => venue.close());

  test("a statement shows every change of a balance with what it left, fees apart, the newest first", async () => {
    const lines = await buyer.client.read(STATEMENT, { limit: 100 });
    assert.deepEqual(textOf(lines), [
      "fee DSC -125.49019608 = 374.50980392",
      "trade BTC 0.20000000 = 0.39960000",
      "trade USDT -6000.00000000 = 7961.75000000",
      "trade DSC 500.00000000 = 500.00000000",
      "trade USDT -38.25000000 = 13961.75000000",
      "fee BTC -0.00040000 = 0.19960000",
      "trade BTC 0.20000000 = 0.20000000",
      "trade USDT -6000.00000000 = 14000.00000000",
      "deposit USDT 20000.00000000 = 20000.00000000",
    ]);
    assert.deepEqual(
      new Set(
        lines.map(({ account_type, market }: { account_type: string; market: null }) => [account_type, market].join()),
      ),
      new Set(["SPOT,"]),
    );
  });

  test("it can be cut by currency, kind, account, time and page", async () => {
    const read = async (query: Record<string, string | number>) => textOf(await buyer.client.read(STATEMENT, query));
    assert.deepEqual(await read({ ccy: "BTC", type: "fee" }), ["fee BTC -0.00040000 = 0.19960000"]);
    assert.equal((await read({ type: "fee" })).length, 2);
    assert.equal((await read({ type: "trade", ccy: "USDT" })).length, 3);
    assert.deepEqual(await read({ type: "withdraw" }), []);
    assert.deepEqual(await read({ account_type: "FUTURES" }), []);
    assert.deepEqual(await read({ account_type: "MARGIN" }), []);
    assert.deepEqual(await read({ end_time: startMs }), ["deposit USDT 20000.00000000 = 20000.00000000"]);
    assert.equal((await read({ start_time: startMs + 1_000, end_time: startMs + 1_999 })).length, 3);
    const page = await buyer.client.get(STATEMENT, { page: 2, limit: 4 });
    assert.deepEqual(textOf(page.data)[0], "trade USDT -38.25000000 = 13961.75000000");
    assert.equal(page.pagination?.has_next, true);
    const refused = await buyer.client.get(STATEMENT, { ccy: "XXX" });
    assert.equal(refused.code, 3639);
  });

  test("the older call for spot calls fees trades", async () => {
    const lines = await buyer.client.read(TRANSACTIONS, { ccy: "BTC" });
    assert.deepEqual(textOf(lines), [
      "trade BTC 0.20000000 = 0.39960000",
      "trade BTC -0.00040000 = 0.19960000",
      "trade BTC 0.20000000 = 0.20000000",
    ]);
    assert.deepEqual(textOf(await buyer.client.read(TRANSACTIONS, { type: "deposit" })), [
      "deposit USDT 20000.00000000 = 20000.00000000",
    ]);
    assert.deepEqual(await buyer.client.read(TRANSACTIONS, { type: "maker_cash_back" }), []);
  });

  test("an adjustment by the operator is in the statement", async () => {
    const { userId } = seller;
    await venue.operate({ kind: "adjust_balance", userId, ccy: "BTC", amount: "-0.1", note: "a test" });
    const [line] = await seller.client.read(STATEMENT, { type: "adjust" });
    assert.deepEqual(textOf([line]), ["adjust BTC -0.10000000 = 0.50000000"]);
    assert.equal((await seller.client.read(STATEMENT, { limit: 1 }))[0].id, line.id);
  });

  test("orders and deals tell a deducted fee in the deduction currency", async () => {
    const [order] = await buyer.client.read("/v2/spot/finished-order", { market: "BTCUSDT", market_type: "SPOT" });
    assert.deepEqual(
      [order.base_fee, order.quote_fee, order.discount_fee],
      ["0.00000000", "0.00000000", "125.49019608"],
    );
    const deals = await buyer.client.read("/v2/spot/user-deals", { market: "BTCUSDT", market_type: "SPOT" });
    assert.deepEqual(
      deals.map(({ fee, fee_ccy }: { fee: string; fee_ccy: string }) => `${fee} ${fee_ccy}`),
      ["125.49019608 DSC", "0.00040000 BTC"],
    );
  });

  test("the switch is the user's own and can be turned off again", async () => {
    assert.equal(venue.engine.state.users.get(seller.userId)?.feeDeduction, false);
    assert.deepEqual(await buyer.client.act("/v2/account/settings", { cet_discount_enabled: false }), {});
    assert.equal(venue.engine.state.users.get(buyer.userId)?.feeDeduction, false);
    assert.equal((await buyer.client.post("/v2/account/settings", {})).code, 3639);
    assert.equal((await buyer.client.post("/v2/account/settings", { cet_discount_enabled: "maybe" })).code, 3639);
  });
});

test("the statement of a futures account has the margins of its positions, and comes to its balance", async (t) => {
  const venue = await futuresApiVenue();
  t.after(() => venue.close());
  const maker = await venue.addTrader("maker", { USDT: "100000" });
  const { client } = await venue.addTrader("trader", { USDT: "1000" });
  const named = { market: "BTCUSDT", market_type: "FUTURES" };
  await client.act("/v2/futures/adjust-position-leverage", { ...named, margin_mode: "isolated", leverage: 20 });
  await maker.client.act("/v2/futures/order", contract("sell", "0.5", "30000"));
  await client.act("/v2/futures/order", contract("buy", "0.5", "30000"));
  await client.act("/v2/futures/adjust-position-margin", { ...named, amount: "50" });

  const lines = await client.read(STATEMENT, { account_type: "FUTURES" });
  assert.deepEqual(
    lines.map((line: Line & { market: string | null }) => `${line.market} ${textOf([line])}`),
    [
      "BTCUSDT transfer USDT 50.00000000 = 800.00000000",
      "null transfer USDT -50.00000000 = 192.50000000",
      "BTCUSDT transfer USDT 750.00000000 = 750.00000000",
      "null transfer USDT -750.00000000 = 242.50000000",
      "null fee USDT -7.50000000 = 992.50000000",
      "null transfer USDT 1000.00000000 = 1000.00000000",
    ],
  );
  const [balance] = await client.read("/v2/assets/futures/balance");
  assert.equal(balance.account_balance, "992.50000000");
  assert.equal((await client.read(STATEMENT, { account_type: "SPOT" })).length, 2);

  await venue.index("28000");
  const [lost, ...others] = await client.read(STATEMENT, { account_type: "FUTURES" });
  assert.deepEqual(textOf([lost, ...others.slice(0, 2)]), [
    "liquidation USDT -800.00000000 = 192.50000000",
    "transfer USDT -800.00000000 = 0.00000000",
    "transfer USDT 800.00000000 = 992.50000000",
  ]);
  assert.deepEqual(await client.read(STATEMENT, { type: "liquidation" }), [lost]);
});
