import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FuturesVenue, INVERSE, LEVELS, LINEAR } from "../../../test/support/futures-venue.ts";
import type { ListMarket } from "./command-schemas.ts";

const level = (change: Partial<(typeof LEVELS)[number]>, at = 0) =>
  LEVELS.map((row, place) => (place === at ? { ...row, ...change } : row));

describe("a futures market is refused", () => {
  for (const [what, listing, detail] of [
    ["without levels", { ...LINEAR, levels: undefined }, /needs its leverages and its position levels/],
    ["of no known type", { ...LINEAR, contractType: "quanto" }, /contract_type is one of/],
    ["of no known product", { ...LINEAR, marketType: "SWAP" }, /market_type is one of/],
    ["with finer prices than the asset", { ...LINEAR, pricePrecision: 3 }, /^L1/],
    ["inverse with parts of contracts", { ...INVERSE, amountPrecision: 1 }, /precision is 0/],
    [
      "with positions beyond int64",
      { ...LINEAR, maxAmount: "100", maxPrice: "10000000", levels: level({ amount: "90000" }, 2) },
      /^L4/,
    ],
    ["whose smallest order is dust", { ...INVERSE, minAmount: "1", maxPrice: "10000000" }, /^L6/],
    ["with levels out of order", { ...LINEAR, levels: [...LEVELS].reverse() }, /^L9: levels must ascend/],
    ["with two levels of one rate", { ...LINEAR, levels: level({ maintenanceMarginRate: "0.01" }) }, /^L9/],
    [
      "with a leverage that does not fall",
      { ...LINEAR, levels: level({ leverage: 100 }, 1) },
      /^L9: levels must descend/,
    ],
    ["whose margin its leverage cannot give", { ...LINEAR, levels: level({ leverage: 101 }) }, /^L9/],
    ["maintained with more than its margin", { ...LINEAR, levels: level({ minInitialMarginRate: "0.005" }) }, /^L9/],
    ["without leverages", { ...LINEAR, leverages: [] }, /There must be leverages/],
    ["with a leverage twice", { ...LINEAR, leverages: [5, 5] }, /each once/],
    ["without a tick", { ...LINEAR, tickSize: "0" }, /tick_size must be above 0/],
    ["with an auction", { ...LINEAR, biddingAt: 5_000, onlineAt: 9_000 }, /without an auction/],
  ] as [string, ListMarket, RegExp][]) {
    test(what, () => {
      const venue = new FuturesVenue();
      const done = venue.execute({ ...listing, market: "NEW" });
      assert.equal(done.refusal, "invalid_listing");
      assert.match(done.detail ?? "", detail);
    });
  }
});

test("a spot and a futures market may have one name, each once", () => {
  const venue = new FuturesVenue();
  assert.equal(venue.execute(LINEAR).refusal, "already_listed");
  venue.listMarket("BTC", "USDT");
  assert.equal(venue.execute({ ...LINEAR, marketType: "SPOT" }).refusal, "already_listed");
  assert.notEqual(venue.state.marketByName.get("BTCUSDT"), venue.state.futuresByName.get("BTCUSDT"));
  const user = venue.addTrader("user", { USDT: "1000" });
  venue.deposit(user, "USDT", "1000");
  venue.rest(user, "buy 0.01 @ 29000.00");
  const spot = venue.place(user, "buy 0.01 @ 29000.00");
  assert.equal(spot.refusal, undefined);
  venue.accept({ kind: "cancel_all_orders", userId: user, marketId: spot.order?.marketId ?? -1, account: "spot" });
  assert.deepEqual(venue.levelsOf("buy"), ["0.01 @ 29000.00"]);
  venue.assertRepeatable();
});

test("levels and bounds change within what accounts hold and have ordered", () => {
  const venue = new FuturesVenue();
  const user = venue.addTrader("user", { USDT: "1000000" });
  venue.rest(user, "buy 12 @ 29000.00");
  const change = (levels: typeof LEVELS) =>
    venue.execute({ kind: "change_market", market: "BTCUSDT", marketType: "FUTURES", levels });
  assert.match(change(LEVELS.slice(0, 1)).detail ?? "", /must not end below the largest position/);
  assert.equal(change(LEVELS.slice(0, 2)).refusal, undefined);
  venue.changeMarket("BTCUSDT", { marketType: "FUTURES", leverages: [3, 2], tickSize: "0.1" });
  assert.deepEqual(venue.futuresNamed("BTCUSDT").futures?.leverages, [2, 3]);
  venue.assertRepeatable();
});

test("the highest price may not rise to where all open positions are worth more than the ledger's numbers hold", () => {
  const venue = new FuturesVenue();
  for (const name of ["one", "two", "three"]) {
    const [buyer, seller] = [name, `${name} too`].map((user) => venue.addTrader(user, { USDT: "1000000" }));
    venue.rest(buyer as number, "buy 80 @ 30000.00");
    venue.rest(seller as number, "sell 80 @ 30000.00");
  }
  const change = (maxPrice: string) =>
    venue.execute({ kind: "change_market", market: "BTCUSDT", marketType: "FUTURES", maxPrice });
  assert.match(change("400000000").detail ?? "", /^L4: all open positions/);
  assert.equal(change("380000000").refusal, undefined);
});

test("an inverse market counts contracts of a dollar and settles in coins", () => {
  const venue = new FuturesVenue();
  const { futures, maxPrice } = venue.futuresNamed("BTCUSD");
  assert.deepEqual([futures?.contractType, futures?.settleAssetId, futures?.unit], ["inverse", 0, 10n ** 9n]);
  assert.ok(maxPrice > 0n);
});
