/** Why stop orders wait, and what came of those that fired. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { explainStop } from "../../src/gateway/explain/explain-stop.ts";
import { Printers } from "../../src/gateway/reading/market-printer.ts";
import {
  type ApiUser,
  type ApiVenue,
  bitcoinApiVenue,
  contract,
  futuresApiVenue,
  limitOrder,
  marketOrder,
} from "../support/served-venue.ts";

const ORDER = "/v2/spot/order";
const STOP = "/v2/spot/stop-order";

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what came.
type Explained = any;

async function explained(venue: ApiVenue, stopId: number, remembers = true): Promise<Explained> {
  const { engine, history, lifecycleTrace, requests } = venue;
  const { state } = engine;
  return await explainStop(
    {
      ...{ state, history, printers: new Printers(state), lifecycleTrace: remembers ? lifecycleTrace : undefined },
      reasonOf: (refused) => requests.reasonOf(refused),
    },
    stopId,
  );
}

describe("stop orders explained", () => {
  let venue: ApiVenue;
  let maker: ApiUser;
  let taker: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    maker = await venue.addUser("maker", { USDT: "1000000", BTC: "100" });
    taker = await venue.addUser("taker", { USDT: "100000", BTC: "10" });
  });
  after(() => venue.close());

  const stopped = async ({ client }: ApiUser, trigger: string, order: object): Promise<number> =>
    (await client.act(STOP, { ...order, trigger_price: trigger })).stop_id;
  /** A deal at a price, of the maker with himself. */
  const trade = async (price: string, amount = "0.01") => {
    await maker.client.act(ORDER, limitOrder("sell", amount, price));
    await maker.client.act(ORDER, limitOrder("buy", amount, price));
  };

  test("before there is a price it waits for one, then for the latest to come to its trigger", async () => {
    const stopId = await stopped(taker, "31000", limitOrder("buy", "1", "31500"));
    const early = await explained(venue, stopId);
    assert.equal(
      early.because,
      "It waits for the latest price (the index, before the first deal) to rise to 31000.00; there is no such " +
        "price yet.",
    );
    assert.deepEqual([early.watched_price, early.latest_price, early.index_price], ["0", "0", "0"]);
    await trade("30000");
    const { because, rule, status, events, ...now } = await explained(venue, stopId);
    assert.deepEqual(
      [because, rule, status],
      ["It waits for the latest price to rise to 31000.00; it is 30000.00.", "2.11", "waits"],
    );
    assert.deepEqual(
      [now.trigger_price, now.trigger_price_type, now.trigger_direction, now.watched_price, now.latest_price, now.user],
      ["31000.00", "latest_price", "lower", "30000.00", "30000.00", "taker"],
    );
    assert.deepEqual([events.length, events[0].event, events[0].command], [1, "accepted", "place_stop_order"]);
    const forgotten = await explained(venue, stopId, false);
    assert.match(forgotten.note, /not remembered/);
    assert.equal(forgotten.because, because);

    await venue.operate({ kind: "change_market", market: "BTCUSDT", suspended: true });
    assert.match(
      (await explained(venue, stopId)).because,
      /While its market takes no orders no stop order is looked at/,
    );
    await venue.operate({ kind: "change_market", market: "BTCUSDT", suspended: false });
    await taker.client.act("/v2/spot/cancel-stop-order", { market: "BTCUSDT", market_type: "SPOT", stop_id: stopId });
    const cancelled = await explained(venue, stopId);
    assert.deepEqual([cancelled.because, cancelled.status], ["Its user cancelled it.", "cancelled"]);
    assert.equal(await explained(venue, stopId, false), undefined);
  });

  test("one that fired says at which price, though its own order has moved the price since", async () => {
    await trade("30000");
    await maker.client.act(ORDER, limitOrder("sell", "1", "30500"));
    const stopId = await stopped(taker, "30100", marketOrder("buy", "305", { ccy: "USDT" }));
    await venue.wait(5);
    await trade("30200");
    const { because, rule, status, order_id, fired_at, fired_price, events, watched_price } = await explained(
      venue,
      stopId,
    );
    assert.equal(
      because,
      `The latest price was 30200.00, at or above its trigger 30100.00: it became order ${order_id}.`,
    );
    assert.deepEqual([rule, status, fired_at, fired_price], ["2.11", "fired", venue.control.timeMs, "30200.00"]);
    assert.equal(watched_price, "30500.00", "its order traded at this price");
    assert.deepEqual(
      events.map(({ event, command, watched_price: watched }: Explained) => [event, command, watched]),
      [
        ["accepted", "place_stop_order", "30000.00"],
        ["fired", "place_order", "30200.00"],
      ],
    );
    assert.equal(events[1].order_id, order_id);
    const forgotten = await explained(venue, stopId, false);
    assert.deepEqual([forgotten.order_id, forgotten.fired_at, forgotten.fired_price], [order_id, fired_at, undefined]);
    assert.equal(forgotten.because, `The latest price reached its trigger 30100.00: it became order ${order_id}.`);
    await maker.client.act("/v2/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" });
  });

  test("one whose order was refused when it fired says why, with the figures of then", async () => {
    await trade("30000");
    const poor = await venue.addUser("poor", { USDT: "30" });
    const stopId = await stopped(poor, "29500", limitOrder("buy", "1", "29500"));
    const modified = { market: "BTCUSDT", market_type: "SPOT", stop_id: stopId, trigger_price: "29600" };
    await poor.client.act("/v2/spot/modify-stop-order", modified);
    await trade("29400");
    await venue.operate({ kind: "deposit", userId: poor.userId, ccy: "USDT", amount: "5", note: "" });
    const { because, rule, status, reasons, events, fired_price, order_id } = await explained(venue, stopId);
    assert.equal(
      because,
      "The latest price was 29400.00, at or below its trigger 29600.00, and its order was refused as if its " +
        "user had placed it then: The balance is not enough. A stop order fires once.",
    );
    assert.deepEqual([rule, status, fired_price, order_id], ["2.4", "refused when it fired", "29400.00", undefined]);
    assert.deepEqual(
      [reasons[0].refusal, reasons[0].figures.ccy, reasons[0].figures.available, reasons[0].figures.needed],
      ["insufficient_balance", "USDT", "30.00000000", "29500.00000000"],
    );
    assert.deepEqual(
      events.map(({ event, trigger_price }: Explained) => [event, trigger_price]),
      [
        ["accepted", "29500.00"],
        ["changed", "29600.00"],
        ["refused when it fired", "29600.00"],
      ],
    );
    const forgotten = await explained(venue, stopId, false);
    assert.deepEqual([forgotten.rule, forgotten.status], ["2.4", "refused when it fired"]);
  });

  test("one that is due when it is placed fires in the same command, and nobody explains one that there is not", async () => {
    await trade("30000");
    const { events, status } = await explained(
      venue,
      await stopped(taker, "30000", limitOrder("buy", "0.01", "20000")),
    );
    assert.deepEqual(
      events.map(({ event, command }: Explained) => [event, command]),
      [
        ["accepted", "place_stop_order"],
        ["fired", "place_stop_order"],
      ],
    );
    assert.equal(status, "fired");
    assert.equal(await explained(venue, 999_999), undefined);
  });
});

test("in futures markets it says whether the latest price, the mark or the index is watched", async (t) => {
  const venue = await futuresApiVenue();
  t.after(() => venue.close());
  const trader = await venue.addTrader("trader", { USDT: "100000" });
  const ids: number[] = [];
  for (const type of ["mark_price", "index_price"]) {
    const body = { ...contract("buy", "0.1", "29000"), trigger_price: "29500", trigger_price_type: type };
    ids.push((await trader.client.act("/v2/futures/stop-order", body)).stop_id);
  }
  const [mark, index] = ids as [number, number];
  const waits = await explained(venue, mark);
  assert.equal(waits.because, "It waits for the mark price to fall to 29500.00; it is 30000.00.");
  assert.deepEqual([waits.mark_price, waits.index_price, waits.latest_price], ["30000.00", "30000.00", "0"]);
  await venue.index("29400");
  for (const [stopId, name] of [
    [mark, "mark"],
    [index, "index"],
  ] as const) {
    const { because, fired_price, order_id } = await explained(venue, stopId);
    const was = `The ${name} price was 29400.00, at or below its trigger 29500.00: it became order ${order_id}.`;
    assert.deepEqual([because, fired_price], [was, "29400.00"]);
  }
});
