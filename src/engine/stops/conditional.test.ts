import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bitcoinVenue, type Done, type Venue } from "../../../test/support/venue.ts";
import { refusalOf } from "../refusal.ts";
import type { Leg } from "./command-schemas.ts";
import { readStop } from "./emit-stop.ts";
import type { StopRecord } from "./stop-event.ts";

const MAKER = 1;
const TRADER = 2;

/** A venue whose latest price is 30000, with orders of user 1 around it at 25000 and 35000, and user 2 with funds. */
function venueAt(price = "30000"): Venue {
  const venue = bitcoinVenue();
  venue.addUser("maker", { BTC: "1000", USDT: "100000000" });
  venue.addUser("trader", { BTC: "100", USDT: "10000000" });
  deal(venue, price);
  for (const text of ["sell 10 @ 35000", "buy 10 @ 29000"]) venue.put(MAKER, text);
  return venue;
}

/** Makes the latest price what it says, by a deal of the maker with itself. */
function deal(venue: Venue, price: string): Done {
  venue.put(MAKER, `sell 0.001 @ ${price}`);
  return venue.accept(venue.orderOf(MAKER, `buy 0.001 @ ${price} ioc`));
}

function place(venue: Venue, shape: string, ...legs: readonly Partial<Leg>[]): Done {
  return venue.execute({
    kind: "place_conditional",
    userId: TRADER,
    marketId: 0,
    account: "spot",
    shape,
    legs: legs.map((leg) => ({ side: "sell", type: "market", amount: "1", ...leg }) as Leg),
  });
}

interface Placed {
  readonly groupId: number;
  readonly orderId: number;
  readonly stopIds: readonly number[];
}

function placed(done: Done): Placed {
  assert.equal(done.refusal, undefined, `${done.detail}`);
  return done.result as Placed;
}

function trail(venue: Venue, leg: Partial<Leg>): number {
  return placed(place(venue, "single", leg)).stopIds[0] as number;
}

function stopNow(venue: Venue, stopId: number): StopRecord {
  const slot = venue.state.stops.find(stopId);
  assert.ok(slot >= 0, `stop order ${stopId} waits`);
  return readStop(venue.state, slot);
}

function figures(venue: Venue, stopId: number): string {
  const { extreme, trigger } = stopNow(venue, stopId);
  return `${Number(extreme) / 100} ${Number(trigger) / 100}`;
}

/** What became of stop orders in a command: "1 active_success", "2 cancel". */
function became(done: Done): string[] {
  return done.events.flatMap((event) =>
    event.kind === "stop" && event.event !== "put" && event.event !== "modify"
      ? [[event.stop.stopId, event.event, refusalOf(event.refusal)].filter((word) => word).join(" ")]
      : [],
  );
}

