import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue, marketOf, Venue } from "../../../test/support/venue.ts";
import { formatDecimal } from "../money/decimal.ts";
import type { Refusal } from "../refusal.ts";
import type { ChangeMarket, ListAsset, ListMarket } from "./command-schemas.ts";

const ASSETS: readonly (readonly [Omit<ListAsset, "kind">, Refusal | undefined, detail?: RegExp])[] = [
  [{ ccy: "BTC", scale: 8 }, undefined],
  [{ ccy: "BTC", scale: 0 }, undefined],
  [{ ccy: "BTC", scale: 18 }, undefined],
  [{ ccy: "BTC", scale: 19 }, "invalid_listing", /scale/],
  [{ ccy: "BTC", scale: -1 }, "invalid_listing", /scale/],
  [{ ccy: "", scale: 8 }, "invalid_listing", /name/],
  [{ ccy: "btc", scale: 8 }, "invalid_listing", /name/],
  [{ ccy: "B TC", scale: 8 }, "invalid_listing", /name/],
  [{ ccy: "X".repeat(20), scale: 8 }, undefined],
  [{ ccy: "X".repeat(21), scale: 8 }, "invalid_listing", /name/],
  [{ ccy: "USDT", scale: 8 }, "already_listed"],
  // 2^63 - 1 = 9223372036854775807.
  [{ ccy: "BTC", scale: 8, maxUnits: "92233720368" }, undefined],
  [{ ccy: "BTC", scale: 8, maxUnits: "92233720369" }, "invalid_listing", /L2/],
  [{ ccy: "BTC", scale: 0, maxUnits: "9223372036854775807" }, undefined],
  [{ ccy: "BTC", scale: 0, maxUnits: "9223372036854775808" }, "invalid_listing", /L2/],
  [{ ccy: "BTC", scale: 18, maxUnits: "9" }, undefined],
  [{ ccy: "BTC", scale: 18, maxUnits: "10" }, "invalid_listing", /L2/],
  [{ ccy: "BTC", scale: 8, maxUnits: "0" }, "invalid_listing", /L2/],
  [{ ccy: "BTC", scale: 8, maxUnits: "1.5" }, "invalid_listing", /L2/],
  [{ ccy: "BTC", scale: 8, maxUnits: "-1" }, "invalid_listing", /L2/],
  [{ ccy: "BTC", scale: 8, maxUnits: "1e3" }, "invalid_listing", /L2/],
];

test("an asset is listed when its largest custody fits int64 at its scale (L2)", () => {
  for (const [asset, refusal, detail = /./] of ASSETS) {
    const venue = new Venue();
    venue.listAsset("USDT");
    const done = venue.execute({ kind: "list_asset", ...asset });
    assert.equal(done.refusal, refusal, JSON.stringify(asset));
    if (refusal !== undefined) assert.match(done.detail ?? "", detail);
  }
});

const CHAIN = {
  ...{ chain: "TRC20", minDepositAmount: "1", minWithdrawAmount: "2", depositEnabled: true, withdrawEnabled: true },
  ...{ depositDelayMinutes: 0, safeConfirmations: 1, irreversibleConfirmations: 2, deflationRate: "0" },
  ...{ withdrawalFee: "0.1", withdrawalPrecision: 6, memo: "", isMemoRequiredForDeposit: false },
  ...{ explorerAssetUrl: "", identity: "" },
};

/** Chains that an asset is listed with, by how they differ from a sound one. */
const CHAINS: readonly (readonly [chains: readonly Partial<typeof CHAIN>[], detail?: RegExp])[] = [
  [[]],
  [[{}]],
  [[{}, { chain: "ERC20" }]],
  [[{ chain: "" }], /name of a chain/],
  [[{ chain: "../etc" }], /name of a chain/],
  [[{ chain: "<b>" }], /name of a chain/],
  [[{ chain: "X".repeat(33) }], /name of a chain/],
  [[{}, {}], /name of its own/],
  [[{ minDepositAmount: "1.123456789" }], /decimals/],
  [[{ minWithdrawAmount: "-1" }], /decimals/],
  [[{ deflationRate: "1" }], /deflation_rate/],
  [[{ safeConfirmations: -1 }], /not below 0/],
  [Array.from({ length: 32 }, (_, at) => ({ chain: `C${at}` }))],
  [Array.from({ length: 33 }, (_, at) => ({ chain: `C${at}` })), /at most 32 chains/],
];

