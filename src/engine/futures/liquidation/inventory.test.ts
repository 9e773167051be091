import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue, positionEvents, rareEvents } from "../../../../test/support/futures-venue.ts";

/** A venue that has taken a long of 0.5 over at 28500 while nobody buys; `fund` is what its insurance fund has. */
function takenVenue(fund: string, mark = "28640.00") {
  const venue = new FuturesVenue();
  const other = venue.addTrader("other", { USDT: "100000" });
  const user = venue.addTrader("user", { USDT: "1000" });
  if (fund !== "0") venue.accept({ kind: "deposit", cell: "sys:ins_futures", ccy: "USDT", amount: fund, note: "" });
  venue.setLeverage(user, 20, "isolated");
  venue.rest(other, "sell 0.5 @ 30000.00");
  venue.rest(user, "buy 0.5 @ 30000.00");
  const done = venue.index(mark);
  assert.equal(venue.position(0), "long 0.5 worth 14250.00000000 realized 0.00000000");
  return { venue, other, user, done };
}

test("every 2 s the venue offers what it took over a step further below the mark, and what it gains is the fund's", () => {
  const { venue, other } = takenVenue("100");
  // Step 1 goes a tenth of 0.5 % below 28640.
  venue.rest(other, "buy 0.2 @ 28625.67");
  assert.equal(venue.wait(1_000).deals.length, 0);
  assert.equal(venue.wait(1_000).deals.length, 0);
  venue.rest(other, "buy 0.1 @ 28615.00");

  const done = venue.wait(2_000);

  assert.deepEqual(
    done.deals.map((deal) => [venue.dealText(deal), deal.taker.userId, deal.taker.fee]),
    [
      ["0.2 @ 28625.67", 0, 0n],
      ["0.1 @ 28615.00", 0, 0n],
    ],
  );
  // 0.2 · 125.67 + 0.1 · 115
  assert.equal(venue.fund(), "136.63400000");
  assert.match(venue.position(0), /^long 0.2 worth 5700/);
  venue.assertRepeatable();
});

test("after a long wait only one step comes", () => {
  const { venue, other } = takenVenue("100");
  venue.rest(other, "buy 0.2 @ 28600.00");
  assert.equal(venue.wait(30_000).deals.length, 0);
  venue.assertRepeatable();
});

test("where the fund cannot bear the step, whoever gains most is closed at the venue's cost, which leaves the fund alone", () => {
  const { venue, other, done } = takenVenueInGap();

  assert.deepEqual(
    rareEvents(done, "deleveraged").map(({ userId, isShort, lots, price }) => [userId, isShort, lots, price]),
    [[other, true, "500000", "2850000"]],
  );
  const [own] = positionEvents(done).filter(({ userId, reason }) => userId === other && reason === "reduce");
  assert.deepEqual([own?.finishedType, own?.pnl, own?.fee], ["adl", 750_00000000n, 0n]);
  assert.equal(venue.position(0), "none");
  assert.equal(venue.position(other, true), "none");
  assert.equal(venue.fund(), "0.00000000");
  assert.equal(done.deals.length, 0);
  venue.assertRepeatable();
});

/** The mark jumps beyond the bankruptcy price, and the fund is empty. */
function takenVenueInGap() {
  const venue = new FuturesVenue();
  const other = venue.addTrader("other", { USDT: "100000" });
  const user = venue.addTrader("user", { USDT: "1000" });
  venue.setLeverage(user, 20, "isolated");
  venue.rest(other, "sell 0.5 @ 30000.00");
  venue.rest(user, "buy 0.5 @ 30000.00");
  venue.rest(other, "buy 0.1 @ 28300.00");
  return { venue, other, done: venue.index("28400") };
}

test("after the last step what is left is deleveraged at the mark, where the venue gains: the surplus is the fund's", () => {
  const { venue, other } = takenVenue("1000");
  let steps = 0;
  while (venue.position(0) !== "none" && steps < 30) {
    venue.wait(2_000);
    // The index must not grow old meanwhile.
    venue.index("28640.00");
    steps++;
  }
  assert.equal(steps, 20);
  assert.equal(venue.position(other, true), "none");
  // 0.5 · (28640 - 28500)
  assert.equal(venue.fund(), "1070.00000000");
  venue.assertRepeatable();
});

test("what the venue takes over on both sides is netted at the mark, without the book", () => {
  const { venue, other } = takenVenue("100");
  const late = venue.addTrader("late", { USDT: "1000" });
  venue.setLeverage(late, 20, "isolated");
  venue.rest(late, "sell 0.5 @ 28640.00");
  venue.rest(other, "buy 0.5 @ 28640.00");

  const done = venue.index("30000");

  assert.equal(rareEvents(done, "liquidated")[0]?.userId, late);
  assert.equal(venue.position(0), "none");
  assert.equal(venue.position(0, true), "none");
  // Taken over at 28500 long and, with a margin of 716 behind it, at 30072 short.
  assert.equal(venue.fund(), "886.00000000");
  assert.equal(done.deals.length, 0);
  venue.assertRepeatable();
});

