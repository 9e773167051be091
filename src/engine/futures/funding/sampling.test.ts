import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue, LINEAR, rareEvents } from "../../../../test/support/futures-venue.ts";
import { PlainBook } from "../../trading/plain-book.ts";
import { cycleOf } from "./cycle.ts";

/** One bid of 0.1, as much as an impact price asks for, 2 % above the index, is a premium of 1 %. */
const BID = "buy 0.1 @ 30600.00";
const FULL = 1_000_000;

/** A venue 2 s before a minute begins, and a maker; `wait` and what it samples. */
function venueOf(rulesVersion?: number) {
  const venue = new FuturesVenue(undefined, rulesVersion);
  const maker = venue.addTrader("maker", { USDT: "100000" });
  venue.timeMs = 58_000;
  venue.index("30000");
  const ticks = (count: number, everyMs = 1_000) => {
    let premium: number | undefined;
    for (let tick = 0; tick < count; tick++) {
      for (const { marketId, premiumE8 } of rareEvents(venue.wait(everyMs), "premium_sampled")) {
        if (marketId === 0) premium = premiumE8;
      }
      // Its index must not fall silent.
      if (tick % 20 === 19) venue.index("30000");
    }
    return premium;
  };
  return { venue, maker, ticks };
}

test("an order that stands for a share of the minute's ticks has that share in its sample", () => {
  const { venue, maker, ticks } = venueOf();
  ticks(2);
  const { orderId } = venue.rest(maker, BID);
  // The tick at which it was placed did not see it; the next one finds that it has rested for a second, and so do
  // fourteen more.
  ticks(15);
  venue.drop(maker, orderId);
  assert.equal(ticks(45), FULL / 4);
  venue.assertRepeatable();
});

test("an order that is shown for less than a second at every tick has no influence", () => {
  const { venue, maker, ticks } = venueOf();
  for (let tick = 0; tick < 65; tick++) {
    venue.timeMs += 100;
    const { orderId } = venue.rest(maker, BID);
    assert.equal(ticks(1, 800) ?? 0, 0);
    venue.timeMs += 100;
    venue.drop(maker, orderId);
    if (tick % 20 === 19) venue.index("30000");
  }
  venue.assertRepeatable();
});

for (const [what, change, counts] of [
  ["keeps its age when it gets smaller", "amount 0.1", true],
  ["is young again when it grows", "amount 0.3", false],
  ["is young again when its price changes", "price 30599.99", false],
] as const) {
  test(`an order ${what}`, () => {
    const { venue, maker, ticks } = venueOf();
    const { orderId } = venue.rest(maker, "buy 0.2 @ 30600.00");
    ticks(1);
    venue.timeMs += 900;
    assert.equal(venue.change(maker, orderId, change).refusal, undefined);
    venue.timeMs += 100;
    venue.accept({ kind: "tick" });
    const { minute } = cycleOf(venue.state, venue.futuresNamed("BTCUSDT"));
    const [ticksSeen, , premiums] = minute.row as NonNullable<typeof minute.row>;
    assert.deepEqual([ticksSeen, premiums], [1, counts ? FULL : 0]);
    venue.assertRepeatable();
  });
}

test("of a level only what has rested counts, and what it lacks stands at the index", () => {
  const { venue, maker, ticks } = venueOf();
  venue.rest(maker, "buy 0.025 @ 30600.00");
  ticks(1);
  venue.timeMs += 900;
  venue.rest(maker, "buy 1 @ 30600.00");
  venue.timeMs += 100;
  venue.accept({ kind: "tick" });
  const { minute } = cycleOf(venue.state, venue.futuresNamed("BTCUSDT"));
  assert.equal(minute.row?.[2], FULL / 4);
});

test("an operator sets how long an order must rest, from one second to ten", () => {
  const { venue, maker, ticks } = venueOf();
  const rest = (impactRestMs: number) =>
    venue.execute({ kind: "change_market", market: "BTCUSDT", marketType: "FUTURES", impactRestMs });
  for (const ms of [0, 999, 10_001]) assert.match(rest(ms).detail ?? "", /impact_rest_ms is a whole number from 1000/);
  assert.equal(rest(10_000).refusal, undefined);
  ticks(2);
  venue.rest(maker, BID);
  // Nine ticks find it too young, the other fifty-one of the minute do not.
  assert.equal(ticks(60), Math.round((FULL * 50) / 60));
  venue.assertRepeatable();
});

test("what rests while nobody can take it is not at risk: after a pause it has to rest anew", () => {
  const { venue, maker, ticks } = venueOf();
  const suspend = (suspended: boolean) =>
    venue.accept({ kind: "change_market", market: "BTCUSDT", marketType: "FUTURES", suspended });
  venue.rest(maker, BID);
  ticks(2);
  suspend(true);
  assert.equal(ticks(60), Math.round(FULL / 60));
  suspend(false);
  // Of sixty ticks the first found the market closed, and the second that orders can be met again from then on.
  assert.equal(ticks(60), Math.round((FULL * 58) / 60));
  assert.equal(ticks(60), FULL);
  venue.assertRepeatable();
});

