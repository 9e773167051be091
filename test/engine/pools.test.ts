import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { BookMaker } from "../../src/engine/state.ts";
import { PlainBook } from "../../src/engine/trading/plain-book.ts";
import { PoolVenue } from "../support/pool-venue.ts";

test("E6: a buy of 1500.00 takes three levels of the pool, and half of its fee is the providers'", () => {
  const venue = new PoolVenue();
  const provider = venue.addProvider();
  assert.equal(venue.pool.shares, 27_658_633_371_878n);
  assert.deepEqual(venue.quotes("sell", 3), ["652.74 @ 0.076600", "651.46 @ 0.076700", "650.19 @ 0.076800"]);
  const taker = venue.addUser("taker", { DSC: "5000", USDT: "1000" });
  const { deals, order } = venue.place(taker, "buy 1500 @ 0.1", "DSCUSDT");
  assert.deepEqual(
    deals.map((deal) => venue.dealText(deal)),
    ["652.74 @ 0.076600", "651.46 @ 0.076700", "195.8 @ 0.076800"],
  );
  assert.deepEqual(
    deals.map(({ value }) => value),
    [4_999_988_400n, 4_996_698_200n, 1_503_744_000n],
  );
  assert.equal(order?.filledValue, 11_500_430_600n);
  assert.equal(order?.baseFee, 450_000_000n);
  assert.equal(venue.balance(taker, "DSC"), "6495.50000000 + 0.00000000");
  assert.equal(venue.fees("DSC"), "2.25000000");
  assert.equal(venue.pots(), "2.25000000 + 0.00000000");
  assert.equal(venue.reserves(), "998500.00000000 + 76615.00430600");
  assert.deepEqual(venue.quotes("sell"), ["454.39 @ 0.076800"]);
  assert.deepEqual(venue.quotes("buy"), ["195.92 @ 0.076700"]);

  const before = venue.balance(taker, "USDT");
  assert.equal(before, "884.99569400 + 0.00000000");
  const added = venue.add(taker, "5000", "400");
  assert.equal(added.refusal, undefined);
  assert.equal(venue.pool.providers.get(taker)?.shares, 138_500_918_236n);
  assert.equal(venue.balance(taker, "DSC"), "1495.50000002 + 0.00000000");
  assert.equal(venue.balance(taker, "USDT"), "501.34519672 + 0.00000000");
  assert.equal(venue.proportion(taker), "0.00498256");
  assert.equal(venue.proportion(provider), "0.99501743");
  venue.assertRepeatable();
});

test("nothing is added to a pool whose price lies more than 5 % from the index: who moved it would take of what is added", () => {
  for (const rules of [3, 4]) {
    const venue = new PoolVenue(undefined, undefined, rules);
    venue.addProvider();
    const mover = venue.addUser("mover", { USDT: "20000", DSC: "200000" });
    const honest = venue.addUser("honest", { DSC: "1000000", USDT: "100000" });
    const refusalOf = (userId: number) => venue.add(userId, "100000", "10000").refusal;
    assert.equal(refusalOf(honest), undefined, "without an index any price will do");
    venue.spotIndex("0.0765", "DSCUSDT");
    venue.put(mover, "buy 20000 @ 0.0803", "DSCUSDT");
    assert.equal(refusalOf(honest), undefined, "0.0803 is within 5 %");
    venue.accept({ kind: "cancel_all_orders", userId: mover, marketId: 0, account: "spot" });
    venue.put(mover, "buy 20000 @ 0.081", "DSCUSDT");
    assert.equal(refusalOf(honest), rules === 3 ? undefined : "pool_price_off_index");
    venue.spotIndex("0.078", "DSCUSDT");
    assert.equal(refusalOf(honest), undefined, "the index has followed");
    venue.assertRepeatable();
  }
});

const DAY_MS = 86_400_000;
const plainBooks: BookMaker = (orders, events, marketId) => new PlainBook(orders, events, marketId);

