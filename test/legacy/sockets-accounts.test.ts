/** What accounts are told and may ask on the legacy sockets, whichever generation their orders come by. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { loadContract } from "../../src/gateway/current/contract.ts";
import { loadLegacyContract } from "../../src/gateway/legacy/contract.ts";
import { loadLegacySocketContract } from "../../src/gateway/legacy/sockets/contract.ts";
import { loadSocketContract } from "../../src/gateway/ws/contract.ts";
import { succeeded } from "../support/api-client.ts";
import type { LegacySocketClient } from "../support/legacy-socket-client.ts";
import {
  type ApiUser,
  type ApiVenue,
  bitcoinApiVenue,
  futuresApiVenue,
  contract as futuresOrder,
  limitOrder,
  marketOrder,
} from "../support/served-venue.ts";
import type { Message } from "../support/socket-client.ts";
import { LegacyClient } from "./client.ts";
import { typeBreaches } from "./socket-shape.ts";

const contract = loadLegacySocketContract(loadSocketContract(), loadLegacyContract("spot", loadContract()));

function assertIs(type: string, value: unknown): void {
  assert.deepEqual(typeBreaches(contract, type, value, type), []);
}

/** LegacyWsOrderEvent and LegacyWsStopEvent. */
const [PUT, UPDATE, FINISH] = [1, 2, 3];
const [ACTIVE, CANCEL] = [2, 3];
const [SELL, BUY] = [1, 2];
const [MAKER, TAKER] = [1, 2];

/** The pushes of a channel among messages. */
function pushesOf(messages: readonly Message[], method: string): Message[] {
  return messages.filter((message) => message.method === method).map(({ params }) => params);
}

