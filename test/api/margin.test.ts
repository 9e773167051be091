import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder, marketOrder } from "../support/served-venue.ts";

const HOUR_MS = 3_600_000;
const BTCUSDT = { market: "BTCUSDT", market_type: "MARGIN" };
const MARGIN = { market_type: "MARGIN" };

suite("margin over the API", () => {
  let venue: ApiVenue;
  let maker: ApiUser;

  before(async () => {
    venue = await bitcoinApiVenue();
    maker = await venue.addUser("maker", { USDT: "1000000", BTC: "100" });
    await speak("30000");
    for (const [cell, ccy, amount] of [
      ["sys:lend_pool", "USDT", "100000"],
      ["sys:lend_pool", "BTC", "5"],
    ] as const) {
      await venue.operate({ kind: "deposit", cell, ccy, amount, note: "" });
    }
    await venue.operate({
      kind: "set_margin_market",
      market: "BTCUSDT",
      leverage: 5,
      loans: [
        { ccy: "USDT", minAmount: "10", maxAmount: "50000", dailyInterestRate: "0.0009" },
        { ccy: "BTC", minAmount: "0.001", maxAmount: "10", dailyInterestRate: "0.0005" },
      ],
    });
  });
  after(() => venue.close());

  async function speak(price: string): Promise<void> {
    await venue.operate({ kind: "set_index_prices", market: "BTCUSDT", sources: [{ exchange: "alpha", price }] });
  }

  async function transfer(user: ApiUser, ccy: string, amount: string): Promise<void> {
    const to = { from_account_type: "SPOT", to_account_type: "MARGIN", market: "BTCUSDT" };
    await user.client.act("/v2/assets/transfer", { ...to, ccy, amount });
  }

  const codeOf = async (user: ApiUser, path: string, body: object) => (await user.client.post(path, body)).code;
  const balanceOf = async (user: ApiUser) => (await user.client.read("/v2/assets/margin/balance"))[0];

  test("worked example E8, to the digit", async () => {
    const ann = await venue.addUser("ann", { USDT: "10000" });
    await venue.operate({ kind: "change_user", userId: ann.userId, takerFeeRate: "0" });
    await transfer(ann, "USDT", "10000");
    const loan = { market: "BTCUSDT", ccy: "USDT", borrow_amount: "10000", is_auto_renew: false };
    const borrowed = await ann.client.act("/v2/assets/margin/borrow", loan);
    assert.deepEqual(borrowed, {
      borrow_id: 1,
      created_at: venue.control.timeMs,
      market: "BTCUSDT",
      ccy: "USDT",
      daily_interest_rate: "0.0009",
      expired_at: venue.control.timeMs + 10 * 24 * HOUR_MS,
      borrow_amount: "10000.00000000",
      to_repaid_amount: "10000.37500000",
      to_repaied_amount: "10000.37500000",
      is_auto_renew: false,
      status: "loan",
    });
    await maker.client.act("/v2/spot/order", limitOrder("sell", "0.6", "30000"));
    await ann.client.act("/v2/spot/order", { ...limitOrder("buy", "0.6", "30000"), ...MARGIN });
    await venue.wait(2 * HOUR_MS);
    await speak("30000");
    await venue.wait(5_000);
    await speak("30000");
    assert.deepEqual(await balanceOf(ann), {
      margin_account: "BTCUSDT",
      base_ccy: "BTC",
      quote_ccy: "USDT",
      available: { base_ccy: "0.60000000", quote_ccy: "2000.00000000" },
      frozen: { base_ccy: "0.00000000", quote_ccy: "0.00000000" },
      repaid: { base_ccy: "0.00000000", quote_ccy: "10000.00000000" },
      interest: { base_ccy: "0.00000000", quote_ccy: "1.12500000" },
      risk_rate: "1.99988750",
      liq_price: "14668.54",
    });
    // 9998.875 * 4 - 10000 = 29995.5 more, and not one unit beyond.
    const more = { ...loan, borrow_amount: "29995.50000001" };
    assert.equal(await codeOf(ann, "/v2/assets/margin/borrow", more), 3109);
    await ann.client.act("/v2/assets/margin/borrow", { ...loan, borrow_amount: "29995.5" });
  });

  test("loans are refused with the codes of the contract, and paid by id or the oldest first", async () => {
    const ben = await venue.addUser("ben", { USDT: "1000" });
    const loan = { market: "BTCUSDT", ccy: "USDT", borrow_amount: "100", is_auto_renew: true };
    const borrow = (more: object) => codeOf(ben, "/v2/assets/margin/borrow", { ...loan, ...more });
    assert.equal(await borrow({}), 3639);
    await transfer(ben, "USDT", "1000");
    assert.equal(await borrow({ borrow_amount: "9" }), 3639);
    assert.equal(await borrow({ borrow_amount: "50001" }), 3639);
    assert.equal(await borrow({ market: "ETHUSDT", ccy: "USDT" }), 3639);
    assert.equal(await borrow({ ccy: "ETH" }), 3639);
    assert.equal(await borrow({ borrow_amount: "4000.00000001" }), 3109);
    const { borrow_id: first } = await ben.client.act("/v2/assets/margin/borrow", loan);
    const { borrow_id: second } = await ben.client.act("/v2/assets/margin/borrow", loan);
    const repay = { market: "BTCUSDT", ccy: "USDT" };
    assert.equal(await codeOf(ben, "/v2/assets/margin/repay", repay), 3639);
    assert.equal(await codeOf(ben, "/v2/assets/margin/repay", { ...repay, amount: "1", borrow_id: 999 }), 3639);
    assert.deepEqual(
      await ben.client.act("/v2/assets/margin/repay", { ...repay, amount: "1000", borrow_id: second }),
      {},
    );
    assert.deepEqual(await ben.client.act("/v2/assets/margin/repay", { ...repay, borrow_amount: "50" }), {});
    const history = async (query: object) =>
      (await ben.client.read("/v2/assets/margin/borrow-history", { ...query })).map((row: Record<string, unknown>) => [
        row.borrow_id,
        row.status,
        row.to_repaid_amount,
      ]);
    assert.deepEqual(await history({}), [
      [second, "finish", "0.00000000"],
      [first, "loan", "50.00375000"],
    ]);
    assert.deepEqual(await history({ status: "finish", market: "BTCUSDT" }), [[second, "finish", "0.00000000"]]);
    const limits = await ben.client.read("/v2/assets/margin/interest-limit", { market: "BTCUSDT", ccy: "BTC" });
    assert.deepEqual(limits, {
      market: "BTCUSDT",
      ccy: "BTC",
      leverage: 5,
      min_amount: "0.00100000",
      max_amount: "10.00000000",
      daily_interest_rate: "0.0005",
    });
    const limitCode = async (market: string, ccy: string) =>
      (await ben.client.get("/v2/assets/margin/interest-limit", { market, ccy })).code;
    assert.deepEqual([await limitCode("ETHUSDT", "USDT"), await limitCode("BTCUSDT", "ETH")], [3639, 3639]);
  });

  test("transfers name their margin market, in histories and in the statement", async () => {
    const cat = await venue.addUser("cat", { USDT: "500" });
    const body = { from_account_type: "MARGIN", to_account_type: "SPOT", ccy: "USDT", amount: "1" };
    assert.equal(await codeOf(cat, "/v2/assets/transfer", body), 3639);
    assert.equal(await codeOf(cat, "/v2/assets/transfer", { ...body, market: "BTCUSDT" }), 3639);
    await transfer(cat, "USDT", "300");
    await cat.client.act("/v2/assets/transfer", { ...body, market: "BTCUSDT", amount: "100" });
    assert.equal(await codeOf(cat, "/v2/assets/transfer", { ...body, market: "BTCUSDT", amount: "201" }), 3109);
    assert.equal(
      await codeOf(cat, "/v2/assets/transfer", { ...body, to_account_type: "FUTURES", market: "BTCUSDT" }),
      3639,
    );
    const rows = await cat.client.read("/v2/assets/transfer-history", { ccy: "USDT", transfer_type: "MARGIN" });
    assert.deepEqual(
      rows.map((row: Record<string, unknown>) => [row.margin_market, row.from_account_type, row.amount]),
      [
        ["BTCUSDT", "MARGIN", "100.00000000"],
        ["BTCUSDT", "SPOT", "300.00000000"],
      ],
    );
    const loan = { market: "BTCUSDT", ccy: "USDT", borrow_amount: "50", is_auto_renew: false };
    await cat.client.act("/v2/assets/margin/borrow", loan);
    await cat.client.act("/v2/assets/margin/repay", { market: "BTCUSDT", ccy: "USDT", amount: "60" });
    const lines = await cat.client.read("/v2/assets/statement", { account_type: "MARGIN" });
    assert.deepEqual(
      lines.map((line: Record<string, unknown>) => [line.market, line.type, line.change].join(" ")),
      [
        "BTCUSDT margin_repay -50.00000000",
        "BTCUSDT margin_interest -0.00187500",
        "BTCUSDT margin_borrow 50.00000000",
        "BTCUSDT transfer -100.00000000",
        "BTCUSDT transfer 300.00000000",
      ],
    );
  });

  test("every endpoint of spot knows orders of margin accounts, and tells them from those of spot", async () => {
    const dan = await venue.addUser("dan", { USDT: "100000", BTC: "2" });
    const order = (more: object = {}) => ({ ...limitOrder("buy", "0.01", "20000"), ...MARGIN, ...more });
    const act = (path: string, body: object) => dan.client.act(`/v2/spot/${path}`, body);
    assert.equal(await codeOf(dan, "/v2/spot/order", order()), 3639);
    await transfer(dan, "USDT", "50000");
    await transfer(dan, "BTC", "1");
    assert.equal(await codeOf(dan, "/v2/spot/order", order({ market: "ETHUSDT" })), 3639);
    assert.equal(await codeOf(dan, "/v2/spot/order", order({ price: "45001" })), 3615);
    const placed = await act("order", order({ client_id: "one", stp_mode: "cm" }));
    assert.equal(placed.market_type, "MARGIN");
    const named = { ...BTCUSDT, order_id: placed.order_id };
    const spotNamed = { ...named, market_type: "SPOT" };
    assert.equal(await codeOf(dan, "/v2/spot/modify-order", { ...spotNamed, price: "20001" }), 3600);
    assert.equal((await act("modify-order", { ...named, price: "20001" })).price, "20001.00");
    const pending = async (market_type: string) =>
      (await dan.client.read("/v2/spot/pending-order", { market_type })).map(
        (row: { order_id: number }) => row.order_id,
      );
    assert.deepEqual([await pending("MARGIN"), await pending("SPOT")], [[placed.order_id], []]);
    assert.equal(await codeOf(dan, "/v2/spot/cancel-order", spotNamed), 3600);
    const status = await dan.client.read("/v2/spot/order-status", { market: "BTCUSDT", order_id: placed.order_id });
    assert.equal(status.market_type, "MARGIN");
    assert.equal((await act("cancel-order", named)).order_id, placed.order_id);
    const batch = await act("batch-order", {
      orders: [order(), order({ is_hide: true }), order({ type: "maker_only" })],
    });
    const ids = batch.map(({ data }: { data: { order_id: number } }) => data.order_id);
    const seen = await dan.client.read("/v2/spot/batch-order-status", { market: "BTCUSDT", order_ids: ids.join(",") });
    assert.ok(seen.every((row: { data: { market_type: string } }) => row.data.market_type === "MARGIN"));
    const modified = await act("batch-modify-order", {
      orders: [{ ...BTCUSDT, order_id: ids[0], price: "19999" }],
    });
    assert.equal(modified[0].code, 0);
    assert.equal((await act("cancel-batch-order", { market: "BTCUSDT", order_ids: ids.slice(0, 1) }))[0].code, 0);
    await act("order", order({ client_id: "two" }));
    assert.equal((await act("cancel-order-by-client-id", { ...BTCUSDT, client_id: "two" })).length, 1);
    assert.deepEqual(await act("cancel-all-order", BTCUSDT), {});
    assert.deepEqual(await pending("MARGIN"), []);

    const stop = order({ trigger_price: "21000", client_id: "three" });
    const { stop_id } = await act("stop-order", stop);
    const stops = await dan.client.read("/v2/spot/pending-stop-order", MARGIN);
    assert.deepEqual(
      stops.map((row: { market_type: string }) => row.market_type),
      ["MARGIN"],
    );
    await act("modify-stop-order", { ...BTCUSDT, stop_id, trigger_price: "21001" });
    await act("cancel-stop-order", { ...BTCUSDT, stop_id });
    const { stop_id: next } = await act("stop-order", stop);
    assert.ok(next > stop_id);
    assert.equal((await act("cancel-stop-order-by-client-id", { ...BTCUSDT, client_id: "three" })).length, 1);
    const more = await act("batch-stop-order", {
      orders: [stop, { ...stop, client_id: "four", amount: "0.00000001" }],
    });
    const [kept, far] = more.map(
      ({ code, data }: { code: number; data: { stop_id: number } | null }) => data?.stop_id ?? code,
    );
    assert.ok(far === 3127 || far === 3639, `${far}`);
    const stopIds = { market: "BTCUSDT", stop_ids: [kept] };
    assert.deepEqual((await act("cancel-batch-stop-order", { ...stopIds, market_type: "SPOT" }))[0].code, 3600);
    assert.equal((await act("cancel-batch-stop-order", stopIds))[0].code, 0);

    const fired = await act("stop-order", order({ trigger_price: "30000" }));
    await maker.client.act("/v2/spot/order", limitOrder("sell", "1", "30000"));
    const bought = await act("order", { ...marketOrder("buy", "0.1", { ccy: "BTC" }), ...MARGIN });
    assert.equal(bought.filled_amount, "0.100000");
    const finished = await dan.client.read("/v2/spot/finished-order", MARGIN);
    assert.equal(finished[0].order_id, bought.order_id);
    assert.deepEqual(await dan.client.read("/v2/spot/finished-order", { market_type: "SPOT" }), []);
    const [done] = await dan.client.read("/v2/spot/finished-stop-order", MARGIN);
    assert.equal(done.stop_id, fired.stop_id);
    assert.deepEqual(await dan.client.read("/v2/spot/finished-stop-order", { market_type: "SPOT" }), []);
    const deals = await dan.client.read("/v2/spot/user-deals", BTCUSDT);
    assert.equal(deals[0].margin_market, "BTCUSDT");
    const ofOrder = await dan.client.read("/v2/spot/order-deals", { ...BTCUSDT, order_id: bought.order_id });
    assert.equal(ofOrder.length, 1);
    const [market] = await dan.client.read("/v2/spot/market", { market: "BTCUSDT" });
    assert.equal(market.is_margin_available, true);
    const { base_ccy, quote_ccy } = (await balanceOf(dan)).available;
    assert.deepEqual([base_ccy, quote_ccy], ["1.09980000", "46800.00000000"]);
  });

  test("who owes what a liquidation left withdraws nothing, and is told so, until he has paid", async () => {
    const fay = await venue.addUser("fay", { USDT: "1200" });
    const client = await venue.addKey(fay.userId, ["read", "trade", "withdraw"]);
    const friend = await venue.addUser("friend");
    const address = { userId: fay.userId, chain: "", address: String(friend.userId), memo: "", remark: "" };
    await venue.operate({ kind: "allow_withdraw_address", ...address });
    await transfer(fay, "USDT", "1200");
    await maker.client.act("/v2/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" });
    await maker.client.act("/v2/spot/order", limitOrder("sell", "0.2", "30000"));
    const loan = { market: "BTCUSDT", ccy: "USDT", borrow_amount: "4800", is_auto_renew: false };
    await fay.client.act("/v2/assets/margin/borrow", loan);
    await fay.client.act("/v2/spot/order", { ...limitOrder("buy", "0.2", "30000"), ...MARGIN });
    // An insolvent account is sold at the index and no lower.
    await maker.client.act("/v2/spot/order", limitOrder("buy", "1", "20500"));
    await speak("20500");
    const [left] = await fay.client.read("/v2/assets/margin/borrow-history", { status: "debt" });
    assert.equal(left.status, "debt");
    await venue.operate({ kind: "deposit", userId: fay.userId, ccy: "USDT", amount: "2000", note: "" });
    const wish = { ccy: "USDT", to_address: String(friend.userId), amount: "10", withdraw_method: "inter_user" };
    const barred = await client.post("/v2/assets/withdraw", wish);
    assert.equal(barred.code, 3639);
    assert.match(barred.message, /^Invalid Parameter: a margin account was liquidated and left a debt/);
    await transfer(fay, "USDT", left.to_repaid_amount);
    assert.equal((await client.post("/v2/assets/withdraw", wish)).code, 0);
    await speak("30000");
  });

  test("sockets tell of margin balances and orders, and warn of a risk rate that has come down", async () => {
    const eve = await venue.addUser("eve", { USDT: "1000" });
    const socket = await venue.socket(eve.client);
    await socket.must("balance.subscribe", { ccy_list: [] });
    await socket.must("order.subscribe", { market_list: [] });
    await transfer(eve, "USDT", "1000");
    const { balance_list } = await socket.push("balance.update");
    assert.deepEqual(
      balance_list.map((row: Record<string, unknown>) => [row.margin_market, row.ccy, row.available]),
      [
        ["", "USDT", "0.00000000"],
        ["BTCUSDT", "USDT", "1000.00000000"],
      ],
    );
    const loan = { market: "BTCUSDT", ccy: "USDT", borrow_amount: "4000", is_auto_renew: false };
    await eve.client.act("/v2/assets/margin/borrow", loan);
    await socket.push("balance.update");
    await maker.client.act("/v2/spot/order", limitOrder("sell", "1", "30000"));
    await eve.client.act("/v2/spot/order", { ...limitOrder("buy", "0.16", "30000"), ...MARGIN });
    assert.equal((await socket.push("order.update")).order.margin_market, "BTCUSDT");
    await socket.push("balance.update");
    await speak("29800");
    assert.equal((await balanceOf(eve)).risk_rate, "1.23957850");
    await speak("28800");
    const alert = await socket.push("balance.update");
    assert.deepEqual([alert.event, alert.risk_rate, alert.balance_list.length], ["alert", "1.19965850", 2]);
    await speak("30000");
  });
});