describe("a pool beside orders", () => {
  test("comes after the orders of its price, hidden ones too, and before those of worse prices", () => {
    for (const makeBook of [undefined, plainBooks]) {
      const venue = new PoolVenue(makeBook);
      venue.addProvider();
      const maker = venue.addUser("maker", { DSC: "10000" });
      const taker = venue.addUser("taker", { USDT: "1000" });
      venue.put(maker, "sell 10 @ 0.0766 hidden", "DSCUSDT");
      venue.put(maker, "sell 20 @ 0.0766", "DSCUSDT");
      venue.put(maker, "sell 30 @ 0.07665", "DSCUSDT");
      const { deals } = venue.place(taker, "buy 1000 @ 0.1", "DSCUSDT");
      assert.deepEqual(
        deals.map((deal) => venue.dealText(deal)),
        ["20 @ 0.076600", "10 @ 0.076600", "652.74 @ 0.076600", "30 @ 0.076650", "287.26 @ 0.076700"],
      );
      assert.deepEqual(
        deals.map(({ maker: { userId, orderId, fee } }) => [userId, orderId > 0, fee > 0n]),
        [
          [maker, true, true],
          [maker, true, true],
          [-1, false, false],
          [maker, true, true],
          [-1, false, false],
        ],
      );
      venue.assertRepeatable(undefined, makeBook);
    }
  });

  test("is seen by orders of every type", () => {
    const venue = new PoolVenue();
    venue.addProvider();
    const user = venue.addUser("user", { DSC: "10000", USDT: "1000" });
    assert.equal(venue.place(user, "buy 10 @ 0.0766 maker_only", "DSCUSDT").refusal, "would_take");
    assert.equal(venue.place(user, "buy 10 @ 0.0765 maker_only", "DSCUSDT").refusal, undefined);
    assert.equal(venue.place(user, "buy 652.75 @ 0.0766 fok", "DSCUSDT").refusal, "not_fillable");
    assert.equal(venue.put(user, "buy 652.74 @ 0.0766 fok", "DSCUSDT").status, "filled");
    assert.equal(venue.put(user, "buy 10 @ 0.0767 ioc", "DSCUSDT").lastFilledPrice, 76_700n);
    const spent = venue.put(user, "buy 10 USDT", "DSCUSDT");
    assert.equal(spent.filledValue <= 1_000_000_000n && spent.filledValue > 999_000_000n, true);
    assert.equal(venue.put(user, "sell 5 USDT", "DSCUSDT").status, "filled");
    assert.equal(venue.put(user, "sell 1", "DSCUSDT").status, "filled");
    assert.equal(venue.put(user, "buy 1", "DSCUSDT").status, "filled");
  });

  test("bounds what a market order without any order to meet may reach", () => {
    const venue = new PoolVenue();
    venue.addProvider();
    const user = venue.addUser("user", { USDT: "100000" });
    const order = venue.put(user, "buy 90000 USDT", "DSCUSDT");
    assert.equal(order.status, "part_canceled");
    // A tenth above the best price at entry, 0.0766.
    assert.equal(order.lastFilledPrice, 84_200n);
  });

  test("meets an order that is moved into it, and fires stop orders", () => {
    const venue = new PoolVenue();
    venue.addProvider();
    const user = venue.addUser("user", { DSC: "10000", USDT: "1000" });
    const resting = venue.put(user, "buy 10 @ 0.07", "DSCUSDT");
    const stop = venue.execute({
      kind: "place_stop_order",
      userId: user,
      marketId: 0,
      account: "spot",
      side: "sell",
      type: "market",
      amountIn: "base",
      amount: 500n,
      price: 0n,
      trigger: 76_600n,
      hidden: false,
      stpMode: "none",
      clientId: "",
    });
    assert.equal(stop.refusal, undefined);
    const moved = venue.modify(user, resting.orderId, "price 0.0766", { market: "DSCUSDT" });
    assert.equal(moved.order?.status, "filled");
    assert.deepEqual(
      moved.deals.map((deal) => `${deal.side} ${venue.dealText(deal)}`),
      ["buy 10 @ 0.076600", "sell 5 @ 0.076500"],
    );
  });

  test("meets orders of margin accounts as those of spot", () => {
    const venue = new PoolVenue();
    venue.addProvider();
    venue.spotIndex("0.0765", "DSCUSDT");
    venue.accept({ kind: "set_margin_market", market: "DSCUSDT", leverage: 3, loans: [] });
    const user = venue.addUser("user", { USDT: "1000" });
    const moved = { userId: user, market: "DSCUSDT", ccy: "USDT", amount: "100", isIn: true };
    venue.accept({ kind: "transfer_margin", ...moved });
    const { deals, order } = venue.place(user, "buy 700 @ 0.08 margin", "DSCUSDT");
    assert.deepEqual(
      deals.map((deal) => `${venue.dealText(deal)} ${deal.taker.account} ${deal.maker.account}`),
      ["652.74 @ 0.076600 margin spot", "47.26 @ 0.076700 margin spot"],
    );
    assert.equal(order?.status, "filled");
    assert.equal(venue.balance(user, "USDT"), "900.00000000 + 0.00000000");
    venue.assertRepeatable();
  });

  test("quotes across no order that was there before it", () => {
    const venue = new PoolVenue();
    const maker = venue.addUser("maker", { USDT: "1000" });
    venue.put(maker, "buy 100 @ 0.08", "DSCUSDT");
    venue.addProvider();
    assert.equal(venue.quotes("sell")[0]?.slice(-8), "0.080100");
    assert.equal(venue.quotes("buy")[0], "654.45 @ 0.076400");
    // Who sells meets the order first.
    const taker = venue.addUser("taker", { DSC: "1000" });
    const { deals } = venue.place(taker, "sell 200 @ 0.07", "DSCUSDT");
    assert.deepEqual(
      deals.map((deal) => venue.dealText(deal)),
      ["100 @ 0.080000", "100 @ 0.076400"],
    );
  });

  test("is silent in an auction, and opens with the market", () => {
    const venue = new PoolVenue();
    venue.addProvider();
    venue.changeMarket("DSCUSDT", { interruption: { move: "0.01", windowMs: 60_000, auctionMs: 1_000 } });
    const user = venue.addUser("user", { USDT: "100000" });
    venue.place(user, "buy 100 @ 0.0766", "DSCUSDT");
    venue.place(user, "buy 100000 @ 0.09", "DSCUSDT");
    assert.equal(venue.marketNamed("DSCUSDT").status, "bidding");
    assert.deepEqual(venue.quotes("sell"), []);
    venue.wait(1_000);
    assert.equal(venue.marketNamed("DSCUSDT").status, "online");
    // Above the bid that the auction left.
    assert.equal(venue.quotes("sell")[0]?.slice(-8), "0.090100");
  });
});

