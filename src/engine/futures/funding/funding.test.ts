import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue, positionEvents, rareEvents } from "../../../../test/support/futures-venue.ts";
import type { Done } from "../../../../test/support/venue.ts";
import { cycleOf } from "./cycle.ts";

const HOUR = 3_600_000;

/** Minutes that the mean of a cycle is over. */
const MINUTES = 480;

/** Gives the market a premium sample as if the book had been so, 10^-8 of the index. */
function inject(venue: FuturesVenue, minuteMs: number, premiumE8: number, market = "BTCUSDT"): void {
  cycleOf(venue.state, venue.futuresNamed(market)).samples.add(minuteMs, { premiumE8, markPremiumE8: 0 });
}

/** Goes to a moment and says what the index is there, so that the book, which is empty, gives samples of 0. */
function goTo(venue: FuturesVenue, timeMs: number, price: string, market = "BTCUSDT"): void {
  venue.timeMs = timeMs - 5_000;
  venue.indexBack(price, market);
}

test("worked example E5: longs pay shorts to the digit, one of them only what its margin can spare", () => {
  const venue = new FuturesVenue();
  const [first, second, third, fourth] = ["L1", "L2", "S1", "S2"].map((name) =>
    venue.addTrader(name, { USDT: "20000" }),
  ) as [number, number, number, number];
  for (const user of [first, second, third, fourth])
    venue.setLeverage(user, 100, user === second ? "isolated" : "cross");
  venue.index("30400");
  for (const [buyer, seller, amount] of [
    [first, third, "1.2"],
    [second, third, "0.3"],
    [second, fourth, "0.5001"],
  ] as const) {
    venue.rest(seller, `sell ${amount} @ 30400.00`);
    venue.rest(buyer, `buy ${amount} @ 30400.00`);
  }
  venue.adjustMargin(second, "112.09700291");
  // The mean over all minutes is 0.042345 %, and 0.03 % of it is damped.
  inject(venue, 60_000, 42_345 * MINUTES);
  goTo(venue, 8 * HOUR - 1_000, "30123.45");

  const done = venue.wait(1_000);

  assert.deepEqual(
    positionEvents(done)
      .filter(({ reason }) => reason === "funding")
      .map(({ userId, pnl, marginChange }) => [userId, pnl, marginChange]),
    [
      [first, -446248788n, 0n],
      [second, -150000000n, -150000000n],
      [third, 447164232n, 0n],
      [fourth, 149084555n, 0n],
    ],
  );
  assert.deepEqual(
    rareEvents(done, "funding_collected")
      .filter(({ marketId }) => marketId === 0)
      .map(({ rateE8, actualRateE8, paid, residue }) => [rateE8, actualRateE8, paid, residue]),
    [[12_345, 9_896, "596248788", "1"]],
  );
  assert.equal(venue.fund(), "0.00000001");
});

test("shorts pay longs when the rate is below 0, and a profit in cash before margin", () => {
  const venue = new FuturesVenue();
  const long = venue.addTrader("long", { USDT: "10000" });
  const short = venue.addTrader("short", { USDT: "10000" });
  venue.setLeverage(short, 10, "isolated");
  venue.rest(long, "buy 2 @ 30000.00");
  venue.rest(short, "sell 2 @ 30000.00");
  // Buying one back below makes a profit that funding is paid from first.
  venue.rest(long, "sell 1 @ 29990.00");
  venue.rest(short, "buy 1 @ 29990.00");
  inject(venue, 60_000, -100_000 * MINUTES);
  goTo(venue, 8 * HOUR - 1_000, "30000");
  const before = venue.position(short, true);

  const done = venue.wait(1_000);

  // Mean -0.1 %, damped to -0.07 %: 21 of 30000. Fees have eaten the profit, so the margin pays.
  assert.match(before, /realized -34\.9950/);
  assert.deepEqual(
    positionEvents(done)
      .filter(({ reason }) => reason === "funding")
      .map(({ userId, pnl, marginChange }) => [userId, pnl, marginChange]),
    [
      [short, -21_00000000n, -21_00000000n],
      [long, 21_00000000n, 0n],
    ],
  );
});

test("an isolated payer never pays more than its margin, whatever it has gained on paper", () => {
  const venue = new FuturesVenue();
  const long = venue.addTrader("long", { USDT: "40000" });
  const short = venue.addTrader("short", { USDT: "40000" });
  venue.setLeverage(long, 100, "isolated");
  venue.rest(short, "sell 1 @ 30000.00");
  venue.rest(long, "buy 1 @ 30000.00");
  venue.adjustMargin(long, "-0.00000001");
  inject(venue, 60_000, 5_000_000 * MINUTES);
  venue.accept({ kind: "change_futures_settings", userId: long, settleSwitch: false });
  goTo(venue, 8 * HOUR - 1_000, "45000");

  const done = venue.wait(1_000);

  // 0.75 % of 45000 is owed, 337.5, of which the margin of 300 pays all it has.
  assert.deepEqual(
    positionEvents(done)
      .filter(({ reason, userId }) => reason === "funding" && userId === long)
      .map(({ pnl, margin }) => [pnl, margin]),
    [[-300_00000000n, 0n]],
  );
});