test("a market that leaves closes every position at the mark, and inverse values leave their rounding to the fund", () => {
  const venue = new FuturesVenue();
  const [first, second, third] = ["a", "b", "c"].map((name) => venue.addTrader(name, { BTC: "10" })) as number[];
  venue.rest(first as number, "buy 1000 @ 30000.0", "BTCUSD");
  venue.rest(second as number, "sell 700 @ 30000.0", "BTCUSD");
  venue.rest(third as number, "sell 300 @ 30000.0", "BTCUSD");
  venue.rest(third as number, "sell 300 @ 30500.0", "BTCUSD");
  venue.index("31234.5", "BTCUSD");
  venue.changeMarket("BTCUSD", { marketType: "FUTURES", delistedAt: 5_000 });

  const done = venue.wait(5_000);

  assert.deepEqual(
    positionEvents(done).map(({ finishedType, fee, amount }) => [finishedType, fee, amount]),
    [
      ["sys", 0n, 0n],
      ["sys", 0n, 0n],
      ["sys", 0n, 0n],
    ],
  );
  const [closed] = rareEvents(done, "clearing_closed");
  assert.equal(venue.fund("BTC"), `0.0000000${closed?.residue}`);
  venue.assertRepeatable();
});

test("beyond a gap nothing is sold below the mark, and what the budget does not bear is deleveraged at the price where it is used up", () => {
  const venue = new FuturesVenue();
  const other = venue.addTrader("other", { USDT: "100000" });
  const user = venue.addTrader("user", { USDT: "1000" });
  venue.accept({ kind: "deposit", cell: "sys:ins_futures", ccy: "USDT", amount: "10", note: "" });
  venue.accept({ kind: "set_fund_budget", hourRate: "0.5", dayRate: "0.9" });
  venue.setLeverage(user, 20, "isolated");
  venue.rest(other, "sell 0.5 @ 30000.00");
  venue.rest(user, "buy 0.5 @ 30000.00");
  const bidder = venue.addTrader("bidder", { USDT: "100000" });
  venue.rest(bidder, "buy 0.1 @ 28490.00");
  venue.rest(bidder, "buy 0.4 @ 28479.99");

  // Taken over at 28500: a loss of 5 on 0.5 is reached at 28490.
  const done = venue.index("28400");

  assert.deepEqual(
    done.deals.map((deal) => venue.dealText(deal)),
    ["0.1 @ 28490.00"],
  );
  assert.deepEqual(
    rareEvents(done, "deleveraged").map(({ userId, lots, price }) => [userId, lots, price]),
    [[other, "400000", "2849000"]],
  );
  assert.equal(venue.fund(), "5.00000000");
  venue.assertRepeatable();
});

test("no step goes below the price at which all came in: between it and the mark lies the margin of who was let go", () => {
  const { venue } = takenVenue("1000");
  const bidder = venue.addTrader("bidder", { USDT: "100000" });
  venue.rest(bidder, "buy 0.1 @ 28499.99");
  venue.rest(bidder, "buy 0.1 @ 28500.00");
  let deals = 0;
  for (let step = 1; step < 20; step++) {
    deals += venue.wait(2_000).deals.length;
    venue.index("28640.00");
  }
  assert.equal(deals, 1);
  assert.deepEqual(venue.levelsOf("buy"), ["0.1 @ 28499.99"]);
  assert.equal(venue.fund(), "1000.00000000");
  venue.assertRepeatable();
});

/**
 * Lets a user with 0.5 at 20x go by a jump to 28400, 50 beyond its bankruptcy at the mark. Returns what the fund lost
 * by it.
 */
function gap(venue: FuturesVenue, other: number, name: string): number {
  const before = Number(venue.fund());
  const user = venue.addTrader(name, { USDT: "1000" });
  venue.index("30000");
  venue.setLeverage(user, 20, "isolated");
  venue.rest(other, "sell 0.5 @ 30000.00");
  venue.rest(user, "buy 0.5 @ 30000.00");
  venue.index("28400");
  assert.equal(venue.position(0), "none");
  return before - Number(venue.fund());
}

test("a jump costs the fund 2 % within an hour and a market, and 10 % on a day at most; gains give nothing back", () => {
  const venue = new FuturesVenue();
  const other = venue.addTrader("other", { USDT: "1000000" });
  const bidder = venue.addTrader("bidder", { USDT: "1000000" });
  venue.rest(bidder, "buy 100 @ 28400.00");
  venue.accept({ kind: "deposit", cell: "sys:ins_futures", ccy: "USDT", amount: "4000", note: "" });
  // 80 in an hour: a whole loss of 50 on the book, then 30 by deleveraging, then nothing.
  assert.deepEqual([gap(venue, other, "a"), gap(venue, other, "b"), gap(venue, other, "c")], [50, 30, 0]);
  let today = 80;
  for (let hour = 1; hour < 8; hour++) {
    venue.timeMs += 3_660_000;
    venue.indexBack("30000");
    today += gap(venue, other, `d${hour}`) + gap(venue, other, `e${hour}`);
  }
  assert.ok(today > 390 && today <= 400, `${today}`);
  venue.timeMs = 86_400_000;
  venue.indexBack("30000");
  assert.ok(gap(venue, other, "f") > 49);
  venue.assertRepeatable();
});

test("shares of the fund are decimals below 1, and what is not named stays", () => {
  const venue = new FuturesVenue();
  assert.equal(venue.execute({ kind: "set_fund_budget", hourRate: "1" }).refusal, "invalid_command");
  assert.deepEqual(venue.accept({ kind: "set_fund_budget", dayRate: "0" }).result, {
    hourRate: "0.02000000",
    dayRate: "0.00000000",
  });
  venue.assertRepeatable();
});