describe("a trail", () => {
  for (const { name, leg, prices, end } of [
    {
      name: "of a sell by an amount",
      leg: { trail: "500" },
      prices: [
        ["30000", "30000 29500"],
        ["30400", "30400 29900"],
        ["30100", "30400 29900"],
        ["31234.56", "31234.56 30734.56"],
        ["30734.57", "31234.56 30734.56"],
      ],
      end: "30734.56",
    },
    {
      name: "of a sell by a rate, which is rounded down",
      leg: { trailRate: "0.01" },
      prices: [
        ["30000", "30000 29700"],
        ["30000.01", "30000.01 29700"],
        ["30000.99", "30000.99 29700.98"],
        ["29700.99", "30000.99 29700.98"],
      ],
      end: "29700.98",
    },
    {
      name: "of a buy by an amount",
      leg: { side: "buy", trail: "500" },
      prices: [
        ["30000", "30000 30500"],
        ["29600", "29600 30100"],
        ["30000", "29600 30100"],
        ["30099.99", "29600 30100"],
      ],
      end: "30100",
    },
    {
      name: "of a buy by a rate, which is rounded up",
      leg: { side: "buy", trailRate: "0.01" },
      prices: [
        ["30000", "30000 30300"],
        ["29999.99", "29999.99 30299.99"],
        ["29999.01", "29999.01 30299.01"],
        ["30299", "29999.01 30299.01"],
      ],
      end: "30299.01",
    },
  ] as const) {
    test(`${name} follows the price to the tick and fires when it turns`, () => {
      const venue = venueAt();
      const stopId = trail(venue, leg);
      for (const [price, told] of prices) {
        assert.deepEqual(became(deal(venue, price)), [], price);
        assert.equal(figures(venue, stopId), told, price);
      }
      assert.deepEqual(became(deal(venue, end)), [`${stopId} active_success`]);
      venue.assertRepeatable();
    });
  }

  test("begins when the price has come to its activation price, with the price of then", () => {
    const venue = venueAt();
    const stopId = trail(venue, { trail: "200", activation: "30500" });
    assert.equal(figures(venue, stopId), "0 30500");
    assert.deepEqual(became(deal(venue, "30499.99")), []);
    assert.deepEqual(became(deal(venue, "29000.01")), [], "it does not follow yet");
    assert.equal(figures(venue, stopId), "0 30500");
    const begins = deal(venue, "30600");
    assert.deepEqual(
      begins.events.flatMap((event) => (event.kind === "stop" ? [event.event] : [])),
      ["modify"],
    );
    assert.equal(figures(venue, stopId), "30600 30400");
    assert.deepEqual(became(deal(venue, "30400")), [`${stopId} active_success`]);
    venue.assertRepeatable();
  });

  test("that begins below the price does so when the price falls there", () => {
    const venue = venueAt();
    const stopId = trail(venue, { side: "buy", trail: "200", activation: "29500" });
    assert.deepEqual(became(deal(venue, "30900")), []);
    deal(venue, "29400");
    assert.equal(figures(venue, stopId), "29400 29600");
    assert.deepEqual(became(deal(venue, "29600")), [`${stopId} active_success`]);
    venue.assertRepeatable();
  });

  test("by the latest price counts it only near the index, so that a lone deal moves no trigger far", () => {
    const venue = venueAt();
    venue.spotIndex("30000");
    const stopId = trail(venue, { trail: "2000" });
    deal(venue, "34000");
    assert.equal(figures(venue, stopId), "31500 29500");
    assert.deepEqual(became(deal(venue, "30000")), []);
    venue.assertRepeatable();
  });

  test("by the index follows it, whatever is dealt", () => {
    const venue = venueAt();
    venue.spotIndex("30000");
    const stopId = trail(venue, { trail: "500", triggerType: "index_price" });
    deal(venue, "34000");
    assert.equal(figures(venue, stopId), "30000 29500");
    venue.spotIndex("30100");
    assert.deepEqual(became(deal(venue, "29100")), []);
    assert.equal(figures(venue, stopId), "30100 29600");
    assert.deepEqual(became(venue.spotIndex("29600")), [`${stopId} active_success`]);
    venue.assertRepeatable();
  });

  test("waits for a price where there is none yet", () => {
    const venue = bitcoinVenue();
    venue.addUser("maker", { BTC: "1000", USDT: "100000000" });
    venue.addUser("trader", { BTC: "100" });
    const stopId = trail(venue, { trail: "500" });
    assert.equal(figures(venue, stopId), "0 0");
    deal(venue, "30000");
    assert.equal(figures(venue, stopId), "30000 29500");
    venue.assertRepeatable();
  });

  test("does not follow while its market takes no orders, and goes on from the price of then", () => {
    const venue = venueAt();
    const stopId = trail(venue, { trail: "500", triggerType: "latest_price" });
    venue.changeMarket("BTCUSDT", { suspended: true });
    const late = trail.bind(undefined, venue);
    assert.throws(() => late({ trail: "500" }), /market_suspended/);
    venue.changeMarket("BTCUSDT", { suspended: false });
    deal(venue, "30400");
    assert.equal(figures(venue, stopId), "30400 29900");
    venue.assertRepeatable();
  });

  for (const [leg, why] of [
    [{ trail: "0" }, /trail must be above 0/],
    [{ trail: "0.001" }, /trail must be above 0/],
    [{ trail: "15000.01" }, /at most half of the price/],
    [{ trailRate: "0.00009999" }, /from 0.0001 to 0.5/],
    [{ trailRate: "0.50000001" }, /from 0.0001 to 0.5/],
    [{ trail: "1", trailRate: "0.1" }, /not both/],
    [{ trail: "1", trigger: "30000" }, /no trigger of its own/],
    [{ trail: "1", type: "limit", price: "30000" }, /becomes a market order/],
    [{ trail: "1", triggerType: "mark_price" }, /no mark price/],
    [{ trail: "1", reduces: true }, /only orders of futures/],
    [{}, /at least one of the orders/],
  ] as const) {
    test(`of ${JSON.stringify(leg)} is refused: ${why.source}`, () => {
      const done = place(venueAt(), "single", leg);
      assert.equal(done.refusal, "invalid_command");
      assert.match(done.detail ?? "", why);
    });
  }

  test("counts among the hundred stop orders of its account, and freezes nothing", () => {
    const venue = venueAt();
    for (let count = 0; count < 100; count++) trail(venue, { trail: "500" });
    assert.equal(place(venue, "single", { trail: "500" }).refusal, "too_many_stop_orders");
    assert.equal(venue.balance(TRADER, "BTC"), "100.00000000 + 0.00000000");
  });

  test("keeps its trail when its amount is changed, and takes no trigger", () => {
    const venue = venueAt();
    const stopId = trail(venue, { trail: "500" });
    deal(venue, "30400");
    const change = { kind: "modify_stop_order", userId: TRADER, marketId: 0, stopId } as const;
    assert.equal(venue.execute({ ...change, trigger: 1n }).refusal, "order_not_modifiable");
    assert.equal(venue.execute({ ...change, amount: 50_000n }).refusal, undefined);
    assert.equal(figures(venue, stopId), "30400 29900");
    venue.assertRepeatable();
  });
});

