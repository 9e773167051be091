import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

const ORDER = "/v2/spot/order";
const OF_BTCUSDT = { market: "BTCUSDT", market_type: "SPOT" };

describe("accounts, balances and currencies", () => {
  let venue: ApiVenue;
  let user: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    user = await venue.addUser("user", { USDT: "100", BTC: "1.5" });
  });
  after(() => venue.close());

  test("the account knows its id, as text", async () => {
    assert.deepEqual(await user.client.read("/v2/account/info"), { user_id: String(user.userId) });
  });

  test("balances are sorted by currency and leave out what is nothing", async () => {
    const { client } = user;
    await client.act(ORDER, { ...limitOrder("buy", "0.1", "1000"), market: "ETHUSDT" });
    assert.deepEqual(await client.read("/v2/assets/spot/balance"), [
      { ccy: "BTC", available: "1.50000000", frozen: "0.00000000" },
      { ccy: "USDT", available: "0.00000000", frozen: "100.00000000" },
    ]);
    const poor = await venue.addUser("poor");
    assert.deepEqual(await poor.client.read("/v2/assets/spot/balance"), []);
    await client.act("/v2/spot/cancel-all-order", { market: "ETHUSDT", market_type: "SPOT" });
  });

  test("fee rates are the market's until the user has own ones, which new orders then capture", async () => {
    const { client, userId } = user;
    const rates = (market_type: string) =>
      client.read("/v2/account/trade-fee-rate", { market: "BTCUSDT", market_type });
    const standard = { market: "BTCUSDT", maker_rate: "0.001", taker_rate: "0.002" };
    assert.deepEqual(await rates("SPOT"), standard);
    assert.deepEqual(await rates("MARGIN"), standard);
    await venue.operate({ kind: "change_user", userId, makerFeeRate: "0", takerFeeRate: "0.00012345" });
    assert.deepEqual(await rates("SPOT"), { market: "BTCUSDT", maker_rate: "0", taker_rate: "0.00012345" });
    const order = await client.act(ORDER, limitOrder("sell", "0.1", "90000"));
    assert.deepEqual([order.maker_fee_rate, order.taker_fee_rate], ["0", "0.00012345"]);
    await venue.operate({ kind: "change_user", userId, makerFeeRate: null, takerFeeRate: null });
    assert.deepEqual(await rates("SPOT"), standard);
    const [kept] = await client.read("/v2/spot/pending-order", { market_type: "SPOT" });
    assert.deepEqual([kept.maker_fee_rate, kept.taker_fee_rate], ["0", "0.00012345"], "an order keeps its rates");
    await client.act("/v2/spot/cancel-all-order", OF_BTCUSDT);

    const futures = { market: "BTCUSDT", market_type: "FUTURES" };
    const { code, message } = await client.get("/v2/account/trade-fee-rate", futures);
    assert.deepEqual([code, message], [3639, "Invalid Parameter: market BTCUSDT not found"]);
  });

  test("currencies come with their chains", async () => {
    const chain = {
      chain: "ERC20",
      minDepositAmount: "10",
      minWithdrawAmount: "20",
      depositEnabled: true,
      withdrawEnabled: false,
      depositDelayMinutes: 5,
      safeConfirmations: 12,
      irreversibleConfirmations: 24,
      deflationRate: "0",
      withdrawalFee: "1.5",
      withdrawalPrecision: 6,
      memo: "",
      isMemoRequiredForDeposit: false,
      explorerAssetUrl: "https://example.org/token",
      identity: "0x00",
    };
    await venue.operate({
      kind: "list_asset",
      ccy: "DSC",
      scale: 8,
      fullName: 'The "coin"',
      isSt: true,
      chains: [chain],
    });
    const info = await venue.anybody.read("/v2/assets/info");
    assert.deepEqual(info.at(-1), {
      short_name: "DSC",
      full_name: 'The "coin"',
      website_url: "",
      white_paper_url: "",
      chain_info: [{ chain_name: "ERC20", identity: "0x00", explorer_url: "https://example.org/token" }],
    });
    const configs = await venue.anybody.read("/v2/assets/all-deposit-withdraw-config");
    assert.deepEqual(configs.at(-1).asset, {
      ccy: "DSC",
      deposit_enabled: true,
      withdraw_enabled: false,
      inter_transfer_enabled: true,
      is_st: true,
    });
    assert.equal(configs.at(-1).chains[0].withdrawal_fee, "1.5");
    assert.deepEqual(configs[0], {
      asset: {
        ccy: "USDT",
        deposit_enabled: false,
        withdraw_enabled: false,
        inter_transfer_enabled: true,
        is_st: false,
      },
      chains: [],
    });
  });

  test("a key that may only read cannot trade, and a frozen account can do nothing", async () => {
    const { userId } = user;
    const reader = await venue.addKey(userId, ["read"]);
    const before = venue.stateHash();
    const posts: readonly (readonly [string, object])[] = [
      [ORDER, limitOrder("sell", "0.1", "90000")],
      ["/v2/spot/batch-order", { orders: [limitOrder("sell", "0.1", "90000")] }],
      ["/v2/spot/modify-order", { ...OF_BTCUSDT, order_id: 1, price: "90000" }],
      ["/v2/spot/batch-modify-order", { orders: [{ ...OF_BTCUSDT, order_id: 1, price: "90000" }] }],
      ["/v2/spot/cancel-order", { ...OF_BTCUSDT, order_id: 1 }],
      ["/v2/spot/cancel-batch-order", { ...OF_BTCUSDT, order_ids: [1] }],
      ["/v2/spot/cancel-all-order", OF_BTCUSDT],
      ["/v2/spot/cancel-order-by-client-id", { market_type: "SPOT", client_id: "x" }],
    ];
    for (const [path, body] of posts) assert.equal((await reader.post(path, body)).code, 4158, path);
    assert.equal((await reader.get("/v2/assets/spot/balance")).code, 0);
    assert.equal(venue.stateHash(), before);

    await venue.operate({ kind: "change_user", userId, frozen: true });
    for (const [path, body] of posts) assert.equal((await user.client.post(path, body)).code, 4011, path);
    assert.equal((await user.client.get("/v2/assets/spot/balance")).code, 4011);
    await venue.operate({ kind: "change_user", userId, frozen: false });
  });

  test("an account that is barred from trading may still cancel and look", async () => {
    const { client, userId } = user;
    const { order_id } = await client.act(ORDER, limitOrder("sell", "0.1", "90000"));
    await venue.operate({ kind: "change_user", userId, tradeBarred: true });
    assert.equal((await client.post(ORDER, limitOrder("sell", "0.1", "90000"))).code, 4115);
    assert.equal((await client.post("/v2/spot/modify-order", { ...OF_BTCUSDT, order_id, amount: "0.05" })).code, 4115);
    assert.equal((await client.read("/v2/spot/pending-order", { market_type: "SPOT" })).length, 1);
    await client.act("/v2/spot/cancel-order", { ...OF_BTCUSDT, order_id });
    await venue.operate({ kind: "change_user", userId, tradeBarred: false });
  });

  test("a sub-account trades with its own funds and orders", async () => {
    const sub = await venue.addUser("sub", { BTC: "1" }, user.userId);
    const { order_id } = await sub.client.act(ORDER, limitOrder("sell", "0.1", "90000"));
    const cancel = { ...OF_BTCUSDT, order_id };
    assert.equal((await user.client.post("/v2/spot/cancel-order", cancel)).code, 3600, "the main account has its own");
    await sub.client.act("/v2/spot/cancel-order", cancel);
    assert.deepEqual(await sub.client.read("/v2/account/info"), { user_id: String(sub.userId) });
  });

  test("a deleted key is unknown from the next request on", async () => {
    const client = await venue.addKey(user.userId, ["trade"]);
    assert.equal((await client.get("/v2/account/info")).code, 0);
    await venue.operate({ kind: "delete_api_key", accessId: client.key?.accessId as string });
    assert.equal((await client.get("/v2/account/info")).code, 4005);
  });
});
