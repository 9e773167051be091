import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FuturesVenue, rareEvents } from "../../../test/support/futures-venue.ts";
import { marginVenue } from "../../../test/support/margin-venue.ts";
import { bitcoinVenue, endedIds, marketOf, tradingVenue, Venue } from "../../../test/support/venue.ts";
import type { JsonCommand } from "../command.ts";
import type { Refusal } from "../refusal.ts";
import type { WatchConnection } from "./command-schemas.ts";
import { watchesConnections } from "./connections.ts";
import { ORDERS_PER_COMMAND } from "./fire.ts";
import { CONNECTIONS_PER_USER_MAX } from "./watch.ts";

const NODE = "a";

function watching(userId: number, connection: number, more: Partial<WatchConnection> = {}): WatchConnection {
  return { kind: "watch_connection", userId, node: NODE, connection, scope: "ALL", marketIds: [], graceMs: 0, ...more };
}

function ending(...connections: number[]): JsonCommand {
  return { kind: "end_connections", node: NODE, connections };
}

function renewal(leaseMs = 0, node = NODE): JsonCommand {
  return { kind: "renew_connections", node, leaseMs };
}

/** A trading venue that has heard of the node. */
function watchingVenue(): Venue {
  const venue = tradingVenue();
  venue.accept(renewal());
  return venue;
}

describe("a connection that ends", () => {
  test("cancels what its user has open with the command that tells of it, and nobody else's", () => {
    const venue = watchingVenue();
    venue.accept(watching(1, 7));
    assert.deepEqual(endedIds(venue.accept(ending(8, 9))), [], "other connections");
    assert.deepEqual(
      endedIds(venue.accept({ kind: "end_connections", node: "b", connections: [7] })),
      [],
      "another node",
    );
    const done = venue.accept(ending(7));
    assert.deepEqual(endedIds(done), [1, 2]);
    assert.deepEqual(rareEvents(done, "connection_lost"), [
      { type: "connection_lost", userId: 1, scope: "ALL", marketIds: [], atMs: venue.timeMs },
    ]);
    assert.deepEqual(venue.levels("buy"), ["1 @ 99.00"]);
    venue.put(1, "buy 1 @ 98");
    assert.deepEqual(endedIds(venue.accept(ending(7))), [], "it ends once");
    venue.assertRepeatable();
  });

  test("cancels for each of them: another one that lives keeps nothing", () => {
    const venue = watchingVenue();
    venue.acceptAll([watching(1, 7), watching(1, 8)]);
    assert.deepEqual(endedIds(venue.accept(ending(7))), [1, 2]);
    assert.ok(watchesConnections(venue.state));
  });

  test("that is watched otherwise counts as it was watched last, and not at all once that was taken back", () => {
    const venue = watchingVenue();
    venue.acceptAll([watching(1, 7), watching(1, 7, { scope: "MARGIN" })]);
    assert.deepEqual(endedIds(venue.accept(ending(7))), []);
    venue.acceptAll([watching(1, 7), { kind: "unwatch_connection", userId: 1, node: NODE, connection: 7 }]);
    assert.deepEqual(endedIds(venue.accept(ending(7))), []);
    venue.acceptAll([watching(1, 7), { kind: "unwatch_connection", userId: 2, node: NODE, connection: 7 }]);
    assert.deepEqual(endedIds(venue.accept(ending(7))), [1, 2], "another user takes nothing back");
  });

  test("leaves other markets alone where it names some", () => {
    const venue = watchingVenue();
    venue.listAsset("ETH");
    venue.listMarket("ETH", "USDT");
    const other = venue.put(1, "buy 1 @ 50", "ETHUSDT").orderId;
    venue.accept(watching(1, 7, { marketIds: [1, 1] }));
    assert.deepEqual(endedIds(venue.accept(ending(7))), [other]);
  });

  test("takes as the scope says: margin orders, spot orders, those of futures", () => {
    const venue = marginVenue();
    venue.addUser("alice", { USDT: "1000" });
    venue.transfer(1, "USDT", "500");
    const spot = venue.put(1, "buy 0.001 @ 29000").orderId;
    const margin = venue.put(1, "buy 0.001 @ 29000 margin").orderId;
    venue.accept(renewal());
    venue.acceptAll([
      watching(1, 1, { scope: "MARGIN" }),
      watching(1, 2, { scope: "FUTURES" }),
      watching(1, 3, { scope: "SPOT" }),
    ]);
    assert.deepEqual(endedIds(venue.accept(ending(2))), []);
    assert.deepEqual(endedIds(venue.accept(ending(1))), [margin]);
    assert.deepEqual(endedIds(venue.accept(ending(3))), [spot]);

    const futures = new FuturesVenue();
    for (const name of ["alice", "bob"]) futures.addTrader(name, { USDT: "10000" });
    futures.trade(2, "sell 0.01 @ 30000");
    futures.trade(1, "buy 0.01 @ 30000");
    const resting = futures.trade(1, "buy 0.01 @ 29000").order?.orderId;
    futures.stop(1, "sell 0.01 @ 25000", "26000");
    futures.accept(renewal());
    futures.acceptAll([watching(1, 1, { scope: "SPOT" }), watching(1, 2, { scope: "FUTURES" })]);
    assert.deepEqual(endedIds(futures.accept(ending(1))), []);
    assert.deepEqual(endedIds(futures.accept(ending(2))), [resting]);
    assert.equal(futures.state.stops.live, 1);
    assert.equal(futures.state.futures.positions.live, 2);
  });

  test("frees money for who waits for it, though its account was frozen meanwhile", () => {
    const venue = watchingVenue();
    venue.accept(watching(1, 7));
    venue.accept({ kind: "change_user", userId: 1, frozen: true });
    assert.equal(venue.execute(watching(1, 8)).refusal, "account_frozen");
    assert.deepEqual(endedIds(venue.accept(ending(7))), [1, 2]);
    assert.equal(venue.balance(1, "USDT"), "1000000.00000000 + 0.00000000");
  });

  test("leaves what an auction has locked until it ends", () => {
    const venue = new Venue();
    venue.listAsset("BTC");
    venue.listAsset("USDT");
    venue.accept({ ...marketOf("BTC", "USDT"), biddingAt: 2_000, noCancelAt: 3_000, onlineAt: 14_000 });
    for (const name of ["alice", "bob"]) venue.addUser(name, { BTC: "10", USDT: "1000000" });
    venue.wait(1_000);
    venue.put(1, "buy 1 @ 100");
    venue.put(1, "buy 1 @ 99");
    venue.acceptAll([renewal(), watching(1, 7)]);
    venue.wait(2_000);
    assert.deepEqual(endedIds(venue.accept(ending(7))), []);
    venue.put(2, "sell 1 @ 100");
    venue.timeMs = 14_000;
    assert.equal(venue.accept({ kind: "tick" }).deals.length, 1, "what is locked takes part in the auction");
    assert.deepEqual(venue.levels("buy"), []);
    for (let cut = 0; cut < venue.log.length; cut++) venue.assertRepeatable(cut);
  });
});