describe("accounts on the legacy socket for spot", () => {
  let venue: ApiVenue;
  let alice: ApiUser;
  let bob: ApiUser;
  let old: LegacyClient;
  let socket: LegacySocketClient;
  before(async () => {
    venue = await bitcoinApiVenue();
    alice = await venue.addUser("alice", { USDT: "1000000", BTC: "100" });
    bob = await venue.addUser("bob", { USDT: "1000000", BTC: "100" });
    old = new LegacyClient(venue, alice.client);
  });
  beforeEach(async () => {
    for (const { client } of [alice, bob]) {
      await client.post("/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" });
    }
    socket = await venue.legacySocket(alice.client);
  });
  after(() => venue.close());

  const place = async (user: ApiUser, order: object) => succeeded(await user.client.post("/spot/order", order));
  const told = async () => pushesOf(await socket.taken(), "order.update");

  test("orders of either generation are told alike: accepted, changed, filled in part, cancelled", async () => {
    await socket.must("order.subscribe", ["BTCUSDT"]);
    const placed = await old.spot("POST", "/order/limit", {
      market: "BTCUSDT",
      type: "buy",
      amount: "0.5",
      price: "20000",
      client_id: "mine",
    });
    const [[event, order]] = (await told()) as [[number, Message]];
    assertIs("LegacyWsSpotOrder", order);
    assert.equal(event, PUT);
    assert.deepEqual(order, {
      id: placed.data.id,
      type: 1,
      side: BUY,
      user: alice.userId,
      account: 0,
      option: 0,
      ctime: venue.control.timeMs / 1_000,
      mtime: venue.control.timeMs / 1_000,
      market: "BTCUSDT",
      source: "api",
      client_id: "mine",
      price: "20000.00",
      amount: "0.500000",
      left: "0.500000",
      deal_stock: "0.000000",
      deal_money: "0.00000000",
      stock_fee: "0.00000000",
      money_fee: "0.00000000",
      asset_fee: "0",
      deal_fee: "0.00000000",
      fee_asset: null,
      fee_discount: "1",
      taker_fee: order.taker_fee,
      maker_fee: order.maker_fee,
      last_deal_amount: "0",
      last_deal_price: "0",
      last_deal_time: 0,
      last_deal_id: 0,
      last_role: 0,
      stop_id: 0,
    });
    const id = placed.data.id;
    await alice.client.act("/spot/modify-order", {
      market: "BTCUSDT",
      market_type: "SPOT",
      order_id: id,
      price: "20001",
    });
    await place(bob, limitOrder("sell", "0.2", "20001"));
    await alice.client.act("/spot/cancel-order", { market: "BTCUSDT", market_type: "SPOT", order_id: id });
    const [changed, filled, cancelled] = await told();
    assert.deepEqual([changed[0], changed[1].price], [UPDATE, "20001.00"]);
    assertIs("LegacyWsSpotOrder", filled[1]);
    const { data } = await old.get(`/v1/market/deals?market=BTCUSDT&limit=1`);
    assert.deepEqual(
      [filled[0], filled[1].left, filled[1].deal_stock, filled[1].last_deal_price, filled[1].last_role],
      [UPDATE, "0.300000", "0.200000", "20001.00", MAKER],
    );
    assert.equal(filled[1].last_deal_id, data[0].id);
    assert.deepEqual([cancelled[0], cancelled[1].id, cancelled[1].left], [FINISH, id, "0.300000"]);
  });

  test("an order that fills at once is told as accepted, then as finished", async () => {
    await place(bob, limitOrder("sell", "1", "30000"));
    await socket.must("order.subscribe");
    await place(alice, marketOrder("buy", "3000"));
    const [put, finish, ...rest] = await told();
    assert.deepEqual([put[0], put[1].type, put[1].deal_stock, put[1].last_role], [PUT, 2, "0.000000", 0]);
    assert.deepEqual(
      [finish[0], finish[1].deal_stock, finish[1].deal_money, finish[1].left, finish[1].last_role],
      [FINISH, "0.100000", "3000.00000000", "0.00000000", TAKER],
    );
    assert.deepEqual(rest, []);
  });

  test("who follows other markets, or has ended the channel, is told nothing", async () => {
    await socket.must("order.subscribe", ["ETHUSDT"]);
    await place(alice, limitOrder("buy", "0.1", "20000"));
    assert.deepEqual(await told(), []);
    await socket.must("order.subscribe", ["BTCUSDT"]);
    await place(alice, limitOrder("buy", "0.1", "20000"));
    assert.equal((await told()).length, 1);
    await socket.must("order.unsubscribe");
    await place(alice, limitOrder("buy", "0.1", "20000"));
    assert.deepEqual(await told(), []);
  });

  test("order.query has the resting orders of the spot account, newest first, by side and in pages", async () => {
    for (const price of ["20000", "20001", "20002"]) await place(alice, limitOrder("buy", "0.1", price));
    await place(alice, limitOrder("sell", "0.1", "40000"));
    const page = await socket.query("order.query", "BTCUSDT", 0, 1, 2);
    assert.deepEqual([page.offset, page.limit, page.total, page.records.length], [1, 2, 4, 2]);
    assertIs("array<LegacyWsSpotOrder>", page.records);
    const sells = await socket.query("order.query", "BTCUSDT", SELL, 0, 100);
    assert.deepEqual(
      sells.records.map(({ price }: Message) => price),
      ["40000.00"],
    );
    const { data } = await old.spot("GET", "/order/pending", { market: "BTCUSDT", page: 1, limit: 10 });
    const all = await socket.query("order.query", "BTCUSDT", 0, 0, 10);
    assert.deepEqual(
      all.records.map(({ id }: Message) => id),
      data.data.map(({ id }: Message) => id),
    );
    assert.deepEqual(await socket.query("order.account_query", 0, "BTCUSDT", 0, 0, 10), all);
    assert.equal(await socket.refused("order.account_query", 1, "BTCUSDT", 0, 0, 10), 1, "it is no margin market");
  });

  test("stop orders come with order.subscribe: accepted, cancelled, and fired before what becomes of the order", async () => {
    await place(bob, limitOrder("sell", "1", "30000"));
    await place(alice, limitOrder("buy", "0.1", "30000"));
    await socket.must("order.subscribe", ["BTCUSDT"]);
    const stop = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "0.1" };
    const cancelled = await alice.client.act("/spot/stop-order", { ...stop, price: "25000", trigger_price: "26000" });
    await old.spot("POST", "/order/stop/limit", {
      ...{ market: "BTCUSDT", type: "buy", amount: "0.2", price: "31000", stop_price: "30500" },
    });
    const waiting = await socket.query("order.query_stop", "BTCUSDT", 0, 0, 10);
    assert.deepEqual([waiting.total, waiting.records.length], [2, 2]);
    assertIs("array<LegacyWsSpotStop>", waiting.records);
    assert.deepEqual(
      waiting.records.map(({ direction }: Message) => direction),
      [2, 1],
      "one rises, one falls",
    );
    const id = { market: "BTCUSDT", market_type: "SPOT", stop_id: cancelled.stop_id };
    await alice.client.act("/spot/cancel-stop-order", id);
    await place(bob, limitOrder("sell", "1", "30500"));
    await socket.taken();
    await place(bob, limitOrder("buy", "1.9", "30500"));
    const messages = await socket.taken();
    assert.equal(pushesOf(messages, "order.update_stop").length, 1);
    const [[fired, firedStop]] = pushesOf(messages, "order.update_stop") as [[number, Message]];
    assertIs("LegacyWsSpotStop", firedStop);
    assert.deepEqual([fired, firedStop.status, firedStop.amount], [ACTIVE, 1, "0.200000"]);
    const [[put, order]] = pushesOf(messages, "order.update") as [[number, Message]];
    assert.deepEqual([put, order.stop_id], [PUT, firedStop.id], "the order says where it came from");
    const methods = messages.map(({ method }) => method);
    assert.ok(methods.indexOf("order.update_stop") < methods.indexOf("order.update"));
  });

  test("a stop order that is cancelled is told so", async () => {
    await socket.must("order.subscribe");
    const asked = { market: "BTCUSDT", market_type: "SPOT", side: "sell", type: "limit", amount: "0.1" };
    const { stop_id } = await alice.client.act("/spot/stop-order", {
      ...asked,
      price: "70000",
      trigger_price: "60000",
    });
    await alice.client.act("/spot/cancel-stop-order", { market: "BTCUSDT", market_type: "SPOT", stop_id });
    const [put, cancel] = pushesOf(await socket.taken(), "order.update_stop");
    assert.deepEqual([put[0], put[1].status, put[1].id], [PUT, 0, stop_id]);
    assert.deepEqual([cancel[0], cancel[1].status, cancel[1].id], [CANCEL, 3, stop_id]);
  });

  test("assets: what a group of commands changed, by currency, as it stands after it", async () => {
    await socket.must("asset.subscribe", ["USDT"]);
    const before = await socket.query("asset.query", "USDT", "ETH");
    assertIs("map<LegacyWsAsset>", before);
    assert.deepEqual(before.ETH, { available: "0.00000000", frozen: "0.00000000" });
    await place(alice, limitOrder("buy", "0.5", "20000"));
    const [[assets]] = pushesOf(await socket.taken(), "asset.update") as [[Message]];
    assertIs("map<LegacyWsAsset>", assets);
    assert.deepEqual(Object.keys(assets), ["USDT"]);
    assert.equal(Number(before.USDT.available) - Number(assets.USDT.available), 10_000);
    const all = await socket.query("asset.query");
    const { data: overHttp } = await old.spot("GET", "/balance/info");
    // Sockets know no locked amount.
    for (const [ccy, { available, frozen }] of Object.entries<Message>(overHttp)) {
      assert.deepEqual(all[ccy], { available, frozen });
    }
    assert.deepEqual(Object.keys(all).sort(), Object.keys(overHttp).sort());
    assert.deepEqual(await socket.query("asset.account_query_all"), { 0: all });
    assert.deepEqual(await socket.query("asset.account_query", 0, "BTC"), { BTC: all.BTC });
    await place(bob, limitOrder("sell", "0.5", "20000"));
    await socket.taken();
    await socket.must("asset.subscribe");
    await place(alice, limitOrder("sell", "0.5", "90000"));
    assert.deepEqual(Object.keys((await socket.push("asset.update"))[0]), ["BTC"]);
  });

  test("own deals: one per push, and in pages of history", async () => {
    await socket.must("user_deals.subscribe", ["BTCUSDT"]);
    await place(bob, limitOrder("sell", "0.1", "30000", { client_id: "theirs" }));
    const taken = await place(alice, limitOrder("buy", "0.2", "30000", { client_id: "own" }));
    await place(bob, limitOrder("sell", "0.1", "30000"));
    const [[first], [second], ...rest] = pushesOf(await socket.taken(), "user_deals.update") as Message[];
    assert.deepEqual(rest, []);
    assertIs("LegacyWsUserDeal", first);
    assert.deepEqual(
      [first.order_id, first.side, first.role, first.price, first.amount, first.deal, first.client_id],
      [taken.order_id, BUY, TAKER, "30000.00", "0.100000", "3000.00000000", "own"],
    );
    assert.deepEqual([second.role, second.order_id], [MAKER, taken.order_id]);
    const page = await socket.query("deals.query_user", "BTCUSDT", BUY, 0, 1);
    assertIs("array<LegacyWsUserDeal>", page.records);
    assert.deepEqual(page.records, [{ ...second, client_id: "" }], "history keeps no client ids");
    assert.ok(page.total > 1);
    const next = await socket.query("deals.query_user", "BTCUSDT", 0, 1, 1);
    assert.deepEqual([next.records[0].id, next.offset, next.limit], [first.id, 1, 1]);
  });

  test("nobody is told of another's account", async () => {
    const other = await venue.legacySocket(bob.client);
    for (const channel of ["order", "asset", "user_deals"]) await other.must(`${channel}.subscribe`);
    await place(alice, limitOrder("buy", "0.1", "20000"));
    assert.deepEqual(await other.taken(), []);
    assert.equal((await other.query("order.query", "BTCUSDT", 0, 0, 10)).total, 0);
  });
});

