/**
 * What an account may follow of itself: orders, deals, stop orders, balances, notices; and who may follow it no more.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { succeeded } from "../support/api-client.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder, marketOrder } from "../support/served-venue.ts";
import { type Message, SocketClient } from "../support/socket-client.ts";

const ALL = { market_list: [] };

describe("channels of accounts", () => {
  let venue: ApiVenue;
  let maker: ApiUser;
  let taker: ApiUser;

  before(async () => {
    venue = await bitcoinApiVenue();
    maker = await venue.addUser("maker", { BTC: "100", USDT: "10000000" });
    taker = await venue.addUser("taker", { BTC: "100", USDT: "10000000" });
  });
  after(() => venue.close());

  const place = async (user: ApiUser, body: object) => succeeded(await user.client.post("/spot/order", body));
  const cancel = (user: ApiUser, order_id: number) =>
    user.client.post("/spot/cancel-order", { market: "BTCUSDT", market_type: "SPOT", order_id });

  /** A connection of a user that follows these channels. */
  async function following(user: ApiUser, ...channels: readonly string[]): Promise<SocketClient> {
    const socket = await venue.socket(user.client);
    for (const channel of channels) {
      await socket.must(`${channel}.subscribe`, channel === "balance" ? { ccy_list: [] } : ALL);
    }
    return socket;
  }

  test("an order is put, changed, filled in part and finished, each time as it then stands", async () => {
    const socket = await following(maker, "order");
    const placed = await place(maker, limitOrder("sell", "1", "30000", { client_id: "mine" }));
    const put = await socket.push("order.update");
    assert.equal(put.event, "put");
    assert.deepEqual(put.order, {
      order_id: placed.order_id,
      market: "BTCUSDT",
      margin_market: "",
      type: "limit",
      side: "sell",
      amount: "1.000000",
      price: "30000.00",
      unfilled_amount: "1.000000",
      filled_amount: "0.000000",
      filled_value: "0.00000000",
      base_ccy_fee: "0.00000000",
      quote_ccy_fee: "0.00000000",
      discount_ccy_fee: "0",
      taker_fee_rate: "0.002",
      maker_fee_rate: "0.001",
      last_filled_amount: "0",
      last_filled_price: "0",
      client_id: "mine",
      created_at: venue.control.timeMs,
      updated_at: venue.control.timeMs,
    });
    const change = { market: "BTCUSDT", market_type: "SPOT", order_id: placed.order_id, price: "30001" };
    succeeded(await maker.client.post("/spot/modify-order", change));
    const modified = await socket.push("order.update");
    assert.deepEqual([modified.event, modified.order.price], ["modify", "30001.00"]);
    await place(taker, limitOrder("buy", "0.4", "30001"));
    const updated = await socket.push("order.update");
    assert.deepEqual(
      [updated.event, updated.order.filled_amount, updated.order.unfilled_amount, updated.order.last_filled_price],
      ["update", "0.400000", "0.600000", "30001.00"],
    );
    await cancel(maker, placed.order_id);
    const finished = await socket.push("order.update");
    assert.deepEqual([finished.event, finished.order.unfilled_amount], ["finish", "0.600000"]);
    assert.deepEqual(await socket.taken(), []);
  });

  test("an order that fills or dies at once is put, as it came, and finished", async () => {
    await place(maker, limitOrder("sell", "1", "30000"));
    const socket = await following(taker, "order", "user_deals");
    await place(taker, limitOrder("buy", "1", "30000", { client_id: "quick" }));
    const deal = await socket.push("user_deals.update");
    const [put, finish] = [await socket.push("order.update"), await socket.push("order.update")];
    assert.deepEqual([put.event, put.order.filled_amount, put.order.unfilled_amount], ["put", "0.000000", "1.000000"]);
    assert.deepEqual([finish.event, finish.order.filled_amount], ["finish", "1.000000"]);
    assert.deepEqual([deal.client_id, deal.order_id, deal.role], ["quick", put.order.order_id, "taker"]);
    assert.deepEqual([deal.fee, deal.fee_ccy, deal.margin_market, deal.side], ["0.00200000", "BTC", "", "buy"]);

    await place(taker, { ...limitOrder("buy", "1", "30000"), type: "ioc" });
    const events = [await socket.push("order.update"), await socket.push("order.update")];
    assert.deepEqual(
      events.map(({ event, order }: Message) => [event, order.unfilled_amount]),
      [
        ["put", "1.000000"],
        ["finish", "1.000000"],
      ],
    );
    assert.deepEqual(await socket.taken(), []);
  });

  test("both sides are told of a deal, each of its own part and its own fee", async () => {
    const [makes, takes] = [await following(maker, "user_deals"), await following(taker, "user_deals")];
    await place(maker, limitOrder("sell", "0.5", "30000", { client_id: "rests" }));
    await place(taker, marketOrder("buy", "15000", { ccy: "USDT" }));
    const [made, taken] = [await makes.push("user_deals.update"), await takes.push("user_deals.update")];
    assert.deepEqual([made.side, made.role, made.client_id, made.fee_ccy], ["sell", "maker", "rests", "USDT"]);
    assert.deepEqual([taken.side, taken.role, taken.client_id, taken.fee_ccy], ["buy", "taker", "", "BTC"]);
    assert.equal(made.deal_id, taken.deal_id);
    assert.notEqual(made.order_id, taken.order_id);
  });

  test("a hidden order is told of to its owner", async () => {
    const socket = await following(maker, "order");
    const { order_id } = await place(maker, limitOrder("sell", "1", "40000", { is_hide: true }));
    assert.equal((await socket.push("order.update")).order.order_id, order_id);
    await cancel(maker, order_id);
  });

  test("balances are told of as they stand after a change, the currencies that one follows", async () => {
    const socket = await following(maker, "balance");
    const one = await venue.socket(maker.client);
    await one.must("balance.subscribe", { ccy_list: ["USDT"] });
    const { order_id } = await place(maker, limitOrder("buy", "1", "20000"));
    const { balance_list } = await socket.push("balance.update");
    const asked = succeeded(await maker.client.get("/assets/spot/balance"));
    const usdt = asked.find(({ ccy }: Message) => ccy === "USDT");
    assert.deepEqual(balance_list, [{ margin_market: "", ...usdt, updated_at: venue.control.timeMs }]);
    assert.deepEqual((await one.push("balance.update")).balance_list, balance_list);
    await venue.operate({ kind: "deposit", userId: maker.userId, ccy: "BTC", amount: "1", note: "" });
    assert.equal((await socket.push("balance.update")).balance_list[0].ccy, "BTC");
    assert.deepEqual(await one.taken(), []);
    await cancel(maker, order_id);
  });

  test("a stop order is put, changed, cancelled, and fires well or badly; then its order appears", async () => {
    await place(maker, limitOrder("sell", "1", "30000"));
    await place(taker, limitOrder("buy", "0.1", "30000"));
    const socket = await following(taker, "stop", "order");
    const stop = { ...limitOrder("buy", "0.1", "30050"), trigger_price: "30050" };
    const { stop_id } = succeeded(await taker.client.post("/spot/stop-order", stop));
    const put = await socket.push("stop.update");
    assert.deepEqual(
      [put.event, put.stop.stop_id, put.stop.status, put.stop.trigger_price, put.stop.trigger_direction],
      ["put", stop_id, "put", "30050.00", "lower"],
    );
    assert.deepEqual([put.stop.taker_fee_rate, put.stop.margin_market], ["0.002", ""]);
    const named = { market: "BTCUSDT", market_type: "SPOT", stop_id };
    succeeded(await taker.client.post("/spot/modify-stop-order", { ...named, trigger_price: "30060" }));
    const changed = await socket.push("stop.update");
    assert.deepEqual([changed.event, changed.stop.trigger_price], ["put", "30060.00"]);
    succeeded(await taker.client.post("/spot/cancel-stop-order", named));
    const cancelled = await socket.push("stop.update");
    assert.deepEqual([cancelled.event, cancelled.stop.status], ["cancel", "cancel"]);

    succeeded(await taker.client.post("/spot/stop-order", stop));
    await socket.taken();
    await place(maker, limitOrder("sell", "1", "30050"));
    await place(taker, limitOrder("buy", "1", "30050"));
    const ofStop = (await socket.taken()).filter(({ data }) => (data.stop ?? data.order).amount === "0.100000");
    assert.deepEqual(
      ofStop.map(({ data }) => [data.event, data.stop?.status ?? data.order.filled_amount]),
      [
        ["active", "active_success"],
        ["put", "0.000000"],
        ["finish", "0.100000"],
      ],
    );
  });

  test("an account is told of itself alone: not of others, not of its sub-accounts", async () => {
    const main = await venue.addUser("main", { BTC: "1" });
    const sub = await venue.addUser("sub", { BTC: "1" }, main.userId);
    const sockets = [await following(main, "order", "balance"), await following(taker, "order", "balance")];
    await place(sub, limitOrder("sell", "0.5", "50000"));
    for (const socket of sockets) assert.deepEqual(await socket.taken(), []);
  });

  test("markets that one does not follow are silent", async () => {
    const socket = await venue.socket(maker.client);
    await socket.must("order.subscribe", { market_list: ["ETHUSDT"] });
    const { order_id } = await place(maker, limitOrder("sell", "0.5", "50000"));
    assert.deepEqual(await socket.taken(), []);
    await cancel(maker, order_id);
  });

  test("a pushed change is never newer than what is asked for after it", async () => {
    const socket = await following(maker, "order");
    for (let count = 0; count < 20; count++) {
      const placing = place(maker, limitOrder("sell", "0.01", "60000"));
      const { order } = await socket.push("order.update");
      const query = { market: "BTCUSDT", order_id: order.order_id };
      assert.equal(succeeded(await maker.client.get("/spot/order-status", query)).order_id, order.order_id);
      await placing;
    }
    await maker.client.post("/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" });
  });

  describe("who may follow no more", () => {
    /** Places an order and says whether the connection heard of it. */
    async function hears(socket: SocketClient, user: ApiUser): Promise<boolean> {
      const order = limitOrder("sell", "0.01", "60000");
      const { code } = await user.client.post("/spot/order", order);
      const messages = await socket.taken();
      return code === 0 && messages.some(({ method }) => method === "order.update");
    }

    const isLoggedOut = async (socket: SocketClient) => {
      const { id, code } = await socket.take((message) => message.code === 21001);
      assert.deepEqual({ id, code }, { id: null, code: 21001 });
      assert.equal((await socket.ask("order.subscribe", ALL)).code, 21001);
    };

    test("a login takes the place of the one before and drops what that followed", async () => {
      const socket = await following(maker, "order");
      await socket.must("bbo.subscribe", ALL);
      await socket.taken();
      await socket.must("server.sign", socket.signParams(taker.client.key as never, venue.control.timeMs));
      assert.equal(await hears(socket, maker), false);
      await socket.must("order.subscribe", ALL);
      assert.equal(await hears(socket, taker), true);
      assert.equal(await hears(socket, maker), false);
    });

    test("a refused login changes nothing", async () => {
      const socket = await following(maker, "order");
      const sound = socket.signParams(maker.client.key as never, venue.control.timeMs) as Record<string, unknown>;
      const wrong: readonly Record<string, unknown>[] = [
        { access_id: "NOSUCH" },
        { signed_str: "0".repeat(64) },
        { signed_str: "hello" },
        { signed_str: `${sound.signed_str}00` },
        socket.signParams(maker.client.key as never, venue.control.timeMs - 60_001) as Record<string, unknown>,
        socket.signParams(maker.client.key as never, venue.control.timeMs + 60_001) as Record<string, unknown>,
        { timestamp: venue.control.timeMs + 1 },
      ];
      for (const change of wrong) assert.equal((await socket.ask("server.sign", { ...sound, ...change })).code, 21002);
      for (const change of [{ timestamp: "now" }, { access_id: 7 }]) {
        assert.equal((await socket.ask("server.sign", { ...sound, ...change })).code, 20001);
      }
      assert.equal(await hears(socket, maker), true);
      for (const ms of [-60_000, 60_000]) {
        await socket.must("server.sign", socket.signParams(maker.client.key as never, venue.control.timeMs + ms));
      }
    });

    test("a signature serves the address that used it first, on every connection, and no other", async () => {
      const params = taker.client.key as never;
      const [first, again] = [await venue.socket(), await venue.socket()];
      const signed = first.signParams(params, venue.control.timeMs - 7);
      await first.must("server.sign", signed);
      await again.must("server.sign", signed);
      const elsewhere = await SocketClient.connect(venue.base, "/v2/spot", { localAddress: "127.0.0.2" });
      assert.equal((await elsewhere.ask("server.sign", signed)).code, 21002);
      await elsewhere.must("server.sign", elsewhere.signParams(params, venue.control.timeMs - 8));
    });

    test("a login is over after a day, unless another one has followed it", async () => {
      const day = await bitcoinApiVenue({ socketLimits: { loginMs: 100_000 } });
      const user = await day.addUser("stays", { BTC: "1" });
      const [stale, renewed] = [await day.socket(user.client), await day.socket(user.client)];
      for (const socket of [stale, renewed]) await socket.must("balance.subscribe", { ccy_list: [] });
      const pass = async (ms: number) => {
        for (const socket of [stale, renewed]) await socket.ask("server.ping");
        day.beat(ms);
      };
      await pass(50_000);
      await renewed.must("server.sign", renewed.signParams(user.client.key as never, day.control.timeMs));
      await pass(49_000);
      await pass(2_000);
      const { request_id: _, reason, ...told } = await stale.take(({ code }) => code === 21001);
      assert.deepEqual(told, { id: null, code: 21001, message: "require auth" });
      assert.match(reason, /^13\.2; refusal=request_expired; why=The login is too old/);
      await day.operate({ kind: "deposit", userId: user.userId, ccy: "BTC", amount: "1", note: "" });
      assert.equal((await renewed.push("balance.update")).balance_list[0].available, "2.00000000");
      assert.equal((await stale.ask("balance.subscribe", { ccy_list: [] })).code, 21001);
      await day.close();
    });

    test("the key that is deleted", async () => {
      const user = await venue.addUser("loses its key", { BTC: "1" });
      const other = await venue.addKey(user.userId, ["read"]);
      const [socket, stays] = [await following(user, "order", "balance"), await venue.socket(other)];
      await stays.must("order.subscribe", ALL);
      await socket.must("bbo.subscribe", ALL);
      await socket.taken();
      const { accessId } = user.client.key as { accessId: string };
      await venue.operate({ kind: "delete_api_key", accessId });
      await venue.operate({ kind: "deposit", userId: user.userId, ccy: "BTC", amount: "1", note: "" });
      await isLoggedOut(socket);
      assert.deepEqual(await socket.taken(), []);
      const trader = { ...user, client: await venue.addKey(user.userId, ["trade"]) };
      assert.equal(await hears(stays, trader), true, "another key of the account goes on");
      assert.ok(
        (await socket.taken()).every(({ method }) => method === "bbo.update"),
        "and so do public channels",
      );
    });

    test("the user who is frozen", async () => {
      const user = await venue.addUser("gets frozen", { BTC: "1" });
      const socket = await following(user, "balance");
      await venue.operate({ kind: "change_user", userId: user.userId, frozen: true });
      await venue.operate({ kind: "deposit", userId: user.userId, ccy: "BTC", amount: "1", note: "" });
      await isLoggedOut(socket);
      assert.deepEqual(await socket.taken(), []);
      const params = socket.signParams(user.client.key as never, venue.control.timeMs);
      assert.equal((await socket.ask("server.sign", params)).code, 21002);
    });

    test("the sub-accounts of a user who is frozen", async () => {
      const main = await venue.addUser("gets frozen with all", {});
      const sub = await venue.addUser("its sub", { BTC: "1" }, main.userId);
      const socket = await following(sub, "balance");
      await venue.operate({ kind: "change_user", userId: main.userId, frozen: true });
      await venue.operate({ kind: "deposit", userId: sub.userId, ccy: "BTC", amount: "1", note: "" });
      await isLoggedOut(socket);
      assert.deepEqual(await socket.taken(), []);
      const params = socket.signParams(sub.client.key as never, venue.control.timeMs);
      assert.equal((await socket.ask("server.sign", params)).code, 21002);
    });

    test("the key that expires, at its time and not before, with and without an event", async () => {
      const user = await venue.addUser("expires", { BTC: "1" });
      const expiredAt = venue.control.timeMs + 5_000;
      const sockets: SocketClient[] = [];
      for (let count = 0; count < 2; count++) {
        const client = await venue.addKey(user.userId, ["read"], { expiredAt });
        const socket = await venue.socket(client);
        await socket.must("balance.subscribe", { ccy_list: [] });
        sockets.push(socket);
      }
      const [told, quiet] = sockets as [SocketClient, SocketClient];
      venue.control.timeMs = expiredAt - 1;
      await venue.operate({ kind: "deposit", userId: user.userId, ccy: "BTC", amount: "1", note: "" });
      assert.equal((await told.taken()).length, 1);
      assert.equal((await quiet.taken()).length, 1);
      venue.control.timeMs = expiredAt;
      venue.beat();
      await isLoggedOut(quiet);
      await venue.operate({ kind: "deposit", userId: user.userId, ccy: "BTC", amount: "1", note: "" });
      await isLoggedOut(told);
      assert.deepEqual(await told.taken(), []);
    });
  });

  test("notices: those in force at once, then what is planned, begins, ends and is taken back", async () => {
    const { timeMs } = venue.control;
    const plan = {
      kind: "plan_maintenance",
      scope: ["SPOT"],
      startedAt: timeMs + 10_000,
      endedAt: timeMs + 20_000,
      protectDurationStart: timeMs + 20_000,
      protectDurationEnd: timeMs + 30_000,
      announceUrl: "",
      announceEnabled: false,
    } as const;
    await venue.operate(plan);
    const socket = await venue.socket(maker.client);
    await socket.must("notice.subscribe", { channels: [101] });
    const info = {
      start_time: timeMs + 10_000,
      end_time: timeMs + 20_000,
      scope: ["SPOT"],
      protect_duration_start: timeMs + 20_000,
      protect_duration_end: timeMs + 30_000,
      started_at: timeMs + 10_000,
      ended_at: timeMs + 20_000,
      market: "",
      reason: "maintenance",
    };
    assert.deepEqual(await socket.push("notice.update"), { channel: 101, info });
    await venue.wait(10_000);
    assert.deepEqual(await socket.push("notice.update"), { channel: 101, info }, "it begins");
    await venue.wait(10_000);
    assert.deepEqual(await socket.push("notice.update"), { channel: 101, info }, "it ends");
    assert.deepEqual(await socket.taken(), [], "protection begins with the end, which is told once");
    await venue.wait(10_000);
    assert.deepEqual(await socket.push("notice.update"), { channel: 101, info }, "protection ends");

    const none = { protectDurationStart: 0, protectDurationEnd: 0 };
    const later = { ...plan, ...none, startedAt: timeMs + 60_000, endedAt: timeMs + 70_000 };
    const { maintenanceId } = (await venue.operate(later)) as { maintenanceId: number };
    assert.equal((await socket.push("notice.update")).info.start_time, timeMs + 60_000);
    await venue.operate({ kind: "cancel_maintenance", maintenanceId });
    const { start_time, end_time } = (await socket.push("notice.update")).info;
    assert.deepEqual([start_time, end_time], [venue.control.timeMs, venue.control.timeMs], "it is over");
    assert.equal((await socket.ask("notice.subscribe", { channels: [104] })).code, 20001);
    await socket.must("notice.unsubscribe", { channels: [] });
    await venue.operate(later);
    assert.deepEqual(await socket.taken(), []);
  });
});