describe("providers of a pool", () => {
  test("get back what is theirs, and the last one everything", () => {
    const venue = new PoolVenue();
    const first = venue.addProvider();
    const second = venue.addUser("second", { DSC: "500000", USDT: "40000" });
    assert.equal(venue.add(second, "500000", "40000").refusal, undefined);
    assert.equal(venue.balance(second, "USDT"), "1750.00000000 + 0.00000000");
    assert.equal(venue.remove(second).refusal, "liquidity_locked");
    venue.wait(DAY_MS);
    assert.equal(venue.remove(first).refusal, undefined);
    assert.equal(venue.balance(first, "DSC"), "1000000.00000000 + 0.00000000");
    assert.equal(venue.remove(second).refusal, undefined);
    assert.equal(venue.reserves(), "0.00000000 + 0.00000000");
    assert.equal(venue.remove(second).refusal, "no_liquidity");
    venue.assertRepeatable();
  });

  test("are given theirs when the market leaves the list", () => {
    const venue = new PoolVenue();
    const provider = venue.addProvider();
    venue.changeMarket("DSCUSDT", { delistedAt: venue.timeMs + 1_000 });
    venue.wait(1_000);
    assert.equal(venue.balance(provider, "USDT"), "76500.00000000 + 0.00000000");
    assert.equal(venue.reserves(), "0.00000000 + 0.00000000");
    venue.assertRepeatable();
  });

  test("cannot leave early through an auction that they call, but what was added in it may go", () => {
    const venue = new PoolVenue();
    const provider = venue.addProvider();
    venue.wait(1);
    venue.changeMarket("DSCUSDT", { interruption: { move: "0.01", windowMs: 60_000, auctionMs: 200_000 } });
    const user = venue.addUser("user", { DSC: "100000", USDT: "100000" });
    venue.place(user, "buy 100 @ 0.0766", "DSCUSDT");
    venue.place(user, "buy 100000 @ 0.09", "DSCUSDT");
    assert.equal(venue.marketNamed("DSCUSDT").status, "bidding");
    venue.wait(61_000);
    assert.equal(venue.remove(provider).refusal, "liquidity_locked");
    assert.equal(venue.add(user, "1500", "120").refusal, undefined);
    assert.equal(venue.remove(user).refusal, "liquidity_locked");
    venue.wait(60_000);
    assert.equal(venue.remove(user).refusal, undefined);
  });

  test("earn by what they hold while it is earned: whoever adds before midnight takes nothing of the day", () => {
    const venue = new PoolVenue();
    const early = venue.addProvider("early");
    const taker = venue.addUser("taker", { USDT: "20000" });
    venue.put(taker, "buy 10000 @ 0.1", "DSCUSDT");
    const late = venue.addUser("late", { DSC: "10000000", USDT: "1000000" });
    assert.equal(venue.add(late, "10000000", "1000000").refusal, undefined);
    const before = [venue.balance(early, "DSC"), venue.balance(late, "DSC")];
    venue.wait(DAY_MS);
    // 30 DSC of fees, half of them the only provider's of then.
    assert.equal(before[0], "0.00000000 + 0.00000000");
    assert.equal(venue.balance(early, "DSC"), "14.99999999 + 0.00000000");
    assert.equal(venue.balance(late, "DSC"), before[1]);
  });
});