test("a minute in which nothing could be sampled has no sample", () => {
  const { venue, maker, ticks } = venueOf();
  venue.rest(maker, BID);
  venue.accept({ kind: "change_market", market: "BTCUSDT", marketType: "FUTURES", suspended: true });
  assert.equal(ticks(125), undefined);
  venue.assertRepeatable();
});

test("of who is protected only counts what could be filled before his quotes are pulled", () => {
  const { venue, maker, ticks } = venueOf();
  // A wall of forty small bids, each of a fortieth of what an impact price asks for.
  for (let at = 0; at < 40; at++) venue.rest(maker, "buy 0.0025 @ 30600.00");
  ticks(2);
  const marketId = venue.futuresNamed("BTCUSDT").id;
  venue.accept({ kind: "set_protection", userId: maker, marketId, windowMs: 60_000, fills: 4 });
  ticks(60);
  assert.equal(ticks(60), FULL / 10);
  venue.accept({ kind: "set_protection", userId: maker, marketId, windowMs: 60_000, delta: "0.02" });
  ticks(60);
  assert.equal(ticks(60), FULL / 5);
  venue.assertRepeatable();
});

test("a market whose book, index and terms are as before is not read again, and comes to the same as one that is", () => {
  const { venue, maker, ticks } = venueOf();
  const { futures } = venue.state;
  venue.rest(maker, BID);
  ticks(5);
  const before = futures.samplings;
  ticks(10);
  assert.equal(futures.samplings, before);
  // What is placed is looked at once when it is young and once when it has rested, with a rest of a second.
  venue.timeMs += 500;
  venue.rest(maker, "sell 0.1 @ 31000.00");
  ticks(1, 500);
  ticks(10);
  assert.equal(futures.samplings - before, 2);
  venue.index("30001");
  ticks(3);
  assert.equal(futures.samplings - before, 3);
  venue.accept({ kind: "change_market", market: "BTCUSDT", marketType: "FUTURES", impactRestMs: 2_000 });
  ticks(3);
  assert.equal(futures.samplings - before, 4);
  // A copy reads every book, and its sums are the same.
  venue.assertRepeatable();
});

test("a tick reads the books that have changed, once when they have and once when that has rested, and no others", () => {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "100000" });
  const names = Array.from({ length: 18 }, (_, at) => `M${at}USDT`);
  for (const market of names) {
    venue.accept({ ...LINEAR, market });
    venue.index("30000", market);
    venue.rest(maker, "buy 0.001 @ 29000.00", market);
  }
  venue.wait(1_000);
  venue.wait(1_000);
  const { futures } = venue.state;
  const readings = () => {
    const before = futures.samplings;
    venue.wait(500);
    return futures.samplings - before;
  };
  assert.equal(readings(), 0);
  venue.wait(500);
  for (const market of names.slice(0, 3)) venue.rest(maker, "buy 0.001 @ 28000.00", market);
  venue.rest(maker, "buy 0.001 @ 28000.00 hidden", names[4]);
  assert.deepEqual([0, 0, 0, 0, 0, 0].map(readings), [0, 3, 0, 3, 0, 0]);
});

test("rules that begin in the middle of a minute sample it once", () => {
  const { venue, maker, ticks } = venueOf(4);
  venue.rest(maker, BID);
  ticks(30);
  const minutes = () =>
    cycleOf(venue.state, venue.futuresNamed("BTCUSDT"))
      .samples.rows()
      .map(([minuteMs]) => minuteMs);
  assert.deepEqual(minutes(), [60_000]);
  venue.state.rulesVersion = 5;
  ticks(95);
  assert.deepEqual(minutes(), [60_000, 120_000]);
});

test("both books say of each level what rested before a number was given out", () => {
  for (const makeBook of [undefined, (...args: ConstructorParameters<typeof PlainBook>) => new PlainBook(...args)]) {
    const venue = new FuturesVenue(makeBook);
    const maker = venue.addTrader("maker", { USDT: "100000" });
    const first = venue.rest(maker, "buy 1 @ 29000.00");
    venue.rest(maker, "buy 2 @ 29000.00");
    venue.rest(maker, "buy 3 @ 29000.00 hidden");
    const before = venue.state.nextPrio;
    venue.rest(maker, "buy 4 @ 29000.00");
    venue.rest(maker, "buy 5 @ 29500.00");
    venue.change(maker, first.orderId, "amount 1.5");
    const levels = [...(venue.state.books[0]?.levels(0, before) ?? [])];
    assert.deepEqual(levels, [{ price: 2_900_000n, lots: 2_000_000n }]);
  }
});
