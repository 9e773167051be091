import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bitcoinVenue, type Done, type Venue } from "../../../test/support/venue.ts";
import type { ModifyStopOrder, PlaceStopOrder } from "../command.ts";
import type { Refusal } from "../refusal.ts";
import { refusalOf } from "../refusal.ts";
import { readStop } from "./emit-stop.ts";
import type { StopRecord } from "./stop-event.ts";

const MAKER = 1;
const TRADER = 2;

/** A venue whose latest price is 30000, with orders of user 1 around it, and user 2 who has funds. */
function venueAt(price = "30000", around = true): Venue {
  const venue = bitcoinVenue();
  venue.addUser("maker", { BTC: "1000", USDT: "100000000" });
  venue.addUser("trader", { BTC: "100", USDT: "10000000" });
  deal(venue, price);
  if (around) for (const text of ["sell 10 @ 30100", "buy 10 @ 29900"]) venue.put(MAKER, text);
  return venue;
}

/** Makes the latest price what it says, by a deal of the maker with itself in an empty stretch of the book. */
function deal(venue: Venue, price: string): Done {
  venue.put(MAKER, `sell 0.001 @ ${price}`);
  return venue.accept(venue.orderOf(MAKER, `buy 0.001 @ ${price} ioc`));
}

function stopOf(venue: Venue, userId: number, text: string, trigger: string): PlaceStopOrder {
  return {
    ...venue.orderOf(userId, text),
    kind: "place_stop_order",
    trigger: venue.orderOf(userId, `buy 1 @ ${trigger}`).price,
  };
}

function put(venue: Venue, text: string, trigger: string, userId = TRADER): StopRecord {
  const told = stopEvents(venue.accept(stopOf(venue, userId, text, trigger)))[0];
  assert.ok(told?.event === "put");
  return told.stop;
}

function stopEvents(done: Done) {
  return done.events.filter((event) => event.kind === "stop");
}

/** What became of stop orders in a command, as "1 active_success" or "2 active_fail insufficient_balance". */
function fired(done: Done): string[] {
  return stopEvents(done)
    .filter(({ event }) => event !== "put" && event !== "modify")
    .map(({ event, stop, refusal }) => [stop.stopId, event, refusalOf(refusal)].filter((part) => part).join(" "));
}

function modify(venue: Venue, stopId: number, change: Partial<ModifyStopOrder>, userId = TRADER): Done {
  return venue.execute({ kind: "modify_stop_order", userId, marketId: 0, stopId, ...change });
}

function waiting(venue: Venue): StopRecord[] {
  return venue.state.stops.ofMarket(0).map((slot) => readStop(venue.state, slot));
}

