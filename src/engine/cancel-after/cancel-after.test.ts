import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FuturesVenue, rareEvents } from "../../../test/support/futures-venue.ts";
import { marginVenue } from "../../../test/support/margin-venue.ts";
import { bitcoinVenue, endedIds, marketOf, tradingVenue, Venue } from "../../../test/support/venue.ts";
import type { Refusal } from "../refusal.ts";
import { ORDERS_PER_COMMAND } from "./fire.ts";
import { TimerHeap } from "./timer-heap.ts";
import { type Scope, timersOf } from "./timers.ts";

const MINUTE = 60_000;

function arm(userId: number, timeoutMs: number, scope: Scope = "ALL") {
  return { kind: "set_cancel_after", userId, scope, timeoutMs } as const;
}

describe("a timer", () => {
  test("cancels what its user has open when it runs out, to the millisecond, and nobody else's", () => {
    const venue = tradingVenue();
    assert.deepEqual(venue.accept(arm(1, 30_000)).result, { cancelsAtMs: 31_000 });
    assert.deepEqual(endedIds(venue.wait(29_999)), []);
    const done = venue.wait(1);
    assert.deepEqual(endedIds(done), [1, 2]);
    assert.deepEqual(rareEvents(done, "cancel_after_fired"), [
      { type: "cancel_after_fired", userId: 1, scope: "ALL", atMs: 31_000 },
    ]);
    assert.deepEqual(venue.levels("buy"), ["1 @ 99.00"]);
    assert.equal(venue.balance(1, "USDT"), "1000000.00000000 + 0.00000000");
    assert.deepEqual(timersOf(venue.state, 1), []);
    // It is gone: what is placed afterwards stays.
    venue.put(1, "buy 1 @ 98");
    assert.deepEqual(endedIds(venue.wait(10 * MINUTE)), []);
    venue.assertRepeatable();
  });

  test("wakes the venue up when its time comes, and runs out before the command of that time", () => {
    const venue = tradingVenue();
    venue.accept(arm(1, 5_000));
    assert.equal(venue.state.nextDueMs, 6_000);
    venue.timeMs = 6_000;
    const done = venue.place(2, "sell 1 @ 100");
    assert.deepEqual(done.deals, [], "bob's order met one that was to be gone");
    assert.deepEqual(venue.levels("sell"), ["1 @ 100.00"]);
    venue.assertRepeatable();
  });

  test("that is set again starts anew, and 0 ends it", () => {
    const venue = tradingVenue();
    venue.accept(arm(1, 5_000));
    for (let beat = 0; beat < 20; beat++) {
      venue.timeMs += 4_000;
      assert.deepEqual(endedIds(venue.accept(arm(1, 5_000))), []);
    }
    assert.deepEqual(venue.accept(arm(1, 0)).result, { cancelsAtMs: 0 });
    assert.deepEqual(endedIds(venue.wait(MINUTE)), []);
    assert.equal(venue.state.nextDueMs, Number.POSITIVE_INFINITY);
    // Sooner than before counts, too.
    venue.accept(arm(1, 10 * MINUTE));
    venue.accept(arm(1, 1_000));
    assert.deepEqual(endedIds(venue.wait(1_000)), [1, 2]);
    venue.assertRepeatable();
  });

  test("is found by who goes on from a snapshot, wherever that is taken", () => {
    const venue = tradingVenue();
    venue.accept(arm(1, 5_000, "SPOT"));
    venue.accept(arm(1, 9_000));
    venue.accept(arm(2, 5_000, "SPOT"));
    venue.wait(2_000);
    venue.accept(arm(2, 7_000, "SPOT"));
    venue.wait(3_000);
    venue.put(1, "buy 1 @ 97");
    venue.wait(4_000);
    assert.deepEqual(venue.levels("buy"), []);
    for (let cut = 0; cut < venue.log.length; cut++) venue.assertRepeatable(cut);
  });

  const REFUSED: readonly (readonly [command: object, refusal: Refusal])[] = [
    [{ userId: 3 }, "user_not_found"],
    [{ scope: "spot" }, "invalid_command"],
    [{ scope: "" }, "invalid_command"],
    [{ timeoutMs: 999 }, "invalid_command"],
    [{ timeoutMs: 600_001 }, "invalid_command"],
    [{ timeoutMs: -1 }, "invalid_command"],
    [{ timeoutMs: 1.5 }, "invalid_command"],
  ];
  for (const [change, refusal] of REFUSED) {
    test(`is refused: ${JSON.stringify(change)}`, () => {
      const venue = tradingVenue();
      assert.equal(venue.execute({ ...arm(1, 5_000), ...change }).refusal, refusal);
      assert.deepEqual(endedIds(venue.wait(20 * MINUTE)), []);
    });
  }

  test("is no command under older rules", () => {
    const venue = new Venue(undefined, 4);
    venue.addUser("alice");
    assert.equal(venue.execute(arm(1, 5_000)).refusal, "invalid_command");
  });

  test("that was set before its user was frozen runs out all the same", () => {
    const venue = tradingVenue();
    venue.accept(arm(1, 5_000));
    venue.accept({ kind: "change_user", userId: 1, frozen: true });
    assert.equal(venue.execute(arm(1, 0)).refusal, "account_frozen");
    assert.deepEqual(endedIds(venue.wait(5_000)), [1, 2]);
  });
});

