import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../test/support/runs.ts";
import { TICKER_WINDOW_S, Ticker, type TickerView } from "./ticker.ts";

interface Deal {
  readonly timeMs: number;
  readonly price: bigint;
  readonly lots: bigint;
  readonly value: bigint;
  readonly sells: boolean;
}

const DAY_MS = TICKER_WINDOW_S * 1000;
const T = 1_700_000_000_000;

function tickerOf(deals: readonly Deal[]): Ticker {
  const ticker = new Ticker();
  for (const { timeMs, price, lots, value, sells } of deals) ticker.deal(timeMs, price, lots, value, sells);
  return ticker;
}

/** The window by its definition, from the whole list of deals. */
function naive(deals: readonly Deal[], nowMs: number): TickerView {
  const from = Math.floor(nowMs / 1000) - TICKER_WINDOW_S;
  const inside = deals.filter(({ timeMs }) => Math.floor(timeMs / 1000) >= from);
  const last = deals.at(-1)?.price ?? 0n;
  const open = deals[deals.length - inside.length - 1]?.price ?? inside[0]?.price ?? last;
  const prices = inside.length === 0 ? [last] : [open, ...inside.map(({ price }) => price)];
  const sum = (of: readonly bigint[]) => of.reduce((total, each) => total + each, 0n);
  return {
    last,
    open: inside.length === 0 ? last : open,
    high: prices.reduce((one, other) => (one > other ? one : other)),
    low: prices.reduce((one, other) => (one < other ? one : other)),
    volume: sum(inside.map(({ lots }) => lots)),
    value: sum(inside.map(({ value }) => value)),
    volumeBuy: sum(inside.filter(({ sells }) => !sells).map(({ lots }) => lots)),
    volumeSell: sum(inside.filter(({ sells }) => sells).map(({ lots }) => lots)),
  };
}

test("a deal counts until 86,400 whole seconds have passed, to the second", () => {
  const deals = [
    { timeMs: T, price: 100n, lots: 1n, value: 100n, sells: false },
    { timeMs: T + 5_999, price: 120n, lots: 10n, value: 1_200n, sells: true },
    { timeMs: T + DAY_MS, price: 110n, lots: 100n, value: 11_000n, sells: false },
  ];
  const view = (
    last: bigint,
    open: bigint,
    high: bigint,
    low: bigint,
    bought: bigint,
    sold: bigint,
    value: bigint,
  ) => ({
    last,
    open,
    high,
    low,
    volume: bought + sold,
    value,
    volumeBuy: bought,
    volumeSell: sold,
  });
  const table: [name: string, known: number, nowMs: number, TickerView][] = [
    ["nothing traded yet", 0, T, view(0n, 0n, 0n, 0n, 0n, 0n, 0n)],
    ["at once", 1, T, view(100n, 100n, 100n, 100n, 1n, 0n, 100n)],
    ["two", 2, T + 6_000, view(120n, 100n, 120n, 100n, 1n, 10n, 1_300n)],
    ["at the end of its last second", 2, T + DAY_MS + 999, view(120n, 100n, 120n, 100n, 1n, 10n, 1_300n)],
    [
      "a millisecond later the open is the price before the window",
      2,
      T + DAY_MS + 1_000,
      view(120n, 100n, 120n, 100n, 0n, 10n, 1_200n),
    ],
    ["the second at 5.999 s still counts", 2, T + DAY_MS + 5_999, view(120n, 100n, 120n, 100n, 0n, 10n, 1_200n)],
    ["no trade in the window: flat at the last price", 2, T + DAY_MS + 6_000, view(120n, 120n, 120n, 120n, 0n, 0n, 0n)],
    ["much later", 2, T + 9 * DAY_MS, view(120n, 120n, 120n, 120n, 0n, 0n, 0n)],
    ["all three", 3, T + DAY_MS, view(110n, 100n, 120n, 100n, 101n, 10n, 12_300n)],
    [
      "only the third, whose open is the second's price",
      3,
      T + DAY_MS + 6_000,
      view(110n, 120n, 120n, 110n, 100n, 0n, 11_000n),
    ],
    ["the third's last second", 3, T + 2 * DAY_MS + 999, view(110n, 120n, 120n, 110n, 100n, 0n, 11_000n)],
    ["none of the three", 3, T + 2 * DAY_MS + 1_000, view(110n, 110n, 110n, 110n, 0n, 0n, 0n)],
  ];
  for (const [name, known, nowMs, expected] of table) {
    const before = deals.slice(0, known);
    assert.deepEqual(tickerOf(before).view(nowMs), expected, name);
    assert.deepEqual(naive(before, nowMs), expected, `${name}, by definition`);
  }
});

test("the ticker is the plain sum over the deals of the window, at every moment", () => {
  const step = fc.record({
    waitMs: fc.oneof(fc.nat(900), fc.nat(20_000_000), fc.constant(DAY_MS), fc.constant(DAY_MS + 1_000)),
    price: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
    lots: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
    value: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
    sells: fc.boolean(),
    lookAfterMs: fc.option(fc.oneof(fc.nat(900), fc.nat(2 * DAY_MS)), { nil: undefined }),
  });
  const property = fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
    const ticker = new Ticker();
    const deals: Deal[] = [];
    let timeMs = T;
    for (const { waitMs, price, lots, value, sells, lookAfterMs } of steps) {
      timeMs += waitMs;
      ticker.deal(timeMs, price, lots, value, sells);
      deals.push({ timeMs, price, lots, value, sells });
      if (lookAfterMs === undefined) continue;
      timeMs += lookAfterMs;
      assert.deepEqual(ticker.view(timeMs), naive(deals, timeMs));
    }
    assert.deepEqual(ticker.view(timeMs), naive(deals, timeMs));
  });
  fc.assert(property, runs(300));
});

test("many deals in many seconds, each a new extreme, are let go again", () => {
  const ticker = new Ticker();
  const deals: Deal[] = [];
  for (let second = 0; second < 3_000; second++) {
    const price = BigInt(1_000_000 + (second % 2 === 0 ? second : -second));
    const deal = { timeMs: T + second * 1000, price, lots: 3n, value: 5n, sells: second % 3 === 0 };
    deals.push(deal);
    ticker.deal(deal.timeMs, deal.price, deal.lots, deal.value, deal.sells);
  }
  for (const after of [0, 1, 2, 1_000, 2_998, 2_999, 3_000]) {
    const nowMs = T + DAY_MS + after * 1000;
    assert.deepEqual(ticker.view(nowMs), naive(deals, nowMs), `after ${after} s`);
  }
});

test("the sums of one second may exceed 64 bits many times over", () => {
  const most = 2n ** 63n - 1n;
  const deals = Array.from({ length: 9 }, (_, at) => ({
    timeMs: T,
    price: most,
    lots: at % 2 === 0 ? most : 1n,
    value: at % 2 === 0 ? 1n : most,
    sells: at > 6,
  }));
  assert.deepEqual(tickerOf(deals).view(T), naive(deals, T));
});

test("the window is the same object until a deal comes or a traded second leaves it", () => {
  const ticker = tickerOf([{ timeMs: T, price: 10n, lots: 1n, value: 10n, sells: false }]);
  const seen = ticker.view(T);
  assert.equal(ticker.view(T + DAY_MS), seen);
  const gone = ticker.view(T + DAY_MS + 1_000);
  assert.notDeepEqual(gone, seen);
  assert.equal(ticker.view(T + 2 * DAY_MS), gone);
  ticker.deal(T + 2 * DAY_MS, 10n, 1n, 10n, false);
  assert.notEqual(ticker.view(T + 2 * DAY_MS), gone);
});
