import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue, LINEAR, positionEvents, rareEvents } from "../../../../test/support/futures-venue.ts";

/** Two users who hold 0.5 long and short from 30000 on, the long one isolated at 20x. */
function heldVenue(marginMode = "isolated", cash = "1000", rulesVersion?: number) {
  const venue = new FuturesVenue(undefined, rulesVersion);
  const other = venue.addTrader("other", { USDT: "100000" });
  const user = venue.addTrader("user", { USDT: cash });
  venue.setLeverage(user, 20, marginMode);
  venue.rest(other, "sell 0.5 @ 30000.00");
  venue.rest(user, "buy 0.5 @ 30000.00");
  return { venue, other, user };
}

test("worked example E2: an isolated long is liquidated at its price and not a tick before, and ends with nothing", () => {
  const { venue, user } = heldVenue();
  venue.rest(user, "buy 0.01 @ 28000.00");

  assert.deepEqual(rareEvents(venue.index("28643.22"), "liquidated"), []);
  const done = venue.index("28640.00");

  assert.deepEqual(
    rareEvents(done, "liquidated").map(({ userId, lots, value, liqPrice, bkrPrice }) => [
      userId,
      lots,
      value,
      liqPrice,
      bkrPrice,
    ]),
    [[user, "500000", "1425000000000", "2864321", "2850000"]],
  );
  assert.equal(venue.position(user), "none");
  assert.equal(venue.cash(user), "242.50000000");
  assert.equal(venue.frozen(user), "0.00000000");
  assert.equal(venue.position(0), "long 0.5 worth 14250.00000000 realized 0.00000000");
  venue.assertRepeatable();
});

test("a gap only makes the venue's price worse: the user ends at 0, and the fund pays 50 for the rest at the mark", () => {
  const { venue, user } = heldVenue();
  venue.accept({ kind: "deposit", cell: "sys:ins_futures", ccy: "USDT", amount: "100", note: "" });
  venue.accept({ kind: "set_fund_budget", hourRate: "0.5", dayRate: "0.5" });
  const done = venue.index("28400");
  assert.equal(venue.cash(user), "242.50000000");
  // Its mark lies beyond 28500, at which it came in: the ladder ends where it begins.
  assert.deepEqual(
    rareEvents(done, "deleveraged").map(({ price }) => price),
    ["2840000"],
  );
  assert.equal(venue.fund(), "50.00000000");
  venue.assertRepeatable();
});

test("the alert comes once, and again after the margin has recovered", () => {
  const { venue, user } = heldVenue();
  const alerted = (price: string) => rareEvents(venue.index(price), "risk_alert").map(({ userId }) => userId);
  // 0.8 = 0.005 · V / (750 + V - 15000): V = 14250 / 0.99375.
  assert.deepEqual(alerted("28679.25"), []);
  assert.deepEqual(alerted("28679.24"), [user]);
  assert.deepEqual(alerted("28660"), []);
  assert.deepEqual(alerted("28700"), []);
  assert.deepEqual(alerted("28679"), [user]);
  venue.assertRepeatable();
});

test("a cross account loses its orders first, and is spared when that is enough", () => {
  const { venue, user } = heldVenue("cross", "1400");
  const order = venue.rest(user, "buy 0.3 @ 28000.00");
  assert.equal(venue.exit(user, "stop_loss 25000 mark").refusal, undefined);

  const done = venue.index("28200");

  assert.deepEqual(rareEvents(done, "liquidated"), []);
  assert.ok(done.events.some((event) => event.kind === "order" && event.order.orderId === order.orderId));
  assert.equal(venue.position(user), "long 0.5 worth 15000.00000000 realized -7.50000000");
  assert.deepEqual(venue.exits(), []);
  venue.assertRepeatable();
});

test("a cross account that is not spared sells on the book as far as its takeover price, and goes to the venue with the rest", () => {
  const { venue, other, user } = heldVenue("cross", "800");
  // 67.5 are left: 28415 a coin, less the fee.
  venue.rest(other, "buy 0.2 @ 28430.00");

  const done = venue.index("28550");

  const own = positionEvents(done).filter(({ userId }) => userId === user);
  assert.deepEqual(
    own.map(({ lots, reason, finishedType }) => [lots, reason, finishedType]),
    [
      [200_000n, "reduce", ""],
      [300_000n, "reduce", "liq"],
    ],
  );
  assert.equal(venue.cash(user), "0.00000000");
  assert.equal(rareEvents(done, "liquidated")[0]?.lots, "300000");
  venue.assertRepeatable();
});