describe("a pool with a range", () => {
  const RANGE = { type: "finite", low: "0.07", high: "0.08", price: "0.075" };

  test("takes what its range needs, quotes within it and is emptied at its end", () => {
    const venue = new PoolVenue(undefined, RANGE);
    const provider = venue.addUser("provider", { DSC: "1000000", USDT: "76500" });
    assert.equal(venue.add(provider, "1000000", "76500").refusal, undefined);
    assert.equal(venue.quotes("sell")[0]?.slice(-8), "0.075100");
    assert.equal(venue.quotes("buy")[0]?.slice(-8), "0.074900");
    // Within its range a pool of the same money is many times as deep.
    assert.ok(Number(venue.quotes("sell")[0]?.split(" ")[0]) > 10 * 652);
    const taker = venue.addUser("taker", { USDT: "1000000" });
    venue.place(taker, "buy 1000000 @ 0.09", "DSCUSDT");
    assert.deepEqual(venue.quotes("sell"), []);
    assert.equal(venue.quotes("buy")[0]?.slice(-8), "0.080000");
    assert.ok(Number(venue.reserves().split(" ")[0]) < 0.01);
    venue.assertRepeatable();
  });

  test("takes one currency only where its price lies at an end or beyond", () => {
    for (const [price, empty] of [
      ["0.06", "USDT"],
      ["0.09", "DSC"],
    ] as const) {
      const venue = new PoolVenue(undefined, { ...RANGE, price });
      const provider = venue.addUser("provider", { DSC: "10000", USDT: "1000" });
      const before = venue.balance(provider, empty);
      assert.equal(venue.add(provider, "10000", "1000").refusal, undefined);
      assert.equal(venue.balance(provider, empty), before);
      const second = venue.addUser("second", { DSC: "10000", USDT: "1000" });
      assert.equal(venue.add(second, "10000", "1000").refusal, undefined);
      assert.equal(venue.proportion(second), "0.50000000");
    }
  });

  test("has terms that make sense, which stand while somebody is in it", () => {
    const venue = new PoolVenue(undefined, RANGE);
    const set = (terms: object) =>
      venue.execute({ kind: "set_pool", market: "DSCUSDT", type: "finite", ...terms }).refusal;
    assert.equal(set({}), "invalid_command");
    assert.equal(set({ low: "0.08", high: "0.07", price: "0.075" }), "invalid_command");
    assert.equal(set({ low: "0.07", high: "0.08", price: "0" }), "invalid_command");
    assert.equal(set({ type: "infinite", low: "0.07" }), "invalid_command");
    assert.equal(set({ type: "infinite", gridDigits: 6 }), "invalid_command");
    assert.equal(set({ market: "NOPE", type: "infinite" }), "market_not_found");
    assert.equal(set({ type: "infinite" }), undefined);
    venue.addProvider();
    assert.equal(set({ type: "infinite", gridDigits: 4 }), "pool_in_use");
  });
});