test("collections wait for the index, the first with the samples and the rest with none", () => {
  const venue = new FuturesVenue();
  const long = venue.addTrader("long", { USDT: "10000" });
  const short = venue.addTrader("short", { USDT: "10000" });
  venue.rest(long, "buy 1 @ 30000.00");
  venue.rest(short, "sell 1 @ 30000.00");
  inject(venue, 60_000, 100_000 * MINUTES);
  const collected = (done: Done) => rareEvents(done, "funding_collected").filter(({ marketId }) => marketId === 0);

  assert.deepEqual(collected(venue.wait(25 * HOUR)), []);
  assert.deepEqual(collected(venue.index("30100")), []);
  venue.timeMs += 4_999;
  assert.deepEqual(collected(venue.index("30150")), []);
  venue.timeMs += 1;
  const done = venue.index("30200");

  assert.deepEqual(
    collected(done).map(({ atMs, rateE8, mark }) => [atMs, rateE8, mark]),
    [
      [8 * HOUR, 70_000, "3020000"],
      [16 * HOUR, 0, "3020000"],
      [24 * HOUR, 0, "3020000"],
    ],
  );
});

test("minutes without a sample count 0 in the rate of a collection, and the rate so far is over the minutes gone", () => {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "100000" });
  venue.rest(maker, "buy 1 @ 30060.00");
  venue.rest(maker, "sell 1 @ 30060.01");
  const rates = (done: Done) => {
    const [sample] = rareEvents(done, "premium_sampled").filter(({ marketId }) => marketId === 0);
    return [sample?.premiumE8, sample?.latestRateE8, sample?.nextRateE8];
  };
  // 0.200017 % in the only whole minute gone since the listing; over an interval it is damped away.
  goTo(venue, 118_000, "30000");
  venue.wait(1_000);
  assert.deepEqual(rates(venue.wait(1_000)), [200_017, 170_017, 0]);
  goTo(venue, 13 * 60_000 + 55_000, "30000");
  venue.wait(4_000);
  // Two such minutes in thirteen are 0.030772 %.
  assert.deepEqual(rates(venue.wait(1_000)), [200_017, 772, 0]);
});

test("four hours outside the cap halve the interval, and the next collection comes with the new one", () => {
  const venue = new FuturesVenue();
  const market = venue.futuresNamed("BTCUSDT");
  for (let hour = 8; hour < 12; hour++) {
    inject(venue, hour * HOUR, 1_000_000);
    cycleOf(venue.state, market).hourEndsAt ||= (hour + 1) * HOUR;
  }
  const done = venue.wait(13 * HOUR);
  assert.deepEqual(
    rareEvents(done, "funding_interval").map(({ intervalH, collectsAt }) => [intervalH, collectsAt]),
    [[4, 16 * HOUR]],
  );
  assert.equal(cycleOf(venue.state, market).collectsAt, 16 * HOUR);
});

test("a cross payer gives no more than it could lose and still close its positions", () => {
  const venue = new FuturesVenue();
  const long = venue.addTrader("long", { USDT: "324.675" });
  const short = venue.addTrader("short", { USDT: "10000" });
  venue.setLeverage(long, 100);
  venue.rest(long, "buy 1 @ 30000.00");
  venue.rest(short, "sell 1 @ 30000.00");
  inject(venue, 60_000, 100_000 * MINUTES);
  // Of 20.895 owed: cash 315.675, less a loss of 150, maintenance of 149.25 and a closing fee of 14.925.
  goTo(venue, 8 * HOUR - 1_000, "29850");

  const done = venue.wait(1_000);

  const paid = positionEvents(done).filter(({ reason, userId }) => reason === "funding" && userId === long);
  assert.deepEqual(
    paid.map(({ pnl }) => pnl),
    [-1_50000000n],
  );
});

test("an isolated payer gives what it has realized in cash before it touches its margin", () => {
  const venue = new FuturesVenue();
  const long = venue.addTrader("long", { USDT: "10000" });
  const short = venue.addTrader("short", { USDT: "10000" });
  venue.setLeverage(short, 10, "isolated");
  venue.rest(long, "buy 2 @ 30000.00");
  venue.rest(short, "sell 2 @ 30000.00");
  venue.rest(long, "sell 1 @ 29000.00");
  venue.rest(short, "buy 1 @ 29000.00");
  inject(venue, 60_000, -100_000 * MINUTES);
  goTo(venue, 8 * HOUR - 1_000, "30000");

  const done = venue.wait(1_000);

  const paid = positionEvents(done).filter(({ reason, userId }) => reason === "funding" && userId === short);
  assert.deepEqual(
    paid.map(({ pnl, marginChange }) => [pnl, marginChange]),
    [[-21_00000000n, 0n]],
  );
});
