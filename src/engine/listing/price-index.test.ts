import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue, marketOf, type Venue } from "../../../test/support/venue.ts";
import { formatDecimal } from "../money/decimal.ts";
import type { SetIndexPrices } from "./command-schemas.ts";

/** Prices and weights of a market's sources, the index before, and the index and shares that follow. */
interface Row {
  readonly sources: readonly (readonly [price: string, weight?: string])[];
  readonly before?: string;
  readonly index: string;
  readonly shares: readonly string[];
  readonly market?: string;
}

const ROWS: readonly Row[] = [
  // Worked example E9: the median is 30005, the last source 2.3 % off.
  {
    sources: [
      ["30000.00", "0.3"],
      ["30010.00", "0.3"],
      ["29990.00", "0.2"],
      ["30700.00", "0.2"],
    ],
    index: "30001.25",
    shares: ["0.37500000", "0.37500000", "0.25000000", "0.00000000"],
  },
  { sources: [["30000.00"]], index: "30000.00", shares: ["1.00000000"] },
  { sources: [["30000.00", "0.3"]], index: "30000.00", shares: ["1.00000000"] },
  { sources: [["1.00"], ["2.00"]], index: "1.50", shares: ["0.50000000", "0.50000000"] },
  { sources: [["1.00"], ["1.01"]], index: "1.01", shares: ["0.50000000", "0.50000000"] },
  {
    sources: [
      ["1.00", "0.99"],
      ["1.01", "0.01"],
    ],
    index: "1.00",
    shares: ["0.99000000", "0.01000000"],
  },
  // Of two that differ by 2 % the one farther from the last index goes.
  { before: "100.00", sources: [["100.00"], ["101.99"]], index: "101.00", shares: ["0.50000000", "0.50000000"] },
  { before: "100.00", sources: [["100.00"], ["102.00"]], index: "100.00", shares: ["1.00000000", "0.00000000"] },
  { before: "103.00", sources: [["100.00"], ["102.00"]], index: "102.00", shares: ["0.00000000", "1.00000000"] },
  {
    before: "100.00",
    sources: [["100.00"], ["109.99"]],
    index: "105.00",
    shares: ["0.50000000", "0.50000000"],
    market: "DOGEUSDT",
  },
  {
    before: "100.00",
    sources: [["100.00"], ["110.00"]],
    index: "100.00",
    shares: ["1.00000000", "0.00000000"],
    market: "DOGEUSDT",
  },
  // Of three, those 2 % from the median go; of a coin that is neither BTC nor ETH, those 10 % from it.
  { sources: [["98.01"], ["100.00"], ["101.99"]], index: "100.00", shares: ["0.33333333", "0.33333333", "0.33333333"] },
  { sources: [["98.00"], ["100.00"], ["101.99"]], index: "101.00", shares: ["0.00000000", "0.50000000", "0.50000000"] },
  { sources: [["98.00"], ["100.00"], ["102.00"]], index: "100.00", shares: ["0.00000000", "1.00000000", "0.00000000"] },
  {
    sources: [["90.01"], ["100.00"], ["109.99"]],
    index: "100.00",
    shares: ["0.33333333", "0.33333333", "0.33333333"],
    market: "DOGEUSDT",
  },
  {
    sources: [["90.00"], ["100.00"], ["110.00"]],
    index: "100.00",
    shares: ["0.00000000", "1.00000000", "0.00000000"],
    market: "DOGEUSDT",
  },
  // Two camps: everybody is far from the median between them, nobody is left and the last index stays.
  {
    before: "120.00",
    sources: [["100.00"], ["100.00"], ["200.00"], ["200.00"]],
    index: "120.00",
    shares: ["0.00000000", "0.00000000", "0.00000000", "0.00000000"],
  },
  // Prices finer than a tick are rounded half away from zero.
  { sources: [["100.005"]], index: "100.01", shares: ["1.00000000"] },
  { sources: [["100.004999999999999999"]], index: "100.00", shares: ["1.00000000"] },
];

test("the index weighs the sources that are fresh and near to each other", () => {
  for (const { sources, before, index, shares, market = "BTCUSDT" } of ROWS) {
    const venue = indexVenue();
    if (before !== undefined) {
      send(venue, market, [["before", before]]);
      venue.timeMs += 60_001;
    }
    send(
      venue,
      market,
      sources.map(([price, weight], at) => [`s${at}`, price, weight]),
    );
    assert.equal(indexOf(venue, market), index, JSON.stringify(sources));
    const named = venue.marketNamed(market).index.sources.filter((source) => source.exchange !== "before");
    assert.deepEqual(
      named.map((source) => formatDecimal(BigInt(source.effectiveWeightE8), 8)),
      shares,
      JSON.stringify(sources),
    );
    venue.assertRepeatable();
  }
});

test("a source counts for sixty seconds after its last price, and each tick looks for those that fell silent", () => {
  const venue = indexVenue();
  send(venue, "BTCUSDT", [
    ["s1", "100.00"],
    ["s2", "101.00"],
  ]);
  venue.wait(30_000);
  send(venue, "BTCUSDT", [["s1", "100.00"]]);
  venue.wait(30_000);
  assert.equal(indexOf(venue, "BTCUSDT"), "100.50");
  // The index is worked out again every five seconds.
  assert.equal(venue.wait(4_999).events.length, 0);
  venue.wait(1);
  assert.equal(indexOf(venue, "BTCUSDT"), "100.00");
});

