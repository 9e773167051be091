import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Done, Venue } from "../../../test/support/venue.ts";

const AUCTION_MS = 120_000;
const FUNDS = { BTC: "1000", USDT: "10000000" };

/**
 * BTCUSDT, interrupted where a price leaves its reference by a tenth, and users 1 to 4; with an index unless it has
 * none.
 */
function market(index: string | undefined, rules?: number): Venue {
  const venue = new Venue(undefined, rules);
  for (const ccy of ["BTC", "USDT"]) venue.listAsset(ccy);
  venue.listMarket("BTC", "USDT", { interruption: { move: "0.1", windowMs: 60_000, auctionMs: AUCTION_MS } });
  for (let user = 1; user <= 4; user++) venue.addUser(`user ${user}`, FUNDS);
  if (index !== undefined) venue.spotIndex(index);
  return venue;
}

function statusOf(venue: Venue): string {
  return venue.marketNamed("BTCUSDT").status;
}

function latest(venue: Venue): number {
  return Number(venue.state.lastPrice[venue.marketNamed("BTCUSDT").id]) / 100;
}

/** One bids and another asks at a price, which would be a deal. */
function meet(venue: Venue, price: string, lots = "1"): Done {
  venue.put(1, `sell ${lots} @ ${price}`);
  return venue.place(2, `buy ${lots} @ ${price}`);
}

/** As long as its last source has been silent for more than a minute. */
function silence(venue: Venue): void {
  venue.wait(61_000);
  assert.ok(venue.marketNamed("BTCUSDT").index.isStale);
}

describe("the reference of an interruption", () => {
  test("is the index, and no deal of the window", () => {
    const venue = market("100");
    meet(venue, "94");
    // 87 is within a tenth of that deal, and not of the index.
    meet(venue, "87");
    assert.equal(statusOf(venue), "bidding");
    assert.equal(latest(venue), 94);
  });

  test("was the first deal of the window before rules version 3", () => {
    const venue = market("100", 2);
    meet(venue, "94");
    meet(venue, "87");
    assert.equal(latest(venue), 87);
  });

  test("is what the index said last while its sources are silent", () => {
    const venue = market("100");
    silence(venue);
    assert.equal(meet(venue, "91").deals.length, 1);
    venue.wait(60_000);
    assert.equal(meet(venue, "89").deals.length, 0);
    assert.equal(statusOf(venue), "bidding");
  });

  test("is the first deal of the window in a market without an index", () => {
    const venue = market(undefined);
    meet(venue, "100");
    assert.equal(meet(venue, "91").deals.length, 1);
    assert.equal(meet(venue, "89").deals.length, 0);
  });

  test("follows the index", () => {
    const venue = market("100");
    meet(venue, "100");
    venue.spotIndex("140");
    assert.equal(meet(venue, "150").deals.length, 1);
  });
});

describe("the auction of an interruption", () => {
  test("opens near the index at the price that its orders agree on", () => {
    const venue = market("100");
    meet(venue, "112");
    venue.put(3, "sell 1 @ 108");
    venue.wait(AUCTION_MS);
    assert.equal(statusOf(venue), "online");
    assert.equal(latest(venue), 108);
  });

  test("goes on once more instead of opening more than a move away, and then opens within two", () => {
    const venue = market("100");
    meet(venue, "118");
    const done = venue.wait(AUCTION_MS);
    assert.equal(statusOf(venue), "bidding");
    const told = done.events.flatMap((event) => (event.kind === "json" ? [event.event] : []));
    assert.ok(told.some(({ type }) => type === "market_interrupted"));
    venue.wait(AUCTION_MS);
    assert.deepEqual([statusOf(venue), latest(venue)], ["online", 118]);
    venue.assertRepeatable();
  });

  test("opens no farther than two moves from the index, and ends orders that meet beyond", () => {
    const venue = market("100");
    venue.put(1, "buy 5 @ 60");
    meet(venue, "112");
    // Of the four that are offered at 52, one finds a bid within two moves, at which it trades.
    venue.put(3, "sell 4 @ 52");
    venue.put(4, "buy 1 @ 85");
    venue.wait(AUCTION_MS);
    const done = venue.wait(AUCTION_MS);
    assert.equal(statusOf(venue), "online");
    assert.ok(done.deals.every(({ price }) => price >= 8_000n && price <= 12_000n));
    assert.deepEqual(venue.levels("buy"), ["5 @ 60.00"]);
    assert.deepEqual(venue.levels("sell"), ["1 @ 112.00"]);
    venue.assertRepeatable();
  });

  test("lets nobody open a market that a silent index leaves without a price (seed 13267)", () => {
    for (const [rules, opened] of [
      [2, 52],
      [3, 0],
    ] as const) {
      const venue = market("100", rules);
      meet(venue, "80", "0.1");
      for (const userId of [1, 2]) venue.execute({ kind: "cancel_all_orders", userId, marketId: 0, account: "spot" });
      venue.put(1, "sell 1 @ 52");
      venue.put(2, "buy 9 @ 52");
      silence(venue);
      venue.wait(AUCTION_MS);
      venue.wait(AUCTION_MS);
      assert.deepEqual([statusOf(venue), latest(venue)], ["online", opened], `rules ${rules}`);
    }
  });

  test("is over when an operator says so, and still opens within two moves", () => {
    const venue = market("100");
    meet(venue, "118");
    venue.wait(1_000);
    venue.changeMarket("BTCUSDT", { onlineAt: venue.timeMs });
    venue.wait(1);
    assert.deepEqual([statusOf(venue), latest(venue)], ["online", 118]);
  });
});

test("a market is interrupted three times an hour; after that deals out of reach are not made, and it goes on", () => {
  const venue = market("100");
  for (let time = 1; time <= 4; time++) {
    const done = meet(venue, "115", "0.1");
    assert.equal(done.deals.length, 0);
    assert.equal(statusOf(venue), time <= 3 ? "bidding" : "online", `call ${time}`);
    for (const userId of [1, 2]) venue.execute({ kind: "cancel_all_orders", userId, marketId: 0, account: "spot" });
    if (time <= 3) venue.wait(AUCTION_MS);
  }
  // What could not be traded of the order is gone, as of one that may not rest.
  assert.equal(meet(venue, "115", "0.1").order?.status, "canceled");
  assert.deepEqual(venue.levels("buy"), []);
  venue.wait(3_600_000);
  venue.spotIndex("100");
  meet(venue, "115", "0.1");
  assert.equal(statusOf(venue), "bidding");
  venue.assertRepeatable();
});

test("what a market reopened at is its reference for a window, and then the index again", () => {
  const venue = market("100");
  meet(venue, "118");
  venue.wait(AUCTION_MS);
  venue.wait(AUCTION_MS);
  assert.equal(latest(venue), 118);
  assert.equal(meet(venue, "128").deals.length, 1);
  venue.wait(60_001);
  assert.equal(meet(venue, "91").deals.length, 1);
  assert.equal(meet(venue, "112").deals.length, 0);
});

test("limit prices and market orders stay held to an index that is silent", () => {
  for (const rules of [2, 3]) {
    const venue = market("100", rules);
    venue.changeMarket("BTCUSDT", { interruption: null });
    meet(venue, "140");
    silence(venue);
    assert.equal(venue.place(1, "sell 1 @ 210").refusal, undefined);
    assert.equal(venue.place(2, "buy 1 @ 200").refusal, rules === 2 ? undefined : "price_far_from_latest");
    assert.equal(venue.place(2, "buy 1").refusal, rules === 2 ? undefined : "no_counter_orders");
  }
});
