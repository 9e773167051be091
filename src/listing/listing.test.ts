import assert from "node:assert/strict";
import { test } from "node:test";
import { Floor, marketOf, run, simulationOf } from "../../test/support/market-floor.ts";
import { checkInvariants } from "../engine/invariants.ts";
import { devMarkets } from "../lab/market/dev-markets.ts";
import { devVenueCommands } from "../lab/market/dev-venue.ts";
import { bestOf } from "../lab/market/quotes.ts";
import { type Listing, ListingError, readListing, SHIPPED_LISTINGS, shippedListing } from "./listing.ts";

const KEYS = { alice: { accessId: "1", secretCipher: "" }, bob: { accessId: "2", secretCipher: "" } };

const SMALL = JSON.parse(JSON.stringify(shippedListing("small"))) as Listing;

/** The sentence with which a listing is refused. */
function refusalOf(change: (listing: Record<string, unknown>) => void): string {
  const listing = JSON.parse(JSON.stringify(SMALL)) as Record<string, unknown>;
  change(listing);
  try {
    readListing(JSON.stringify(listing), "mine.json");
  } catch (error) {
    assert.ok(error instanceof ListingError, String(error));
    return error.message;
  }
  return "taken";
}

const spotOf = (listing: Record<string, unknown>, at = 0) =>
  (listing["spot"] as Record<string, unknown>[])[at] as Record<string, unknown>;

test("both shipped listings are sound, and the small one is what a dev venue has without any", () => {
  assert.deepEqual(devVenueCommands(KEYS), devVenueCommands(KEYS, 3, SMALL));
  for (const name of SHIPPED_LISTINGS) {
    const listing = shippedListing(name);
    assert.equal(listing.name, name);
    const floor = new Floor();
    for (const command of devVenueCommands(KEYS, 3, listing)) floor.must(command);
    assert.equal(floor.state.markets.length, listing.spot.length + listing.futures.length);
    assert.deepEqual(checkInvariants(floor.state), []);
  }
});

test("the live one has the markets, decimals and minimums that the exchange publishes", () => {
  const { spot, futures, assets } = shippedListing("live");
  assert.ok(spot.length >= 40 && futures.length >= 20, `${spot.length} spot and ${futures.length} futures markets`);
  const named = (name: string) => spot.find(({ market }) => market === name);
  for (const [market, amount, price, least] of [
    ["BTCUSDT", 8, 2, "0.00005"],
    ["ETHUSDT", 8, 2, "0.0005"],
    ["LTCUSDT", 8, 2, "0.01"],
    ["SOLUSDT", 8, 2, "0.01"],
  ] as const) {
    const { base_ccy_precision, quote_ccy_precision, min_amount } = named(market) ?? {};
    assert.deepEqual([base_ccy_precision, quote_ccy_precision, min_amount], [amount, price, least], market);
  }
  const usdt = assets.find(({ ccy }) => ccy === "USDT")?.chains.map(({ chain }) => chain);
  assert.deepEqual(usdt, ["BSC", "TRC20", "ERC20", "SOL", "TON", "AVA_C", "CSC"]);
});

test("the small one lists the markets that both have with the decimals and minimums of the live one", () => {
  const live = shippedListing("live");
  const termsOf = ({
    market,
    base_ccy_precision,
    quote_ccy_precision,
    min_amount,
    ...more
  }: Listing["spot"][number]) => ({
    ...{ market, base_ccy_precision, quote_ccy_precision, min_amount },
    tick_size: (more as { tick_size?: string }).tick_size,
  });
  const shared = (["spot", "futures"] as const).flatMap((kind) =>
    SMALL[kind].flatMap((small) => {
      const twin = live[kind].find(({ market }) => market === small.market);
      return twin === undefined ? [] : [[termsOf(small), termsOf(twin)] as const];
    }),
  );
  assert.deepEqual(
    shared.map(([{ market }]) => market),
    ["BTCUSDT", "ETHUSDT", "BTCUSDT", "ETHUSDT", "BTCUSD"],
  );
  for (const [small, twin] of shared) assert.deepEqual(small, twin);
});

test("the markets of the live one live: each has a book, and the busy ones have deals", () => {
  const listing = shippedListing("live");
  const floor = new Floor();
  for (const command of devVenueCommands(KEYS, 3, listing)) floor.must(command);
  const markets = devMarkets(3, listing);
  const simulation = simulationOf(floor, { markets });
  simulation.step(floor.timeMs);
  run(floor, simulation, 30_000);
  const empty = markets.filter((each) => {
    const [bid, ask] = [0, 1].map((side) => bestOf(floor.state, marketOf(floor, each), side)?.price ?? 0n);
    return !(bid !== undefined && ask !== undefined && bid > 0n && bid < ask);
  });
  assert.deepEqual(
    empty.map(({ market }) => market),
    [],
  );
  assert.deepEqual(checkInvariants(floor.state), []);
});

test("a listing that is wrong is refused with the field and what was expected", () => {
  const table: readonly (readonly [change: (listing: Record<string, unknown>) => void, sentence: string])[] = [
    [(all) => delete all["assets"], "assets: expected a list; it is missing."],
    [(all) => Object.assign(all, { spot: [] }), "spot: expected a list of at least 1, found []."],
    [
      (all) => Object.assign(all, { extra: 1 }),
      "extra: expected no such field; Listing has name, notes, deduction_ccy, assets, spot, futures.",
    ],
    [
      (all) => Object.assign(spotOf(all, 1), { min_amount: 0.1 }),
      'spot[1].min_amount: expected a decimal above 0, as text, such as "0.001", found 0.1.',
    ],
    [
      (all) => Object.assign(spotOf(all), { min_amount: "0.000" }),
      'spot[0].min_amount: expected a decimal above 0, as text, such as "0.001", found "0.000".',
    ],
    [
      (all) => Object.assign(spotOf(all), { market: "btcusdt" }),
      'spot[0].market: expected a market of 2 to 40 capital letters and digits, found "btcusdt".',
    ],
    [
      (all) => Object.assign(spotOf(all), { base_ccy_precision: 19 }),
      "spot[0].base_ccy_precision: expected a whole number from 0 to 18, found 19.",
    ],
    [(all) => Object.assign(spotOf(all), { base_ccy: "XYZ" }), "spot[0]: XYZ is none of the assets."],
    [(all) => Object.assign(spotOf(all, 1), { market: "BTCUSDT" }), "spot[1].market: BTCUSDT is listed twice."],
    [
      (all) => Object.assign((all["futures"] as object[])[0] as object, { leverage: [0] }),
      "futures[0].leverage[0]: expected a whole number from 1 to 1000, found 0.",
    ],
    [(all) => Object.assign(all, { deduction_ccy: "XYZ" }), "deduction_ccy: XYZ is none of the assets."],
  ];
  for (const [change, sentence] of table) {
    assert.equal(refusalOf(change), `The listing mine.json is wrong at ${sentence}`);
  }
  assert.throws(() => readListing("{", "mine.json"), { message: "The listing mine.json is no JSON." });
  assert.throws(() => readListing("[]", "mine.json"), /wrong at its top: expected an object, found \[\]/);
});
