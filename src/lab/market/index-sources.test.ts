import assert from "node:assert/strict";
import { test } from "node:test";
import { devFloor, marketOf, START_MS } from "../../../test/support/market-floor.ts";
import { parseDecimal } from "../../engine/money/decimal.ts";
import type { SimulatedSource } from "./dev-markets.ts";
import { IndexSources } from "./index-sources.ts";
import { FINE } from "./price-walk.ts";
import { Random } from "./random.ts";

const SOURCES: readonly SimulatedSource[] = [
  { exchange: "northgate", weight: "0.35", everyMs: 1_000, noiseBp: 1, silencePerMille: 0, astrayPerMille: 0 },
  { exchange: "harbour", weight: "0.3", everyMs: 2_000, noiseBp: 2, silencePerMille: 0, astrayPerMille: 0 },
  { exchange: "quayside", weight: "0.15", everyMs: 1_000, noiseBp: 5, silencePerMille: 100, astrayPerMille: 0 },
];
const WORTH = 6_000_000n * FINE;

/** What each source said in each second. */
function listen(sources: IndexSources, seconds: number): Map<string, string>[] {
  const market = marketOf(devFloor(), "BTCUSDT");
  return Array.from({ length: seconds }, (_, second) => {
    const command = sources.speak(market, WORTH, START_MS + second * 1_000);
    return new Map(command?.sources.map(({ exchange, price }) => [exchange, price]));
  });
}

test("each source speaks at its own pace and near the market's worth", () => {
  const heard = listen(new IndexSources(SOURCES, new Random(1)), 600);
  assert.deepEqual([...(heard[0] as Map<string, string>).keys()], ["northgate", "harbour", "quayside"]);
  assert.equal(heard.filter((prices) => prices.has("northgate")).length, 600);
  assert.equal(heard.filter((prices) => prices.has("harbour")).length, 300);
  const prices = new Set(heard.map((said) => said.get("northgate") as string));
  assert.ok(prices.size > 100);
  for (const price of prices) {
    const ticks = parseDecimal(price, 2) as bigint;
    assert.ok(ticks > 5_995_000n && ticks < 6_005_000n, price);
  }
});

test("a source that tends to fall silent does so for 15 to 90 seconds", () => {
  const heard = listen(new IndexSources(SOURCES, new Random(2)), 3_000);
  const gaps: number[] = [];
  let last = 0;
  heard.forEach((prices, second) => {
    if (!prices.has("quayside")) return;
    if (second - last > 1) gaps.push(second - last);
    last = second;
  });
  assert.ok(gaps.length > 10);
  assert.ok(Math.min(...gaps) >= 15 && Math.max(...gaps) > 60, gaps.join(" "));
});

test("a source that the operator took out is silent, and without any source nothing is said", () => {
  const floor = devFloor();
  // A market without loans: others keep a source.
  const market = marketOf(floor, "DSCUSDT");
  const sources = new IndexSources(SOURCES, new Random(1));
  floor.must({ kind: "change_market", market: "DSCUSDT", indexSources: [{ exchange: "harbour", weight: "1" }] });
  assert.deepEqual(
    sources.speak(market, WORTH, START_MS)?.sources.map(({ exchange }) => exchange),
    ["harbour"],
  );
  floor.must({ kind: "change_market", market: "DSCUSDT", indexSources: [] });
  assert.equal(sources.speak(market, WORTH, START_MS + 10_000), undefined);
});

test("a price below one tick is given as one tick", () => {
  const market = marketOf(devFloor(), "BTCUSDT");
  const command = new IndexSources(SOURCES, new Random(1)).speak(market, 1n, START_MS);
  assert.equal(command?.sources[0]?.price, "0.01");
});

test("a source that tends to go astray is off by 3 % for a while, which the index drops", () => {
  const astray = SOURCES.map((source) => ({ ...source, silencePerMille: 0, noiseBp: 0 }));
  const last = { ...(astray[2] as SimulatedSource), astrayPerMille: 20 };
  const floor = devFloor();
  const market = marketOf(floor, "BTCUSDT");
  const sources = new IndexSources([...astray.slice(0, 2), last], new Random(3));
  const said = new Set<string>();
  for (let second = 0; second < 600; second++) {
    const command = sources.speak(market, WORTH, floor.timeMs);
    if (command !== undefined) floor.must(command);
    said.add(market.index.sources.find(({ exchange }) => exchange === "quayside")?.price.toString() as string);
    assert.equal(market.index.price, 6_000_000n);
    floor.timeMs += 1_000;
  }
  assert.deepEqual([...said].sort(), ["5820000", "6000000", "6180000"]);
});
