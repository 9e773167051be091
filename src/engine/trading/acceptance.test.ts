import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue, marketOf, type Venue } from "../../../test/support/venue.ts";
import { type Command, OFF_GRID, type PlaceOrder, TOO_LARGE } from "../command.ts";
import type { Refusal } from "../refusal.ts";
import { OPEN_ORDERS_MAX } from "./check.ts";

/** One more thing that is wrong, with the order or with the venue, and the refusal that it must lead to. */
interface Wrong {
  readonly refusal: Refusal;
  readonly order?: Partial<PlaceOrder>;
  readonly action?: (venue: Venue, userId: number) => void;
}

/** What is wrong with the venue or the user, for orders of every type; the last is checked first. */
const WRONG_VENUE: readonly Wrong[] = [
  { refusal: "api_trading_off", action: (venue) => changeBoth(venue, { apiTradingAvailable: false }) },
  { refusal: "market_suspended", action: (venue) => changeBoth(venue, { suspended: true }) },
  { refusal: "market_not_open", order: { marketId: 1 } },
  {
    refusal: "venue_cancel_only",
    action: (venue) => venue.accept({ kind: "set_cancel_only", cancelOnly: true, reason: "test" }),
  },
  {
    refusal: "trade_barred",
    action: (venue, userId) => venue.accept({ kind: "change_user", userId, tradeBarred: true }),
  },
  { refusal: "margin_not_available", order: { account: "margin" } },
  { refusal: "market_not_found", order: { marketId: 99 } },
  {
    refusal: "account_frozen",
    action: (venue, userId) => venue.accept({ kind: "change_user", userId, frozen: true }),
  },
];

const WRONG_AMOUNT: readonly Wrong[] = [
  { refusal: "amount_too_large", order: { amount: TOO_LARGE } },
  { refusal: "amount_too_small", order: { amount: 99n } },
  { refusal: "amount_off_grid", order: { amount: OFF_GRID } },
];

const WRONG_PRICE: readonly Wrong[] = [
  { refusal: "price_far_from_latest", order: { price: 4500001n } },
  { refusal: "price_too_high", order: { price: TOO_LARGE } },
  { refusal: "price_off_grid", order: { price: OFF_GRID } },
];

const TOO_MANY = tooMany("buy 0.0001 @ 1.00");

function tooMany(rests: string): Wrong {
  return {
    refusal: "too_many_open_orders",
    action: (venue, userId) => {
      const order = venue.orderOf(userId, rests);
      venue.acceptAll(Array.from({ length: OPEN_ORDERS_MAX }, () => order));
    },
  };
}

/** From an order that only fails at the last check to one that fails at each: every row is wrong in one more way. */
const LADDERS: readonly [type: string, first: string, rows: readonly Wrong[]][] = [
  [
    "maker_only",
    "buy 0.1 @ 30000.00 maker_only",
    [
      { refusal: "would_take" },
      { refusal: "insufficient_balance", order: { amount: 2_000000n } },
      TOO_MANY,
      ...WRONG_PRICE,
      ...WRONG_AMOUNT,
      ...WRONG_VENUE,
    ],
  ],
  [
    "fok",
    "buy 1.000001 @ 30000.00 fok",
    [
      { refusal: "not_fillable" },
      { refusal: "insufficient_balance", order: { amount: 2_000000n } },
      TOO_MANY,
      ...WRONG_PRICE,
      ...WRONG_AMOUNT,
      ...WRONG_VENUE,
    ],
  ],
  [
    "market order that spends quote",
    "buy 30000 USDT",
    [
      { refusal: "no_counter_orders", action: cancelSells },
      { refusal: "insufficient_balance", order: { amount: 50000_00000000n } },
      TOO_MANY,
      // Without a counter order there is no price to value the budget at; nothing is too small all the same.
      { refusal: "amount_too_small", order: { amount: 0n } },
      { refusal: "amount_off_grid", order: { amount: OFF_GRID } },
      ...WRONG_VENUE,
    ],
  ],
  [
    "market order that buys base",
    "buy 2",
    [
      // What it needs is found by a dry run, so without counter orders the funds always suffice.
      { refusal: "insufficient_balance", action: (venue) => venue.put(2, "sell 1 @ 30000.00") },
      TOO_MANY,
      ...WRONG_AMOUNT,
      ...WRONG_VENUE,
    ],
  ],
  [
    "market order that sells base",
    "sell 5",
    [
      { refusal: "no_counter_orders" },
      { refusal: "insufficient_balance", order: { amount: 11_000000n } },
      tooMany("sell 0.0001 @ 40000.00"),
      ...WRONG_AMOUNT,
      ...WRONG_VENUE,
    ],
  ],
];