describe("a stop order", () => {
  // Latest price, trigger, direction, the last price that leaves it waiting and the first that fires it.
  for (const [latest, trigger, direction, waits, fires] of [
    ["30000", "29999.99", "higher", "30000.00", "29999.99"],
    ["30000", "29000", "higher", "29000.01", "29000"],
    ["30000", "29000", "higher", "31000", "28000"],
    ["30000", "30000.01", "lower", "30000.00", "30000.01"],
    ["30000", "31000", "lower", "30999.99", "31000"],
    ["30000", "31000", "lower", "29000", "32000"],
  ] as const) {
    test(`set to ${trigger} while the price is ${latest} is ${direction}: waits at ${waits}, fires at ${fires}`, () => {
      const venue = venueAt(latest, false);
      const stop = put(venue, "buy 0.5 @ 30000", trigger);
      assert.equal(stop.direction, direction);
      assert.deepEqual(fired(deal(venue, waits)), []);
      assert.deepEqual(fired(deal(venue, fires)), ["1 active_success"]);
      assert.deepEqual(waiting(venue), []);
      venue.assertRepeatable();
    });
  }

  test("whose trigger is the latest price fires in the command that places it", () => {
    const venue = venueAt();
    const done = venue.accept(stopOf(venue, TRADER, "buy 0.5 @ 30100", "30000"));
    assert.deepEqual(
      stopEvents(done).map(({ event, orderId }) => [event, orderId > 0]),
      [
        ["put", false],
        ["active_success", true],
      ],
    );
    assert.deepEqual(
      done.deals.map((each) => venue.dealText(each)),
      ["0.5 @ 30100.00"],
    );
  });

  test("freezes nothing while it waits and what an order freezes when it fires", () => {
    const venue = venueAt("30000", false);
    const before = venue.balance(TRADER, "USDT");
    put(venue, "buy 1 @ 28000", "29000");
    assert.equal(venue.balance(TRADER, "USDT"), before);
    assert.deepEqual(fired(deal(venue, "29000")), ["1 active_success"]);
    assert.equal(venue.balance(TRADER, "USDT"), "9972000.00000000 + 28000.00000000");
  });

  for (const [text, trigger, told] of [
    ["buy 0.5 @ 30300 id:mine", "30200", "limit"],
    ["sell 0.5 @ 30300 maker_only", "30200", "maker_only"],
    ["buy 0.5 @ 30000 ioc", "30200", "ioc"],
    ["sell 0.5", "30200", "market"],
    ["buy 500 USDT", "30200", "market"],
    ["buy 0.5 BTC", "30200", "market"],
  ] as const) {
    test(`becomes ${text} with all its traits`, () => {
      const venue = venueAt("30000", false);
      for (const order of ["sell 5 @ 30250", "buy 5 @ 30150"]) venue.put(MAKER, order);
      const stop = put(venue, `${text} hidden stp:ct`, trigger);
      const done = deal(venue, "30200");
      const order = done.events.find((event) => event.kind === "order" && event.order.userId === TRADER);
      assert.ok(order?.kind === "order");
      assert.equal(order.order.type, told);
      assert.deepEqual([order.order.amount, order.order.clientId], [stop.amount, stop.clientId]);
      assert.deepEqual([order.order.hidden, order.order.stpMode], [true, "ct"]);
      venue.assertRepeatable();
    });
  }

  for (const [text, refusal] of [
    ["buy 1000 @ 30000", "insufficient_balance"],
    ["buy 0.5 @ 30300 maker_only", "would_take"],
    ["buy 50 @ 30300 fok", "not_fillable"],
    ["sell 0.5 @ 15100", "price_far_from_latest"],
  ] as const) {
    test(`of ${text} fails for ${refusal} when it fires, and leaves no order`, () => {
      const venue = venueAt("30000", false);
      venue.put(MAKER, "sell 5 @ 30250");
      put(venue, text, "30200");
      const done = deal(venue, "30240");
      assert.deepEqual(fired(done), [`1 active_fail ${refusal}`]);
      assert.equal(done.events.filter((event) => event.kind === "order" && event.order.userId === TRADER).length, 0);
      assert.deepEqual(waiting(venue), []);
    });
  }

  test("at market fails when nobody stands on the other side", () => {
    const venue = venueAt("30000", false);
    put(venue, "sell 0.5", "30200");
    assert.deepEqual(fired(deal(venue, "30200")), ["1 active_fail no_counter_orders"]);
  });
});

describe("stop orders that are due together", () => {
  test("fire in the order of their ids, whatever their triggers, and the first takes what the second wanted", () => {
    const venue = venueAt("30000", false);
    venue.put(MAKER, "sell 1 @ 30400");
    for (const trigger of ["30300", "30100", "30200"]) put(venue, "buy 0.6 @ 30400 ioc", trigger);
    const done = deal(venue, "30350");
    assert.deepEqual(fired(done), ["1 active_success", "2 active_success", "3 active_success"]);
    assert.deepEqual(
      done.deals.slice(1).map((each) => venue.dealText(each)),
      ["0.6 @ 30400.00", "0.4 @ 30400.00"],
    );
  });

  test("set each other off, one round after the other, until none is due: the chain ends", () => {
    const venue = venueAt("30000", false);
    for (let step = 1; step <= 50; step++) {
      venue.put(MAKER, `sell 0.01 @ ${30000 + step * 10}`);
      // Younger ones are nearer, so that each round fires exactly one.
      const up = 51 - step;
      put(venue, `buy 0.01 @ ${30000 + up * 10}`, `${30000 + (up - 1) * 10 + (up === 1 ? 5 : 0)}`);
    }
    const done = deal(venue, "30005");
    assert.deepEqual(
      fired(done),
      Array.from({ length: 50 }, (_, at) => `${50 - at} active_success`),
    );
    assert.equal(done.deals.length, 51);
    assert.equal(waiting(venue).length, 0);
    venue.assertRepeatable();
  });

  test("of two directions end although each moves the price back over the other's trigger", () => {
    const venue = venueAt("30000", false);
    for (const text of ["sell 1 @ 30100", "buy 1 @ 29900"]) venue.put(MAKER, text);
    for (let n = 0; n < 10; n++) {
      put(venue, "buy 0.01 @ 30100 ioc", "29950");
      put(venue, "sell 0.01 @ 29900 ioc", "30050");
    }
    const done = venue.accept(venue.orderOf(TRADER, "buy 0.01 @ 30100 ioc"));
    assert.equal(fired(done).length, 20);
    assert.equal(waiting(venue).length, 0);
  });
});

