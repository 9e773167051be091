import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FuturesVenue, positionEvents } from "../../../../test/support/futures-venue.ts";

/** A venue with a maker and a user who is long 1 BTC at 30000. */
function longVenue(hedge = false): { venue: FuturesVenue; maker: number; user: number } {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "1000000" });
  const user = venue.addTrader("user", { USDT: "20000" });
  if (hedge) venue.accept({ kind: "change_futures_settings", userId: user, positionMode: "hedge" });
  venue.rest(maker, "sell 1 @ 30000.00");
  venue.rest(user, hedge ? "buy 1 @ 30000.00 long" : "buy 1 @ 30000.00");
  return { venue, maker, user };
}

describe("closing a position", () => {
  test("whole takes the place of the orders that would have reduced it", () => {
    const { venue, maker, user } = longVenue();
    const sell = venue.rest(user, "sell 0.4 @ 31000.00");
    venue.rest(maker, "buy 2 @ 29990.00");

    const done = venue.close(user, "market");

    assert.equal(done.refusal, undefined);
    assert.equal(venue.state.orders.find(sell.orderId), -1);
    assert.equal(venue.position(user), "none");
    assert.equal(positionEvents(done).find(({ userId }) => userId === user)?.finishedType, "market_close_all");
    venue.assertRepeatable();
  });

  test("whole at a limit ends it as any limit order would", () => {
    const { venue, maker, user } = longVenue();
    venue.rest(maker, "buy 2 @ 29990.00");
    const done = venue.close(user, "limit 29990.00");
    assert.equal(positionEvents(done).find(({ userId }) => userId === user)?.finishedType, "limit");
  });

  test("in part is cut to what no other order would reduce", () => {
    const { venue, user } = longVenue();
    venue.rest(user, "sell 0.7 @ 31000.00");
    const done = venue.close(user, "limit 30500.00 0.5");
    assert.equal(done.order?.amount, 300_000n);
    assert.equal(done.order?.aim, "reduce");
    assert.equal(venue.close(user, "limit 30500.00 0.1").refusal, "exceeds_closable");
  });

  test("freezes nothing, and is refused without a position or for a side that the mode does not know", () => {
    const { venue, maker, user } = longVenue();
    const before = venue.frozen(user);
    venue.close(user, "limit 31000.00");
    assert.equal(venue.frozen(user), before);
    const other = venue.addTrader("other", { USDT: "10" });
    assert.equal(venue.close(other, "market").refusal, "no_position");
    assert.equal(venue.close(maker, "market long").refusal, "position_side_mismatch");
  });

  test("of less than the smallest amount works: whatever is held can be closed", () => {
    const { venue, maker, user } = longVenue();
    venue.rest(maker, "buy 1 @ 30000.00");
    venue.rest(user, "sell 0.99995 @ 30000.00");
    assert.equal(venue.position(user).slice(0, 12), "long 0.00005");
    assert.equal(venue.close(user, "limit 30000.00").refusal, undefined);
    assert.equal(venue.position(user), "none");
  });

  test("at a price that leaves less than nothing behind the position is refused", () => {
    const { venue, user } = longVenue();
    assert.equal(venue.transfer(user, "FUTURES", "SPOT", "USDT", "16985").refusal, undefined);
    // 3000 in cash less a loss of 1000 are left: so much may be lost against the mark.
    venue.index("29000");
    assert.equal(venue.close(user, "limit 26999.99").refusal, "insufficient_balance");
    assert.equal(venue.close(user, "limit 27000.00").refusal, undefined);
  });
});

describe("orders that only reduce", () => {
  test("are cut, newest first, when the position shrinks otherwise, and end at nothing", () => {
    const { venue, maker, user } = longVenue();
    const first = venue.close(user, "limit 31000.00 0.6").order;
    const second = venue.close(user, "limit 31500.00 0.4").order;
    venue.rest(maker, "buy 0.7 @ 30000.00");

    const done = venue.trade(user, "sell 0.7 @ 30000.00");

    const told = done.events.filter((event) => event.kind === "order" && event.order.aim === "reduce");
    assert.deepEqual(
      told.map((event) => event.kind === "order" && [event.order.orderId, event.event, event.order.left]),
      [
        [second?.orderId, "finish", 400_000n],
        [first?.orderId, "modify", 300_000n],
      ],
    );
    assert.deepEqual(venue.levelsOf("sell"), ["0.3 @ 31000.00"]);
    venue.assertRepeatable();
  });

  test("in hedge mode are those on the other side of the position that they name", () => {
    const { venue, maker, user } = longVenue(true);
    assert.equal(venue.rest(user, "sell 0.6 @ 31000.00 long").aim, "reduce");
    assert.equal(venue.trade(user, "sell 0.5 @ 31000.00 long").refusal, "exceeds_closable");
    assert.equal(venue.rest(user, "sell 0.5 @ 31000.00 short").aim, "trade");
    assert.equal(venue.trade(user, "sell 0.5 @ 31000.00").refusal, "position_side_mismatch");
    venue.rest(maker, "buy 1.1 @ 31000.00");
    assert.match(venue.position(user), /^long 0.4 /);
    assert.match(venue.position(user, true), /^short 0.5 /);
    venue.assertRepeatable();
  });

  test("cannot grow beyond what they could close when they are modified", () => {
    const { venue, user } = longVenue();
    const order = venue.close(user, "limit 31000.00 0.6").order;
    assert.ok(order);
    assert.equal(venue.change(user, order.orderId, "amount 1.1").refusal, "exceeds_closable");
    assert.equal(venue.change(user, order.orderId, "amount 1").refusal, undefined);
  });

  test("of the maker shrink while a taker trades: fill-or-kill sees it coming", () => {
    const { venue, maker, user } = longVenue();
    venue.rest(user, "sell 1 @ 30000.00");
    venue.close(user, "limit 30100.00 0.5");
    assert.equal(venue.trade(maker, "buy 1.1 @ 30100.00 fok").refusal, "not_fillable");
    assert.equal(venue.trade(maker, "buy 1 @ 30100.00 fok").refusal, undefined);
    assert.deepEqual(venue.levelsOf("sell"), []);
  });
});
