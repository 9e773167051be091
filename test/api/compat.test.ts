/** What answers look like to existing clients; docs/reference/compat.md says what each rests on. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { checksumOf, type DepthRow } from "../../src/feeds/depth.ts";
import type { Envelope } from "../support/api-client.ts";
import {
  type ApiUser,
  type ApiVenue,
  bitcoinApiVenue,
  contract,
  limitOrder,
  listFutures,
  marketOrder,
} from "../support/served-venue.ts";

describe("under compat", () => {
  let venue: ApiVenue;
  let maker: ApiUser;
  let taker: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue({ compat: true });
    await venue.listAssets("USD");
    await listFutures(venue);
    maker = await venue.addUser("maker", { BTC: "10", USDT: "100000" });
    taker = await venue.addUser("taker", { USDT: "100000" });
    await maker.client.act("/v2/spot/order", limitOrder("sell", "1.5", "30000"));
    await taker.client.act("/v2/spot/order", marketOrder("buy", "0.5", { ccy: "BTC" }));
  });
  after(() => venue.close());

  test("F1: a candle's volume is what was paid and its value what changed hands", async () => {
    const [candle] = await venue.anybody.read("/v2/spot/kline", { market: "BTCUSDT", period: "1min", limit: 1 });
    assert.deepEqual([candle.volume, candle.value], ["15000", "0.5"]);
  });

  test("F2: an order of nothing is an invalid argument, alone and in a batch", async () => {
    const nothing = [limitOrder("buy", "0", "20000"), limitOrder("buy", "0.000", "20000")];
    for (const order of nothing) {
      const { code, message } = await taker.client.post("/v2/spot/order", order);
      assert.deepEqual([code, message], [4004, "invalid argument"]);
    }
    assert.equal((await taker.client.post("/v2/futures/order", contract("buy", "0", "20000"))).code, 4004);
    const stop = { ...limitOrder("buy", "0", "20000"), trigger_price: "21000" };
    assert.equal((await taker.client.post("/v2/spot/stop-order", stop)).code, 4004);
    const orders = [...nothing, limitOrder("buy", "0.00001", "20000")];
    const batch = (await taker.client.act("/v2/spot/batch-order", { orders })) as Envelope[];
    assert.deepEqual(
      batch.map(({ code }) => code),
      [4004, 4004, 3127],
    );
  });

  test("F11: an order with a client id of more than 32 characters is an invalid argument", async () => {
    const client_id = "72e74f88-1727-4098-822e-25ccc5705f08";
    for (const [path, order] of [
      ["/v2/spot/order", limitOrder("buy", "0.1", "20000")],
      ["/v2/spot/order", marketOrder("buy", "0.1", { ccy: "BTC" })],
      ["/v2/futures/order", contract("buy", "0.1", "20000")],
      ["/v2/spot/stop-order", { ...limitOrder("buy", "0.1", "20000"), trigger_price: "21000" }],
    ] as const) {
      const { code, message } = await taker.client.post(path, { ...order, client_id });
      assert.deepEqual([code, message], [4004, "invalid argument"], path);
    }
    // Its characters are another matter, and so is an element of a batch.
    assert.equal(
      (await taker.client.post("/v2/spot/order", { ...limitOrder("buy", "0.1", "20000"), client_id: "a b" })).code,
      3639,
    );
    const orders = [{ ...limitOrder("buy", "0.1", "20000"), client_id }];
    const [element] = (await taker.client.act("/v2/spot/batch-order", { orders })) as Envelope[];
    assert.equal(element?.code, 3639);
  });

  test("F3: the texts that clients look at are those that they know", async () => {
    const order = { market: "BTCUSDT", market_type: "SPOT", order_id: 9_999 };
    const missing = await taker.client.post("/v2/spot/cancel-order", order);
    assert.deepEqual([missing.code, missing.message], [3600, "Order not found"]);
    const { code, message } = await taker.client.post("/v2/spot/order", limitOrder("buy", "1000", "20000"));
    assert.deepEqual([code, message], [3109, "balance not enough"]);
    for (const [path, expected] of [
      ["/v2/spot", 20_002],
      ["/v2/futures", 30_002],
    ] as const) {
      const answer = await (await venue.socket(undefined, path)).ask("kline.subscribe", {});
      assert.deepEqual([answer.code, answer.message], [expected, "unknown method"]);
    }
  });

  test("F4: the book of a market that there is not is an invalid argument; its ticker is refused as documented", async () => {
    for (const product of ["spot", "futures"]) {
      const query = { market: "NOPE", limit: 5, interval: "0" };
      const book = await venue.anybody.get(`/v2/${product}/depth`, query);
      assert.deepEqual([book.code, book.message], [4004, "invalid argument"]);
      const ticker = await venue.anybody.get(`/v2/${product}/ticker`, { market: "NOPE" });
      assert.deepEqual([ticker.code, ticker.message], [3639, "Invalid Parameter: market NOPE not found"]);
    }
  });

  test("F5: numbers have no trailing zeros, and a book's checksum is over what is sent", async () => {
    const book = await venue.anybody.read("/v2/spot/depth", { market: "BTCUSDT", limit: 5, interval: "0" });
    const { asks, bids, last, checksum } = book.depth as {
      asks: DepthRow[];
      bids: DepthRow[];
      last: string;
      checksum: number;
    };
    assert.deepEqual([asks, bids, last], [[["30000", "1"]], [], "30000"]);
    assert.equal(checksum, checksumOf(bids, asks));
    await taker.client.act("/v2/spot/order", limitOrder("buy", "0.01", "20000.1", { client_id: "one-10" }));
    const answers = [
      await venue.anybody.get("/v2/spot/market", { market: "BTCUSDT" }),
      await venue.anybody.get("/v2/spot/ticker", { market: "BTCUSDT" }),
      await venue.anybody.get("/v2/spot/deals", { market: "BTCUSDT" }),
      await venue.anybody.get("/v2/futures/market"),
      await venue.anybody.get("/v2/futures/position-level", { market: "BTCUSDT" }),
      await taker.client.get("/v2/assets/spot/balance"),
      await taker.client.get("/v2/assets/statement"),
      await taker.client.get("/v2/spot/pending-order", { market_type: "SPOT" }),
      await taker.client.get("/v2/spot/finished-order", { market_type: "SPOT" }),
      await taker.client.get("/v2/spot/user-deals", { market: "BTCUSDT", market_type: "SPOT" }),
    ];
    for (const { code, data } of answers) {
      assert.equal(code, 0);
      assert.doesNotMatch(JSON.stringify(data), /"-?\d+\.\d*0"/);
    }
    const [order] = (answers[7] as Envelope).data;
    assert.deepEqual([order.price, order.amount, order.client_id], ["20000.1", "0.01", "one-10"]);
  });

  test("F5 leaves texts alone, whatever they look like", async () => {
    const name = "numbers";
    await taker.client.act("/v2/account/subs", { sub_user_name: name });
    const key = { sub_user_name: name, ip_whitelist: ["192.0.2.10"], trade_enabled: true };
    for (const remark of ["1.10", '","balance_usd":"1.10', '["1.10"]']) {
      const { remark: told, ip_whitelist } = await taker.client.act("/v2/account/subs/api", { ...key, remark });
      assert.deepEqual([told, ip_whitelist], [remark, ["192.0.2.10"]]);
    }
    const [{ balance_usd }] = await taker.client.read("/v2/account/subs");
    assert.equal(balance_usd, "0");
  });

  test("F6: the last fill of a spot order has both spellings", async () => {
    const [order] = await taker.client.read("/v2/spot/finished-order", { market_type: "SPOT" });
    const fills = [order.last_filled_amount, order.last_fill_amount, order.last_filled_price, order.last_fill_price];
    assert.deepEqual(fills, ["0.5", "0.5", "30000", "30000"]);
  });

  test("F7: a currency without a chain is not among those that come and go by one", async () => {
    const chain = { minDepositAmount: "1", minWithdrawAmount: "1", depositEnabled: true, withdrawEnabled: true };
    const waits = { depositDelayMinutes: 0, safeConfirmations: 1, irreversibleConfirmations: 1 };
    const terms = { deflationRate: "0", withdrawalFee: "1", withdrawalPrecision: 6, memo: "" };
    const more = { isMemoRequiredForDeposit: false, explorerAssetUrl: "", identity: "" };
    const chains = [{ chain: "ERC20", ...chain, ...waits, ...terms, ...more }];
    await venue.operate({ kind: "list_asset", ccy: "DSC", scale: 8, chains });
    const rows = await venue.anybody.read("/v2/assets/all-deposit-withdraw-config");
    assert.deepEqual(
      rows.map(({ asset }: { asset: { ccy: string } }) => asset.ccy),
      ["DSC"],
    );
  });

  test("F8: on a socket a list that is missing means all", async () => {
    const socket = await venue.socket();
    for (const channel of ["bbo", "state", "deals", "index"]) {
      await socket.must(`${channel}.subscribe`, {});
      await socket.must(`${channel}.unsubscribe`, {});
    }
    await socket.must("bbo.subscribe", {});
    await maker.client.act("/v2/spot/order", limitOrder("sell", "0.1", "29999"));
    assert.equal((await socket.push("bbo.update")).market, "BTCUSDT");
    assert.equal((await socket.ask("bbo.subscribe", { market_list: "BTCUSDT" })).code, 20_001);
  });

  test("F9: a limit of a book that is not offered stands for the next higher one", async () => {
    const socket = await venue.socket();
    await socket.must("depth.subscribe", { market_list: [["BTCUSDT", 30, "0", true]] });
    const { depth } = await socket.push("depth.update");
    assert.ok(depth.asks.length > 0);
    for (const limit of [51, 0, -1, "x"]) {
      const answer = await socket.ask("depth.subscribe", { market_list: [["BTCUSDT", limit, "0", true]] });
      assert.equal(answer.code, 20_001, String(limit));
    }
  });
});

test("without compat answers are as they are documented", async (t) => {
  const venue = await bitcoinApiVenue();
  t.after(() => venue.close());
  const user = await venue.addUser("user", { USDT: "100000", BTC: "1" });
  assert.equal((await user.client.post("/v2/spot/order", limitOrder("buy", "0", "20000"))).code, 3127);
  const longId = { ...limitOrder("buy", "0.1", "20000"), client_id: "x".repeat(36) };
  assert.equal((await user.client.post("/v2/spot/order", longId)).code, 3639);
  const missing = await venue.anybody.get("/v2/spot/depth", { market: "NOPE", limit: 5, interval: "0" });
  assert.equal(missing.code, 3639);
  const order = await user.client.act("/v2/spot/order", limitOrder("sell", "0.5", "30000"));
  assert.equal("last_fill_amount" in order, false);
  assert.equal(order.price, "30000.00");
  const configs = await venue.anybody.read("/v2/assets/all-deposit-withdraw-config");
  assert.ok(configs.some(({ chains }: { chains: unknown[] }) => chains.length === 0));
  const socket = await venue.socket();
  assert.equal((await socket.ask("bbo.subscribe", {})).code, 20_001);
  assert.equal((await socket.ask("depth.subscribe", { market_list: [["BTCUSDT", 30, "0", true]] })).code, 20_001);
});
