import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FuturesVenue, rareEvents } from "../../../test/support/futures-venue.ts";
import { marginVenue } from "../../../test/support/margin-venue.ts";
import { bitcoinVenue, endedIds, endedOrders, type Venue } from "../../../test/support/venue.ts";
import { USER_FLAG } from "../accounts/user.ts";
import type { Refusal } from "../refusal.ts";
import { protections } from "../trading/protections.ts";
import { FILLS_MAX } from "./protect.ts";

const ALICE = 1;
const BOB = 2;

interface Limits {
  readonly windowMs?: number;
  readonly fills?: number;
  readonly amount?: string;
  readonly delta?: string;
  readonly marketId?: number;
}

function protect(userId: number, { windowMs = 1_000, marketId = 0, ...limits }: Limits) {
  return { kind: "set_protection", userId, marketId, windowMs, ...limits } as const;
}

function reset(userId: number, marketId = 0) {
  return { kind: "reset_protection", userId, marketId } as const;
}

/** Alice asks 1 each at 101 to 105 and bids 1 at 99; bob has money. */
function quotingVenue(): Venue {
  const venue = bitcoinVenue();
  for (const name of ["alice", "bob"]) venue.addUser(name, { BTC: "100", USDT: "1000000" });
  for (const price of [101, 102, 103, 104, 105]) venue.put(ALICE, `sell 1 @ ${price}`);
  venue.put(ALICE, "buy 1 @ 99");
  return venue;
}