test("chains that an asset is listed with are checked as those that it is given later; older logs hold whatever they hold", () => {
  for (const [differing, detail] of CHAINS) {
    const chains = differing.map((one) => ({ ...CHAIN, ...one }));
    const listing = { kind: "list_asset", ccy: "USDT", scale: 8, chains } as const;
    const venue = new Venue();
    const { refusal, detail: said = "" } = venue.execute(listing);
    assert.equal(refusal, detail && "invalid_listing", JSON.stringify(differing).slice(0, 200));
    if (detail !== undefined) assert.match(said, detail);
    if (detail !== undefined && differing.length === 1) {
      const later = new Venue();
      later.accept({ kind: "list_asset", ccy: "USDT", scale: 8 });
      const set = later.execute({ kind: "set_asset_chain", ccy: "USDT", settings: chains[0] as typeof CHAIN });
      assert.deepEqual([set.refusal, set.detail], [refusal, said]);
    }
    const old = new Venue();
    old.state.rulesVersion = 4;
    assert.equal(old.execute(listing).refusal, undefined);
  }
});

/** A market of an asset of scale 8 in one of scale 8 that differs from a sound one by this, and what comes of it. */
const MARKETS: readonly (readonly [Partial<ListMarket>, Refusal | undefined, detail?: RegExp])[] = [
  [{}, undefined],
  [{ amountPrecision: 8, pricePrecision: 0 }, undefined],
  [{ amountPrecision: 0, pricePrecision: 8, minAmount: "1" }, undefined],
  [{ amountPrecision: 6, pricePrecision: 3 }, "invalid_listing", /L1/],
  [{ amountPrecision: 8, pricePrecision: 1 }, "invalid_listing", /L1/],
  [{ baseCcy: "COARSE", amountPrecision: 3, minAmount: "0.001" }, "invalid_listing", /L1/],
  [{ baseCcy: "COARSE", amountPrecision: 2, minAmount: "0.01" }, undefined],
  [{ amountPrecision: -1 }, "invalid_listing", /Precisions/],
  [{ pricePrecision: 19 }, "invalid_listing", /Precisions/],
  [{ maxPrice: "100000", maxAmount: "922337" }, undefined],
  // 100000 USDT times 922337.203685 BTC are 92233720368.5 USDT, the last that fits; one lot more does not.
  [{ maxPrice: "100000", maxAmount: "922337.203685" }, undefined],
  [{ maxPrice: "100000", maxAmount: "922337.203686" }, "invalid_listing", /L3/],
  [{ maxPrice: "100000.01", maxAmount: "922337.203685" }, "invalid_listing", /L3/],
  [{ maxPrice: "0.01", maxAmount: "92233720368" }, "invalid_listing", /L3.*2\^53/],
  [{ maxPrice: "0.01", maxAmount: "9007199254.740991" }, undefined],
  [{ maxPrice: "0.01", maxAmount: "9007199254.740992" }, "invalid_listing", /L3/],
  [{ maxPrice: "0" }, "invalid_listing", /L3/],
  [{ maxPrice: "0.001" }, "invalid_listing", /decimals/],
  [{ makerFeeRate: "0", takerFeeRate: "0.99999999" }, undefined],
  [{ takerFeeRate: "1" }, "invalid_listing", /L5/],
  [{ makerFeeRate: "-0.001" }, "invalid_listing", /L5/],
  [{ makerFeeRate: "0.000000001" }, "invalid_listing", /L5/],
  [{ makerFeeRate: "" }, "invalid_listing", /L5/],
  [{ minAmount: "0" }, "invalid_listing", /L7/],
  [{ minAmount: "0.000001" }, undefined],
  [{ minAmount: "0.0000001" }, "invalid_listing", /decimals/],
  [{ minAmount: "2", maxAmount: "1" }, "invalid_listing", /L7/],
  [{ minAmount: "1", maxAmount: "1" }, undefined],
  [{ baseCcy: "NONE" }, "asset_not_found"],
  [{ quoteCcy: "NONE" }, "asset_not_found"],
  [{ baseCcy: "USDT" }, "invalid_listing", /differ/],
  [{ market: "btcusdt" }, "invalid_listing", /name/],
  [{ market: "LISTED" }, "already_listed"],
  [{ onlineAt: -1 }, "invalid_listing", /Times/],
  [{ delistedAt: -1 }, "invalid_listing", /Times/],
  [{ indexSources: [] }, undefined],
  [{ indexSources: [{ exchange: "one", weight: "1" }] }, undefined],
  [{ indexSources: [{ exchange: "one", weight: "1.1" }] }, "invalid_listing", /index source/],
  [{ indexSources: [{ exchange: "one", weight: "0" }] }, "invalid_listing", /index source/],
  [{ indexSources: [{ exchange: "one two", weight: "1" }] }, "invalid_listing", /index source/],
  [
    { indexSources: ["one", "one"].map((exchange) => ({ exchange, weight: "0.5" })) },
    "invalid_listing",
    /index source/,
  ],
];