describe("margin accounts on the legacy socket for spot", () => {
  let venue: ApiVenue;
  before(async () => {
    venue = await bitcoinApiVenue();
    await venue.operate({ kind: "set_index_prices", market: "BTCUSDT", sources: [{ exchange: "a", price: "30000" }] });
    const loan = { minAmount: "10", maxAmount: "100000", dailyInterestRate: "0.001" };
    const loans = [
      { ...loan, ccy: "USDT" },
      { ...loan, ccy: "BTC", minAmount: "0.01" },
    ];
    await venue.operate({ kind: "set_margin_market", market: "BTCUSDT", leverage: 5, loans });
  });
  after(() => venue.close());

  test("their orders are told with their account, their balances only when they are asked for", async () => {
    const user = await venue.addUser("borrower", { USDT: "10000" });
    const transfer = { userId: user.userId, market: "BTCUSDT", ccy: "USDT", amount: "4000", isIn: true } as const;
    await venue.operate({ kind: "transfer_margin", ...transfer });
    const socket = await venue.legacySocket(user.client);
    for (const channel of ["order", "asset"]) await socket.must(`${channel}.subscribe`);
    await user.client.act("/spot/order", limitOrder("buy", "0.1", "20000", { market_type: "MARGIN" }));
    const messages = await socket.taken();
    assert.deepEqual(
      messages.map(({ method }) => method),
      ["order.update"],
    );
    const [[, order]] = pushesOf(messages, "order.update") as [[number, Message]];
    assert.equal(order.account, 1);
    assert.equal((await socket.query("order.query", "BTCUSDT", 0, 0, 10)).total, 0, "of the spot account");
    assert.equal((await socket.query("order.account_query", 1, "BTCUSDT", 0, 0, 10)).total, 1);
    const held = await socket.query("asset.account_query", 1);
    assertIs("map<LegacyWsAsset>", held);
    assert.deepEqual(held.USDT, { available: "2000.00000000", frozen: "2000.00000000" });
    const all = await socket.query("asset.account_query_all");
    assert.deepEqual([all[1], all[0].USDT.available], [held, "6000.00000000"]);
  });
});