describe("a grace", () => {
  test("lets another connection take the place of one that ended", () => {
    const venue = watchingVenue();
    venue.accept(watching(1, 7, { graceMs: 5_000 }));
    assert.deepEqual(endedIds(venue.accept(ending(7))), []);
    venue.wait(4_999);
    // One about other orders does not take its place, and neither does one of another user.
    venue.acceptAll([watching(1, 8, { scope: "SPOT" }), watching(1, 9, { marketIds: [0] }), watching(2, 10)]);
    assert.equal(venue.state.nextDueMs, venue.timeMs + 1);
    venue.accept(watching(1, 11));
    assert.deepEqual(endedIds(venue.wait(60_000)), []);
    assert.deepEqual(endedIds(venue.accept(ending(11))), [1, 2]);
    venue.assertRepeatable();
  });

  test("is over to the millisecond, also across a snapshot, and a program that came back may let it go", () => {
    const venue = watchingVenue();
    venue.acceptAll([watching(1, 7, { graceMs: 5_000 }), watching(2, 8, { graceMs: 3_000 }), ending(7, 8)]);
    assert.deepEqual(endedIds(venue.wait(2_999)), []);
    venue.accept({ kind: "unwatch_connection", userId: 2, node: NODE, connection: 9 });
    assert.deepEqual(endedIds(venue.wait(2_000)), []);
    assert.deepEqual(endedIds(venue.wait(1)), [1, 2]);
    assert.deepEqual(venue.levels("buy"), ["1 @ 99.00"]);
    for (let cut = 0; cut < venue.log.length; cut++) venue.assertRepeatable(cut);
  });
});

