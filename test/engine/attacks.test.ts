/**
 * Attacks that paid under the first rules, each with its figures: what an adversary was left with then, and that he
 * gets nothing now.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { atMark, cashOf, marginOf, positionsOf } from "../../src/engine/futures/positions/account-sums.ts";
import { FuturesVenue, LINEAR } from "../support/futures-venue.ts";
import { Venue } from "../support/venue.ts";

const LEVEL = { amount: "50", leverage: 100, maintenanceMarginRate: "0.005", minInitialMarginRate: "0.01" };
const INDEX = 60_000;

/** A futures market with its index at 60000, one level and a rich insurance fund. */
function market(rulesVersion: number): FuturesVenue {
  const venue = new FuturesVenue(undefined, rulesVersion);
  venue.accept({ ...LINEAR, kind: "change_market", market: "BTCUSDT", levels: [LEVEL] } as never);
  venue.accept({ kind: "deposit", cell: "sys:ins_futures", ccy: "USDT", amount: "2000000", note: "" });
  venue.index(String(INDEX));
  return venue;
}

/** What users have in futures: cash, margins, and profit on paper at the mark, in USDT. */
function worth(venue: FuturesVenue, users: readonly number[]): number {
  let units = 0n;
  for (const user of users) {
    const account = venue.account(user);
    units += cashOf(venue.state, account);
    for (const slot of positionsOf(venue.state, account)) {
      units += marginOf(venue.state, slot) + atMark(venue.state, slot).unrealized;
    }
  }
  return Number(units) / 1e8;
}

/** X holds 20 long on cross margin at 10x, Y 20 short, isolated at 100x, from each other at the index. */
function pair(venue: FuturesVenue): { x: number; y: number; deposited: number } {
  const [x, y] = [venue.addTrader("X", { USDT: "150000" }), venue.addTrader("Y", { USDT: "13500" })];
  venue.setLeverage(x, 10);
  venue.setLeverage(y, 100, "isolated");
  venue.rest(y, `sell 20 @ ${INDEX}.00`);
  venue.rest(x, `buy 20 @ ${INDEX}.00`);
  return { x, y, deposited: 163_500 };
}

/** Lets the ladder go to its end while the index stays. */
function waitOut(venue: FuturesVenue, index: string): void {
  for (let step = 0; step < 25; step++) {
    venue.wait(2_000);
    venue.index(index);
  }
}