describe("scopes", () => {
  test("SPOT and MARGIN tell the orders of the two accounts in one market apart", () => {
    const venue = marginVenue();
    venue.addUser("alice", { USDT: "1000" });
    venue.transfer(1, "USDT", "500");
    const spot = venue.put(1, "buy 0.001 @ 29000").orderId;
    const margin = venue.put(1, "buy 0.001 @ 29000 margin").orderId;
    venue.accept(arm(1, 1_000, "MARGIN"));
    venue.accept(arm(1, 2_000, "FUTURES"));
    venue.accept(arm(1, 3_000, "SPOT"));
    assert.deepEqual(endedIds(venue.wait(1_000)), [margin]);
    assert.deepEqual(endedIds(venue.wait(1_000)), []);
    assert.deepEqual(endedIds(venue.wait(1_000)), [spot]);
    venue.assertRepeatable();
  });

  test("FUTURES frees the margin of futures orders and leaves positions and stop orders", () => {
    const venue = new FuturesVenue();
    for (const name of ["alice", "bob"]) venue.addTrader(name, { USDT: "10000" });
    venue.trade(2, "sell 0.01 @ 30000");
    venue.trade(1, "buy 0.01 @ 30000");
    const resting = venue.trade(1, "buy 0.01 @ 29000").order?.orderId;
    venue.stop(1, "sell 0.01 @ 25000", "26000");
    venue.accept(arm(1, 1_000, "SPOT"));
    venue.accept(arm(1, 2_000, "FUTURES"));
    assert.deepEqual(endedIds(venue.wait(1_000)), []);
    assert.deepEqual(endedIds(venue.wait(1_000)), [resting]);
    assert.equal(venue.state.stops.live, 1);
    assert.equal(venue.state.futures.positions.live, 2);
    venue.assertRepeatable();
  });
});

describe("what may not be cancelled", () => {
  test("orders that an auction has locked go when it ends, those that came later stay", () => {
    const venue = new Venue();
    venue.listAsset("BTC");
    venue.listAsset("USDT");
    venue.accept({ ...marketOf("BTC", "USDT"), biddingAt: 2_000, noCancelAt: 3_000, onlineAt: 14_000 });
    for (const name of ["alice", "bob"]) venue.addUser(name, { BTC: "10", USDT: "1000000" });
    venue.wait(1_000);
    venue.put(1, "buy 1 @ 100");
    venue.put(1, "buy 1 @ 99");
    venue.accept(arm(1, 2_000));
    assert.deepEqual(endedIds(venue.wait(2_000)), []);
    venue.put(1, "buy 1 @ 98");
    venue.put(2, "sell 1 @ 100");
    assert.deepEqual(endedIds(venue.wait(9_999)), []);
    venue.timeMs = 14_000;
    const opened = venue.accept({ kind: "tick" });
    assert.deepEqual(opened.deals.length, 1, "what is locked takes part in the auction");
    assert.deepEqual(venue.levels("buy"), ["1 @ 98.00"]);
    for (let cut = 0; cut < venue.log.length; cut++) venue.assertRepeatable(cut);
  });

  test("maintenance holds no timer up", () => {
    const venue = tradingVenue();
    venue.accept({
      kind: "plan_maintenance",
      scope: ["ALL_SITE"],
      startedAt: 5_000,
      endedAt: 50_000,
      protectDurationStart: 0,
      protectDurationEnd: 0,
      announceUrl: "",
      announceEnabled: false,
    });
    venue.accept(arm(1, 10_000));
    assert.deepEqual(endedIds(venue.wait(10_000)), [1, 2]);
  });
});

describe("many at once", () => {
  test("a command cancels a bounded number of orders, and the next ones follow a millisecond later", () => {
    const venue = bitcoinVenue();
    venue.listAsset("ETH");
    venue.listMarket("ETH", "USDT");
    const users = [1, 2, 3].map((user) => venue.addUser(`user ${user}`, { USDT: "1000000" }));
    const each = Math.ceil(ORDERS_PER_COMMAND / 2) + 1;
    for (const user of users) {
      venue.acceptAll(Array.from({ length: each }, () => venue.orderOf(user, "buy 0.01 @ 100", "ETHUSDT")));
    }
    for (const user of users) venue.accept(arm(user, 1_000));
    const first = venue.wait(1_000);
    assert.equal(endedIds(first).length, ORDERS_PER_COMMAND);
    assert.equal(rareEvents(first, "cancel_after_fired").length, 3);
    // What is placed meanwhile is not what was open when the timer ran out.
    const late = venue.put(3, "buy 0.01 @ 101", "ETHUSDT").orderId;
    assert.equal(venue.state.nextDueMs, venue.timeMs + 1);
    const second = endedIds(venue.wait(1));
    assert.equal(second.length, 3 * each - ORDERS_PER_COMMAND);
    assert.ok(!second.includes(late));
    assert.equal(venue.state.nextDueMs, Number.POSITIVE_INFINITY);
    assert.deepEqual(venue.levels("buy", "ETHUSDT"), ["0.01 @ 101.00"]);
  });

  test("a timer that is set anew for ever is remembered once, whatever times it was given", () => {
    const times = new Map<number, number>();
    const heap = new TimerHeap((key) => times.get(key));
    for (let turn = 0; turn < 20_000; turn++) {
      const key = turn % 3;
      const atMs = turn + (turn % 2 === 0 ? 600_000 : 1_000);
      times.set(key, atMs);
      heap.set(key, atMs);
      if (heap.nextAtMs === turn) heap.takeDue(turn);
    }
    assert.ok(heap.size <= 100, `${heap.size} nodes for 3 keys`);
  });
});