describe("placing a stop order is refused", () => {
  for (const [text, trigger, refusal] of [
    ["buy 1 @ 30000 margin", "29000", "margin_not_available"],
    ["buy 0.0000001 @ 30000", "29000", "amount_off_grid"],
    ["buy 0.00001 @ 30000", "29000", "amount_too_small"],
    ["buy 1 USDT", "29000", "amount_too_small"],
    ["buy 1 @ 30000.001", "29000", "price_off_grid"],
    ["buy 1 @ 30000", "29000.001", "trigger_off_grid"],
    ["buy 1 @ 30000", "0", "trigger_off_grid"],
    ["buy 1 @ 30000", "99999999999", "trigger_too_high"],
    ["buy 1 @ 43500.01", "29000", "price_far_from_trigger"],
    ["buy 1 @ 43500", "29000", undefined],
    ["buy 1 @ 1", "29000", undefined],
    ["sell 1 @ 14499.99", "29000", "price_far_from_trigger"],
    ["sell 1 @ 14500", "29000", undefined],
    ["sell 1 @ 99000", "29000", undefined],
    ["buy 2.9 USDT", "29000", undefined],
    ["buy 2.89999999 USDT", "29000", "amount_too_small"],
  ] as [string, string, Refusal | undefined][]) {
    test(`${text}, trigger ${trigger}: ${refusal ?? "taken"}`, () => {
      const venue = venueAt();
      assert.equal(venue.execute(stopOf(venue, TRADER, text, trigger)).refusal, refusal);
    });
  }

  test("beyond a hundred per account and market, and taken again when one has gone", () => {
    const venue = venueAt();
    for (let n = 0; n < 100; n++) put(venue, "buy 0.001 @ 29000", "29000");
    const next = stopOf(venue, TRADER, "buy 0.001 @ 29000", "29000");
    assert.equal(venue.execute(next).refusal, "too_many_stop_orders");
    put(venue, "buy 0.001 @ 29000", "29000", MAKER);
    venue.accept({ kind: "cancel_stop_order", userId: TRADER, marketId: 0, stopId: 50 });
    venue.accept(next);
  });

  test("while the user may not trade or the market does not", () => {
    const venue = venueAt();
    const stop = stopOf(venue, TRADER, "buy 1 @ 29000", "29000");
    venue.accept({ kind: "change_user", userId: TRADER, tradeBarred: true });
    assert.equal(venue.execute(stop).refusal, "trade_barred");
    venue.accept({ kind: "change_user", userId: TRADER, tradeBarred: false });
    venue.changeMarket("BTCUSDT", { suspended: true });
    assert.equal(venue.execute(stop).refusal, "market_suspended");
    assert.equal(venue.execute({ ...stop, marketId: 7 }).refusal, "market_not_found");
    assert.equal(venue.execute({ ...stop, userId: 99 }).refusal, "market_not_found");
  });
});