describe("the protection of quotes", () => {
  test("pulls all quotes of the market within the order whose fill reaches a limit, before it meets the next", () => {
    const venue = quotingVenue();
    venue.accept(protect(ALICE, { fills: 2 }));
    const done = venue.place(BOB, "buy 4 @ 110");
    assert.deepEqual(
      done.deals.map((deal) => venue.dealText(deal)),
      ["1 @ 101.00", "1 @ 102.00"],
    );
    assert.deepEqual(rareEvents(done, "quotes_pulled"), [
      { type: "quotes_pulled", userId: ALICE, marketId: 0, limit: "fills", atMs: 1_000 },
    ]);
    assert.deepEqual(
      endedOrders(done).map(({ orderId, status }) => `${orderId} ${status}`),
      ["1 filled", "2 filled", "3 canceled", "4 canceled", "5 canceled", "6 canceled"],
    );
    assert.deepEqual([venue.levels("sell"), venue.levels("buy")], [[], ["2 @ 110.00"]]);
    venue.assertRepeatable();
  });

  test("refuses quotes until it is reset, in this market alone, and nothing that takes", () => {
    const venue = quotingVenue();
    venue.listAsset("ETH");
    venue.listMarket("ETH", "USDT");
    venue.accept(protect(ALICE, { fills: 1 }));
    const waiting = venue.accept({
      ...venue.orderOf(ALICE, "buy 1 @ 98"),
      kind: "place_stop_order",
      trigger: 9_900n,
    });
    assert.equal(waiting.refusal, undefined, "what waits is asked when it fires");
    venue.place(BOB, "buy 0.5 @ 110");
    for (const text of ["buy 1 @ 99", "sell 1 @ 120", "sell 1 @ 120 maker_only", "sell 1 @ 90"]) {
      assert.equal(venue.place(ALICE, text).refusal, "quotes_held", text);
    }
    venue.put(BOB, "buy 3 @ 99");
    for (const text of ["sell 1", "sell 1 @ 99 ioc", "sell 1 @ 99 fok"]) venue.put(ALICE, text);
    venue.put(ALICE, "buy 1 @ 2", "ETHUSDT");
    venue.put(BOB, "sell 1 @ 130");
    venue.accept(reset(ALICE));
    const { orderId } = venue.put(ALICE, "buy 1 @ 97");
    venue.put(BOB, "buy 1 @ 97");
    venue.place(BOB, "sell 0.5 @ 97");
    assert.equal(venue.modify(ALICE, orderId, "price 96").refusal, "order_not_found", "it was pulled");
    venue.assertRepeatable();
  });

  test("stops a stop order that fires while quotes are held", () => {
    const venue = quotingVenue();
    venue.accept(protect(ALICE, { fills: 1 }));
    venue.accept({ ...venue.orderOf(ALICE, "buy 1 @ 98"), kind: "place_stop_order", trigger: 9_900n });
    venue.put(BOB, "sell 1 @ 108");
    venue.place(BOB, "buy 0.1 @ 101");
    venue.put(BOB, "buy 1 @ 99");
    const done = venue.place(BOB, "sell 1 @ 99");
    assert.equal(venue.state.stops.live, 0);
    assert.deepEqual(endedIds(done).length, 2);
    assert.deepEqual(venue.levels("buy"), []);
    venue.assertRepeatable();
  });

  for (const [what, limits, lots, limit] of [
    ["the number of fills", { fills: 3 }, ["0.1", "0.1", "0.1"], "fills"],
    ["the amount of both sides together", { amount: "1.5" }, ["0.7", "0.7", "0.1"], "amount"],
    ["the first of several limits", { fills: 2, amount: "0.2" }, ["0.1", "0.1"], "fills"],
  ] as const) {
    test(`counts ${what}, and the fill that reaches it is whole`, () => {
      const venue = quotingVenue();
      venue.accept(protect(ALICE, limits));
      for (const [at, amount] of lots.entries()) {
        assert.equal(
          endedIds(venue.place(BOB, at % 2 === 0 ? `buy ${amount} @ 105` : `sell ${amount} @ 99`)).includes(5),
          at === lots.length - 1,
        );
      }
      assert.equal(protections.of(venue.state).of(ALICE, 0)?.reached?.limit, limit);
      venue.assertRepeatable();
    });
  }

  test("counts a fill for exactly as long as the window is", () => {
    const venue = quotingVenue();
    venue.accept(protect(ALICE, { fills: 2, windowMs: 500 }));
    venue.place(BOB, "buy 0.1 @ 101");
    venue.timeMs += 500;
    assert.deepEqual(
      endedIds(venue.place(BOB, "buy 0.1 @ 101")).length,
      1,
      "the first is forgotten to the millisecond",
    );
    venue.timeMs += 499;
    assert.equal(endedIds(venue.place(BOB, "buy 0.1 @ 101")).length, 7);
    venue.assertRepeatable();
  });

  test("counts what others fill of quotes, not what their owner takes", () => {
    const venue = quotingVenue();
    venue.put(BOB, "buy 5 @ 100");
    venue.accept(protect(ALICE, { fills: 1 }));
    assert.equal(venue.place(ALICE, "sell 1 @ 100 ioc").deals.length, 1);
    assert.deepEqual([venue.levels("sell").length, protections.of(venue.state).of(ALICE, 0)?.rows], [5, []]);
  });

  test("cancels what its owner has left of an order that fills his own quotes", () => {
    const venue = quotingVenue();
    venue.accept(protect(ALICE, { fills: 1 }));
    const done = venue.place(ALICE, "buy 3 @ 103");
    assert.equal(done.order?.status, "part_canceled");
    assert.deepEqual([venue.levels("buy"), venue.levels("sell")], [[], []]);
    venue.assertRepeatable();
  });

  test("leaves a fok order whole or not at all, and a market order with the money that it needs", () => {
    const venue = quotingVenue();
    venue.put(BOB, "sell 5 @ 106");
    const carol = venue.addUser("carol", { USDT: "1000" });
    venue.accept(protect(ALICE, { fills: 2 }));
    assert.equal(venue.place(carol, "buy 3 @ 105 fok").refusal, "not_fillable");
    // Two at 101 and 102, then one at 106: with 308 it would not do.
    const poor = venue.addUser("poor", { USDT: "308.5" });
    assert.equal(venue.place(poor, "buy 3 BTC").refusal, "insufficient_balance");
    const done = venue.place(carol, "buy 3 BTC");
    assert.deepEqual(
      done.deals.map((deal) => venue.dealText(deal)),
      ["1 @ 101.00", "1 @ 102.00", "1 @ 106.00"],
    );
    assert.equal(venue.balance(carol, "USDT"), "691.00000000 + 0.00000000");
    venue.accept(reset(ALICE));
    for (const price of [101, 102]) venue.put(ALICE, `sell 1 @ ${price}`);
    assert.equal(venue.accept(venue.orderOf(carol, "buy 2 @ 102 fok")).deals.length, 2);
    venue.assertRepeatable();
  });

  test("pulls after an opening auction, whose fills are one, and nothing of it before", () => {
    const venue = bitcoinVenue();
    venue.listAsset("ETH");
    venue.listMarket("ETH", "USDT", { biddingAt: 5_000, noCancelAt: 8_000, onlineAt: 10_000 });
    for (const name of ["alice", "bob"]) venue.addUser(name, { ETH: "100", USDT: "1000000" });
    venue.wait(4_000);
    const marketId = venue.marketNamed("ETHUSDT").id;
    venue.accept(protect(ALICE, { marketId, fills: 1 }));
    for (const price of [100, 101, 150]) venue.put(ALICE, `sell 1 @ ${price}`, "ETHUSDT");
    venue.put(BOB, "buy 2 @ 110", "ETHUSDT");
    const done = venue.wait(5_000);
    assert.equal(done.deals.length, 2);
    assert.deepEqual(venue.levels("sell", "ETHUSDT"), []);
    assert.equal(venue.place(ALICE, "sell 1 @ 150", "ETHUSDT").refusal, "quotes_held");
    venue.assertRepeatable();
  });

  test("is of the account that set it: its margin orders in the market go too, those of a sub-account stay", () => {
    const venue = marginVenue();
    const [maker, taker] = ["maker", "taker"].map((name) => venue.addUser(name, { BTC: "10", USDT: "900000" }));
    assert.ok(maker !== undefined && taker !== undefined);
    venue.transfer(maker, "BTC", "2");
    const done = venue.accept({ kind: "create_sub_account", userId: maker, name: "maker-bot", permissions: ["API"] });
    const { userId: sub } = done.result as { userId: number };
    venue.deposit(sub, "BTC", "2");
    venue.put(maker, "sell 1 @ 30001");
    venue.put(maker, "sell 1 @ 30002 margin");
    venue.put(maker, "sell 1 @ 30003 margin");
    venue.put(sub, "sell 1 @ 30004");
    venue.accept(protect(maker, { amount: "1.5" }));
    venue.put(taker, "buy 2 @ 30002");
    assert.deepEqual(venue.levels("sell"), ["1 @ 30004.00"]);
    assert.equal(venue.place(maker, "sell 1 @ 31000 margin").refusal, "quotes_held");
    venue.put(sub, "sell 0.0001 @ 31000");
    venue.assertRepeatable();
  });

  test("goes over a restart, wherever that is", () => {
    const venue = quotingVenue();
    venue.accept(protect(ALICE, { fills: 3, amount: "5" }));
    venue.place(BOB, "buy 0.5 @ 101");
    venue.timeMs += 300;
    venue.place(BOB, "buy 0.4 @ 102");
    venue.put(ALICE, "buy 1 @ 98");
    venue.place(BOB, "buy 1 @ 102");
    venue.accept(reset(ALICE));
    venue.put(ALICE, "buy 1 @ 97");
    venue.accept(protect(ALICE, { windowMs: 0 }));
    for (let cut = 0; cut < venue.log.length; cut++) venue.assertRepeatable(cut);
  });

  test("set anew while quotes are held holds them until it is reset; ended it holds nothing", () => {
    const venue = quotingVenue();
    venue.accept(protect(ALICE, { fills: 1 }));
    venue.place(BOB, "buy 0.5 @ 101");
    venue.accept(protect(ALICE, { fills: 10 }));
    assert.equal(venue.place(ALICE, "buy 1 @ 90").refusal, "quotes_held");
    venue.accept(reset(ALICE));
    venue.put(ALICE, "buy 1 @ 90");
    venue.place(BOB, "sell 1 @ 90");
    venue.accept(protect(ALICE, { windowMs: 0 }));
    assert.equal(venue.state.users.flags(ALICE) & (USER_FLAG.quotesHeld | USER_FLAG.quotesProtected), 0);
    assert.equal(venue.execute(reset(ALICE)).refusal, "invalid_command");
  });

  test("leaves with its market", () => {
    const venue = quotingVenue();
    venue.accept(protect(ALICE, { fills: 1 }));
    venue.place(BOB, "buy 0.5 @ 101");
    venue.changeMarket("BTCUSDT", { delistedAt: 2_000 });
    venue.wait(5_000);
    assert.deepEqual(protections.of(venue.state).all(), []);
    assert.equal(venue.state.users.flags(ALICE) & USER_FLAG.quotesHeld, 0);
    venue.assertRepeatable();
  });

  test("remembers no more than its limit of fills, which is at most a thousand", () => {
    const venue = quotingVenue();
    venue.put(ALICE, "sell 50 @ 100");
    venue.accept(protect(ALICE, { amount: "90", windowMs: 60_000 }));
    venue.acceptAll(Array.from({ length: FILLS_MAX - 1 }, () => venue.orderOf(BOB, "buy 0.001 @ 100")));
    const protection = protections.of(venue.state).of(ALICE, 0);
    assert.deepEqual([protection?.rows.length, protection?.reached], [FILLS_MAX - 1, undefined]);
    venue.place(BOB, "buy 0.001 @ 100");
    assert.equal(protection?.reached?.limit, "fills");
  });

  const REFUSED: readonly (readonly [
    command: Partial<Limits> & { readonly userId?: number },
    refusal: Refusal,
    says: RegExp,
  ])[] = [
    [{ userId: 3, fills: 1 }, "user_not_found", /no user 3/],
    [{ marketId: 7, fills: 1 }, "market_not_found", /no such market/],
    [{ windowMs: 99, fills: 1 }, "invalid_command", /window_ms must be 0, or from 100 to 60000/],
    [{ windowMs: 60_001, fills: 1 }, "invalid_command", /window_ms/],
    [{}, "invalid_command", /at least one/],
    [{ fills: 0 }, "invalid_command", /max_fills must be from 1 to 1000/],
    [{ fills: 1_001 }, "invalid_command", /max_fills/],
    [{ amount: "0" }, "invalid_command", /above 0, with at most 6 decimals/],
    [{ amount: "0.0000001" }, "invalid_command", /above 0/],
    [{ amount: "9".repeat(19) }, "invalid_command", /above 0/],
    [{ delta: "1" }, "invalid_command", /futures/],
  ];
  for (const [{ userId = ALICE, ...limits }, refusal, says] of REFUSED) {
    test(`is refused with ${refusal}: ${JSON.stringify({ userId, ...limits })}`, () => {
      const done = quotingVenue().execute(protect(userId, limits));
      assert.equal(done.refusal, refusal);
      assert.match(done.detail ?? "", says);
    });
  }
});