describe("a pair", () => {
  const PROFIT = { type: "limit", price: "31000" } as const;
  const LOSS = { trigger: "29500" } as const;

  test("of a limit order and a stop order freezes once, and the trigger cancels the order first", () => {
    const venue = venueAt();
    const { orderId, stopIds } = placed(place(venue, "oco", { ...PROFIT, amount: "100" }, { ...LOSS, amount: "100" }));
    assert.equal(venue.balance(TRADER, "BTC"), "0.00000000 + 100.00000000");
    venue.put(MAKER, "buy 100 @ 29400");
    const done = deal(venue, "29500");
    assert.deepEqual(became(done), [`${stopIds[0]} active_success`]);
    assert.equal(venue.state.orders.find(orderId), -1);
    assert.equal(venue.balance(TRADER, "BTC"), "0.00000000 + 0.00000000");
    assert.equal(venue.state.stops.groups.count, 0);
    venue.assertRepeatable();
  });

  test("loses its stop order with the first fill of the limit order, whose rest stays", () => {
    const venue = venueAt();
    const { orderId, stopIds } = placed(place(venue, "oco", PROFIT, LOSS));
    const done = venue.accept(venue.orderOf(MAKER, "buy 0.4 @ 31000 ioc"));
    assert.deepEqual(became(done), [`${stopIds[0]} cancel`]);
    assert.ok(venue.state.orders.find(orderId) >= 0);
    assert.deepEqual(became(venue.accept(venue.orderOf(MAKER, "buy 0.6 @ 31000 ioc"))), []);
    venue.assertRepeatable();
  });

  test("whose limit order is filled as it is placed leaves no stop order", () => {
    const venue = venueAt();
    const done = place(venue, "oco", { type: "limit", price: "29000" }, LOSS);
    assert.deepEqual(became(done), ["1 cancel"]);
    assert.equal(venue.state.stops.live, 0);
    venue.assertRepeatable();
  });

  test("of two stop orders loses the other when one is triggered", () => {
    const venue = venueAt();
    placed(place(venue, "oco", { side: "buy", trigger: "31000" }, { trigger: "29500" }));
    assert.deepEqual(became(deal(venue, "31000")), ["2 cancel", "1 active_success"]);
    assert.equal(venue.state.stops.live, 0);
    venue.assertRepeatable();
  });

  test("of which both are due at once fires the one with the lower id alone", () => {
    const venue = venueAt();
    placed(place(venue, "oco", { side: "buy", trigger: "30000" }, { trigger: "30000" }));
    assert.equal(venue.state.stops.live, 0);
    venue.assertRepeatable();
  });

  test("with a trail ends the order when the price turns", () => {
    const venue = venueAt();
    const { stopIds, orderId } = placed(place(venue, "oco", PROFIT, { trail: "300" }));
    deal(venue, "30900");
    assert.deepEqual(became(deal(venue, "30600")), [`${stopIds[0]} active_success`]);
    assert.equal(venue.state.orders.find(orderId), -1);
    venue.assertRepeatable();
  });

  test("leaves the one alone when the other is cancelled by itself", () => {
    const venue = venueAt();
    const first = placed(place(venue, "oco", PROFIT, LOSS));
    venue.accept({ kind: "cancel_order", userId: TRADER, marketId: 0, orderId: first.orderId });
    assert.deepEqual([venue.state.stops.live, venue.state.stops.groups.count], [1, 0]);
    const second = placed(place(venue, "oco", PROFIT, LOSS));
    venue.accept({ kind: "cancel_stop_order", userId: TRADER, marketId: 0, stopId: second.stopIds[0] as number });
    assert.ok(venue.state.orders.find(second.orderId) >= 0);
    assert.deepEqual(became(venue.accept(venue.orderOf(MAKER, "buy 1 @ 31000 ioc"))), []);
    venue.assertRepeatable();
  });

  test("is cancelled as a whole by its owner, and by nobody else", () => {
    const venue = venueAt();
    const { groupId, orderId } = placed(place(venue, "oco", PROFIT, LOSS));
    assert.equal(venue.execute({ kind: "cancel_group", userId: MAKER, groupId }).refusal, "order_not_found");
    assert.deepEqual(became(venue.accept({ kind: "cancel_group", userId: TRADER, groupId })), ["1 cancel"]);
    assert.equal(venue.state.orders.find(orderId), -1);
    assert.equal(venue.execute({ kind: "cancel_group", userId: TRADER, groupId }).refusal, "order_not_found");
    venue.assertRepeatable();
  });

  test("is refused as a whole when one of it is", () => {
    const venue = venueAt();
    assert.equal(place(venue, "oco", { ...PROFIT, amount: "101" }, LOSS).refusal, "insufficient_balance");
    assert.equal(place(venue, "oco", PROFIT, { trigger: "0.001" }).refusal, "trigger_off_grid");
    assert.equal(place(venue, "oco", { ...PROFIT, price: "10000" }, LOSS).refusal, "price_far_from_latest");
    assert.equal(venue.state.stops.live + venue.state.orders.live, 2);
  });
});