describe("changing a stop order", () => {
  test("keeps its id, and a new trigger looks anew where the price stands", () => {
    const venue = venueAt("30000", false);
    const { stopId, createdAt } = put(venue, "buy 1 @ 30000 id:mine", "29000");
    venue.timeMs += 5;
    assert.equal(modify(venue, stopId, { price: 3_050_000n, amount: 2_000_000n }).refusal, undefined);
    assert.equal(modify(venue, stopId, { trigger: 3_100_000n }).refusal, undefined);
    const [stop] = waiting(venue);
    assert.deepEqual(
      [stop?.stopId, stop?.price, stop?.amount, stop?.trigger, stop?.direction, stop?.clientId],
      [stopId, 3_050_000n, 2_000_000n, 3_100_000n, "lower", "mine"],
    );
    assert.deepEqual([stop?.createdAt, stop?.updatedAt], [createdAt, createdAt + 5]);
    assert.deepEqual(fired(deal(venue, "29000")), []);
    assert.deepEqual(fired(deal(venue, "31000")), ["1 active_success"]);
    venue.assertRepeatable();
  });

  test("to the latest price fires it at once", () => {
    const venue = venueAt();
    const { stopId } = put(venue, "buy 1 @ 30000", "29000");
    assert.deepEqual(fired(modify(venue, stopId, { trigger: 3_000_000n })), ["1 active_success"]);
  });

  for (const [what, text, change, refusal] of [
    ["nothing", "buy 1 @ 30000", {}, "nothing_to_modify"],
    ["the price of a market order", "buy 1000 USDT", { price: 3_000_000n }, "market_order_price"],
    ["the price too far", "buy 1 @ 30000", { price: 4_350_001n }, "price_far_from_trigger"],
    ["the trigger too far", "buy 1 @ 30000", { trigger: 1_999_999n }, "price_far_from_trigger"],
    ["the amount to too little", "buy 1 @ 30000", { amount: 1n }, "amount_too_small"],
    ["a budget to too little", "buy 1000 USDT", { amount: 1n }, "amount_too_small"],
    ["it for somebody else", "buy 1 @ 30000", { userId: MAKER, amount: 5_000n }, "order_not_found"],
    ["it in another account", "buy 1 @ 30000", { account: "margin", amount: 5_000n }, "order_not_found"],
    ["one that never was", "buy 1 @ 30000", { stopId: 7, amount: 5_000n }, "order_not_found"],
    ["it in no market", "buy 1 @ 30000", { marketId: 7, amount: 5_000n }, "market_not_found"],
  ] as [string, string, Partial<ModifyStopOrder>, Refusal][]) {
    test(`${what}: ${refusal}, and it stays as it was`, () => {
      const venue = venueAt();
      const stop = put(venue, text, "29000");
      assert.equal(modify(venue, stop.stopId, change).refusal, refusal);
      assert.deepEqual(waiting(venue), [stop]);
    });
  }
});

describe("cancelling stop orders", () => {
  test("by id: once, and only one's own", () => {
    const venue = venueAt();
    const { stopId } = put(venue, "buy 1 @ 30000", "29000");
    const cancel = (userId: number, more = {}) =>
      venue.execute({ kind: "cancel_stop_order", userId, marketId: 0, stopId, ...more });
    assert.equal(cancel(MAKER).refusal, "order_not_found");
    assert.equal(cancel(TRADER, { account: "margin" }).refusal, "order_not_found");
    assert.equal(cancel(TRADER, { marketId: 9 }).refusal, "market_not_found");
    assert.deepEqual(fired(cancel(TRADER)), ["1 cancel"]);
    assert.equal(cancel(TRADER).refusal, "order_not_found");
    assert.deepEqual(fired(deal(venue, "29000")), []);
  });

  test("by client id: all that bear it, in one market or in all; no other user's", () => {
    const venue = venueAt();
    venue.listAsset("ETH");
    venue.listMarket("ETH", "USDT");
    put(venue, "buy 1 @ 30000 id:a", "29000");
    put(venue, "buy 1 @ 30000 id:b", "29000");
    put(venue, "sell 1 @ 30000 id:a", "29000", MAKER);
    put(venue, "sell 1 @ 40000 id:a", "41000");
    const ether = venue.marketNamed("ETHUSDT").id;
    venue.accept({ ...stopOf(venue, TRADER, "buy 1 @ 30 id:a", "30"), marketId: ether });
    const cancel = (clientId: string, marketId?: number) =>
      venue.execute({ kind: "cancel_stop_by_client_id", userId: TRADER, account: "spot", clientId, marketId });
    assert.deepEqual(fired(cancel("a", 0)), ["1 cancel", "4 cancel"]);
    assert.deepEqual(fired(cancel("a")), ["5 cancel"]);
    assert.equal(cancel("a").refusal, "order_not_found");
    assert.equal(cancel("").refusal, "order_not_found");
    assert.deepEqual(
      waiting(venue).map(({ stopId }) => stopId),
      [2, 3],
    );
  });

  test("cancel-all leaves them, delisting does not", () => {
    const venue = venueAt();
    put(venue, "buy 1 @ 30000", "29000");
    put(venue, "sell 1 @ 30000", "31000", MAKER);
    venue.accept({ kind: "cancel_all_orders", userId: TRADER, marketId: 0, account: "spot" });
    assert.equal(waiting(venue).length, 2);
    venue.changeMarket("BTCUSDT", { delistedAt: venue.timeMs + 10 });
    assert.deepEqual(fired(venue.wait(10)), ["1 cancel", "2 cancel"]);
    venue.assertRepeatable();
  });
});

