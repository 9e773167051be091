import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue } from "../../../../test/support/futures-venue.ts";
import type { Done } from "../../../../test/support/venue.ts";
import { TRIGGER_TYPES } from "../../command.ts";
import { readStop } from "../../stops/emit-stop.ts";

const SECOND = 1_000;
const ORDER = "buy 0.001 @ 28000.00";

/** Index, mark and latest price at 30000, with a thin book around them. */
function venueAt30000(): { venue: FuturesVenue; maker: number; user: number } {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "10000000" });
  const user = venue.addTrader("user", { USDT: "10000000" });
  venue.rest(maker, "sell 0.001 @ 30000.00");
  venue.rest(user, "buy 0.001 @ 30000.00");
  venue.rest(maker, "sell 5 @ 31500.00");
  venue.rest(maker, "buy 5 @ 28500.00");
  return { venue, maker, user };
}

function fired(done: Done): string[] {
  return done.events.flatMap((event) =>
    event.kind === "stop" && event.event.startsWith("active") ? [`${event.stop.triggerType} ${event.event}`] : [],
  );
}

test("each stop order looks at the price that it names, and at no other", () => {
  const { venue, maker, user } = venueAt30000();
  for (const triggerType of TRIGGER_TYPES) venue.stop(user, ORDER, "30002", triggerType);

  venue.rest(maker, "sell 0.001 @ 30002.00");
  assert.deepEqual(fired(venue.trade(user, "buy 0.001 @ 30002.00")), ["latest_price active_success"]);

  // Bids above the index are a premium, which moves the mark alone.
  venue.rest(maker, "buy 5 @ 31400.00");
  assert.deepEqual(fired(venue.wait(58_000)), []);
  assert.deepEqual(fired(venue.wait(SECOND)), ["mark_price active_success"]);
  assert.equal(venue.futuresNamed("BTCUSDT").index.price, 3_000_000n);

  const marketId = venue.futuresNamed("BTCUSDT").id;
  const sources = [{ exchange: "one", price: "30100" }];
  const done = venue.execute({ kind: "set_index_prices", market: "BTCUSDT", marketType: "FUTURES", sources });
  assert.deepEqual(fired(done), ["index_price active_success"]);
  assert.deepEqual(venue.state.stops.ofMarket(marketId), []);
  venue.assertRepeatable();
});

test("the direction of a trigger is that of its own reference", () => {
  const { venue, maker, user } = venueAt30000();
  venue.rest(maker, "buy 5 @ 31400.00");
  venue.wait(58_000);
  venue.wait(SECOND);
  const directions = TRIGGER_TYPES.map((triggerType) => {
    const [told] = venue.stop(user, ORDER, "30001", triggerType).events.filter((event) => event.kind === "stop");
    return [told?.stop.triggerType, told?.stop.direction];
  });
  // The latest price and the index stand at 30000, the mark above.
  assert.deepEqual(directions, [
    ["latest_price", "lower"],
    ["mark_price", "higher"],
    ["index_price", "lower"],
  ]);
  venue.assertRepeatable();
});

test("a trigger at its reference fires in the command that sets it, also where nothing is traded", () => {
  for (const triggerType of TRIGGER_TYPES) {
    const { venue, user } = venueAt30000();
    assert.deepEqual(fired(venue.stop(user, ORDER, "30000", triggerType)), [`${triggerType} active_success`]);
  }
});

test("a changed trigger keeps its reference", () => {
  const { venue, user } = venueAt30000();
  venue.stop(user, ORDER, "30100", "index_price");
  const { id: marketId } = venue.futuresNamed("BTCUSDT");
  venue.accept({ kind: "modify_stop_order", userId: user, marketId, stopId: 1, trigger: 2_990_000n });
  const { triggerType, direction } = readStop(venue.state, venue.state.stops.find(1));
  assert.deepEqual([triggerType, direction], ["index_price", "higher"]);
});

test("a spot market knows the latest price alone", () => {
  const venue = new FuturesVenue();
  venue.listMarket("BTC", "USDT");
  const user = venue.addUser("user", { USDT: "1000" });
  const order = venue.orderOf(user, "buy 0.001 @ 30000");
  venue.accept({ ...order, kind: "place_stop_order", trigger: 3_000_000n, triggerType: "mark_price" });
  assert.equal(readStop(venue.state, venue.state.stops.find(1)).triggerType, "latest_price");
  venue.assertRepeatable();
});

test("a mark or an index that moves looks at what fires, however many wait", () => {
  const { venue, user } = venueAt30000();
  const users = Array.from({ length: 4 }, (_, n) => venue.addTrader(`user ${n}`, { USDT: "1000" }));
  for (const [n, userId] of [user, ...users].entries()) {
    for (let step = 0; step < 50; step++) venue.stop(userId, ORDER, String(30_100 + n * 50 + step), "mark_price");
  }
  const { stops } = venue.state;
  let looks = 0;
  const trigger = stops.trigger.bind(stops);
  stops.trigger = (slot) => {
    looks++;
    return trigger(slot);
  };
  const moveTo = (price: string) => {
    looks = 0;
    const stamp = { seq: venue.state.seq + 1, timeMs: venue.timeMs };
    const sources = [{ exchange: "one", price }];
    venue.engine.execute({ kind: "set_index_prices", market: "BTCUSDT", marketType: "FUTURES", sources }, stamp);
    return looks;
  };
  const before = stops.live;
  assert.equal(moveTo("30050"), 0, "nothing is due");
  assert.equal(stops.live, before);
  const looksAtTwo = moveTo("30101");
  assert.equal(before - stops.live, 2);
  assert.ok(looksAtTwo <= 2 * (10 + 4 * Math.ceil(Math.log2(before))), `${looksAtTwo} looks at ${before} stop orders`);
});

test("two accounts that trade far from the mark fire triggers within a twentieth of it, which trade no farther", () => {
  for (const rules of [2, 3]) {
    const venue = new FuturesVenue(undefined, rules);
    const [one, other] = [venue.addTrader("one", { USDT: "10000000" }), venue.addTrader("other", { USDT: "10000000" })];
    const user = venue.addTrader("user", { USDT: "10000000" });
    venue.rest(one, "sell 0.001 @ 30000.00");
    venue.trade(other, "buy 0.001 @ 30000.00");
    for (const trigger of ["29000", "28400"]) venue.stop(user, "sell 1", trigger, "latest_price");
    venue.rest(one, "buy 1 @ 28500.00");
    venue.rest(one, "buy 2 @ 27100.00");
    const done = venue.trade(other, "sell 1.001 @ 27100.00");
    // Of the two the lower is more than a twentieth from the mark, and so is what is bid now.
    assert.deepEqual(
      fired(done),
      rules === 2 ? ["latest_price active_success", "latest_price active_success"] : ["latest_price active_fail"],
    );
    const sold = done.deals.filter(({ taker }) => taker.userId === user).map(({ price }) => price);
    assert.deepEqual(sold, rules === 2 ? [2_710_000n, 2_710_000n] : []);
    venue.assertRepeatable();
  }
});