describe("a bracket", () => {
  const ENTRY = { side: "buy", type: "limit", price: "29900", amount: "1" } as const;
  const PROFIT = { trigger: "31000" } as const;
  const LOSS = { trigger: "29500" } as const;

  const amounts = (venue: Venue) =>
    venue.state.stops.ofMarket(0).map((slot) => Number(venue.state.stops.amount(slot)) / 1e6);

  test("comes alive as the entry fills, less the fee that was taken out of what it bought", () => {
    const venue = venueAt();
    placed(place(venue, "bracket", ENTRY, PROFIT, LOSS));
    assert.deepEqual(amounts(venue), [0, 0]);
    assert.deepEqual(became(deal(venue, "32000")), [], "both sleep");
    venue.assertRepeatable();
  });

  test("grows with each fill, and its trigger cancels the rest of the entry and the other", () => {
    const venue = venueAt();
    const { orderId } = placed(place(venue, "bracket", ENTRY, PROFIT, LOSS));
    venue.accept(venue.orderOf(MAKER, "sell 0.4 @ 29900 ioc"));
    const first = amounts(venue);
    venue.accept(venue.orderOf(MAKER, "sell 0.2 @ 29900 ioc"));
    assert.deepEqual(first, [0.3996, 0.3996]);
    assert.deepEqual(amounts(venue), [0.5994, 0.5994]);
    const done = deal(venue, "31000");
    assert.deepEqual(became(done), ["2 cancel", "1 active_success"]);
    assert.equal(venue.state.orders.find(orderId), -1);
    assert.equal(venue.balance(TRADER, "BTC"), "100.00000000 + 0.00000000");
    venue.assertRepeatable();
  });

  test("sleeps until an amount is filled that the market takes, and goes with less", () => {
    const venue = venueAt();
    const { orderId } = placed(place(venue, "bracket", ENTRY, PROFIT, LOSS));
    venue.accept(venue.orderOf(MAKER, "sell 0.0001 @ 29900 ioc"));
    assert.deepEqual(amounts(venue), [0, 0]);
    const done = venue.accept({ kind: "cancel_order", userId: TRADER, marketId: 0, orderId });
    assert.deepEqual(became(done), ["1 cancel", "2 cancel"]);
    venue.assertRepeatable();
  });

  for (const [legs, why] of [
    [[ENTRY, PROFIT], /number of orders/],
    [[{ ...ENTRY, trigger: "29000" }, PROFIT, LOSS], /entry of a bracket must have no trigger/],
    [[ENTRY, { trail: "500" }, LOSS], /take profit must have a trigger/],
    [[ENTRY, PROFIT, { type: "limit", price: "29000" }], /stop loss must have/],
    [[ENTRY, PROFIT, { ...LOSS, side: "buy" }], /other side/],
    [[ENTRY, { trigger: "29500" }, { trigger: "29500" }], /on the side of profit/],
    [
      [
        { ...ENTRY, side: "sell" },
        { ...PROFIT, side: "buy" },
        { ...LOSS, side: "buy" },
      ],
      /on the side of profit/,
    ],
  ] as const) {
    test(`of ${JSON.stringify(legs)} is refused`, () => {
      const done = place(venueAt(), "bracket", ...legs);
      assert.equal(done.refusal, "invalid_command");
      assert.match(done.detail ?? "", why);
    });
  }

  test("goes with an entry that is cancelled unfilled", () => {
    const venue = venueAt();
    const { orderId } = placed(place(venue, "bracket", ENTRY, PROFIT, LOSS));
    const done = venue.accept({ kind: "cancel_order", userId: TRADER, marketId: 0, orderId });
    assert.deepEqual(became(done), ["1 cancel", "2 cancel"]);
    venue.assertRepeatable();
  });

  test("stays as a pair for what was filled of an entry that is cancelled", () => {
    const venue = venueAt();
    const { orderId } = placed(place(venue, "bracket", ENTRY, PROFIT, LOSS));
    venue.accept(venue.orderOf(MAKER, "sell 0.4 @ 29900 ioc"));
    const done = venue.accept({ kind: "cancel_order", userId: TRADER, marketId: 0, orderId });
    assert.deepEqual(became(done), []);
    assert.deepEqual(became(deal(venue, "29500")), ["1 cancel", "2 active_success"]);
    venue.assertRepeatable();
  });

  test("of a market entry is awake at once", () => {
    const venue = venueAt();
    placed(place(venue, "bracket", { side: "buy", amount: "0.5" }, { trigger: "36000" }, LOSS));
    assert.deepEqual(amounts(venue), [0.499, 0.499]);
    venue.assertRepeatable();
  });
});