test("a market is listed when every value is exact and fits (L1, L3), fees stay below 1 (L5) and no trade is free (L7)", () => {
  for (const [change, refusal, detail = /./] of MARKETS) {
    const venue = new Venue();
    venue.listAsset("BTC", 8, "90000000000");
    venue.listAsset("COARSE", 2);
    venue.listAsset("USDT", 8);
    venue.listMarket("BTC", "USDT", { market: "LISTED" });
    const done = venue.execute({ ...marketOf("BTC", "USDT"), ...change });
    assert.equal(done.refusal, refusal, JSON.stringify(change));
    if (refusal !== undefined) assert.match(done.detail ?? "", detail, JSON.stringify(change));
    venue.assertRepeatable();
  }
});

/** What is given of a market of scales 8 and 8, and the bounds that it gets: largest amount, highest price. */
const BOUNDS: readonly (readonly [string, Partial<ListMarket>, string])[] = [
  ["bitcoin", { minAmount: "0.0001" }, "9223.372036 10000000.00"],
  ["a coin of a few cents", { amountPrecision: 2, pricePrecision: 6, minAmount: "10" }, "9223372.03 10000.000000"],
  ["one of next to nothing", { amountPrecision: 0, pricePrecision: 8, minAmount: "100000" }, "10000000007 9.22337203"],
  ["whole coins at prices of 2 decimals", { amountPrecision: 0, minAmount: "10" }, "1000000 92233.72"],
  ["an amount that is given", { maxAmount: "1000000" }, "1000000.000000 92233.72"],
  ["a price that is given", { maxPrice: "100000" }, "922337.203685 100000.00"],
  ["both given", { maxAmount: "5", maxPrice: "7" }, "5.000000 7.00"],
];

test("a bound that is not given leaves room for what such a market trades", () => {
  for (const [name, given, bounds] of BOUNDS) {
    const venue = new Venue();
    for (const ccy of ["AAA", "BBB"]) venue.listAsset(ccy);
    venue.listMarket("AAA", "BBB", given);
    const { maxAmount, maxPrice, amountPrecision, pricePrecision } = venue.marketNamed("AAABBB");
    const shown = [formatDecimal(maxAmount, amountPrecision), formatDecimal(maxPrice, pricePrecision)];
    assert.equal(shown.join(" "), bounds, name);
  }
});