test("without a source the last index stays and is stale, whatever is traded, until two updates lie five seconds apart", () => {
  const venue = indexVenue();
  send(venue, "BTCUSDT", [["s1", "100.00"]]);
  const isStale = () => venue.marketNamed("BTCUSDT").index.isStale;
  venue.wait(60_000);
  assert.equal(isStale(), false);
  venue.wait(1);
  assert.equal(isStale(), true);
  const user = venue.addUser("user", { BTC: "1", USDT: "1000" });
  venue.put(user, "sell 1 @ 97.00");
  venue.put(user, "buy 0.5 @ 97.00");
  assert.equal(venue.wait(5_000).events.length, 0);
  assert.equal(indexOf(venue, "BTCUSDT"), "100.00");
  send(venue, "BTCUSDT", [["s1", "101.00"]]);
  assert.deepEqual([indexOf(venue, "BTCUSDT"), isStale()], ["101.00", true]);
  venue.timeMs += 5_000;
  send(venue, "BTCUSDT", [["s1", "102.00"]]);
  assert.deepEqual([indexOf(venue, "BTCUSDT"), isStale()], ["102.00", false]);
  venue.assertRepeatable();
});

test("configured sources keep their prices when they are configured anew, and a market without sources has no index", () => {
  const venue = indexVenue();
  venue.changeMarket("BTCUSDT", {
    indexSources: [
      { exchange: "s1", weight: "0.75" },
      { exchange: "s2", weight: "0.25" },
    ],
  });
  assert.equal(indexOf(venue, "BTCUSDT"), "0.00");
  send(venue, "BTCUSDT", [
    ["s1", "100.00"],
    ["s2", "101.00"],
  ]);
  assert.equal(indexOf(venue, "BTCUSDT"), "100.25");
  venue.changeMarket("BTCUSDT", { indexSources: [{ exchange: "s2", weight: "1" }] });
  venue.wait(5_000);
  assert.equal(indexOf(venue, "BTCUSDT"), "101.00");
  venue.changeMarket("BTCUSDT", { indexSources: [] });
  assert.equal(indexOf(venue, "BTCUSDT"), "0.00");
  venue.wait(5_000);
  assert.equal(indexOf(venue, "BTCUSDT"), "0.00");
  venue.assertRepeatable();
});

/** Feeds that are refused whole; the last is one of an unknown market. */
const BAD_FEEDS: readonly (readonly [string, SetIndexPrices["sources"]])[] = [
  ["BTCUSDT", []],
  ["BTCUSDT", [{ exchange: "s1", price: "0" }]],
  ["BTCUSDT", [{ exchange: "s1", price: "-1" }]],
  ["BTCUSDT", [{ exchange: "s1", price: "1e3" }]],
  ["BTCUSDT", [{ exchange: "s1", price: "" }]],
  ["BTCUSDT", [{ exchange: "s1", price: "0.004" }]],
  ["BTCUSDT", [{ exchange: "s1", price: "9999999999999999999" }]],
  ["BTCUSDT", [{ exchange: "", price: "1" }]],
  [
    "BTCUSDT",
    [
      { exchange: "s1", price: "1" },
      { exchange: "s1", price: "1" },
    ],
  ],
  ["BTCUSDT", [{ exchange: "s1", price: "1", weight: "0" }]],
  ["BTCUSDT", [{ exchange: "s1", price: "1", weight: "1.00000001" }]],
  [
    "BTCUSDT",
    [
      { exchange: "s1", price: "1" },
      { exchange: "s2", price: "x" },
    ],
  ],
  ["BTCUSDT", Array.from({ length: 33 }, (_, at) => ({ exchange: `s${at}`, price: "1" }))],
  ["NONE", [{ exchange: "s1", price: "1" }]],
];

test("a feed with one bad price, name or weight is refused whole", () => {
  const venue = indexVenue();
  for (const [market, sources] of BAD_FEEDS) {
    const refusal = market === "NONE" ? "market_not_found" : "invalid_command";
    assert.equal(
      venue.execute({ kind: "set_index_prices", market, sources }).refusal,
      refusal,
      JSON.stringify(sources),
    );
  }
  assert.deepEqual(venue.marketNamed("BTCUSDT").index.sources, []);
});

function indexVenue(): Venue {
  const venue = bitcoinVenue();
  venue.listAsset("DOGE");
  venue.accept(marketOf("DOGE", "USDT"));
  return venue;
}

function send(venue: Venue, market: string, given: readonly (readonly [string, string, string?])[]): void {
  const sources = given.map(([exchange, price, weight]) => ({ exchange, price, weight }));
  venue.accept({ kind: "set_index_prices", market, sources });
}

function indexOf(venue: Venue, name: string): string {
  const market = venue.marketNamed(name);
  return formatDecimal(market.index.price, market.pricePrecision);
}