describe("a node", () => {
  test("that is not renewed in time has lost its connections; a renewal in time keeps them", () => {
    const venue = watchingVenue();
    assert.deepEqual(venue.accept(renewal(10_000, "b")).result, { isNew: true });
    venue.accept(watching(1, 1, { node: "b" }));
    venue.accept(watching(2, 1));
    for (let beat = 0; beat < 5; beat++) {
      venue.wait(9_999);
      assert.deepEqual(venue.accept(renewal(10_000, "b")).result, { isNew: false });
    }
    assert.deepEqual(endedIds(venue.wait(9_999)), []);
    assert.deepEqual(endedIds(venue.wait(1)), [1, 2], "its own, and none of the node that needs no renewal");
    assert.deepEqual(venue.accept(renewal(10_000, "b")).result, { isNew: true });
    assert.deepEqual(endedIds(venue.accept({ kind: "end_connections", node: "b" })), []);
    for (let cut = 0; cut < venue.log.length; cut++) venue.assertRepeatable(cut);
  });

  test("that begins anew has lost all, and so have all nodes where none is named", () => {
    for (const lost of [{ node: NODE }, {}]) {
      const venue = watchingVenue();
      venue.acceptAll([watching(1, 1), watching(2, 2)]);
      assert.deepEqual(endedIds(venue.accept({ kind: "end_connections", ...lost })), [1, 2, 3]);
      assert.ok(!watchesConnections(venue.state));
    }
  });
});

describe("many at once", () => {
  test("a command cancels a bounded number of orders, the next ones follow a millisecond later, and nobody else's go", () => {
    const venue = bitcoinVenue();
    const users = Array.from({ length: 300 }, (_, index) => venue.addUser(`user ${index}`, { USDT: "1000" }));
    for (const user of users) venue.acceptAll([1, 2, 3, 4].map(() => venue.orderOf(user, "buy 0.01 @ 100")));
    const bystander = venue.addUser("bystander", { USDT: "1000" });
    venue.put(bystander, "buy 0.01 @ 100");
    venue.accept(renewal());
    venue.acceptAll(users.map((user) => watching(user, user)));
    const first = [users.slice(0, 250), users.slice(250)].map((some) => venue.accept(ending(...some)));
    assert.equal(first.flatMap(endedIds).length, 1_200);
    assert.deepEqual(venue.levels("buy"), ["0.01 @ 100.00"]);
    for (const user of users) venue.acceptAll([1, 2, 3, 4].map(() => venue.orderOf(user, "buy 0.01 @ 100")));
    venue.acceptAll(users.map((user) => watching(user, user)));
    const all = venue.accept({ kind: "end_connections" });
    assert.equal(endedIds(all).length, ORDERS_PER_COMMAND);
    const late = venue.put(users.at(-1) as number, "buy 0.01 @ 101").orderId;
    assert.equal(venue.state.nextDueMs, venue.timeMs + 1);
    const rest = endedIds(venue.wait(1));
    assert.equal(rest.length, 1_200 - ORDERS_PER_COMMAND);
    assert.ok(!rest.includes(late));
    venue.assertRepeatable();
  });

  test("a user may be watched on a bounded number of connections, those that ended and may come back included", () => {
    const venue = watchingVenue();
    for (let connection = 0; connection < CONNECTIONS_PER_USER_MAX; connection++) {
      venue.accept(
        watching(1, connection, { marketIds: connection % 2 === 0 ? [0] : [], graceMs: 1_000 + connection }),
      );
    }
    assert.equal(venue.execute(watching(1, 1_000)).refusal, "invalid_command");
    venue.accept(ending(0));
    assert.equal(venue.execute(watching(1, 1_000)).refusal, "invalid_command");
    assert.equal(venue.execute(watching(1, 1_000, { scope: "SPOT" })).refusal, "invalid_command");
    venue.accept(watching(1, 1, { scope: "SPOT" }));
    venue.accept(watching(1, 1_000, { marketIds: [0] }));
    venue.accept(watching(2, 1_001));
    venue.assertRepeatable();
  });
});

describe("is refused", () => {
  const REFUSED: readonly (readonly [change: object, refusal: Refusal])[] = [
    [{ userId: 3 }, "user_not_found"],
    [{ scope: "spot" }, "invalid_command"],
    [{ marketIds: Array.from({ length: 101 }, (_, id) => id) }, "invalid_command"],
    [{ marketIds: [5] }, "market_not_found"],
    [{ marketIds: [-1] }, "market_not_found"],
    [{ graceMs: -1 }, "invalid_command"],
    [{ graceMs: 600_001 }, "invalid_command"],
    [{ node: "z" }, "invalid_command"],
  ];
  for (const [change, refusal] of REFUSED) {
    test(JSON.stringify(change).slice(0, 60), () => {
      const venue = watchingVenue();
      assert.equal(venue.execute({ ...watching(1, 7), ...change }).refusal, refusal);
      assert.deepEqual(endedIds(venue.accept(ending(7))), []);
    });
  }

  test("under older rules there are no such commands", () => {
    const venue = new Venue(undefined, 4);
    venue.addUser("alice");
    for (const command of [watching(1, 7), ending(7), renewal()]) {
      assert.equal(venue.execute(command).refusal, "invalid_command");
    }
  });
});