test("bounds that nobody gave fit", () => {
  for (const [scale, amountPrecision, pricePrecision] of [
    [8, 6, 2],
    [8, 0, 0],
    [18, 9, 9],
    [18, 18, 0],
    [18, 0, 18],
    [18, 0, 0],
    [0, 0, 0],
  ] as const) {
    const venue = new Venue();
    venue.listAsset("AAA", 18);
    venue.listAsset("BBB", scale);
    venue.listMarket("AAA", "BBB", { amountPrecision, pricePrecision, minAmount: formatDecimal(1n, amountPrecision) });
    const { maxAmount, maxPrice, unitsPerLotTick } = venue.marketNamed("AAABBB");
    assert.ok(maxAmount >= 1n && maxPrice >= 1n && maxAmount * maxPrice * unitsPerLotTick < 1n << 63n);
  }
});

/** Changes of a listed market, one after the other. */
const CHANGES: readonly (readonly [Omit<ChangeMarket, "kind" | "market">, Refusal | undefined])[] = [
  [{}, undefined],
  [{ minAmount: "0.5" }, undefined],
  [{ maxAmount: "0.4" }, "invalid_listing"],
  [{ maxAmount: "0.4", minAmount: "0.4" }, undefined],
  [{ takerFeeRate: "1.0" }, "invalid_listing"],
  [{ takerFeeRate: "0.5", makerFeeRate: "x" }, "invalid_listing"],
  [{ onlineAt: 999 }, undefined],
  [{ onlineAt: 2_000 }, "invalid_listing"],
  [{ suspended: true }, undefined],
];

test("a listed market changes as a whole or not at all", () => {
  const venue = bitcoinVenue();
  for (const [change, refusal] of CHANGES) {
    assert.equal(
      venue.execute({ kind: "change_market", market: "BTCUSDT", ...change }).refusal,
      refusal,
      JSON.stringify(change),
    );
  }
  assert.equal(venue.execute({ kind: "change_market", market: "NONE" }).refusal, "market_not_found");
  const market = venue.marketNamed("BTCUSDT");
  assert.deepEqual(
    [market.minAmount, market.maxAmount, market.takerFeeRateE8, market.suspended],
    [400000n, 400000n, 200_000, true],
  );
});

test("a suspended market takes cancels only, and trades again when it is freed", () => {
  const venue = bitcoinVenue();
  const user = venue.addUser("user", { USDT: "1000" });
  const { orderId } = venue.put(user, "buy 1 @ 100.00");
  venue.changeMarket("BTCUSDT", { suspended: true });
  assert.equal(venue.place(user, "buy 1 @ 100.00").refusal, "market_suspended");
  assert.equal(venue.modify(user, orderId, "price 99").refusal, "market_suspended");
  assert.equal(venue.cancel(user, orderId).refusal, undefined);
  venue.changeMarket("BTCUSDT", { suspended: false, apiTradingAvailable: false });
  assert.equal(venue.place(user, "buy 1 @ 100.00").refusal, "api_trading_off");
  venue.changeMarket("BTCUSDT", { apiTradingAvailable: true });
  assert.equal(venue.place(user, "buy 1 @ 100.00").refusal, undefined);
});

test("forty markets each keep their own last price", () => {
  const venue = new Venue();
  venue.listAsset("USDT");
  const names = Array.from({ length: 40 }, (_, at) => `C${at}`);
  venue.acceptAll(names.map((ccy) => ({ kind: "list_asset", ccy, scale: 8 })));
  venue.acceptAll(names.map((ccy) => marketOf(ccy, "USDT")));
  const user = venue.addUser("user", { USDT: "100000", C0: "10", C39: "10" });
  for (const [ccy, price] of [
    ["C0", "5.00"],
    ["C39", "7.00"],
  ] as const) {
    venue.put(user, `sell 1 @ ${price}`, `${ccy}USDT`);
    venue.put(user, `buy 1 @ ${price}`, `${ccy}USDT`);
  }
  assert.deepEqual([venue.state.lastPrice[0], venue.state.lastPrice[39], venue.state.lastPrice[20]], [500n, 700n, 0n]);
  venue.assertRepeatable();
});
