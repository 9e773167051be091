import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue, endedIds, type Venue } from "../../../test/support/venue.ts";
import type { Command } from "../command.ts";
import type { Refusal } from "../refusal.ts";

/** Alice's orders 1-4 and 7 in BTCUSDT, 5 and 6 in ETHUSDT; 8 is bob's. What each command cancels, in its order. */
const CANCELS: readonly (readonly [command: Partial<Command>, canceled: readonly number[], refusal?: Refusal])[] = [
  [{ kind: "cancel_order", orderId: 1 }, [1]],
  [{ kind: "cancel_order", orderId: 1, account: "spot" }, [1]],
  [{ kind: "cancel_order", orderId: 1, account: "margin" }, [], "order_not_found"],
  [{ kind: "cancel_order", orderId: 5 }, [], "order_not_found"],
  [{ kind: "cancel_order", orderId: 5, marketId: 1 }, [5]],
  [{ kind: "cancel_order", orderId: 8 }, [], "order_not_found"],
  [{ kind: "cancel_order", orderId: 8, userId: 2 }, [8]],
  [{ kind: "cancel_order", orderId: 0 }, [], "order_not_found"],
  [{ kind: "cancel_order", orderId: -1 }, [], "order_not_found"],
  [{ kind: "cancel_order", orderId: 2 ** 53 }, [], "order_not_found"],
  [{ kind: "cancel_order", orderId: Number.NaN }, [], "order_not_found"],
  [{ kind: "cancel_order", orderId: 1, marketId: 2 }, [], "market_not_found"],
  [{ kind: "cancel_order", orderId: 1, marketId: -1 }, [], "market_not_found"],
  [{ kind: "cancel_order", orderId: 1, userId: 99 }, [], "order_not_found"],
  [{ kind: "cancel_by_client_id", account: "spot", clientId: "a" }, [1, 3]],
  [{ kind: "cancel_by_client_id", account: "spot", clientId: "a", marketId: 1 }, [5]],
  [{ kind: "cancel_by_client_id", account: "spot", clientId: "a", marketId: undefined }, [1, 3, 5]],
  [{ kind: "cancel_by_client_id", account: "spot", clientId: "b" }, [2]],
  [{ kind: "cancel_by_client_id", account: "spot", clientId: "c" }, [], "order_not_found"],
  [{ kind: "cancel_by_client_id", account: "spot", clientId: "A" }, [], "order_not_found"],
  [{ kind: "cancel_by_client_id", account: "spot", clientId: "" }, [], "order_not_found"],
  [{ kind: "cancel_by_client_id", account: "spot", clientId: "", marketId: undefined }, [], "order_not_found"],
  [{ kind: "cancel_by_client_id", account: "margin", clientId: "a" }, [], "order_not_found"],
  [{ kind: "cancel_by_client_id", account: "spot", clientId: "a", marketId: 99 }, [], "order_not_found"],
  [{ kind: "cancel_by_client_id", account: "spot", clientId: "a", userId: 99 }, [], "order_not_found"],
  [{ kind: "cancel_by_client_id", account: "spot", clientId: "x".repeat(32) }, [7]],
  [{ kind: "cancel_all_orders", account: "spot" }, [1, 2, 3, 4, 7]],
  [{ kind: "cancel_all_orders", account: "spot", side: "buy" }, [1, 2, 7]],
  [{ kind: "cancel_all_orders", account: "spot", side: "sell" }, [3, 4]],
  [{ kind: "cancel_all_orders", account: "margin" }, [], "margin_not_available"],
  [{ kind: "cancel_all_orders", account: "spot", marketId: 1 }, [5, 6]],
  [{ kind: "cancel_all_orders", account: "spot", userId: 99 }, []],
  [{ kind: "cancel_all_orders", account: "spot", marketId: 99 }, [], "market_not_found"],
];

test("a cancel ends the orders that it names, oldest first, and nobody else's", () => {
  for (const [given, canceled, refusal] of CANCELS) {
    const venue = crowdedVenue();
    const command = { userId: 1, marketId: 0, ...given } as Command;
    const done = venue.execute(command);
    const what = JSON.stringify(given);
    assert.equal(done.refusal, refusal, what);
    assert.deepEqual(endedIds(done), canceled, what);
    assert.equal(venue.execute(command).events.length, 0, `${what} again`);
    venue.assertRepeatable();
  }
});

test("a cancelled order gives back what it had frozen, however much was filled", () => {
  const venue = bitcoinVenue();
  const [buyer, seller] = [venue.addUser("buyer", { USDT: "1000" }), venue.addUser("seller", { BTC: "1" })];
  const { orderId } = venue.put(buyer, "buy 2 @ 100.00");
  venue.put(seller, "sell 0.5 @ 100.00");
  assert.equal(venue.balance(buyer, "USDT"), "800.00000000 + 150.00000000");
  const { order } = venue.cancel(buyer, orderId);
  assert.equal(order?.status, "part_canceled");
  assert.equal(order?.left, 1500000n);
  assert.equal(venue.balance(buyer, "USDT"), "950.00000000 + 0.00000000");
});

test("an order cancelled without a fill is told once, with the time of its end, and kept nowhere", () => {
  const venue = bitcoinVenue();
  const user = venue.addUser("user", { USDT: "1000" });
  const { orderId } = venue.put(user, "buy 2 @ 100.00 id:mine");
  venue.timeMs += 10;
  const { order } = venue.cancel(user, orderId);
  assert.deepEqual(
    [order?.status, order?.createdAt, order?.updatedAt, order?.clientId],
    ["canceled", 1_000, 1_010, "mine"],
  );
  assert.equal(venue.state.orders.live, 0);
  assert.equal(venue.state.orders.clientId.size, 0);
  assert.equal(venue.cancel(user, orderId).refusal, "order_not_found");
});

test("rows of ended orders are used again without a trace of who had them before", () => {
  const venue = bitcoinVenue();
  const [maker, taker] = [venue.addUser("maker", { BTC: "10" }), venue.addUser("taker", { USDT: "10000" })];
  const { orderId } = venue.put(maker, "sell 1 @ 100.00 hidden id:first");
  venue.put(taker, "buy 0.5 @ 100.00");
  venue.cancel(maker, orderId);
  const fresh = venue.put(taker, "buy 1 @ 90.00");
  assert.deepEqual([fresh.clientId, fresh.hidden, fresh.filledLots, fresh.baseFee], ["", false, 0n, 0n]);
  venue.assertRepeatable();
});

function crowdedVenue(): Venue {
  const venue = bitcoinVenue();
  venue.listAsset("ETH");
  venue.listMarket("ETH", "USDT");
  const alice = venue.addUser("alice", { BTC: "10", ETH: "10", USDT: "10000" });
  const bob = venue.addUser("bob", { BTC: "10", USDT: "10000" });
  venue.put(alice, "buy 1 @ 90.00 id:a");
  venue.put(alice, "buy 1 @ 91.00 id:b");
  venue.put(alice, "sell 1 @ 110.00 id:a");
  venue.put(alice, "sell 1 @ 109.00");
  venue.put(alice, "sell 1 @ 20.00 id:a", "ETHUSDT");
  venue.put(alice, "sell 1 @ 20.00", "ETHUSDT");
  venue.put(alice, `buy 1 @ 89.00 hidden id:${"x".repeat(32)}`);
  venue.put(bob, "buy 1 @ 90.00 id:a");
  return venue;
}