describe("who plays a pool for money", () => {
  test("gains nothing by going back and forth, a thousand times in dust", () => {
    const venue = new PoolVenue();
    venue.changeMarket("DSCUSDT", { makerFeeRate: "0", takerFeeRate: "0" });
    const provider = venue.addUser("provider", { DSC: "1000000", USDT: "76500" });
    venue.add(provider, "1000000", "76500");
    venue.changeMarket("DSCUSDT", { takerFeeRate: "0" });
    const player = venue.addUser("player", { DSC: "1000", USDT: "100" });
    const orders = Array.from({ length: 1_000 }, (_, at) =>
      venue.orderOf(
        player,
        `${at % 2 === 0 ? "buy" : "sell"} 0.0${1 + (at % 7)} @ ${at % 2 === 0 ? "0.1" : "0.05"}`,
        "DSCUSDT",
      ),
    );
    venue.acceptAll(orders);
    const [dsc, usdt] = ["DSC", "USDT"].map((ccy) => Number(venue.balance(player, ccy).split(" ")[0])) as [
      number,
      number,
    ];
    assert.ok(dsc * 0.0765 + usdt < 1_000 * 0.0765 + 100, `${dsc} and ${usdt}`);
  });

  test("cannot take from who comes later by making a share dear: who adds pays for whole shares only", () => {
    // Since rules version 5 a side that has a price bounds every addition: dust is possible only where neither has one.
    const venue = new PoolVenue(undefined, undefined, 4);
    const player = venue.addUser("player", { DSC: "100000", USDT: "10000" });
    assert.equal(venue.add(player, "0.00000100", "0.00000008").refusal, undefined);
    const taker = venue.addUser("taker", { USDT: "1000" });
    // There is nothing of it to trade with, so that no trade makes its few shares worth more.
    assert.equal(venue.place(taker, "buy 1 @ 0.1 ioc", "DSCUSDT").deals.length, 0);
    const honest = venue.addUser("honest", { DSC: "1000000", USDT: "80000" });
    assert.equal(venue.add(honest, "1000000", "80000").refusal, undefined);
    venue.wait(DAY_MS);
    venue.remove(honest);
    const [dsc, usdt] = ["DSC", "USDT"].map((ccy) => Number(venue.balance(honest, ccy).split(" ")[0])) as [
      number,
      number,
    ];
    assert.ok(dsc >= 999_999.99 && usdt >= 79_999.99, `${dsc} and ${usdt}`);
  });

  test("add 200 dollars at least, by twice the quote side where the coin has no index", () => {
    const venue = new PoolVenue();
    const user = venue.addUser("user", { DSC: "100000", USDT: "10000" });
    assert.equal(venue.add(user, "1306", "99.9").refusal, "liquidity_too_small");
    assert.equal(venue.add(user, "1306", "100").refusal, undefined);
    assert.equal(venue.add(user, "100000", "99.9").refusal, "liquidity_too_small");
    assert.equal(venue.add(user, "100000", "100.1").refusal, undefined);
    // Where a pool takes coins alone, they are worth what the end of its range says, which operators have set.
    const ranged = new PoolVenue(undefined, { type: "finite", low: "0.07", high: "0.08", price: "0.06" });
    const other = ranged.addUser("other", { DSC: "10000", USDT: "1000" });
    assert.equal(ranged.add(other, "2857", "1000").refusal, "liquidity_too_small");
    assert.equal(ranged.add(other, "2858", "1000").refusal, undefined);
  });

  test("moves the pool against the index at his own cost, and gives it back to the providers", () => {
    const venue = new PoolVenue();
    const provider = venue.addProvider();
    venue.spotIndex("0.0765", "DSCUSDT");
    const player = venue.addUser("player", { DSC: "1000000", USDT: "100000" });
    const worth = () => {
      const [dsc, usdt] = ["DSC", "USDT"].map((ccy) => Number(venue.balance(player, ccy).split(" ")[0])) as [
        number,
        number,
      ];
      return dsc * 0.0765 + usdt;
    };
    const before = worth();
    venue.put(player, "buy 100000 @ 0.1 ioc", "DSCUSDT");
    assert.ok(worth() < before);
    venue.put(player, "sell 100000 @ 0.05 ioc", "DSCUSDT");
    assert.ok(worth() < before);
    venue.wait(DAY_MS);
    venue.remove(provider);
    const [dsc, usdt] = ["DSC", "USDT"].map((ccy) => Number(venue.balance(provider, ccy).split(" ")[0])) as [
      number,
      number,
    ];
    assert.ok(dsc * 0.0765 + usdt > 153_000);
  });
});