for (const [type, first, rows] of LADDERS) {
  test(`the first check that a ${type} fails gives the answer, in the stated order`, () => {
    const { venue, alice } = tradingVenue();
    let order = venue.orderOf(alice, first);
    for (const { refusal, order: change, action } of rows) {
      action?.(venue, alice);
      order = { ...order, ...change };
      assert.equal(venue.execute(order).refusal, refusal);
    }
  });
}

for (const [type, first, rows] of LADDERS) {
  test(`of any two things that are wrong with a ${type}, the one that is checked first gives the answer`, () => {
    for (const [at, checkedFirst] of rows.entries()) {
      for (const alsoWrong of rows.slice(0, at + 1)) {
        if (alsoWrong !== checkedFirst && haveOneField(alsoWrong, checkedFirst)) continue;
        const { venue, alice } = tradingVenue();
        const order = { ...venue.orderOf(alice, first), ...alsoWrong.order, ...checkedFirst.order };
        for (const { action } of new Set([alsoWrong, checkedFirst])) action?.(venue, alice);
        const pair = `${checkedFirst.refusal} and ${alsoWrong.refusal}`;
        assert.equal(venue.execute(order).refusal, checkedFirst.refusal, pair);
      }
    }
  });
}

/** Whether they change the same field of the order, so that only one of them can be wrong. */
function haveOneField(one: Wrong, other: Wrong): boolean {
  return Object.keys(one.order ?? {}).some((name) => name in (other.order ?? {}));
}

/**
 * A limit order's amount or price at its bounds, and what becomes of it. Last price 30000, bounds 9000 BTC and 10^7
 * USDT.
 */
const BOUNDS: readonly [order: string, refusal: Refusal | undefined][] = [
  ["buy 0.0001 @ 1.00", undefined],
  ["buy 0.000099 @ 1.00", "amount_too_small"],
  ["buy 0.00010000 @ 1.000", undefined],
  ["buy 0.0001001 @ 1.00", "amount_off_grid"],
  ["buy 0.0001 @ 1.001", "price_off_grid"],
  ["buy 0 @ 1.00", "amount_too_small"],
  ["buy 0.0001 @ 0.00", "price_off_grid"],
  ["buy 0.0001 @ 0.01", undefined],
  ["buy 9000 @ 0.01", undefined],
  ["buy 9000.000001 @ 0.01", "amount_too_large"],
  ["buy 99999999999999 @ 0.01", "amount_too_large"],
  ["buy 0.0001 @ 45000.00", undefined],
  ["buy 0.0001 @ 45000.01", "price_far_from_latest"],
  ["sell 0.0001 @ 15000.00", undefined],
  ["sell 0.0001 @ 14999.99", "price_far_from_latest"],
  ["sell 0.0001 @ 10000000.00", undefined],
  ["sell 0.0001 @ 10000000.01", "price_too_high"],
  ["sell 0.0001 @ 9999999999999999999", "price_too_high"],
];

test("amounts and prices are taken up to their bounds and not beyond", () => {
  for (const [text, refusal] of BOUNDS) {
    const { venue, alice } = tradingVenue();
    assert.equal(venue.place(alice, text).refusal, refusal, text);
  }
});

test("the price band is held to the index before the first deal, and to nothing where there is no index", () => {
  const venue = bitcoinVenue();
  const alice = venue.addUser("alice", { USDT: "1000000", BTC: "10" });
  assert.equal(venue.place(alice, "sell 0.0001 @ 0.01").refusal, undefined);
  venue.accept({ kind: "cancel_all_orders", userId: alice, marketId: 0, account: "spot" });
  venue.accept({ kind: "set_index_prices", market: "BTCUSDT", sources: [{ exchange: "one", price: "100" }] });
  assert.equal(venue.place(alice, "buy 1 @ 150.01").refusal, "price_far_from_latest");
  assert.equal(venue.place(alice, "buy 1 @ 150").refusal, undefined);
  assert.equal(venue.place(alice, "sell 1 @ 49.99").refusal, "price_far_from_latest");
});

