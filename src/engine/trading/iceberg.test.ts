import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { FuturesVenue, rareEvents } from "../../../test/support/futures-venue.ts";
import { marginVenue } from "../../../test/support/margin-venue.ts";
import { runs } from "../../../test/support/runs.ts";
import { bitcoinVenue, type Done, endedOrders, type Venue } from "../../../test/support/venue.ts";
import type { Account } from "../command.ts";
import type { Leg } from "../stops/command-schemas.ts";
import { readStop } from "../stops/emit-stop.ts";
import { against } from "./against.ts";
import { levelsAtRisk } from "./at-risk.ts";
import { SLICES_MAX } from "./iceberg.ts";
import { PlainBook } from "./plain-book.ts";

const ALICE = 1;
const BOB = 2;
const CAROL = 3;

/** Three users with money, in a market without orders. */
function spotVenue(isPlain = false): Venue {
  const venue = bitcoinVenue(isPlain ? (...args) => new PlainBook(...args) : undefined);
  for (const name of ["alice", "bob", "carol"]) venue.addUser(name, { BTC: "100", USDT: "10000000" });
  return venue;
}

/** Places an iceberg, written as "sell 5 @ 101 shows 1" and further fields of the order. */
function place(venue: Venue, userId: number, text: string, more: Partial<Leg> = {}, account: Account = "spot"): Done {
  const [, side, amount, price, display] = /^(\w+) (\S+) @ (\S+) shows (\S+)$/.exec(text) ?? assert.fail(text);
  const leg = { side, type: "limit", amount, price, display, ...more } as Leg;
  return venue.execute({ kind: "place_conditional", userId, marketId: 0, account, shape: "single", legs: [leg] });
}

/** As `place`, of one that is accepted; its order id. */
function put(venue: Venue, userId: number, text: string, more: Partial<Leg> = {}, account: Account = "spot"): number {
  const done = place(venue, userId, text, more, account);
  assert.equal(done.refusal, undefined, `${done.detail}`);
  return (done.result as { readonly orderId: number }).orderId;
}

/** Deals as "1 @ 101.00 of 3", by the maker's order. */
function dealsOf(venue: Venue, { deals }: Done): string[] {
  return deals.map((deal) => `${venue.dealText(deal)} of ${deal.maker.orderId}`);
}

/** Lots as "left shown": what an iceberg has, and what the book shows of it. */
function slice(venue: Venue, orderId: number): string {
  const { orders } = venue.state;
  const slot = orders.find(orderId);
  assert.ok(slot >= 0, `order ${orderId} rests`);
  return `${orders.left(slot)} ${orders.shown(slot)}`;
}

