/** What everybody may follow: states, books, deals, best quotes and the index. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { crc32 } from "node:zlib";
import { succeeded } from "../support/api-client.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder, marketOrder } from "../support/served-venue.ts";
import type { Message, SocketClient } from "../support/socket-client.ts";
import { marketOf } from "../support/venue.ts";

describe("channels of markets", () => {
  let venue: ApiVenue;
  let maker: ApiUser;
  let taker: ApiUser;
  let socket: SocketClient;

  before(async () => {
    venue = await bitcoinApiVenue();
    maker = await venue.addUser("maker", { BTC: "100", USDT: "10000000" });
    taker = await venue.addUser("taker", { BTC: "100", USDT: "10000000" });
    await venue.operate({
      kind: "set_index_prices",
      market: "BTCUSDT",
      sources: [{ exchange: "a", price: "30000.5" }],
    });
  });
  beforeEach(async () => {
    socket = await venue.socket();
    for (const { client } of [maker, taker]) {
      await client.post("/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" });
    }
    venue.beat();
  });
  after(() => venue.close());

  const place = async (user: ApiUser, body: object) => succeeded(await user.client.post("/spot/order", body));
  const methodsOf = (messages: readonly Message[]) => messages.map(({ method }) => method);

  test("deals: recent ones at once, then each beat the new ones, newest first, none twice", async () => {
    await place(maker, limitOrder("sell", "1", "30000"));
    await place(taker, limitOrder("buy", "0.1", "30000"));
    await socket.must("deals.subscribe", { market_list: ["BTCUSDT"] });
    const first = await socket.push("deals.update");
    assert.equal(first.market, "BTCUSDT");
    const known = first.deal_list[0];
    assert.deepEqual(
      [known.side, known.price, known.amount, known.created_at],
      ["buy", "30000.00", "0.100000", venue.control.timeMs],
    );
    await place(taker, limitOrder("buy", "0.2", "30000"));
    await place(taker, limitOrder("buy", "0.3", "30000"));
    // Who comes between two beats is told of these deals at once and not again.
    const late = await venue.socket();
    await late.must("deals.subscribe", { market_list: [] });
    assert.equal((await late.push("deals.update")).deal_list[0].amount, "0.300000");
    assert.deepEqual(await socket.taken(), [], "nothing before the beat");
    venue.beat();
    const { deal_list } = await socket.push("deals.update");
    assert.deepEqual(
      deal_list.map((deal: Message) => [deal.deal_id - known.deal_id, deal.amount]),
      [
        [2, "0.300000"],
        [1, "0.200000"],
      ],
    );
    venue.beat();
    assert.deepEqual(await socket.taken(), []);
    assert.deepEqual(await late.taken(), []);
    await socket.must("deals.unsubscribe", { market_list: ["BTCUSDT"] });
    await place(taker, limitOrder("buy", "0.1", "30000"));
    venue.beat();
    assert.deepEqual(await socket.taken(), []);
    assert.equal((await late.push("deals.update")).deal_list.length, 1);
  });

  test("deals: at most a hundred at once", async () => {
    await place(maker, limitOrder("sell", "20", "30000"));
    for (let count = 0; count < 120; count++) await place(taker, limitOrder("buy", "0.1", "30000"));
    await socket.must("deals.subscribe", { market_list: [] });
    assert.equal((await socket.push("deals.update")).deal_list.length, 100);
  });

  test("deals: all of them, also when there are more between two beats than anybody may ask for", async () => {
    await socket.must("deals.subscribe", { market_list: [] });
    await place(taker, limitOrder("buy", "1", "30000"));
    await place(maker, limitOrder("sell", "0.001", "30000"));
    venue.beat();
    const [known] = (await socket.taken()).at(-1).data.deal_list;
    const orders = Array.from({ length: 100 }, () => limitOrder("sell", "0.0001", "30000"));
    for (let count = 0; count < 21; count++) succeeded(await maker.client.post("/spot/batch-order", { orders }));
    venue.beat();
    const pushes = (await socket.taken()).map(({ data }) => data.deal_list.map(({ deal_id }: Message) => deal_id));
    assert.deepEqual(
      pushes.map(({ length }) => length),
      [1000, 1000, 100],
    );
    const ids = pushes.flatMap((newestFirst) => newestFirst.toReversed());
    assert.deepEqual(
      ids,
      ids.map((_, at) => known.deal_id + 1 + at),
    );
  });

  test("state: all followed markets in one push at once, then those that changed", async () => {
    await socket.must("state.subscribe", { market_list: [] });
    const { state_list } = await socket.push("state.update");
    assert.deepEqual(
      state_list.map(({ market }: Message) => market),
      ["BTCUSDT", "ETHUSDT"],
    );
    await place(maker, limitOrder("sell", "1", "31000"));
    await place(taker, limitOrder("buy", "0.5", "31000"));
    venue.beat();
    const changed = (await socket.push("state.update")).state_list;
    assert.equal(changed.length, 1);
    assert.deepEqual([changed[0].market, changed[0].last, changed[0].close], ["BTCUSDT", "31000.00", "31000.00"]);
    assert.deepEqual(changed, succeeded(await venue.anybody.get("/spot/ticker", { market: "BTCUSDT" })));
    venue.beat();
    assert.deepEqual(await socket.taken(), []);
  });

  test("state: a name that there is not is silent; of the others those that changed share a push", async () => {
    await socket.must("state.subscribe", { market_list: ["NOSUCH", "ETHUSDT", "BTCUSDT"] });
    const one = await venue.socket();
    await one.must("state.subscribe", { market_list: ["BTCUSDT"] });
    const but = await venue.socket();
    await but.must("state.subscribe", { market_list: [] });
    await but.must("state.unsubscribe", { market_list: ["BTCUSDT"] });
    const all = [socket, one, but];
    const pushed = (messages: readonly Message[]) =>
      messages.map(({ data }) => data.state_list.map(({ market }: Message) => market).join("+"));
    const both = "BTCUSDT+ETHUSDT";
    const took = async () => (await Promise.all(all.map((each) => each.taken()))).map(pushed);
    await took();
    const trade = async (more: object) => {
      await place(maker, limitOrder("sell", "1", "31000", more));
      await place(taker, limitOrder("buy", "0.25", "31000", more));
    };
    await trade({});
    venue.beat();
    assert.deepEqual(await took(), [["BTCUSDT"], ["BTCUSDT"], []]);
    await venue.operate({ kind: "deposit", userId: maker.userId, ccy: "ETH", amount: "10", note: "" });
    await trade({});
    await trade({ market: "ETHUSDT" });
    venue.beat();
    assert.deepEqual(await took(), [[both], ["BTCUSDT"], ["ETHUSDT"]]);
  });

  test("depth: the book of a market that leaves the list ends empty", async () => {
    await venue.operate(marketOf("ETH", "BTC"));
    const order = limitOrder("buy", "1", "0.05", { market: "ETHBTC" });
    await place(maker, order);
    await socket.must("depth.subscribe", { market_list: [["ETHBTC", 5, "0", false]] });
    assert.equal((await socket.push("depth.update")).depth.bids.length, 1);
    venue.beat();
    await venue.operate({ kind: "change_market", market: "ETHBTC", delistedAt: venue.control.timeMs + 1_000 });
    await venue.wait(1_000);
    venue.beat();
    const { is_full, depth } = await socket.push("depth.update");
    assert.deepEqual([is_full, depth.bids, depth.checksum], [false, [["0.05", "0"]], 0]);
    venue.beat();
    assert.deepEqual(await socket.taken(), []);
  });

  test("subscriptions add up, and leaving one market keeps the rest, also of an empty list", async () => {
    await socket.must("bbo.subscribe", { market_list: ["BTCUSDT"] });
    await socket.must("bbo.subscribe", { market_list: ["ETHUSDT"] });
    assert.deepEqual(methodsOf(await socket.taken()), ["bbo.update", "bbo.update"]);
    await socket.must("bbo.unsubscribe", { market_list: ["ETHUSDT"] });
    await place(maker, limitOrder("sell", "1", "32000"));
    assert.equal((await socket.push("bbo.update")).market, "BTCUSDT");

    await socket.must("bbo.subscribe", { market_list: [] });
    assert.equal((await socket.taken()).length, 2);
    await socket.must("bbo.unsubscribe", { market_list: ["BTCUSDT"] });
    await place(maker, limitOrder("sell", "1", "31900"));
    assert.deepEqual(await socket.taken(), []);
    await socket.must("bbo.subscribe", { market_list: ["BTCUSDT"] });
    await place(maker, limitOrder("sell", "1", "31800"));
    assert.equal((await socket.taken()).length, 2, "the present quotes and the new ones");
    await socket.must("bbo.unsubscribe", { market_list: [] });
    await place(maker, limitOrder("sell", "1", "31700"));
    assert.deepEqual(await socket.taken(), []);
  });

  test("bbo: the present quotes at once, then at once each change, and nothing for what is behind them", async () => {
    await socket.must("bbo.subscribe", { market_list: ["BTCUSDT"] });
    const { updated_at: _, ...empty } = await socket.push("bbo.update");
    const none = { best_bid_price: "0", best_bid_size: "0", best_ask_price: "0", best_ask_size: "0" };
    assert.deepEqual(empty, { market: "BTCUSDT", ...none });
    await place(maker, limitOrder("sell", "0.4", "32000"));
    assert.deepEqual(await socket.push("bbo.update"), {
      ...none,
      market: "BTCUSDT",
      updated_at: venue.control.timeMs,
      best_ask_price: "32000.00",
      best_ask_size: "0.400000",
    });
    await place(maker, limitOrder("sell", "0.4", "32001"));
    await place(maker, limitOrder("sell", "0.4", "31999", { is_hide: true }));
    assert.deepEqual(await socket.taken(), []);
  });

  test("bbo: quotes that come back to what they were before somebody came are told", async () => {
    const leaves = await venue.socket();
    await leaves.must("bbo.subscribe", { market_list: ["ETHUSDT"] });
    const order = { ...limitOrder("buy", "1", "2000"), market: "ETHUSDT" };
    const cancel = () => maker.client.post("/spot/cancel-all-order", { market: "ETHUSDT", market_type: "SPOT" });
    await place(maker, order);
    await cancel();
    await leaves.must("bbo.unsubscribe", { market_list: [] });
    await place(maker, order);
    await socket.must("bbo.subscribe", { market_list: ["ETHUSDT"] });
    assert.equal((await socket.push("bbo.update")).best_bid_price, "2000.00");
    await cancel();
    assert.equal((await socket.push("bbo.update")).best_bid_price, "0");
  });

  test("index: every market that has one, every five seconds", async () => {
    await socket.must("index.subscribe", { market_list: [] });
    venue.beat(5_000);
    assert.deepEqual(await socket.push("index.update"), {
      market: "BTCUSDT",
      index_price: "30000.50",
      is_stale: false,
    });
    venue.beat(4_800);
    assert.deepEqual(await socket.taken(), []);
    venue.beat(200);
    assert.deepEqual(methodsOf(await socket.taken()), ["index.update"]);
  });

  test("depth: whole at once, then changes: new rows, other amounts, and 0 for rows that are gone", async () => {
    await place(maker, limitOrder("sell", "1", "30010"));
    const gone = await place(maker, limitOrder("sell", "2", "30020"));
    await place(maker, limitOrder("buy", "1", "29990"));
    await socket.must("depth.subscribe", { market_list: [["BTCUSDT", 5, "0", false]] });
    const first = await socket.push("depth.update");
    const { market, is_full, depth } = first;
    assert.deepEqual([market, is_full], ["BTCUSDT", true]);
    assert.deepEqual(depth.asks, [
      ["30010.00", "1.000000"],
      ["30020.00", "2.000000"],
    ]);
    assert.deepEqual(depth.bids, [["29990.00", "1.000000"]]);
    const query = { market: "BTCUSDT", limit: 5, interval: "0" };
    assert.deepEqual(first, succeeded(await venue.anybody.get("/spot/depth", query)));

    await maker.client.post("/spot/cancel-order", { market: "BTCUSDT", market_type: "SPOT", order_id: gone.order_id });
    await place(maker, limitOrder("sell", "3", "30010"));
    await place(maker, limitOrder("buy", "1", "29980"));
    venue.beat();
    const changes = await socket.push("depth.update");
    assert.equal(changes.is_full, false);
    assert.deepEqual(changes.depth.asks, [
      ["30010.00", "4.000000"],
      ["30020.00", "0"],
    ]);
    assert.deepEqual(changes.depth.bids, [["29980.00", "1.000000"]]);
    assert.equal(changes.depth.checksum, succeeded(await venue.anybody.get("/spot/depth", query)).depth.checksum);
    venue.beat();
    assert.deepEqual(await socket.taken(), []);
  });

  test("depth: rows that leave the limit are taken away, and come back with their amount", async () => {
    const prices = [30010, 30020, 30030, 30040, 30050, 30060];
    for (const price of prices) await place(maker, limitOrder("sell", "1", String(price)));
    await socket.must("depth.subscribe", { market_list: [["BTCUSDT", 5, "0", false]] });
    await socket.push("depth.update");
    const better = await place(maker, limitOrder("sell", "1", "30000"));
    venue.beat();
    assert.deepEqual((await socket.push("depth.update")).depth.asks, [
      ["30000.00", "1.000000"],
      ["30050.00", "0"],
    ]);
    const { order_id } = better;
    await maker.client.post("/spot/cancel-order", { market: "BTCUSDT", market_type: "SPOT", order_id });
    venue.beat();
    assert.deepEqual((await socket.push("depth.update")).depth.asks, [
      ["30000.00", "0"],
      ["30050.00", "1.000000"],
    ]);
  });

  test("depth: merged by interval, whole each time when asked for, and whole each minute when not", async () => {
    await place(maker, limitOrder("sell", "1", "30011"));
    await place(maker, limitOrder("sell", "2", "30019.99"));
    const changes = await venue.socket();
    await socket.must("depth.subscribe", { market_list: [["BTCUSDT", 10, "10", true]] });
    await changes.must("depth.subscribe", { market_list: [["BTCUSDT", 10, "10", false]] });
    assert.deepEqual((await socket.push("depth.update")).depth.asks, [["30020.00", "3.000000"]]);
    await changes.push("depth.update");
    venue.beat();
    await place(maker, limitOrder("sell", "1", "30012"));
    venue.beat();
    assert.equal((await socket.push("depth.update")).is_full, true);
    assert.equal((await changes.push("depth.update")).is_full, false);
    for (let passed = 0; passed < 59_600; passed += 200) {
      venue.beat();
      if (passed % 20_000 === 0) await Promise.all([socket, changes].map((each) => each.ask("server.ping")));
    }
    assert.deepEqual(methodsOf(await changes.taken()), []);
    venue.beat();
    assert.equal((await changes.push("depth.update")).is_full, true);
    assert.deepEqual(await socket.taken(), []);
  });

  test("depth: subscribing again changes the way, and a market is left by its name or its entry", async () => {
    await place(maker, limitOrder("sell", "1", "30010"));
    await place(maker, limitOrder("sell", "1", "30020"));
    const entries = [["BTCUSDT", 5, "0", true]];
    await socket.must("depth.subscribe", { market_list: entries });
    await socket.push("depth.update");
    await socket.must("depth.subscribe", { market_list: [["BTCUSDT", 5, "1000", true]] });
    assert.deepEqual((await socket.push("depth.update")).depth.asks, [["31000.00", "2.000000"]]);
    await place(maker, limitOrder("sell", "1", "30030"));
    venue.beat();
    assert.equal((await socket.taken()).length, 1);
    for (const left of [["BTCUSDT"], entries, []]) {
      await socket.must("depth.subscribe", { market_list: entries });
      await socket.push("depth.update");
      await socket.must("depth.unsubscribe", { market_list: left });
      await place(maker, limitOrder("sell", "1", "30030"));
      venue.beat();
      assert.deepEqual(await socket.taken(), []);
    }
  });

  test("depth: the owner sees its hidden orders with a checksum that fits, and nobody else does", async () => {
    await place(maker, limitOrder("sell", "1", "30010"));
    const own = await venue.socket(maker.client);
    const stranger = await venue.socket(taker.client);
    const followers = [own, stranger, socket];
    for (const follower of followers) {
      await follower.must("depth.subscribe", { market_list: [["BTCUSDT", 5, "0", false]] });
      await follower.push("depth.update");
    }
    const hidden = { is_hide: true };
    await place(maker, limitOrder("sell", "0.5", "30010", hidden));
    const deep = await place(maker, limitOrder("sell", "0.25", "30020", hidden));
    venue.beat();
    const { depth } = await own.push("depth.update");
    assert.deepEqual(depth.asks, [
      ["30010.00", "1.500000"],
      ["30020.00", "0.250000"],
    ]);
    assert.equal(depth.checksum, crc32("30010.00:1.500000:30020.00:0.250000"));
    assert.deepEqual(await stranger.taken(), []);
    assert.deepEqual(await socket.taken(), []);

    // A stranger takes from the hidden order; what the owner sees follows.
    await place(taker, marketOrder("buy", "1.2", { ccy: "BTC" }));
    venue.beat();
    assert.deepEqual((await own.push("depth.update")).depth.asks, [["30010.00", "0.300000"]]);
    assert.deepEqual((await stranger.push("depth.update")).depth.asks, [["30010.00", "0"]]);
    const { order_id } = deep;
    await maker.client.post("/spot/cancel-order", { market: "BTCUSDT", market_type: "SPOT", order_id });
    venue.beat();
    assert.deepEqual((await own.push("depth.update")).depth.asks, [["30020.00", "0"]]);

    // A new connection of the owner sees them from the start; without a login it does not.
    const again = await venue.socket(maker.client);
    await again.must("depth.subscribe", { market_list: [["BTCUSDT", 5, "0", true]] });
    assert.deepEqual((await again.push("depth.update")).depth.asks, [["30010.00", "0.300000"]]);
    const anonymous = await venue.socket();
    await anonymous.must("depth.subscribe", { market_list: [["BTCUSDT", 5, "0", true]] });
    assert.deepEqual((await anonymous.push("depth.update")).depth.asks, []);
    await anonymous.must("server.sign", anonymous.signParams(maker.client.key as never, venue.control.timeMs));
    venue.beat();
    assert.deepEqual((await anonymous.push("depth.update")).depth.asks, [["30010.00", "0.300000"]]);
  });

  test("markets that are listed later are followed by an empty list and by their name", async () => {
    const named = await venue.socket();
    await socket.must("state.subscribe", { market_list: [] });
    await named.must("depth.subscribe", { market_list: [["NEWUSDT", 5, "0", false]] });
    await named.must("bbo.subscribe", { market_list: ["NEWUSDT"] });
    await socket.taken();
    await venue.listAssets("NEW");
    await venue.operate(marketOf("NEW", "USDT"));
    venue.beat(1_000);
    assert.deepEqual(
      (await socket.push("state.update")).state_list.map(({ market }: Message) => market),
      ["NEWUSDT"],
    );
    assert.equal((await named.push("depth.update")).is_full, true);
  });
});