test("a position of a higher level is reduced to a lower one where that is enough", () => {
  const venue = new FuturesVenue();
  const other = venue.addTrader("other", { USDT: "1000000" });
  const user = venue.addTrader("user", { USDT: "50000" });
  venue.setLeverage(user, 20, "isolated");
  venue.rest(other, "sell 12 @ 30000.00");
  venue.rest(user, "buy 12 @ 30000.00");
  venue.rest(other, "buy 5 @ 28790.00");

  // Margin 18000: at 28700 it is 2400 after the loss, against 3444 on level 2 and 1722 on level 1.
  const done = venue.index("28700");

  assert.deepEqual(rareEvents(done, "liquidated"), []);
  assert.match(venue.position(user), /^long 10 worth 300000/);
  assert.equal(done.deals.length, 1);
  venue.assertRepeatable();
});

test("in maintenance and protection nobody is liquidated; when they end, at once", () => {
  const { venue, user } = heldVenue();
  venue.accept({
    kind: "plan_maintenance",
    scope: ["FUTURES"],
    startedAt: 2_000,
    endedAt: 10_000,
    protectDurationStart: 10_000,
    protectDurationEnd: 20_000,
    announceUrl: "",
    announceEnabled: false,
  });
  venue.wait(1_000);
  assert.deepEqual(rareEvents(venue.index("28600"), "liquidated"), []);
  venue.wait(9_000);
  assert.notEqual(venue.position(user), "none");
  assert.deepEqual(rareEvents(venue.wait(9_000), "liquidated").length, 1);
  assert.equal(venue.position(user), "none");
  venue.assertRepeatable();
});

test("in the first version of the rules the mark went on while the index had no source, and who became due then is liquidated after", () => {
  const { venue, other, user } = heldVenue("isolated", "1000", 1);
  venue.index("28700");
  const low = venue.rest(other, "sell 0.1 @ 28000.00");
  venue.wait(61_000);
  assert.equal(venue.mark(), "28000.00");
  venue.drop(other, low.orderId);
  venue.wait(60_000);
  assert.equal(venue.mark(), "28350.00");
  assert.notEqual(venue.position(user), "none");

  venue.index("28700");

  assert.equal(venue.position(user), "none");
  venue.assertRepeatable();
});

test("an order that a step of the ladder has met can be changed in the same command", () => {
  const { venue, other } = heldVenue();
  venue.index("28640");
  const { orderId } = venue.rest(other, "buy 1 @ 28630.00");
  venue.timeMs += 2_000;

  const done = venue.change(other, orderId, "price 28000.00");

  assert.deepEqual(
    done.deals.map(({ price, lots }) => [price, lots]),
    [[2863000n, 500_000n]],
  );
  assert.equal(done.order?.price, 2800000n);
});

test("a change of the mark looks at whom it may concern and at nobody else", () => {
  const venue = new FuturesVenue();
  const other = venue.addTrader("other", { USDT: "10000000" });
  for (let at = 0; at < 40; at++) {
    const user = venue.addTrader(`user ${at}`, { USDT: "1000" });
    venue.setLeverage(user, at % 2 === 0 ? 10 : 5, at % 4 < 2 ? "isolated" : "cross");
    venue.rest(other, "sell 0.05 @ 30000.00");
    venue.rest(user, "buy 0.05 @ 30000.00");
  }
  const lookedAt = (price: string) => {
    const before = venue.state.futures.evaluations;
    venue.index(price);
    return venue.state.futures.evaluations - before;
  };
  assert.equal(lookedAt("29900"), 0);
  assert.equal(lookedAt("30100"), 0);
  assert.equal(lookedAt("28000"), 0);
  // The ten isolated positions at 10x lose their margin below 27135.68.
  assert.ok(lookedAt("27200") <= 11);
});

test("a position in a market that waits keeps its share of a cross account and protects none of the others", () => {
  const { venue, other, user } = heldVenue("cross", "1400");
  venue.accept({ ...LINEAR, market: "ETHUSDT" });
  venue.index("2000", "ETHUSDT");
  venue.rest(other, "sell 1 @ 2000.00", "ETHUSDT");
  venue.rest(user, "buy 1 @ 2000.00", "ETHUSDT");
  venue.changeMarket("ETHUSDT", { marketType: "FUTURES", suspended: true });

  const done = venue.index("27350");

  assert.deepEqual(
    rareEvents(done, "liquidated").map(({ marketId, lots }) => [marketId, lots]),
    [[venue.futuresNamed("BTCUSDT").id, "500000"]],
  );
  assert.equal(venue.position(user), "none");
  assert.match(venue.position(user, false, "ETHUSDT"), /^long 1 /);
  // Of 66.5 that are left, 68.375 to 10 of maintenance margin: 8.48484849 stay.
  assert.equal(venue.cash(user), "8.48484849");
  assert.equal(rareEvents(venue.index("27000"), "liquidated").length, 0);
  const back = { kind: "change_market", market: "ETHUSDT", marketType: "FUTURES", suspended: false } as const;
  const resumed = venue.accept(back);
  assert.equal(rareEvents(resumed, "liquidated").length, 1);
  assert.equal(venue.cash(user), "0.00000000");
  venue.assertRepeatable();
});