for (const isPlain of [false, true]) {
  describe(`an iceberg in a ${isPlain ? "plain" : "quick"} book`, () => {
    test("shows a slice, and the next one behind those who came meanwhile", () => {
      const venue = spotVenue(isPlain);
      const iceberg = put(venue, ALICE, "sell 2.5 @ 101 shows 1");
      const other = venue.put(BOB, "sell 1 @ 101").orderId;
      assert.deepEqual(venue.levels("sell"), ["2 @ 101.00"]);
      assert.equal(venue.balance(ALICE, "BTC"), "97.50000000 + 2.50000000");

      assert.deepEqual(dealsOf(venue, venue.place(CAROL, "buy 0.4 @ 101")), [`0.4 @ 101.00 of ${iceberg}`]);
      assert.deepEqual(venue.levels("sell"), ["1.6 @ 101.00"]);
      assert.deepEqual(dealsOf(venue, venue.place(CAROL, "buy 0.6 @ 101")), [`0.6 @ 101.00 of ${iceberg}`]);
      assert.deepEqual(venue.levels("sell"), ["2 @ 101.00"], "the next slice is shown in the same command");
      assert.deepEqual(dealsOf(venue, venue.place(CAROL, "buy 1.2 @ 101")), [
        `1 @ 101.00 of ${other}`,
        `0.2 @ 101.00 of ${iceberg}`,
      ]);
      const last = venue.place(CAROL, "buy 5 @ 101");
      assert.deepEqual(dealsOf(venue, last), [`0.8 @ 101.00 of ${iceberg}`, `0.5 @ 101.00 of ${iceberg}`]);
      assert.deepEqual(
        endedOrders(last).map(({ orderId, status }) => [orderId, status]),
        [[iceberg, "filled"]],
      );
      assert.deepEqual([venue.levels("sell"), venue.levels("buy")], [[], ["3.7 @ 101.00"]]);
      assert.equal(venue.state.orders.icebergs.size, 0);
      venue.assertRepeatable();
    });

    test("trades slice by slice in turn with other icebergs, before hidden orders and worse prices", () => {
      const venue = spotVenue(isPlain);
      const first = put(venue, ALICE, "sell 3 @ 101 shows 1");
      const hidden = venue.put(BOB, "sell 1 @ 101 hidden").orderId;
      const second = put(venue, BOB, "sell 1.5 @ 101 shows 0.5");
      const worse = venue.put(BOB, "sell 1 @ 102").orderId;
      assert.deepEqual(dealsOf(venue, venue.place(CAROL, "buy 6 @ 102 fok")), [
        `1 @ 101.00 of ${first}`,
        `0.5 @ 101.00 of ${second}`,
        `1 @ 101.00 of ${first}`,
        `0.5 @ 101.00 of ${second}`,
        `1 @ 101.00 of ${first}`,
        `0.5 @ 101.00 of ${second}`,
        `1 @ 101.00 of ${hidden}`,
        `0.5 @ 102.00 of ${worse}`,
      ]);
      venue.assertRepeatable();
    });

    test("is whole for who takes it at once: fok and market orders count what is not shown", () => {
      const venue = spotVenue(isPlain);
      put(venue, ALICE, "sell 5 @ 101 shows 1");
      assert.equal(venue.place(BOB, "buy 5.1 @ 101 fok").refusal, "not_fillable");
      assert.deepEqual(venue.place(BOB, "buy 5 @ 101 fok").deals.length, 5);
      put(venue, ALICE, "sell 5 @ 101 shows 1");
      venue.addUser("poor", { USDT: "404" });
      assert.equal(venue.place(4, "buy 4.1 BTC").refusal, "insufficient_balance");
      assert.equal(venue.place(4, "buy 4 BTC").deals.length, 4);
    });

    test("trades all that it can as it is placed, and shows a slice of the rest", () => {
      const venue = spotVenue(isPlain);
      venue.put(BOB, "buy 3 @ 101");
      const done = place(venue, ALICE, "sell 5 @ 100 shows 1");
      assert.deepEqual(
        done.deals.map((deal) => venue.dealText(deal)),
        ["3 @ 101.00"],
      );
      assert.deepEqual(venue.levels("sell"), ["1 @ 100.00"]);
      const filled = place(venue, BOB, "buy 2 @ 100 shows 1");
      assert.equal(filled.deals.length, 2);
      assert.deepEqual([venue.levels("sell"), venue.state.orders.icebergs.size], [[], 0]);
      venue.assertRepeatable();
    });

    test("keeps its place when it shrinks, and goes to the back with a new slice when it grows or moves", () => {
      const venue = spotVenue(isPlain);
      const iceberg = put(venue, ALICE, "sell 5 @ 101 shows 1");
      const other = venue.put(BOB, "sell 1 @ 101").orderId;
      venue.place(CAROL, "buy 0.3 @ 101");
      assert.equal(slice(venue, iceberg), "4700000 700000");
      assert.equal(venue.modify(ALICE, iceberg, "amount 2").refusal, undefined);
      assert.equal(slice(venue, iceberg), "1700000 700000", "less comes off what is not shown");
      assert.equal(venue.modify(ALICE, iceberg, "amount 0.8").refusal, undefined);
      assert.equal(slice(venue, iceberg), "500000 500000");
      assert.deepEqual(dealsOf(venue, venue.place(CAROL, "buy 0.1 @ 101")), [`0.1 @ 101.00 of ${iceberg}`]);
      venue.modify(ALICE, iceberg, "amount 5");
      assert.equal(slice(venue, iceberg), "4600000 1000000");
      assert.deepEqual(dealsOf(venue, venue.place(CAROL, "buy 1.1 @ 101")), [
        `1 @ 101.00 of ${other}`,
        `0.1 @ 101.00 of ${iceberg}`,
      ]);
      venue.modify(ALICE, iceberg, "price 102");
      assert.equal(slice(venue, iceberg), "4500000 1000000");
      assert.deepEqual(venue.levels("sell"), ["1 @ 102.00"]);
      venue.put(BOB, "buy 2 @ 103");
      assert.deepEqual(venue.levels("sell"), ["1 @ 102.00"]);
      venue.put(BOB, "buy 2 @ 100");
      assert.equal(venue.modify(ALICE, iceberg, "price 100").deals.length, 1, "a change that crosses takes whole");
      assert.equal(slice(venue, iceberg), "500000 500000");
      venue.assertRepeatable();
    });

    test("is ended whole by its owner and by self-trade protection", () => {
      const venue = spotVenue(isPlain);
      const iceberg = put(venue, ALICE, "sell 5 @ 101 shows 1");
      const done = venue.place(ALICE, "buy 1 @ 101 stp:cm");
      assert.deepEqual([endedOrders(done)[0]?.orderId, done.deals.length], [iceberg, 0]);
      const next = put(venue, BOB, "sell 5 @ 103 shows 1");
      assert.equal(venue.cancel(BOB, next).refusal, undefined);
      assert.deepEqual([venue.levels("sell"), venue.balance(BOB, "BTC")], [[], "100.00000000 + 0.00000000"]);
      venue.assertRepeatable();
    });
  });
}

