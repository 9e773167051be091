import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue } from "../../../test/support/futures-venue.ts";

const LEAVES_IN_MS = 120_000;

/** A long of 1 BTC against a short at the index of 30000, in a market that is to leave two minutes later. */
function leavingVenue(rules?: number) {
  const venue = new FuturesVenue(undefined, rules);
  const long = venue.addTrader("long", { USDT: "100000" });
  const short = venue.addTrader("short", { USDT: "100000" });
  venue.index("30000");
  venue.rest(short, "sell 1 @ 30000.00");
  venue.trade(long, "buy 1 @ 30000.00");
  const delistedAt = venue.timeMs + LEAVES_IN_MS;
  venue.accept({ kind: "change_market", market: "BTCUSDT", marketType: "FUTURES", delistedAt });
  const market = venue.futuresNamed("BTCUSDT");
  return { venue, long, short, market };
}

for (const [rules, sentence] of [
  [2, "under rules version 2 a market leaves at an old mark while its index is silent"],
  [3, "a market in which somebody has a position leaves when its index is back, at the mark of then"],
] as const) {
  test(sentence, () => {
    const { venue, long, market } = leavingVenue(rules);
    const before = Number(venue.cash(long));
    venue.wait(LEAVES_IN_MS);
    assert.ok(market.index.isStale);
    assert.equal(market.delisted, rules === 2);
    if (rules === 3) {
      venue.index("29000");
      assert.ok(!market.delisted, "one update may be the stray last word of a feed");
      venue.wait(5_000);
      venue.index("29000");
      assert.ok(market.delisted);
    }
    assert.equal(Number(venue.cash(long)) - before, rules === 2 ? 0 : -1_000);
    venue.assertRepeatable();
  });
}

test("an operator lets a market leave whose index does not come back", () => {
  const { venue, market } = leavingVenue();
  venue.wait(LEAVES_IN_MS);
  assert.ok(!market.delisted);
  venue.accept({ kind: "change_market", market: "BTCUSDT", marketType: "FUTURES", indexSources: [] });
  assert.ok(market.delisted);
});

test("a market that stayed for a position leaves with the last of them, by whatever command that is closed", () => {
  for (const rules of [3, 4]) {
    const { venue, long, short, market } = leavingVenue(rules);
    venue.wait(LEAVES_IN_MS);
    assert.ok(!market.delisted);
    // Anyone who has a position may still close it while the index is silent.
    venue.rest(short, "buy 1 @ 30000.00");
    venue.trade(long, "sell 1 @ 30000.00");
    assert.equal(venue.state.futures.live.openInterest(market.id), 0n);
    assert.equal(market.delisted, rules === 4, `rules ${rules}`);
    venue.assertRepeatable();
  }
});

test("a silent index keeps no market in which nobody has a position", () => {
  const { venue, long, short, market } = leavingVenue();
  venue.rest(short, "buy 1 @ 30000.00");
  venue.trade(long, "sell 1 @ 30000.00");
  venue.wait(LEAVES_IN_MS);
  assert.ok(market.index.isStale && market.delisted);
});

test("a window with maintenance keeps a market, and who is bankrupt after it costs the fund its budget at most", () => {
  for (const rules of [2, 3]) {
    const venue = new FuturesVenue(undefined, rules);
    const [long, short] = ["long", "short"].map((name) => venue.addTrader(name, { USDT: "1600" })) as [number, number];
    venue.accept({ kind: "deposit", cell: "sys:ins_futures", ccy: "USDT", amount: "1000", note: "" });
    venue.index("30000");
    for (const user of [long, short]) venue.setLeverage(user, 20, "isolated");
    venue.rest(short, "sell 1 @ 30000.00");
    venue.trade(long, "buy 1 @ 30000.00");
    const startedAt = venue.timeMs + 1_000;
    const window = { startedAt, endedAt: startedAt + 10_000, protectDurationStart: 0, protectDurationEnd: 0 };
    venue.accept({ kind: "plan_maintenance", scope: ["FUTURES"], ...window, announceUrl: "", announceEnabled: false });
    const delistedAt = startedAt + 5_000;
    venue.accept({ kind: "change_market", market: "BTCUSDT", marketType: "FUTURES", delistedAt });
    const market = venue.futuresNamed("BTCUSDT");
    venue.wait(2_000);
    // The margin of 1,500 is gone, and 1,500 more.
    venue.index("27000");
    venue.wait(4_000);
    assert.equal(market.delisted, rules === 2);
    venue.wait(6_000);
    assert.ok(market.delisted);
    const left = Number(venue.fund());
    assert.ok(rules === 2 ? left === 0 : left >= 980, `rules ${rules}: ${left}`);
    venue.assertRepeatable();
  }
});

for (const [isolated, way] of [
  [true, "isolated"],
  [false, "cross"],
] as const) {
  for (const [change, what] of [
    [{ suspended: true }, "is suspended"],
    [{ indexSources: [] }, "has lost its sources of the index"],
  ] as const) {
    test(`who is bankrupt (${way}) when a market leaves that ${what} costs the fund its budget at most`, () => {
      for (const rules of [3, 4]) {
        const venue = new FuturesVenue(undefined, rules);
        const money = { long: "1600", short: "3200", poor: "1600" };
        const users = Object.entries(money).map(([name, USDT]) => venue.addTrader(name, { USDT }));
        const [long, short, poor] = users as [number, number, number];
        venue.accept({ kind: "deposit", cell: "sys:ins_futures", ccy: "USDT", amount: "1000", note: "" });
        venue.index("30000");
        for (const user of [long, short]) venue.setLeverage(user, 20, isolated ? "isolated" : "cross");
        venue.setLeverage(poor, 10, isolated ? "isolated" : "cross");
        const market = venue.futuresNamed("BTCUSDT");
        venue.rest(short, "sell 1 @ 30000.00");
        venue.trade(long, "buy 1 @ 30000.00");
        // Whose margin is used up to the last unit, and suffices.
        venue.rest(poor, "buy 0.1 @ 30000.00");
        venue.trade(short, "sell 0.1 @ 30000.00");
        const delistedAt = venue.timeMs + 10_000;
        venue.accept({ kind: "change_market", market: "BTCUSDT", marketType: "FUTURES", delistedAt, suspended: true });
        venue.index("27000");
        venue.accept({ kind: "change_market", market: "BTCUSDT", marketType: "FUTURES", ...change });
        venue.wait(10_000);
        assert.ok(market.delisted);
        const left = Number(venue.fund());
        assert.ok(rules === 3 ? left < 700 : left >= 980, `rules ${rules}: ${left}`);
        const cash = users.map((user) => Number(venue.cash(user)));
        // The one who gained is paid what the others had and what the budget bears, and nobody ends below nothing.
        assert.ok(
          cash.every((units) => units >= 0 || rules === 3),
          `rules ${rules}: ${cash}`,
        );
        assert.equal(cash[2], 1_299.1, "who could bear the loss, and a fee of 0.9, keeps the rest");
        venue.assertRepeatable();
      }
    });
  }
}