test("a fill that the reserve of an account pays for looks at nobody, and one that it does not pay for looks at the account", () => {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "10000000" });
  const user = venue.addTrader("user", { USDT: "10000" });
  venue.setLeverage(user, 20, "cross");
  const fill = (lots: string) => {
    venue.rest(maker, `sell ${lots} @ 30000.00`);
    const before = venue.state.futures.evaluations;
    venue.rest(user, `buy ${lots} @ 30000.00`);
    return venue.state.futures.evaluations - before;
  };
  assert.ok(fill("1") > 0, "the first position of an account has to be looked at");
  assert.equal(fill("0.001"), 0);
  assert.equal(fill("0.001"), 0);
  assert.ok(fill("3") > 0);
  // Whether it was looked at or not: the whole account is due at the same mark.
  venue.index("28000");
  assert.match(venue.position(user), /^long 4.002 /);
  venue.index("27600");
  assert.equal(venue.position(user), "none");
  venue.assertRepeatable();
});

test("a margin that is exactly what the level asks for is no longer enough", () => {
  const venue = new FuturesVenue();
  const other = venue.addTrader("other", { USDT: "100000" });
  const user = venue.addTrader("user", { USDT: "2000" });
  venue.setLeverage(user, 20, "isolated");
  venue.rest(other, "sell 1 @ 30000.00");
  venue.rest(user, "buy 1 @ 30000.00");
  venue.adjustMargin(user, "43");
  assert.deepEqual(rareEvents(venue.index("28600.01"), "liquidated"), []);
  // 1543 - 1400 = 143 = 0.5 % of 28600.
  assert.equal(rareEvents(venue.index("28600.00"), "liquidated").length, 1);
  venue.assertRepeatable();
});

test("while the index is stale the mark stays and nobody is liquidated, nor by the first price: the second does it", () => {
  const { venue, other, user } = heldVenue();
  venue.index("28650");
  venue.rest(other, "buy 1 @ 28000.00");
  venue.rest(other, "sell 1 @ 28100.00");
  const done = venue.wait(61_000);
  assert.equal(rareEvents(done, "index_stale").length, 2);
  venue.wait(60_000);
  assert.equal(venue.mark(), "28650.00");
  assert.deepEqual(rareEvents(venue.index("28640.00"), "liquidated"), []);
  assert.notEqual(venue.position(user), "none");
  venue.timeMs += 5_000;
  assert.equal(rareEvents(venue.index("28640.00"), "liquidated").length, 1);
  venue.assertRepeatable();
});

test("while the index is stale the ladder stands still, and no mark fires a stop order or an exit", () => {
  const { venue, other, user } = heldVenue();
  const bidder = venue.addTrader("bidder", { USDT: "100000" });
  venue.index("28640.00");
  assert.notEqual(venue.position(0), "none");
  venue.rest(bidder, "buy 1 @ 28510.00");
  assert.equal(venue.stop(bidder, "buy 0.1 @ 28600.00", "28600.00", "mark_price").refusal, undefined);
  assert.equal(venue.exit(other, "take_profit 28600 mark").refusal, undefined);

  venue.timeMs += 120_000;
  const done = venue.index("28590.00");

  assert.deepEqual(done.deals, []);
  assert.equal(venue.position(user), "none");
  assert.notEqual(venue.position(0), "none");
  assert.equal(venue.exits().length, 1);
  venue.timeMs += 5_000;
  const back = venue.index("28590.00");
  assert.deepEqual(
    back.events.flatMap((event) => (event.kind === "stop" ? [event.event] : [])),
    ["active_success"],
  );
  assert.equal(venue.exits().length, 0);
  assert.equal(venue.wait(2_000).deals[0]?.taker.userId, 0);
  venue.assertRepeatable();
});

test("what is sold for its owner pays its fee out of its own equity: the fund pays nothing", () => {
  const venue = new FuturesVenue();
  venue.accept({ kind: "deposit", cell: "sys:ins_futures", ccy: "USDT", amount: "1000", note: "" });
  const other = venue.addTrader("other", { USDT: "100000" });
  const user = venue.addTrader("user", { USDT: "1515" });
  venue.setLeverage(user, 20);
  venue.rest(other, "sell 1 @ 30000.00");
  venue.rest(user, "buy 1 @ 30000.00");
  const bidder = venue.addTrader("bidder", { USDT: "100000" });
  // All of the 140 that are left at 28640 would go with the price, and the fee besides.
  venue.rest(bidder, "buy 1 @ 28500.00");
  const done = venue.index("28640");
  assert.deepEqual(rareEvents(done, "account_lifted"), []);
  assert.equal(rareEvents(done, "liquidated").length, 1);
  assert.equal(venue.fund(), "1000.00000000");
  venue.assertRepeatable();
});