/** Funds that just suffice, and what is asked for. */
const FUNDS: readonly [funds: Readonly<Record<string, string>>, order: string, refusal: Refusal | undefined][] = [
  [{ USDT: "300" }, "buy 0.01 @ 30000.00", undefined],
  [{ USDT: "299.99999999" }, "buy 0.01 @ 30000.00", "insufficient_balance"],
  [{ USDT: "300" }, "buy 0.01 @ 30000.00 ioc", undefined],
  [{ USDT: "299.99999999" }, "buy 0.01 @ 30000.00 ioc", "insufficient_balance"],
  [{ USDT: "300" }, "buy 300 USDT", undefined],
  [{ USDT: "299.99999999" }, "buy 300 USDT", "insufficient_balance"],
  [{ USDT: "300" }, "buy 0.01", undefined],
  [{ USDT: "299.99999999" }, "buy 0.01", "insufficient_balance"],
  [{ BTC: "0.01" }, "sell 0.01 @ 31000.00", undefined],
  [{ BTC: "0.00999999" }, "sell 0.01 @ 31000.00", "insufficient_balance"],
  [{ BTC: "0.01" }, "sell 0.01", undefined],
  [{ BTC: "0.00999999" }, "sell 0.01", "insufficient_balance"],
  [{ BTC: "0.01" }, "sell 290 USDT", undefined],
  [{ BTC: "0.00999999" }, "sell 290 USDT", "insufficient_balance"],
  [{}, "buy 0.01 @ 30000.00", "insufficient_balance"],
  [{ BTC: "1" }, "buy 0.01 @ 30000.00", "insufficient_balance"],
];

test("an order needs what it may cost to be available, to the last unit, and no fee on top", () => {
  for (const [funds, text, refusal] of FUNDS) {
    const { venue } = tradingVenue();
    venue.put(2, "buy 1 @ 29000.00");
    const user = venue.addUser("user", funds);
    assert.equal(venue.place(user, text).refusal, refusal, `${JSON.stringify(funds)} ${text}`);
  }
});

test("funds that other orders have frozen are not there for another order", () => {
  const venue = bitcoinVenue();
  const alice = venue.addUser("alice", { USDT: "100" });
  venue.put(alice, "buy 1 @ 60.00");
  assert.equal(venue.place(alice, "buy 1 @ 40.01").refusal, "insufficient_balance");
  assert.equal(venue.place(alice, "buy 1 @ 40.00").refusal, undefined);
  assert.equal(venue.balance(alice, "USDT"), "0.00000000 + 100.00000000");
});

test("who does not exist cannot trade", () => {
  const venue = bitcoinVenue();
  for (const userId of [-1, 0, 1, 2_147_483_647]) {
    assert.equal(venue.place(userId, "buy 1 @ 1.00").refusal, "market_not_found");
  }
});

test("a user barred by the operator keeps resting orders and may cancel them", () => {
  const { venue, alice } = tradingVenue();
  const { orderId } = venue.put(alice, "buy 0.1 @ 100.00");
  venue.accept({ kind: "change_user", userId: alice, tradeBarred: true });
  assert.equal(venue.place(alice, "buy 0.1 @ 100.00").refusal, "trade_barred");
  assert.equal(venue.modify(alice, orderId, "price 101").refusal, "trade_barred");
  assert.equal(venue.cancel(alice, orderId).refusal, undefined);
  venue.accept({ kind: "change_user", userId: alice, tradeBarred: false });
  assert.equal(venue.place(alice, "buy 0.1 @ 100.00").refusal, undefined);
});

