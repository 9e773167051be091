import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ApiClient, Envelope } from "../support/api-client.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

const ORDER = "/v2/spot/order";
const STATUS = "/v2/spot/order-status";
const PENDING = "/v2/spot/pending-order";
const FINISHED = "/v2/spot/finished-order";
const USER_DEALS = "/v2/spot/user-deals";
const OF_BTCUSDT = { market: "BTCUSDT", market_type: "SPOT" };
const SPOT = { market_type: "SPOT" };

function idsOf(envelope: Envelope, name = "order_id"): number[] {
  assert.equal(envelope.code, 0, envelope.message);
  return envelope.data.map((row: Record<string, number>) => row[name]);
}

describe("what a caller asks about its own orders and deals", () => {
  let venue: ApiVenue;
  let user: ApiUser;
  let other: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    user = await venue.addUser("user", { USDT: "1000000", BTC: "100", ETH: "100" });
    other = await venue.addUser("other", { USDT: "1000000", BTC: "100", ETH: "100" });
  });
  after(() => venue.close());

  async function clear(...clients: readonly ApiClient[]): Promise<void> {
    for (const client of clients) {
      for (const market of ["BTCUSDT", "ETHUSDT"]) {
        await client.act("/v2/spot/cancel-all-order", { market, market_type: "SPOT" });
      }
    }
  }

  test("pending orders come newest first over all markets, in pages, with their number", async () => {
    const { client } = user;
    const placed: number[] = [];
    for (let index = 0; index < 7; index++) {
      const market = index % 3 === 0 ? "ETHUSDT" : "BTCUSDT";
      const side = index % 2 === 0 ? "buy" : "sell";
      const order = { ...limitOrder(side, "0.01", side === "buy" ? "100" : "90000"), market };
      const { order_id } = await client.act(ORDER, { ...order, client_id: index > 4 ? "late" : "" });
      placed.unshift(order_id);
    }
    assert.deepEqual(idsOf(await client.get(PENDING, SPOT)), placed);

    // Columns: what is asked for beside the market type, which of the placed ones are expected, total, has_next.
    const rows: readonly (readonly [Record<string, string | number>, readonly number[], number, boolean])[] = [
      [{ limit: 3 }, [0, 1, 2], 7, true],
      [{ limit: 3, page: 2 }, [3, 4, 5], 7, true],
      [{ limit: 3, page: 3 }, [6], 7, false],
      [{ limit: 7 }, [0, 1, 2, 3, 4, 5, 6], 7, false],
      [{ limit: 3, page: 4 }, [], 7, false],
      [{ limit: 1000, page: 1_000_000_000 }, [], 7, false],
      [{ market: "BTCUSDT" }, [1, 2, 4, 5], 4, false],
      [{ market: "ETHUSDT", side: "buy" }, [0, 6], 2, false],
      [{ side: "sell" }, [1, 3, 5], 3, false],
      [{ side: "sell", limit: 2 }, [1, 3], 3, true],
      [{ client_id: "late" }, [0, 1], 2, false],
      [{ client_id: "" }, [0, 1, 2, 3, 4, 5, 6], 7, false],
      [{ client_id: "nobody" }, [], 0, false],
      [{ market_type: "MARGIN" }, [], 0, false],
    ];
    for (const [query, expected, total, has_next] of rows) {
      const page = await client.get(PENDING, { ...SPOT, ...query });
      const which = idsOf(page).map((id) => placed.indexOf(id));
      assert.deepEqual(which, expected, JSON.stringify(query));
      assert.deepEqual(page.pagination, { has_next, total }, JSON.stringify(query));
    }
    assert.equal((await client.get(PENDING, { ...SPOT, market: "NOPE" })).code, 3639);
    assert.deepEqual(idsOf(await other.client.get(PENDING, SPOT)), []);
    await clear(client);
    assert.deepEqual((await client.get(PENDING, SPOT)).pagination, { has_next: false, total: 0 });
  });

  test("finished orders are those with a fill, newest first, in pages that can be filtered", async () => {
    const buyer = await venue.addUser("finisher", { USDT: "100000" });
    const { client } = buyer;
    const finished: number[] = [];
    for (let index = 0; index < 5; index++) {
      const market = index === 2 ? "ETHUSDT" : "BTCUSDT";
      await other.client.act(ORDER, { ...limitOrder("sell", "0.01", "30000"), market });
      const client_id = index === 3 ? "third" : "";
      const order = { ...limitOrder("buy", "0.01", "30000"), market, client_id };
      finished.unshift((await client.act(ORDER, order)).order_id);
    }
    await client.act(ORDER, limitOrder("buy", "0.01", "29000"));
    await clear(client);
    const rows: readonly (readonly [Record<string, string | number>, readonly number[], boolean])[] = [
      [{}, [0, 1, 2, 3, 4], false],
      [{ limit: 2 }, [0, 1], true],
      [{ limit: 2, page: 3 }, [4], false],
      [{ market: "BTCUSDT" }, [0, 1, 3, 4], false],
      [{ market: "ETHUSDT" }, [2], false],
      [{ side: "buy", limit: 5 }, [0, 1, 2, 3, 4], false],
      [{ side: "sell" }, [], false],
      [{ client_id: "third" }, [1], false],
      [{ client_id: "third", market: "ETHUSDT" }, [], false],
      [{ market_type: "MARGIN" }, [], false],
    ];
    for (const [query, expected, has_next] of rows) {
      const page = await client.get(FINISHED, { ...SPOT, ...query });
      assert.deepEqual(
        idsOf(page).map((id) => finished.indexOf(id)),
        expected,
        JSON.stringify(query),
      );
      assert.deepEqual(page.pagination, { has_next }, JSON.stringify(query));
    }
    assert.equal((await client.get(FINISHED, { ...SPOT, page: 1_000_000_000 })).code, 3639, "out of reach");
  });

  test("one order after the other, and many at once, say how they stand", async () => {
    const { client } = user;
    const open = await client.act(ORDER, limitOrder("buy", "0.2", "20000"));
    const partly = await client.act(ORDER, limitOrder("buy", "0.3", "29000"));
    await other.client.act(ORDER, limitOrder("sell", "0.1", "29000"));
    const filled = await client.act(ORDER, limitOrder("buy", "0.1", "29500"));
    await other.client.act(ORDER, limitOrder("sell", "0.1", "29500"));
    const foreign = await other.client.act(ORDER, limitOrder("sell", "0.1", "40000"));
    const cancelled = await client.act(ORDER, limitOrder("buy", "0.2", "20000"));
    await client.act("/v2/spot/cancel-order", { ...OF_BTCUSDT, order_id: cancelled.order_id });

    const expected = [
      [open.order_id, 0, "open"],
      [partly.order_id, 0, "part_filled"],
      [filled.order_id, 0, "filled"],
      [foreign.order_id, 3600, undefined],
      [cancelled.order_id, 3600, undefined],
      [999_999, 3600, undefined],
      [open.order_id, 0, "open"],
    ] as const;
    for (const [order_id, code, status] of expected) {
      const answer = await client.get(STATUS, { market: "BTCUSDT", order_id });
      assert.deepEqual([answer.code, answer.data.status], [code, status]);
    }
    const order_ids = expected.map(([id]) => id).join();
    const elements = (await client.read("/v2/spot/batch-order-status", { market: "BTCUSDT", order_ids })) as Envelope[];
    assert.deepEqual(
      elements.map(({ code, data }) => [data?.order_id, code, data?.status]),
      expected.map(([id, code, status]) => [code === 0 ? id : undefined, code, status]),
    );
    for (const element of elements) assert.equal(element.code === 0, element.data !== null);
    const elsewhere = await client.get(STATUS, { market: "ETHUSDT", order_id: open.order_id });
    assert.equal(elsewhere.code, 3600, "not an order of that market");
    await clear(client, other.client);
  });

  test("deals are bounded by time, both ends included, and by the own side", async () => {
    const trader = await venue.addUser("trader", { USDT: "100000", BTC: "1" });
    const { client } = trader;
    const times: number[] = [];
    for (const side of ["buy", "sell", "buy"] as const) {
      await venue.wait(1_000);
      times.push(venue.control.timeMs);
      await other.client.act(ORDER, limitOrder(side === "buy" ? "sell" : "buy", "0.01", "30000"));
      await client.act(ORDER, limitOrder(side, "0.01", "30000"));
    }
    const [first, second, third] = times as [number, number, number];
    const rows: readonly (readonly [Record<string, string | number>, readonly number[], boolean])[] = [
      [{}, [third, second, first], false],
      [{ limit: 2 }, [third, second], true],
      [{ limit: 2, page: 2 }, [first], false],
      [{ start_time: second }, [third, second], false],
      [{ start_time: second + 1 }, [third], false],
      [{ end_time: second }, [second, first], false],
      [{ end_time: second - 1 }, [first], false],
      [{ start_time: second, end_time: second }, [second], false],
      [{ start_time: third, end_time: first }, [], false],
      [{ start_time: 0, end_time: Number.MAX_SAFE_INTEGER }, [third, second, first], false],
      [{ side: "buy" }, [third, first], false],
      [{ side: "sell" }, [second], false],
      [{ market: "ETHUSDT" }, [], false],
      [{ market_type: "MARGIN" }, [], false],
    ];
    for (const [query, expected, has_next] of rows) {
      const page = await client.get(USER_DEALS, { ...OF_BTCUSDT, ...query });
      assert.deepEqual(idsOf(page, "created_at"), expected, JSON.stringify(query));
      assert.deepEqual(page.pagination, { has_next }, JSON.stringify(query));
    }
  });

  test("a deal with oneself shows both sides, as taker and as maker", async () => {
    const lonely = await venue.addUser("lonely", { USDT: "100000", BTC: "1" });
    const { client } = lonely;
    const ask = await client.act(ORDER, limitOrder("sell", "0.01", "30000"));
    const bid = await client.act(ORDER, limitOrder("buy", "0.01", "30000"));
    const deals = await client.read(USER_DEALS, OF_BTCUSDT);
    const seen = deals.map((row: Record<string, unknown>) => [
      row["order_id"],
      row["side"],
      row["role"],
      row["fee"],
      row["fee_ccy"],
    ]);
    assert.deepEqual(
      new Set(seen.map(String)),
      new Set([`${bid.order_id},buy,taker,0.00002000,BTC`, `${ask.order_id},sell,maker,0.30000000,USDT`]),
    );
    assert.equal(deals.length, 2);
    assert.equal(deals[0].deal_id, deals[1].deal_id);
  });

  test("the deals of one order are its owner's to read", async () => {
    const { client } = user;
    await other.client.act(ORDER, limitOrder("sell", "0.01", "30000"));
    await other.client.act(ORDER, limitOrder("sell", "0.02", "30000"));
    const { order_id } = await client.act(ORDER, limitOrder("buy", "0.03", "30000"));
    const amounts = async (who: ApiClient, query: object) => {
      const page = await who.get("/v2/spot/order-deals", { ...OF_BTCUSDT, order_id, ...query });
      return [page.data.map((row: { amount: string }) => row.amount), page.pagination?.has_next];
    };
    assert.deepEqual(await amounts(client, {}), [["0.020000", "0.010000"], false]);
    assert.deepEqual(await amounts(client, { limit: 1 }), [["0.020000"], true]);
    assert.deepEqual(await amounts(client, { limit: 1, page: 2 }), [["0.010000"], false]);
    for (const [who, query] of [
      [other.client, {}],
      [client, { market: "ETHUSDT" }],
      [client, { market_type: "MARGIN" }],
      [client, { order_id: 999_999 }],
    ] as const) {
      assert.deepEqual(await amounts(who, query), [[], false]);
    }
  });

  test("a query sees every command that was answered before it was sent", async () => {
    const { client } = user;
    for (let round = 0; round < 20; round++) {
      await other.client.act(ORDER, limitOrder("sell", "0.01", "30000"));
      const { order_id } = await client.act(ORDER, limitOrder("buy", "0.01", "30000"));
      const [status, deals, [newest]] = await Promise.all([
        client.read(STATUS, { market: "BTCUSDT", order_id }),
        client.read(USER_DEALS, { ...OF_BTCUSDT, limit: 1 }),
        client.read(FINISHED, { ...SPOT, limit: 1 }),
      ]);
      assert.deepEqual([status.status, deals[0].order_id, newest.order_id], ["filled", order_id, order_id]);
    }
  });
});
