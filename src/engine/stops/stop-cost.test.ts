import assert from "node:assert/strict";
import { test } from "node:test";
import { Venue } from "../../../test/support/venue.ts";
import type { Command } from "../command.ts";

const USERS = 1_000;
const STOPS_EACH = 100;
/** Steps of a heap of this many. */
const HEIGHT = Math.ceil(Math.log2(USERS * STOPS_EACH));

test("with 100,000 stop orders waiting, a command costs by what fires and not by what waits", () => {
  const venue = new Venue();
  venue.listAsset("BTC");
  venue.listAsset("USDT");
  venue.listMarket("BTC", "USDT");
  venue.acceptAll(crowd(venue));
  const { stops } = venue.state;
  assert.equal(stops.live, USERS * STOPS_EACH);

  // Every look at a waiting stop order asks for its trigger.
  let looks = 0;
  const trigger = stops.trigger.bind(stops);
  stops.trigger = (slot) => {
    looks++;
    return trigger(slot);
  };
  const looksAt = (command: Command) => {
    looks = 0;
    venue.engine.events.clear();
    const stamp = { seq: venue.state.seq + 1, timeMs: venue.timeMs };
    assert.equal(venue.engine.execute(command, stamp).refusal, 0);
    return looks;
  };

  for (const price of ["100.00", "100.50", "99.50"]) {
    assert.equal(looksAt(venue.orderOf(1, `sell 0.001 @ ${price}`)), 0);
    assert.equal(looksAt(venue.orderOf(1, `buy 0.001 @ ${price} ioc`)), 0, "nothing is due");
  }
  const bySeeking = looksAt({ kind: "cancel_order", userId: 1, marketId: 0, orderId: 3 });
  assert.equal(bySeeking, 0);

  const before = stops.live;
  assert.equal(looksAt(venue.orderOf(1, "sell 0.001 @ 101.00")), 0);
  const byFiring = looksAt(venue.orderOf(1, "buy 0.001 @ 101.00 ioc"));
  const fired = before - stops.live;
  assert.equal(fired, 2);
  assert.ok(byFiring <= fired * (10 + 4 * HEIGHT), `${byFiring} looks for ${fired} that fired`);
});

/** Users whose stop orders wait for prices a tick apart, half of them above 101 and half below 99; the price is 100. */
function* crowd(venue: Venue): Generator<Command> {
  for (let user = 1; user <= USERS; user++) {
    yield { kind: "create_user", name: `user ${user}` };
    for (const ccy of ["BTC", "USDT"]) yield { kind: "deposit", userId: user, ccy, amount: "100000", note: "" };
  }
  yield venue.orderOf(1, "sell 0.001 @ 100");
  yield venue.orderOf(1, "buy 0.001 @ 100");
  yield venue.orderOf(1, "buy 0.001 @ 50");
  const order = venue.orderOf(1, "sell 0.001 @ 1000 ioc");
  for (let n = 0; n < (USERS * STOPS_EACH) / 2; n++) {
    // Two at each price above, one at each below.
    const userId = 1 + (n % USERS);
    yield { ...order, userId, kind: "place_stop_order", trigger: 10_100n + BigInt(n >> 1) };
    yield { ...order, userId, kind: "place_stop_order", trigger: 9_900n - BigInt(n % 9_000) };
  }
}