for (const [rules, gains] of [
  [1, 105_644],
  [2, -1_000],
] as const) {
  test(`C1 under rules ${rules}: one lot at an extreme price in a thin book ${rules === 1 ? "pays a pair a hundred thousand" : "moves no mark"}`, () => {
    const venue = market(rules);
    const { x, y, deposited } = pair(venue);
    const stranger = venue.addTrader("stranger", { USDT: "10000" });
    const other = venue.addTrader("other", { USDT: "100000" });
    venue.setLeverage(stranger, 20, "isolated");
    venue.rest(other, `buy 1 @ ${INDEX}.00`);
    venue.rest(stranger, `sell 1 @ ${INDEX}.00`);
    venue.rest(x, "sell 20 @ 65950.00");
    venue.rest(x, "buy 0.0001 @ 65940.00");
    venue.wait(59_000);
    venue.index(String(INDEX));
    if (rules === 2) assert.equal(venue.mark(), "60000.00");
    waitOut(venue, String(INDEX));
    assert.equal(Math.round((worth(venue, [x, y]) - deposited) / 1_000), Math.round(gains / 1_000));
    // A stranger who is short at 20x loses his position, or keeps it.
    assert.equal(venue.position(stranger, true) === "none", rules === 1);
    assert.equal(Number(venue.fund()) < 2_000_000, rules === 1);
  });

  test(`H1 under rules ${rules}: a pair of which one is let go ${rules === 1 ? "is paid 4,855 by the fund" : "is paid by nobody but itself"}`, () => {
    const venue = market(rules);
    const { x, y, deposited } = pair(venue);
    // The index goes 0.52 % against Y; X offers 0.99 % above the mark, and the book is empty otherwise.
    venue.index("60312");
    venue.rest(x, "sell 20 @ 60909.00");
    waitOut(venue, "60312");
    const gained = worth(venue, [x, y]) - deposited;
    if (rules === 1) assert.equal(Math.floor(gained), 4_854);
    else assert.ok(gained < 0, `${gained}`);
    assert.equal(Number(venue.fund()) < 2_000_000, rules === 1);
  });

  test(`H2 under rules ${rules}: a deal of the smallest amount while no source speaks ${rules === 1 ? "takes 6,030 from a long" : "is nothing to the index"}`, () => {
    const venue = market(rules);
    venue.listMarket("BTC", "USDT");
    const [one, two] = [venue.addUser("one", { BTC: "1" }), venue.addUser("two", { USDT: "100" })];
    const [victim, other] = [
      venue.addTrader("victim", { USDT: "10000" }),
      venue.addTrader("other", { USDT: "100000" }),
    ];
    venue.setLeverage(victim, 10, "isolated");
    venue.rest(other, `sell 1 @ ${INDEX}.00`);
    venue.rest(victim, `buy 1 @ ${INDEX}.00`);
    venue.timeMs += 61_000;
    const spot = venue.state.marketByName.get("BTCUSDT");
    assert.ok(spot);
    for (const [user, side] of [
      [one, "sell"],
      [two, "buy"],
    ] as const) {
      const order = { account: "spot", hidden: false, stpMode: "none", clientId: "", type: "limit" } as const;
      const what = { side, amountIn: "base", amount: 100n, price: 3_100_000n } as const;
      venue.accept({ kind: "place_order", userId: user, marketId: spot.id, ...order, ...what });
    }
    venue.wait(1_000);
    assert.equal(venue.mark(), rules === 1 ? "31000.00" : "60000.00");
    assert.equal(Math.round(10_000 - worth(venue, [victim])), rules === 1 ? 6_030 : 30);
    assert.equal(venue.position(victim) === "none", rules === 1);
  });

  test(`M1 under rules ${rules}: wash deals in the deduction coin ${rules === 1 ? "make a fee of 1,920 coins 2.92" : "leave a fee what it is"}`, () => {
    const venue = new Venue(undefined, rules);
    for (const ccy of ["BTC", "USDT", "DSC"]) venue.listAsset(ccy);
    venue.listMarket("BTC", "USDT");
    venue.listMarket("DSC", "USDT", { amountPrecision: 0, pricePrecision: 6, minAmount: "1" });
    const [washer, friend] = [
      venue.addUser("washer", { USDT: "500000", DSC: "5000" }),
      venue.addUser("friend", { DSC: "500" }),
    ];
    const maker = venue.addUser("maker", { BTC: "2" });
    venue.accept({ kind: "change_user", userId: washer, feeDeduction: true });
    venue.spotIndex("0.100000", "DSCUSDT");
    venue.put(friend, "sell 10 @ 0.100000", "DSCUSDT");
    venue.put(washer, "buy 10 @ 0.100000", "DSCUSDT");
    for (let deal = 1, ticks = 100_000; deal <= 16; deal++) {
      ticks = Math.floor(ticks * 1.5);
      venue.place(friend, `sell 10 @ ${(ticks / 1e6).toFixed(6)}`, "DSCUSDT");
      venue.place(washer, `buy 10 @ ${(ticks / 1e6).toFixed(6)}`, "DSCUSDT");
    }
    venue.put(maker, "sell 2 @ 60000.00");
    const { order } = venue.place(washer, "buy 2 @ 60000.00");
    assert.equal((Number(order?.discountFee) / 1e8).toFixed(2), rules === 1 ? "2.92" : "1920.00");
  });

  test(`M3 under rules ${rules}: a batch of market orders ${rules === 1 ? "carries a thin book from 3,000 to 36,516" : "goes a tenth, and the market takes bids"}`, () => {
    const venue = new Venue(undefined, rules);
    for (const ccy of ["BTC", "USDT"]) venue.listAsset(ccy);
    venue.listMarket("BTC", "USDT", { interruption: { move: "0.1", windowMs: 60_000, auctionMs: 120_000 } });
    const [maker, taker] = [venue.addUser("maker", { BTC: "1" }), venue.addUser("taker", { USDT: "100000" })];
    const prices = Array.from({ length: 31 }, (_, at) => (3_000 * (36_516 / 3_000) ** (at / 30)).toFixed(2));
    for (const price of prices) venue.put(maker, `sell 0.001 @ ${price}`);
    const refusals = new Set(prices.map(() => venue.place(taker, "buy 0.001").refusal));
    const { id, status } = venue.marketNamed("BTCUSDT");
    const latest = Number(venue.state.lastPrice[id]) / 100;
    if (rules === 1) {
      assert.deepEqual([...refusals], [undefined]);
      assert.equal(latest, 36_516);
      return;
    }
    assert.ok(latest <= 3_300, `${latest}`);
    assert.equal(status, "bidding");
    assert.deepEqual([...refusals], [undefined, "market_not_open"]);
    // It reopens by its auction, at which nobody bid, and goes on.
    venue.wait(120_000);
    assert.equal(venue.marketNamed("BTCUSDT").status, "online");
    venue.assertRepeatable();
  });
}
