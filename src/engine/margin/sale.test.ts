import assert from "node:assert/strict";
import { test } from "node:test";
import { marginVenue } from "../../../test/support/margin-venue.ts";
import type { Market } from "../listing/market.ts";
import { highestPurchase, lowestSale, wantedTrade } from "./sale.ts";

const ONE_E8 = 100_000_000n;
/** An index of 30000.00; lots of 100 units of base, a unit of quote per lot and tick. */
const MARKET = { index: { price: 3_000_000n }, unitsPerLot: 100n, unitsPerLotTick: 1n } as Market;
const units = (whole: number): bigint => BigInt(Math.round(whole * 1e8));

test("a sale goes a twentieth below the index, not beyond what pays the debt, and an insolvent account's to the index alone", () => {
  const rows: readonly (readonly [owed: number, keepsE8: bigint, price: bigint])[] = [
    [27_000, ONE_E8, 2_850_000n],
    [28_500, ONE_E8, 2_850_000n],
    [28_500.01, ONE_E8, 2_850_001n],
    [29_000, ONE_E8, 2_900_000n],
    // The fee of the deal is paid out of the price, too.
    [29_000, 99_800_000n, 2_905_812n],
    [30_000, ONE_E8, 3_000_000n],
    [30_000.01, ONE_E8, 3_000_000n],
    [31_000, ONE_E8, 3_000_000n],
  ];
  for (const [owed, keepsE8, price] of rows) assert.equal(lowestSale(MARKET, units(1), units(owed), keepsE8), price);
});

test("a purchase goes a twentieth above the index, not beyond what pays the debt, and an insolvent account's to the index alone", () => {
  const rows: readonly (readonly [has: number, keepsE8: bigint, price: bigint])[] = [
    [33_000, ONE_E8, 3_150_000n],
    [31_500, ONE_E8, 3_150_000n],
    [31_499.99, ONE_E8, 3_149_999n],
    [31_000, ONE_E8, 3_100_000n],
    [31_000, 99_800_000n, 3_093_800n],
    [30_000, ONE_E8, 3_000_000n],
    [29_000, ONE_E8, 3_000_000n],
  ];
  for (const [has, keepsE8, price] of rows) assert.equal(highestPurchase(MARKET, units(has), units(1), keepsE8), price);
});

test("under rules version 4 an insolvent account was sold a twentieth below the index, a solvent one no lower than what pays its debt", () => {
  for (const [index, price] of [
    ["25000.00", 2_400_090n],
    ["24000.00", 2_280_000n],
  ] as const) {
    const venue = marginVenue(4);
    const ann = venue.addUser("ann", { USDT: "6000" });
    const seller = venue.addUser("seller", { BTC: "1" });
    venue.accept({ kind: "change_user", userId: ann, takerFeeRate: "0" });
    venue.transfer(ann, "USDT", "6000");
    venue.borrow(ann, "USDT", "24000");
    venue.put(seller, "sell 1 @ 30000.00");
    venue.put(ann, "buy 1 @ 30000.00 margin");
    venue.spotIndex(index);
    const row = venue.state.margin.accounts.find(ann, 0);
    const liquidation = venue.state.margin.liquidations.get(row);
    assert.ok(liquidation);
    assert.equal(wantedTrade(venue.state, venue.marketNamed("BTCUSDT"), row, liquidation)?.limit, price);
  }
});

test("under rules version 4 a purchase went a twentieth above the index, or as far as what pays the debt", () => {
  for (const [index, price] of [
    ["36500.00", 3_749_921n],
    ["38000.00", 3_990_000n],
  ] as const) {
    const venue = marginVenue(4);
    const ann = venue.addUser("ann", { USDT: "6000" });
    const buyer = venue.addUser("buyer", { USDT: "40000" });
    venue.accept({ kind: "change_user", userId: ann, takerFeeRate: "0" });
    venue.transfer(ann, "USDT", "6000");
    venue.borrow(ann, "BTC", "0.8");
    venue.put(buyer, "buy 0.8 @ 30000.00");
    venue.put(ann, "sell 0.8 @ 30000.00 margin");
    venue.spotIndex(index);
    const row = venue.state.margin.accounts.find(ann, 0);
    const liquidation = venue.state.margin.liquidations.get(row);
    assert.ok(liquidation, index);
    assert.equal(wantedTrade(venue.state, venue.marketNamed("BTCUSDT"), row, liquidation)?.limit, price);
  }
});