test("what a user still had on its way when it was frozen is refused; what waits or rests goes on", () => {
  const { venue, alice } = tradingVenue();
  const mine = { userId: alice, marketId: 0, account: "spot" } as const;
  const { orderId } = venue.put(alice, "buy 0.1 @ 29000.00");
  const stop = { ...venue.orderOf(alice, "sell 0.1 @ 29000.00"), kind: "place_stop_order", trigger: 2900000n } as const;
  venue.accept(stop);
  venue.accept({ kind: "change_user", userId: alice, frozen: true });
  const trading: readonly Command[] = [
    venue.orderOf(alice, "buy 0.1 @ 100.00"),
    { kind: "modify_order", userId: alice, marketId: 0, orderId, price: 2800000n },
    { kind: "cancel_order", userId: alice, marketId: 0, orderId },
    { kind: "cancel_all_orders", ...mine },
    { kind: "cancel_by_client_id", ...mine, clientId: "none" },
    stop,
    { kind: "modify_stop_order", userId: alice, marketId: 0, stopId: 1, price: 2800000n },
    { kind: "cancel_stop_order", userId: alice, marketId: 0, stopId: 1 },
    { kind: "cancel_stop_by_client_id", ...mine, clientId: "none" },
  ];
  for (const command of trading) assert.equal(venue.execute(command).refusal, "account_frozen", command.kind);

  venue.deposit(alice, "USDT", "1");
  const fired = venue.put(2, "sell 0.05 @ 29000.00");
  assert.equal(fired.status, "filled", "what rests trades");
  assert.equal(venue.state.stops.live, 0, "what waits fires");
  assert.equal(venue.state.orders.live, 2);
  venue.accept({ kind: "change_user", userId: alice, frozen: false });
  assert.equal(venue.execute({ kind: "cancel_all_orders", ...mine }).refusal, undefined);
});

test("cancelling all margin orders is refused where no margin is offered, whatever else stops it", () => {
  const { venue, alice } = tradingVenue();
  const all = { kind: "cancel_all_orders", userId: alice, marketId: 0, account: "margin" } as const;
  assert.equal(venue.execute(all).refusal, "margin_not_available");
  assert.equal(venue.execute({ ...all, marketId: 99 }).refusal, "market_not_found");
  venue.accept({
    kind: "plan_maintenance",
    scope: ["SPOT"],
    startedAt: venue.timeMs,
    endedAt: venue.timeMs + 1_000,
    protectDurationStart: 0,
    protectDurationEnd: 0,
    announceUrl: "",
    announceEnabled: false,
  });
  assert.equal(venue.execute(all).refusal, "margin_not_available");
  assert.equal(venue.execute({ ...all, account: "spot" }).refusal, "maintenance");
});

test("once an invariant broke only cancels are taken, until the operator lifts it", () => {
  const { venue, alice } = tradingVenue();
  const { orderId } = venue.put(alice, "buy 0.1 @ 100.00");
  venue.accept({ kind: "set_cancel_only", cancelOnly: true, reason: "test" });
  assert.equal(venue.place(alice, "buy 0.1 @ 100.00").refusal, "venue_cancel_only");
  assert.equal(venue.modify(alice, orderId, "amount 0.05").refusal, "venue_cancel_only");
  assert.equal(venue.cancel(alice, orderId).refusal, undefined);
  venue.accept({ kind: "set_cancel_only", cancelOnly: false, reason: "test" });
  assert.equal(venue.place(alice, "buy 0.1 @ 100.00").refusal, undefined);
});

/**
 * Last price 30000; 1 BTC is offered at 30000 by user 2; alice has 40000 USDT and 10 BTC. Market 1 opens far in the
 * future.
 */
function tradingVenue(): { venue: Venue; alice: number } {
  const venue = bitcoinVenue();
  venue.changeMarket("BTCUSDT", { maxAmount: "9000", maxPrice: "10000000" });
  venue.listAsset("ETH");
  venue.accept({ ...marketOf("ETH", "USDT"), onlineAt: 1_000_000 });
  const alice = venue.addUser("alice", { USDT: "40000", BTC: "10" });
  const maker = venue.addUser("maker", { USDT: "100000", BTC: "100" });
  venue.put(maker, "sell 0.01 @ 30000.00");
  venue.put(maker, "buy 0.01 @ 30000.00");
  venue.put(maker, "sell 1 @ 30000.00");
  return { venue, alice };
}

function cancelSells(venue: Venue): void {
  venue.accept({ kind: "cancel_all_orders", userId: 2, marketId: 0, account: "spot", side: "sell" });
}

function changeBoth(venue: Venue, change: { suspended?: boolean; apiTradingAvailable?: boolean }): void {
  venue.changeMarket("BTCUSDT", change);
  venue.changeMarket("ETHUSDT", change);
}
