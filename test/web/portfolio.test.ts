/**
 * A portfolio by days: what was held, what that was worth, and what of it is gain; against a ledger that is written
 * forwards.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Decimal as Oracle } from "decimal.js";
import fc from "fast-check";
import { DAY_MS, type Line, portfolioDays, unpriced } from "../../web/src/account/portfolio.ts";
import { runs } from "../support/runs.ts";

const Exact = Oracle.clone({ precision: 100, toExpNeg: -50, toExpPos: 50 });
const DAYS = [0, DAY_MS, 2 * DAY_MS];
const PRICES: Readonly<Record<string, readonly string[]>> = { BTC: ["100", "110", "90"], USDT: ["1", "1", "1"] };
const priceOn = (ccy: string, day: number) => PRICES[ccy]?.[day / DAY_MS];

const line = (day: number, type: string, ccy: string, change: string, account_type = "SPOT"): Line => ({
  created_at: day * DAY_MS + 5,
  account_type: account_type as Line["account_type"],
  ccy,
  type: type as Line["type"],
  change,
});

test("deposits are no gain; fees, price moves and trades below or above the price are", () => {
  const lines = [
    line(0, "deposit", "USDT", "1000"),
    line(1, "trade", "USDT", "-200"),
    line(1, "trade", "BTC", "2"),
    line(1, "fee", "BTC", "-0.004"),
    line(2, "withdraw", "USDT", "-300"),
  ];
  const held = new Map([
    ["USDT", "500"],
    ["BTC", "1.996"],
  ]);
  assert.deepEqual(portfolioDays({ held, lines: lines.toReversed(), priceOn, days: DAYS }), [
    { at: 0, value: "1000", flow: "1000", pnl: undefined },
    // 800 and 1.996 at 110.
    { at: DAY_MS, value: "1019.56", flow: "0", pnl: "19.56" },
    // 500 and 1.996 at 90; 300 left.
    { at: 2 * DAY_MS, value: "679.64", flow: "-300", pnl: "-39.92" },
  ]);
});

test("what moves between accounts that are counted is nothing, what goes to a margin account is no loss", () => {
  const lines = [
    line(1, "transfer", "USDT", "-100"),
    line(1, "transfer", "USDT", "100", "FUTURES"),
    line(2, "transfer", "USDT", "-50"),
    line(2, "transfer", "USDT", "50", "MARGIN"),
  ];
  const days = portfolioDays({ held: new Map([["USDT", "950"]]), lines, priceOn, days: DAYS });
  assert.deepEqual(
    days.map(({ value, flow, pnl }) => [value, flow, pnl]),
    [
      ["1000", "0", undefined],
      ["1000", "0", "0"],
      ["950", "-50", "0"],
    ],
  );
});

test("days before there was anything are left out, and the first that had something tells its gain", () => {
  const lines = [line(2, "deposit", "BTC", "1"), line(2, "fee", "BTC", "-0.1")];
  assert.deepEqual(portfolioDays({ held: new Map([["BTC", "0.9"]]), lines, priceOn, days: DAYS }), [
    { at: 2 * DAY_MS, value: "81", flow: "90", pnl: "-9" },
  ]);
});

test("a currency without a price is named, and one that is not held is not", () => {
  const held = new Map([
    ["USDT", "1"],
    ["ODD", "5"],
    ["GONE", "0.000"],
  ]);
  assert.deepEqual(
    unpriced(held, (ccy) => ccy === "USDT"),
    ["ODD"],
  );
});

const change = fc.record({
  day: fc.integer({ min: 0, max: 2 }),
  type: fc.constantFrom("trade", "fee", "deposit", "withdraw", "funding", "transfer"),
  ccy: fc.constantFrom("BTC", "USDT"),
  units: fc.bigInt(-(10n ** 14n), 10n ** 14n),
});

test("values of all days are those of a ledger that was written forwards, and gains and flows explain every change of them", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const ordered = changes.toSorted((one, other) => one.day - other.day);
      const texts = ordered.map(({ units }) => new Exact(units.toString()).div(1e8).toFixed());
      const lines = ordered.map(({ day, type, ccy }, at) => line(day, type, ccy, texts[at] as string));
      const now = new Map<string, Oracle>();
      const values = DAYS.map((at) => {
        for (const each of lines.filter(({ created_at }) => Math.floor(created_at / DAY_MS) * DAY_MS === at))
          now.set(each.ccy, (now.get(each.ccy) ?? new Exact(0)).plus(each.change));
        return [...now].reduce((sum, [ccy, held]) => sum.plus(held.times(priceOn(ccy, at) as string)), new Exact(0));
      });
      const held = new Map(Array.from(now, ([ccy, amount]) => [ccy, amount.toFixed()]));
      const days = portfolioDays({ held, lines: lines.toReversed(), priceOn, days: DAYS });
      for (const { at: day, value, flow, pnl } of days) {
        const at = day / DAY_MS;
        assert.equal(new Exact(value).eq(values[at] as Oracle), true);
        if (pnl === undefined) continue;
        const before = values[at - 1] as Oracle;
        assert.equal(before.plus(flow).plus(pnl).eq(value), true);
      }
    }),
    runs(300),
  );
});