describe("accounts on the legacy socket for futures", () => {
  let venue: ApiVenue;
  let long: ApiUser;
  let short: ApiUser;
  let old: LegacyClient;
  let socket: LegacySocketClient;
  before(async () => {
    venue = await futuresApiVenue();
    long = await venue.addTrader("long", { USDT: "100000" });
    short = await venue.addTrader("short", { USDT: "100000" });
    old = new LegacyClient(venue, long.client);
    socket = await venue.legacySocket(undefined, "/perpetual");
    const key = long.client.key as NonNullable<typeof long.client.key>;
    await socket.must("server.sign", socket.signRow(key, venue.control.timeMs, "sha256"));
  });
  after(() => venue.close());

  test("orders, deals, positions and assets, from the first order to the end of the position", async () => {
    for (const channel of ["order", "asset", "position", "user_deals"]) await socket.must(`${channel}.subscribe`);
    await short.client.act("/futures/order", futuresOrder("sell", "1", "30000"));
    await old.futures("POST", "/order/put_limit", { market: "BTCUSDT", side: BUY, amount: "0.5", price: "30000" });
    venue.beat();
    const messages = await socket.taken();
    const orders = pushesOf(messages, "order.update");
    assert.deepEqual(
      orders.map(([event]) => event),
      [PUT, FINISH],
    );
    for (const [, order] of orders) assertIs("LegacyWsFuturesOrder", order);
    assert.deepEqual([orders[1]?.[1].last_deal_role, orders[1]?.[1].left], [TAKER, "0.000000"]);
    const [[deal]] = pushesOf(messages, "user_deals.update") as [[Message]];
    assertIs("LegacyWsUserDeal", deal);
    assert.equal(deal.id, orders[1]?.[1].last_deal_id);
    const [[position]] = pushesOf(messages, "position.update") as [[Message]];
    assertIs("PerpetualPosition", position);
    assert.deepEqual([position.side, position.amount, position.finish_type], [2, "0.500000", 1]);
    const [[assets]] = pushesOf(messages, "asset.update") as [[Message]];
    assertIs("map<LegacyWsFuturesAsset>", assets);
    assert.deepEqual(assets, (await old.futures("GET", "/asset/query")).data);
    assert.deepEqual(await socket.query("asset.query"), assets);
    const open = await socket.query("position.query", "BTCUSDT");
    assertIs("array<PerpetualPosition>", open);
    assert.deepEqual(open, (await old.futures("GET", "/position/pending", { market: "BTCUSDT" })).data);
    assert.deepEqual(await socket.query("position.query"), open);
    assert.deepEqual(await socket.query("position.query", "BTCUSD"), []);

    await short.client.act("/futures/order", futuresOrder("buy", "1", "29990"));
    await old.futures("POST", "/position/market_close", { market: "BTCUSDT", position_id: position.position_id });
    venue.beat();
    const [ended] = pushesOf(await socket.taken(), "position.update").at(-1) as [Message];
    assertIs("PerpetualPosition", ended);
    assert.deepEqual(
      [ended.position_id, ended.amount, ended.finish_type, Number(ended.profit_real) < 0],
      [position.position_id, "0.000000", 2, true],
    );
    assert.deepEqual(await socket.query("position.query"), []);
  });

  test("stop orders and pages of orders", async () => {
    await socket.must("order.subscribe", ["BTCUSDT"]);
    await socket.taken();
    const stop = { market: "BTCUSDT", side: BUY, amount: "0.1", stop_price: "31000", stop_type: 1, price: "31500" };
    await old.futures("POST", "/order/put_stop_limit", { ...stop, effect_type: 1 });
    const [[event, told]] = pushesOf(await socket.taken(), "order.update_stop") as [[number, Message]];
    assert.equal(event, PUT);
    assertIs("LegacyWsFuturesStop", told);
    const page = await socket.query("order.query_stop", "BTCUSDT", BUY, 0, 10);
    assert.deepEqual([page.records, page.total], [[told], 1]);
    await long.client.act("/futures/order", futuresOrder("buy", "0.1", "20000"));
    const orders = await socket.query("order.query", "BTCUSDT", 0, 0, 10);
    assertIs("array<LegacyWsFuturesOrder>", orders.records);
    assert.deepEqual([orders.total, orders.records[0].price], [1, "20000.00"]);
    await old.futures("POST", "/order/cancel_stop", { market: "BTCUSDT", order_id: told.order_id });
    assert.equal((await socket.push("order.update_stop"))[0], CANCEL);
  });
});
