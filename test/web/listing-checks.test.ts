/** What the console looks at before a market is listed: each rule once broken, alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Listing, listingChecks } from "../../web/src/console/listing-checks.ts";

const SOUND: Listing = {
  ...{ market: "SOLUSDT", isFutures: false, isInverse: false, baseCcy: "SOL", quoteCcy: "USDT" },
  ...{ baseScale: 8, quoteScale: 8, amountDecimals: "4", priceDecimals: "2", minAmount: "0.01" },
  ...{ makerFeeRate: "0.001", takerFeeRate: "0.002", chains: ["SOL"], levels: 0 },
  sources: [
    { exchange: "northgate", weight: "0.5" },
    { exchange: "harbour", weight: "0.5" },
  ],
};
const FUTURES: Listing = { ...SOUND, isFutures: true, levels: 2 };
const LISTED = { markets: ["BTCUSDT"], chains: ["SOL", "TRC20"], exchanges: ["northgate", "harbour"] };

const troubles = (of: Listing) =>
  listingChecks(of, LISTED).flatMap(({ says, verdict }) => (verdict === "right" ? [] : [`${verdict}: ${says}`]));

test("a sound listing, of spot and of futures, has nothing against it", () => {
  assert.deepEqual(troubles(SOUND), []);
  assert.deepEqual(troubles(FUTURES), []);
});

const BROKEN: readonly (readonly [change: Partial<Listing>, trouble: RegExp, from?: Listing])[] = [
  [{ baseScale: undefined }, /^wrong: Base and quote currency must be two listed assets/],
  [{ quoteCcy: "SOL", market: "SOLSOL" }, /^wrong: Base and quote currency must be two/],
  [{ market: "BTCUSDT", baseCcy: "BTC" }, /^wrong: BTCUSDT is listed/],
  [{ market: "SOL_USDT" }, /^doubtful: Clients expect the name SOLUSDT/],
  [{ minAmount: "0" }, /^wrong: The minimum order must be above 0/],
  [{ minAmount: "0.00001" }, /^wrong: The minimum order must be above 0 with at most 4 decimals/],
  [{ minAmount: "some" }, /^wrong: The minimum order/],
  [{ makerFeeRate: "-0.001" }, /^wrong: Fee rates are decimals/],
  [{ takerFeeRate: "0.2 %" }, /^wrong: Fee rates are decimals/],
  [{ makerFeeRate: "0.003" }, /^doubtful: Makers would pay more/],
  [{ takerFeeRate: "0.2" }, /^doubtful: Makers would pay more than takers, or takers more than 1 %/],
  [{ amountDecimals: "7" }, /^wrong: L1: decimals of amounts \(7\)/],
  [{ amountDecimals: "9", quoteScale: 18 }, /^wrong: L1/],
  [{ isInverse: true, market: "SOLUSDT" }, /^wrong: The amount of an inverse contract/, FUTURES],
  [{ levels: 0 }, /^wrong: A futures market needs position levels/, FUTURES],
  [{ sources: [] }, /^doubtful: Without sources of an index/, FUTURES],
  [{ sources: [{ exchange: "nortgate", weight: "1" }] }, /^doubtful: nortgate feeds no other index/],
  [{ sources: [{ exchange: "northgate", weight: "0.9" }] }, /^doubtful: The weights of the index come to 0.9/],
  [{ chains: ["SOLANA"] }, /^doubtful: The venue moves no money on SOLANA/],
];

test("each rule that is broken alone is told of alone", () => {
  for (const [change, trouble, from = SOUND] of BROKEN) {
    const found = troubles({ ...from, ...change });
    assert.equal(found.length, 1, `${JSON.stringify(change)}: ${found.join(" | ")}`);
    assert.match(found[0] ?? "", trouble);
  }
});