describe("stop orders wait", () => {
  const HOLDS: Record<string, [(venue: Venue) => void, (venue: Venue) => Done]> = {
    "while the market is suspended": [
      (venue) => venue.changeMarket("BTCUSDT", { suspended: true }),
      (venue) => venue.accept({ kind: "change_market", market: "BTCUSDT", suspended: false }),
    ],
    "while the market takes no orders over the API": [
      (venue) => venue.changeMarket("BTCUSDT", { apiTradingAvailable: false }),
      (venue) => venue.accept({ kind: "change_market", market: "BTCUSDT", apiTradingAvailable: true }),
    ],
    "while the venue takes only cancels": [
      (venue) => venue.accept({ kind: "set_cancel_only", cancelOnly: true, reason: "" }),
      (venue) => venue.accept({ kind: "set_cancel_only", cancelOnly: false, reason: "" }),
    ],
  };
  for (const [when, protectionEnd] of [
    ["in maintenance", 0],
    ["in maintenance and in the protection period after it", 1_000],
  ] as const) {
    HOLDS[when] = [
      (venue) =>
        venue.accept({
          kind: "plan_maintenance",
          scope: ["SPOT"],
          startedAt: venue.timeMs,
          endedAt: venue.timeMs + 1_000,
          protectDurationStart: protectionEnd === 0 ? 0 : venue.timeMs + 1_000,
          protectDurationEnd: protectionEnd === 0 ? 0 : venue.timeMs + 1_000 + protectionEnd,
          announceUrl: "",
          announceEnabled: false,
        }),
      (venue) => {
        if (protectionEnd > 0) assert.deepEqual(fired(venue.wait(1_000)), []);
        return venue.wait(1_000);
      },
    ];
  }
  for (const [when, [hold, release]] of Object.entries(HOLDS)) {
    test(`${when}, and are looked at once it ends, with the price of then`, () => {
      const venue = indexedVenue();
      put(venue, "buy 1 @ 100", "110");
      hold(venue);
      assert.deepEqual(fired(index(venue, "120")), []);
      assert.deepEqual(fired(release(venue)), ["1 active_success"]);
      venue.assertRepeatable(venue.log.length - 1);
    });

    test(`${when}, and go on waiting when the price has come back`, () => {
      const venue = indexedVenue();
      put(venue, "buy 1 @ 100", "110");
      hold(venue);
      index(venue, "120");
      index(venue, "100");
      assert.deepEqual(fired(release(venue)), []);
      assert.deepEqual(fired(index(venue, "110")), ["1 active_success"]);
    });
  }
});

describe("before the first deal", () => {
  test("the index stands in for the latest price, until there is one", () => {
    const venue = indexedVenue();
    assert.equal(put(venue, "buy 1 @ 100", "110").direction, "lower");
    assert.equal(put(venue, "buy 1 @ 90", "90").direction, "higher");
    assert.deepEqual(fired(index(venue, "89")), ["2 active_success"]);
    venue.put(MAKER, "sell 1 @ 105");
    assert.deepEqual(fired(venue.accept(venue.orderOf(MAKER, "buy 1 @ 105"))), []);
    assert.deepEqual(fired(index(venue, "120")), []);
    venue.put(MAKER, "sell 1 @ 110");
    assert.deepEqual(fired(venue.accept(venue.orderOf(MAKER, "buy 1 @ 110"))), ["1 active_success"]);
    venue.assertRepeatable();
  });

  test("without an index a buy waits for a rise and a sell for a fall", () => {
    const venue = bitcoinVenue();
    venue.addUser("maker", { BTC: "1000", USDT: "100000000" });
    venue.addUser("trader", { BTC: "100", USDT: "10000000" });
    assert.equal(put(venue, "buy 1 @ 20000", "30000").direction, "lower");
    assert.equal(put(venue, "sell 1 @ 30000", "30000").direction, "higher");
    venue.wait(10_000);
    assert.equal(waiting(venue).length, 2);
    assert.deepEqual(fired(deal(venue, "31000")), ["1 active_success"]);
    assert.deepEqual(fired(deal(venue, "30000")), ["2 active_success"]);
  });
});

/** A market that has an index of 100 and no deal yet. */
function indexedVenue(): Venue {
  const venue = bitcoinVenue();
  venue.addUser("maker", { BTC: "1000", USDT: "100000000" });
  venue.addUser("trader", { BTC: "100", USDT: "10000000" });
  index(venue, "100");
  return venue;
}

function index(venue: Venue, price: string): Done {
  return venue.accept({ kind: "set_index_prices", market: "BTCUSDT", sources: [{ exchange: "one", price }] });
}