describe("the protection of quotes of a futures market", () => {
  function contracts() {
    const venue = new FuturesVenue();
    const [maker, taker] = ["maker", "taker"].map((name) => venue.addTrader(name, { USDT: "1000000" })) as [
      number,
      number,
    ];
    const marketId = venue.futuresNamed("BTCUSDT").id;
    for (const price of ["30010.00", "30020.00", "30030.00"]) venue.rest(maker, `sell 1 @ ${price}`);
    for (const price of ["29990.00", "29980.00", "29970.00"]) venue.rest(maker, `buy 1 @ ${price}`);
    return { venue, maker, taker, marketId };
  }

  test("counts what was bought less what was sold", () => {
    const { venue, maker, taker, marketId } = contracts();
    venue.accept(protect(maker, { marketId, delta: "1.5" }));
    venue.trade(taker, "buy 1 @ 30010.00");
    venue.trade(taker, "sell 1 @ 29990.00");
    venue.trade(taker, "buy 1 @ 30020.00");
    const done = venue.trade(taker, "buy 0.5 @ 30030.00");
    assert.deepEqual(
      rareEvents(done, "quotes_pulled").map(({ limit }) => limit),
      ["delta"],
    );
    assert.equal(venue.trade(maker, "buy 1 @ 29000.00").refusal, "quotes_held");
    venue.assertRepeatable();
  });

  test("leaves orders that only reduce, which may be placed while quotes are held and are no quotes", () => {
    const { venue, maker: other, taker, marketId } = contracts();
    const maker = venue.addTrader("short", { USDT: "100000" });
    venue.rest(maker, "sell 1 @ 30005.00");
    venue.rest(maker, "sell 1 @ 30050.00");
    venue.trade(other, "buy 1 @ 30005.00");
    assert.equal(venue.close(maker, "limit 29995.00 0.4").refusal, undefined);
    venue.accept(protect(maker, { marketId, fills: 1 }));
    assert.equal(venue.trade(taker, "sell 0.1 @ 29995.00").deals.length, 1, "a fill that closes does not count");
    venue.trade(taker, "buy 4 @ 30050.00");
    assert.equal(venue.trade(maker, "sell 1 @ 30060.00").refusal, "quotes_held");
    assert.equal(venue.trade(taker, "sell 0.1 @ 29995.00").deals.length, 1, "the order that closes is still there");
    assert.equal(venue.close(maker, "limit 29000.00 0.2").refusal, undefined);
    venue.assertRepeatable();
  });

  test("a dry run knows that quotes will be pulled", () => {
    const { venue, maker, taker, marketId } = contracts();
    const other = venue.addTrader("other", { USDT: "1000000" });
    venue.rest(other, "sell 5 @ 30040.00");
    venue.accept(protect(maker, { marketId, amount: "0.5" }));
    assert.equal(venue.trade(taker, "buy 2 @ 30030.00 fok").refusal, "not_fillable");
    const done = venue.trade(taker, "buy 2 @ 30040.00 fok");
    assert.deepEqual(
      done.deals.map(({ price }) => price),
      [3_001_000n, 3_004_000n],
    );
    venue.assertRepeatable();
  });
});
