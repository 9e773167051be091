import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder, marketOrder } from "../support/served-venue.ts";
import { marketOf } from "../support/venue.ts";

const ORDER = "/v2/spot/order";

describe("placing orders", () => {
  let venue: ApiVenue;
  let taker: ApiUser;
  let maker: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    taker = await venue.addUser("taker", { USDT: "1000000", BTC: "100" });
    maker = await venue.addUser("maker", { USDT: "1000000", BTC: "100" });
  });
  after(() => venue.close());

  /** Fills the book with one ask at 30000 and one bid at 29000, each of 2 BTC, and nothing else. */
  async function freshBook(): Promise<void> {
    for (const { client } of [taker, maker]) {
      await client.act("/v2/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" });
    }
    await maker.client.act(ORDER, limitOrder("sell", "2", "30000"));
    await maker.client.act(ORDER, limitOrder("buy", "2", "29000"));
  }

  test("every order type comes out as the rules have it", async () => {
    const rows: readonly (readonly [what: string, body: object, code: number, seen: readonly string[]])[] = [
      ["a limit that crosses takes, then rests", limitOrder("buy", "3", "30000"), 0, ["2.000000", "1.000000"]],
      ["a limit that does not cross rests", limitOrder("buy", "3", "29999.99"), 0, ["0.000000", "3.000000"]],
      ["maker_only rests", limitOrder("buy", "3", "29999.99", { type: "maker_only" }), 0, ["0.000000", "3.000000"]],
      ["maker_only that would take", limitOrder("buy", "3", "30000", { type: "maker_only" }), 3622, []],
      ["ioc takes what is there", limitOrder("buy", "3", "30000", { type: "ioc" }), 0, ["2.000000", "1.000000"]],
      ["ioc may find nothing", limitOrder("buy", "3", "29999", { type: "ioc" }), 0, ["0.000000", "3.000000"]],
      ["fok that fits", limitOrder("buy", "2", "30000", { type: "fok" }), 0, ["2.000000", "0.000000"]],
      ["fok that does not fit", limitOrder("buy", "2.000001", "30000", { type: "fok" }), 3621, []],
    ];
    for (const [what, body, code, seen] of rows) {
      await freshBook();
      const answer = await taker.client.post(ORDER, body);
      assert.equal(answer.code, code, `${what}: ${answer.message}`);
      if (code === 0) assert.deepEqual([answer.data.filled_amount, answer.data.unfilled_amount], seen, what);
      else assert.deepEqual(answer.data, {}, what);
    }
  });

  test("a market order counts in the currency it names: without one a buy in quote, a sell in base", async () => {
    // Columns: side, ccy asked for, amount; then ccy, amount, unfilled, filled amount and value in the answer.
    const rows: readonly (readonly ["buy" | "sell", string | undefined, string, readonly string[]])[] = [
      ["buy", undefined, "300", ["USDT", "300.00000000", "0.00000000", "0.010000", "300.00000000"]],
      ["buy", "USDT", "300", ["USDT", "300.00000000", "0.00000000", "0.010000", "300.00000000"]],
      ["buy", "BTC", "0.5", ["BTC", "0.500000", "0.000000", "0.500000", "15000.00000000"]],
      ["sell", undefined, "0.5", ["BTC", "0.500000", "0.000000", "0.500000", "14500.00000000"]],
      ["sell", "BTC", "0.5", ["BTC", "0.500000", "0.000000", "0.500000", "14500.00000000"]],
      ["sell", "USDT", "290", ["USDT", "290.00000000", "0.00000000", "0.010000", "290.00000000"]],
    ];
    for (const [side, ccy, amount, expected] of rows) {
      await freshBook();
      const order = await taker.client.act(ORDER, marketOrder(side, amount, { ccy }));
      const seen = [order.ccy, order.amount, order.unfilled_amount, order.filled_amount, order.filled_value];
      assert.deepEqual(seen, expected, `${side} ${ccy} ${amount}`);
      assert.deepEqual([order.price, order.maker_fee_rate, order.taker_fee_rate], ["0", "0", "0.002"]);
    }
  });

  test("a budget that leaves less than one lot over is filled, and says what is left", async () => {
    await freshBook();
    const order = await taker.client.act(ORDER, marketOrder("buy", "300.01"));
    assert.deepEqual([order.filled_value, order.unfilled_amount], ["300.00000000", "0.01000000"]);
    const { order_id } = order;
    const { status } = await taker.client.read("/v2/spot/order-status", { market: "BTCUSDT", order_id });
    assert.equal(status, "filled");
  });

  test("a market order that runs out of orders within the protected range is part_canceled", async () => {
    await freshBook();
    const { order_id, unfilled_amount } = await taker.client.act(ORDER, marketOrder("buy", "3", { ccy: "BTC" }));
    assert.equal(unfilled_amount, "1.000000");
    const { status } = await taker.client.read("/v2/spot/order-status", { market: "BTCUSDT", order_id });
    assert.equal(status, "part_canceled");
  });

  test("a foreign currency, or the quote for a limit order, is a wrong parameter", async () => {
    for (const body of [
      marketOrder("buy", "300", { ccy: "ETH" }),
      marketOrder("buy", "300", { ccy: "usdt" }),
      limitOrder("buy", "1", "29000", { ccy: "USDT" }),
      limitOrder("buy", "1", "29000", { ccy: "DOGE" }),
    ]) {
      const { code, message } = await taker.client.post(ORDER, body);
      assert.equal(code, 3639);
      assert.match(message, /^Invalid Parameter: ccy must be BTC/);
    }
    const { ccy } = await taker.client.act(ORDER, limitOrder("buy", "1", "29000", { ccy: "BTC" }));
    assert.equal(ccy, "BTC");
  });

  test("amounts and prices off the grid or beyond all bounds are refused in their place", async () => {
    await freshBook();
    const huge = "9".repeat(19);
    // Columns: body, code, what the message must name.
    const rows: readonly (readonly [object, number, RegExp])[] = [
      [limitOrder("buy", "0.0000001", "29000"), 3639, /amount has more decimals/],
      [limitOrder("buy", "0.00009", "29000"), 3127, /below the minimum/],
      [limitOrder("buy", "0", "29000"), 3127, /below the minimum/],
      [limitOrder("buy", huge, "29000"), 3639, /amount is above/],
      [limitOrder("buy", "1", "29000.001"), 3639, /price has more decimals/],
      [limitOrder("buy", "1", "0"), 3639, /price has more decimals than the market allows or is 0/],
      [limitOrder("buy", "1", huge), 3639, /price is above/],
      [limitOrder("buy", "0.0000001", "29000.001"), 3639, /amount has more decimals/],
      [limitOrder("buy", "1", "45000.01"), 3606, /too far/],
      [limitOrder("sell", "1", "14499.99"), 3606, /too far/],
      [limitOrder("buy", "90", "30000"), 3109, /balance/],
      [marketOrder("buy", "0.000000001"), 3639, /amount has more decimals/],
      [marketOrder("buy", "2.99"), 3127, /below the minimum/],
      [marketOrder("buy", huge), 3109, /balance/],
      [marketOrder("buy", huge, { ccy: "BTC" }), 3639, /amount is above/],
    ];
    const before = venue.stateHash();
    for (const [body, code, named] of rows) {
      const answer = await taker.client.post(ORDER, body);
      assert.equal(answer.code, code, `${JSON.stringify(body)}: ${answer.message}`);
      assert.match(answer.message, named);
      assert.deepEqual(answer.data, {});
    }
    assert.equal(venue.stateHash(), before);
  });

  test("trailing zeros beyond the grid, numbers and numeric strings are as good as the plain text", async () => {
    await freshBook();
    const plain = await taker.client.act(ORDER, limitOrder("buy", "0.5", "29000.5"));
    for (const [amount, price] of [
      [0.5, 29000.5],
      ["0.500000000000000000", "29000.500000"],
      ["000.5", "0029000.50"],
    ] as const) {
      const order = await taker.client.act(ORDER, { ...limitOrder("buy", "", ""), amount, price });
      assert.deepEqual({ ...order, order_id: plain.order_id }, plain);
    }
  });

  test("a market order without a counterpart is refused", async () => {
    const lonely = await venue.addUser("lonely", { USDT: "1000" });
    const { code } = await lonely.client.post(ORDER, { ...marketOrder("buy", "100"), market: "ETHUSDT" });
    assert.equal(code, 3620);
  });

  test("a hidden order is its owner's to see and nobody else's", async () => {
    await freshBook();
    const hidden = await maker.client.act(ORDER, limitOrder("sell", "1", "29500", { is_hide: true }));
    const [pending] = await maker.client.read("/v2/spot/pending-order", { market_type: "SPOT" });
    assert.equal(pending.order_id, hidden.order_id);
    const book = { market: "BTCUSDT", limit: 50, interval: "0" };
    const { depth } = await venue.anybody.read("/v2/spot/depth", book);
    assert.deepEqual(depth.asks, [["30000.00", "2.000000"]]);
    const taken = await taker.client.act(ORDER, limitOrder("buy", "1", "29500"));
    assert.deepEqual([taken.filled_amount, taken.last_filled_price], ["1.000000", "29500.00"]);
  });

  test("self-trade protection does what its mode says", async () => {
    const own = { market: "BTCUSDT" };
    const rows = [
      { mode: undefined, filled: "1.000000", askLeft: "1.000000" },
      { mode: "ct", filled: "0.000000", askLeft: "2.000000" },
      { mode: "cm", filled: "0.000000", askLeft: undefined },
      { mode: "both", filled: "0.000000", askLeft: undefined },
    ];
    for (const { mode, filled, askLeft } of rows) {
      await freshBook();
      const [ask] = (await maker.client.read("/v2/spot/pending-order", { market_type: "SPOT", side: "sell" })) as [
        { order_id: number },
      ];
      const bid = await maker.client.act(ORDER, limitOrder("buy", "1", "30000", { stp_mode: mode }));
      assert.equal(bid.filled_amount, filled, mode ?? "none");
      const status = await maker.client.get("/v2/spot/order-status", { ...own, order_id: ask.order_id });
      assert.equal(status.data.unfilled_amount, askLeft, mode ?? "none");
      assert.equal(status.code, askLeft === undefined ? 3600 : 0, mode ?? "none");
    }
  });

  test("a client id of the full length comes back, and the same one may be used again", async () => {
    await freshBook();
    const clientId = "A-z_0".padEnd(32, "9");
    for (const body of [clientId, clientId].map((client_id) => limitOrder("buy", "1", "28000", { client_id }))) {
      assert.equal((await taker.client.act(ORDER, body)).client_id, clientId);
    }
    assert.equal((await taker.client.act(ORDER, limitOrder("buy", "1", "28000", { client_id: "" }))).client_id, "");
  });

  test("markets that are not there, not open, suspended or closed to the API say which", async () => {
    const { client } = taker;
    const order = (market: string) => client.post(ORDER, { ...limitOrder("buy", "1", "100"), market });
    for (const [market, change, code] of [
      ["AUSDT", { onlineAt: venue.control.timeMs + 60_000 }, 4117],
      ["BUSDT", { suspended: true }, 3157],
      ["CUSDT", { apiTradingAvailable: false }, 4159],
    ] as const) {
      const base = market.slice(0, 1);
      await venue.listAssets(base);
      await venue.operate({ ...marketOf(base, "USDT"), ...change });
      assert.equal((await order(market)).code, code, market);
    }
    const unknown = { code: 3639, data: {}, message: "Invalid Parameter: market XYZUSDT not found" };
    assert.deepEqual(await order("XYZUSDT"), unknown);
    assert.equal((await order("btcusdt")).message, "Invalid Parameter: market btcusdt not found");

    await venue.operate({ kind: "change_market", market: "CUSDT", delistedAt: venue.control.timeMs + 1_000 });
    await venue.wait(1_000);
    assert.equal((await order("CUSDT")).message, "Invalid Parameter: market CUSDT not found");
    const listed = await venue.anybody.read("/v2/spot/market");
    assert.deepEqual(
      listed.map((row: { market: string }) => row.market),
      ["BTCUSDT", "ETHUSDT", "AUSDT", "BUSDT"],
    );
  });

  test("margin is not offered, and says so", async () => {
    const answer = await taker.client.post(ORDER, { ...limitOrder("buy", "1", "29000"), market_type: "MARGIN" });
    assert.deepEqual([answer.code, answer.data], [3639, {}]);
    assert.match(answer.message, /margin/);
  });
});

test("too many open orders in one market are refused, and the full list can be read and cancelled", async () => {
  const venue = await bitcoinApiVenue();
  const { client } = await venue.addUser("many", { USDT: "1000000" });
  for (let round = 0; round < 10; round++) {
    const orders = Array.from({ length: 100 }, () => limitOrder("buy", "0.001", "20000"));
    const elements = await client.act("/v2/spot/batch-order", { orders });
    assert.ok(elements.every(({ code }: { code: number }) => code === 0));
  }
  const { code, message } = await client.post(ORDER, limitOrder("buy", "0.001", "20000"));
  assert.equal(code, 3639);
  assert.match(message, /as many open orders/);
  const page = await client.get("/v2/spot/pending-order", { market_type: "SPOT", limit: 1000 });
  assert.deepEqual([page.data.length, page.pagination], [1000, { has_next: false, total: 1000 }]);
  await client.act("/v2/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" });
  assert.deepEqual(await client.read("/v2/spot/pending-order", { market_type: "SPOT" }), []);
  assert.deepEqual(await client.read("/v2/assets/spot/balance"), [
    { ccy: "USDT", available: "1000000.00000000", frozen: "0.00000000" },
  ]);
  await venue.close();
});
