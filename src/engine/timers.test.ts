import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue, marketOf, Venue } from "../../test/support/venue.ts";

test("a market counts down until its time and then trades, whatever command comes first", () => {
  const venue = newVenue();
  venue.accept({ ...marketOf("BTC", "USDT"), onlineAt: 2_000 });
  const user = venue.addUser("user", { USDT: "1000" });
  venue.timeMs = 1_999;
  assert.equal(venue.place(user, "buy 1 @ 100.00").refusal, "market_not_open");
  venue.timeMs = 2_000;
  const done = venue.place(user, "buy 1 @ 100.00");
  assert.equal(done.refusal, undefined);
  assert.deepEqual(done.events[1], { kind: "json", event: { type: "market_changed", market: "BTCUSDT" } });
  assert.equal(venue.state.nextDueMs, Number.POSITIVE_INFINITY);
  venue.assertRepeatable();
});

test("the opening of a market that counts down can be moved, and of one that trades cannot", () => {
  const venue = newVenue();
  venue.accept({ ...marketOf("BTC", "USDT"), onlineAt: 2_000 });
  venue.changeMarket("BTCUSDT", { onlineAt: 5_000 });
  venue.timeMs = 4_999;
  venue.accept({ kind: "tick" });
  assert.equal(venue.marketNamed("BTCUSDT").status, "counting_down");
  venue.changeMarket("BTCUSDT", { onlineAt: 0 });
  assert.equal(venue.marketNamed("BTCUSDT").status, "online");
  assert.equal(venue.execute({ kind: "change_market", market: "BTCUSDT", onlineAt: 6_000 }).refusal, "invalid_listing");
});

test("at its delisting every order of a market ends and the market is gone, by name and by id", () => {
  const venue = bitcoinVenue();
  const [alice, bob] = [venue.addUser("alice", { USDT: "1000", BTC: "5" }), venue.addUser("bob", { USDT: "1000" })];
  venue.put(alice, "sell 1 @ 100.00 id:mine");
  venue.put(bob, "buy 0.25 @ 100.00");
  venue.put(bob, "buy 1 @ 90.00 hidden");
  venue.put(alice, "buy 1 @ 91.00");
  venue.changeMarket("BTCUSDT", { delistedAt: 5_000 });
  venue.timeMs = 4_999;
  assert.equal(venue.place(alice, "buy 1 @ 80.00").refusal, undefined);
  venue.timeMs = 5_000;
  const last = venue.orderOf(alice, "buy 1 @ 80.00");
  // The first command after the hour finds the market gone, though it was still there when it was sent.
  const done = venue.execute(last);
  assert.equal(done.refusal, "market_not_found");
  const ended = done.events.flatMap((event) =>
    event.kind === "order" ? [[event.order.orderId, event.order.status]] : [],
  );
  assert.deepEqual(ended, [
    [4, "canceled"],
    [3, "canceled"],
    [5, "canceled"],
    [1, "part_canceled"],
  ]);
  assert.equal(venue.balance(alice, "BTC"), "4.75000000 + 0.00000000");
  assert.equal(venue.balance(bob, "USDT"), "975.00000000 + 0.00000000");
  assert.equal(venue.execute(last).refusal, "market_not_found");
  assert.equal(venue.execute({ kind: "change_market", market: "BTCUSDT" }).refusal, "market_not_found");
  const feed = { kind: "set_index_prices", market: "BTCUSDT", sources: [{ exchange: "one", price: "1" }] } as const;
  assert.equal(venue.execute(feed).refusal, "market_not_found");
  venue.assertRepeatable();
});

test("the name of a delisted market can be listed again, as another market", () => {
  const venue = bitcoinVenue();
  const user = venue.addUser("user", { USDT: "1000" });
  venue.changeMarket("BTCUSDT", { delistedAt: 5_000 });
  assert.equal(venue.execute(marketOf("BTC", "USDT")).refusal, "already_listed");
  venue.timeMs = 5_000;
  assert.deepEqual(venue.accept(marketOf("BTC", "USDT")).result, { marketId: 1 });
  assert.equal(venue.put(user, "buy 1 @ 100.00").marketId, 1);
  assert.equal(venue.execute({ ...venue.orderOf(user, "buy 1 @ 100.00"), marketId: 0 }).refusal, "market_not_found");
  venue.assertRepeatable();
});

test("a delisting that is taken back or moved does not happen at its first time", () => {
  const venue = bitcoinVenue();
  venue.changeMarket("BTCUSDT", { delistedAt: 2_000 });
  venue.changeMarket("BTCUSDT", { delistedAt: 4_000 });
  venue.timeMs = 3_000;
  venue.accept({ kind: "tick" });
  assert.equal(venue.state.marketByName.has("BTCUSDT"), true);
  venue.changeMarket("BTCUSDT", { delistedAt: 0 });
  venue.timeMs = 9_000;
  venue.accept({ kind: "tick" });
  assert.equal(venue.state.marketByName.has("BTCUSDT"), true);
});

test("what was missed while the venue stood still happens at the first command, each market in its turn", () => {
  const venue = newVenue();
  venue.listAsset("ETH");
  venue.accept({ ...marketOf("BTC", "USDT"), onlineAt: 2_000, delistedAt: 3_000 });
  venue.accept({ ...marketOf("ETH", "USDT"), onlineAt: 2_500 });
  venue.timeMs = 100_000;
  const { events } = venue.accept({ kind: "tick" });
  assert.equal(events.length, 4);
  assert.deepEqual([...venue.state.marketByName.keys()], ["ETHUSDT"]);
  assert.equal(venue.accept({ kind: "tick" }).events.length, 0);
  venue.assertRepeatable();
});

test("what was missed of several markets happens in the order of its times, delistings first where they are one", () => {
  const venue = newVenue();
  venue.listAsset("ETH");
  venue.accept({ ...marketOf("BTC", "USDT"), onlineAt: 5_000 });
  venue.accept({ ...marketOf("ETH", "USDT"), biddingAt: 2_000, onlineAt: 4_000 });
  venue.accept({ ...marketOf("ETH", "BTC"), delistedAt: 4_000 });
  venue.timeMs = 9_000;
  const { events } = venue.accept({ kind: "tick" });
  const told = events.flatMap((event) => {
    if (event.kind !== "json") return [];
    return event.event.type === "market_changed" ? [event.event.market] : [event.event.type];
  });
  assert.deepEqual(told, ["ETHUSDT", "ETHBTC", "ETHUSDT", "auction_uncrossed", "BTCUSDT"]);
  venue.assertRepeatable();
});

function newVenue(): Venue {
  const venue = new Venue();
  venue.listAsset("BTC");
  venue.listAsset("USDT");
  return venue;
}