test("a sweep of a book foresees each fill that matching makes of it", () => {
  const order = fc.record({
    userId: fc.constantFrom(ALICE, BOB),
    price: fc.integer({ min: 101, max: 103 }),
    amount: fc.integer({ min: 2, max: 40 }),
    display: fc.integer({ min: 1, max: 40 }),
    isHidden: fc.boolean(),
    taken: fc.option(fc.integer({ min: 1, max: 60 })),
  });
  fc.assert(
    fc.property(fc.array(order, { minLength: 1, maxLength: 12 }), (drawn) => {
      const venue = spotVenue();
      for (const { userId, price, amount, display, isHidden, taken } of drawn) {
        if (display < amount && display * 20 >= amount) {
          put(venue, userId, `sell ${amount / 10} @ ${price} shows ${display / 10}`);
        } else venue.put(userId, `sell ${amount / 10} @ ${price}${isHidden ? " hidden" : ""}`);
        if (taken !== null) venue.place(CAROL, `buy ${taken / 10} @ 102 ioc`);
      }
      const { state } = venue;
      const foreseen = [...against(state, venue.marketNamed("BTCUSDT"), 0)].map(
        ({ lots, price, slot }) => `${lots} @ ${price} of ${state.orders.orderId(slot)}`,
      );
      const { deals } = venue.place(CAROL, "buy 90 @ 103 ioc");
      assert.deepEqual(
        deals.map(({ lots, price, maker }) => `${lots} @ ${price} of ${maker.orderId}`),
        foreseen,
      );
    }),
    runs(100),
  );
});

describe("the amount that an order displays", () => {
  for (const [text, more, answer] of [
    ["sell 5 @ 101 shows 5", {}, /display_amount must be less than the amount/],
    ["sell 5 @ 101 shows 0", {}, /display_amount must be above 0/],
    ["sell 5 @ 101 shows 0.00000001", {}, /no more decimals/],
    ["sell 5 @ 101 shows 1", { type: "ioc" }, /only limit and maker_only/],
    ["sell 5 @ 101 shows 1", { hidden: true }, /a hidden order displays nothing/],
    ["sell 5 @ 101 shows 0.249999", {}, "display_too_small"],
    ["sell 0.0015 @ 101 shows 0.0005", {}, "display_too_small"],
    ["sell 500 @ 101 shows 50", {}, "insufficient_balance"],
    ["sell 5 @ 100 shows 1", { type: "maker_only" }, "would_take"],
  ] as const) {
    test(`${text} ${JSON.stringify(more)} is refused: ${answer}`, () => {
      const venue = spotVenue();
      venue.changeMarket("BTCUSDT", { minAmount: "0.001" });
      venue.put(BOB, "buy 1 @ 100");
      const { refusal, detail } = place(venue, ALICE, text, more);
      if (typeof answer === "string") assert.equal(refusal, answer);
      else assert.match(`${refusal} ${detail}`, answer);
    });
  }

  test("may be a twentieth of the amount, and a change to more than that is refused", () => {
    const venue = spotVenue();
    const iceberg = put(venue, ALICE, "sell 20 @ 101 shows 1");
    assert.equal(venue.modify(ALICE, iceberg, "amount 20.000001").refusal, "display_too_small");
    assert.equal(venue.modify(ALICE, iceberg, "amount 0.5").refusal, undefined);
    assert.deepEqual(venue.levels("sell"), ["0.5 @ 101.00"]);
    assert.equal(venue.modify(ALICE, iceberg, "amount 20").refusal, undefined);
    assert.equal(venue.place(BOB, "buy 20 @ 101").deals.length, Number(SLICES_MAX));
  });

  test("is told once, with its order, and an order that is refused leaves nothing", () => {
    const venue = spotVenue();
    const told = rareEvents(place(venue, ALICE, "sell 5 @ 101 shows 1"), "iceberg_placed");
    assert.deepEqual(told, [
      { type: "iceberg_placed", userId: ALICE, marketId: 0, orderId: 1, displayLots: "1000000" },
    ]);
    assert.equal(place(venue, ALICE, "sell 500 @ 101 shows 100").refusal, "insufficient_balance");
    assert.equal(venue.state.orders.icebergs.size, 1);
  });
});

describe("a stop order that becomes an iceberg", () => {
  test("waits as any other and shows a slice when it has fired", () => {
    const venue = spotVenue();
    venue.put(BOB, "sell 1 @ 100");
    venue.put(CAROL, "buy 1 @ 100");
    const { stopIds, orderId } = place(venue, ALICE, "sell 5 @ 101 shows 1", { trigger: "99" }).result as {
      stopIds: number[];
      orderId: number;
    };
    assert.equal(orderId, 0);
    const [stopId] = stopIds as [number];
    assert.equal(readStop(venue.state, venue.state.stops.find(stopId)).display, 1_000_000n);
    const change = { kind: "modify_stop_order", userId: ALICE, marketId: 0, stopId } as const;
    assert.equal(venue.execute({ ...change, amount: 30_000_000n }).refusal, "display_too_small");
    venue.accept({ ...change, amount: 4_000_000n });
    venue.put(BOB, "buy 1 @ 99");
    venue.place(CAROL, "sell 1 @ 99");
    assert.deepEqual(venue.levels("sell"), ["1 @ 101.00"]);
    assert.equal(venue.balance(ALICE, "BTC"), "96.00000000 + 4.00000000");
    venue.assertRepeatable();
  });

  test("leaves nothing when its order is refused", () => {
    const venue = spotVenue();
    venue.put(BOB, "sell 1 @ 100");
    venue.put(CAROL, "buy 1 @ 100");
    place(venue, ALICE, "sell 500 @ 101 shows 100", { trigger: "99" });
    venue.put(BOB, "buy 1 @ 99");
    venue.place(CAROL, "sell 1 @ 99");
    assert.deepEqual([venue.state.orders.icebergs.size, venue.state.stops.live], [0, 0]);
    assert.deepEqual(venue.put(ALICE, "sell 5 @ 110").left, 5_000_000n);
    assert.deepEqual(venue.levels("sell"), ["5 @ 110.00"]);
    venue.assertRepeatable();
  });

  test("of a pair, and the entry of a bracket, are icebergs too", () => {
    const venue = spotVenue();
    venue.put(BOB, "sell 1 @ 100");
    venue.put(CAROL, "buy 1 @ 100");
    const of = { kind: "place_conditional", userId: ALICE, marketId: 0, account: "spot" } as const;
    const order = { side: "sell", type: "limit", amount: "5", price: "110", display: "1" } as const;
    venue.accept({ ...of, shape: "oco", legs: [order, { ...order, price: "90", trigger: "95" }] });
    assert.deepEqual(venue.levels("sell"), ["1 @ 110.00"]);
    const exit = { side: "sell", type: "market", amount: "5" } as const;
    const entry = { side: "buy", type: "limit", amount: "5", price: "98", display: "1" } as const;
    venue.accept({ ...of, shape: "bracket", legs: [entry, { ...exit, trigger: "120" }, { ...exit, trigger: "80" }] });
    assert.deepEqual(venue.levels("buy"), ["1 @ 98.00"]);
    venue.place(BOB, "buy 1.5 @ 110");
    assert.equal(venue.state.stops.live, 2, "the first fill of one of a pair cancels the other");
    venue.assertRepeatable();
  });
});

describe("an iceberg among the rules of others", () => {
  test("counts as one fill of a protection for each slice, and is pulled whole", () => {
    const venue = spotVenue();
    put(venue, ALICE, "sell 5 @ 101 shows 1");
    venue.put(ALICE, "sell 1 @ 102");
    venue.accept({ kind: "set_protection", userId: ALICE, marketId: 0, windowMs: 1_000, fills: 3 });
    assert.equal(venue.place(BOB, "buy 4 @ 102 fok").refusal, "not_fillable");
    assert.equal(venue.place(BOB, "buy 4 @ 102").deals.length, 3);
    assert.deepEqual(venue.levels("sell"), []);
    venue.assertRepeatable();
  });

  test("offers at risk what it shows, and no more of what stands behind it than a protection lets be filled", () => {
    const venue = spotVenue();
    const market = venue.marketNamed("BTCUSDT");
    const atRisk = (before?: number) => [...levelsAtRisk(venue.state, market, 1, before)].map(({ lots }) => lots);
    const before = venue.state.nextPrio + 1;
    put(venue, ALICE, "sell 3 @ 101 shows 1");
    venue.put(ALICE, "sell 2 @ 102");
    assert.deepEqual(atRisk(), [1_000_000n, 2_000_000n]);
    venue.accept({ kind: "set_protection", userId: ALICE, marketId: 0, windowMs: 1_000, fills: 3 });
    assert.deepEqual(atRisk(), [1_000_000n], "its three slices reach the limit before the next price");
    venue.accept({ kind: "set_protection", userId: ALICE, marketId: 0, windowMs: 1_000, fills: 4 });
    assert.deepEqual(atRisk(), [1_000_000n, 2_000_000n]);
    venue.place(BOB, "buy 0.5 @ 101");
    assert.deepEqual(atRisk(before), [500_000n], "a slice has rested since it was shown first");
    venue.place(BOB, "buy 0.5 @ 101");
    assert.deepEqual(atRisk(before), [], "the next one begins anew");
  });

  test("opens a market with all that it has, slice by slice", () => {
    const venue = spotVenue();
    venue.listAsset("ETH");
    venue.listMarket("ETH", "USDT", { biddingAt: 2_000, onlineAt: 4_000 });
    for (const user of [ALICE, BOB, CAROL]) venue.deposit(user, "ETH", "100");
    venue.timeMs = 2_000;
    venue.accept({ kind: "tick" });
    const leg = { side: "sell", type: "limit", amount: "3", price: "100", display: "1" } as const;
    const of = { kind: "place_conditional", userId: ALICE, account: "spot", shape: "single" } as const;
    venue.accept({ ...of, marketId: 1, legs: [leg] });
    venue.put(BOB, "sell 1 @ 100", "ETHUSDT");
    venue.put(CAROL, "buy 3.5 @ 101", "ETHUSDT");
    venue.timeMs = 4_000;
    const { deals } = venue.accept({ kind: "tick" });
    assert.deepEqual(
      deals.map((deal) => [venue.dealText(deal), deal.maker.userId === ALICE || deal.taker.userId === ALICE]),
      [
        ["1 @ 101.00", true],
        ["1 @ 101.00", false],
        ["1 @ 101.00", true],
        ["0.5 @ 101.00", true],
      ].map(([text, isAlices]) => [(text as string).replace("101", "100"), isAlices]),
    );
    assert.deepEqual(venue.levels("sell", "ETHUSDT"), ["0.5 @ 100.00"]);
    venue.assertRepeatable();
  });

  test("of a margin account is placed with what the account has", () => {
    const venue = marginVenue();
    const trader = venue.addUser("trader", { USDT: "1000" });
    venue.transfer(trader, "USDT", "1000");
    assert.equal(place(venue, trader, "buy 0.05 @ 29000 shows 0.01", {}, "margin").refusal, "insufficient_balance");
    const iceberg = put(venue, trader, "buy 0.03 @ 29000 shows 0.01", {}, "margin");
    assert.equal(slice(venue, iceberg), "30000 10000");
    venue.assertRepeatable();
  });
});

describe("an iceberg of futures", () => {
  /** Alice, bob and carol with money. */
  function contracts(): FuturesVenue {
    const venue = new FuturesVenue();
    for (const name of ["alice", "bob", "carol"]) venue.addTrader(name, { USDT: "1000000" });
    return venue;
  }

  test("freezes for all of it, opens a position by slices, and one that only reduces shrinks with its position", () => {
    const venue = contracts();
    const iceberg = put(venue, ALICE, "buy 1 @ 29900 shows 0.25", {}, "futures");
    assert.deepEqual(venue.levelsOf("buy"), ["0.25 @ 29900.00"]);
    const whole = venue.frozen(ALICE);
    venue.trade(BOB, "buy 1 @ 29800");
    assert.equal(venue.trade(CAROL, "sell 1 @ 29900 fok").deals.length, 4);
    assert.equal(venue.state.orders.find(iceberg), -1);
    assert.notEqual(whole, venue.frozen(ALICE));
    const close = put(venue, ALICE, "sell 1 @ 30500 shows 0.25", { reduces: true }, "futures");
    assert.deepEqual(venue.levelsOf("sell"), ["0.25 @ 30500.00"]);
    venue.trade(ALICE, "sell 0.3 @ 29800");
    assert.equal(slice(venue, close), "700000 250000", "what is not shown shrinks first");
    venue.trade(ALICE, "sell 0.6 @ 29800");
    assert.equal(slice(venue, close), "100000 100000");
    venue.assertRepeatable();
  });
});
