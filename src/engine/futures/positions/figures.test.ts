import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDecimal } from "../../money/decimal.ts";
import { feeOn } from "../../money/rate.ts";
import { freezeOfSide, openingLots } from "../orders/freeze.ts";
import { type FuturesSpec, signOf, tradeValue, valueAtMark } from "./contract.ts";
import {
  type AccountSums,
  bankruptcyPrice,
  crossBacking,
  crossMargin,
  isolatedMargin,
  liquidationPrice,
  marginRateE8,
  type PositionFacts,
  positionAtMark,
  riskRateE8,
  riskTransferable,
  shareOf,
  shownPrice,
  theoreticalTransferable,
} from "./figures.ts";

const LEVELS = [{ amount: 10n ** 12n, leverage: 100, maintenanceRateE8: 500_000, minInitialRateE8: 1_000_000 }];
/** BTCUSDT of the worked examples: prices of 2 decimals, amounts of 6, USDT of 8. */
const LINEAR: FuturesSpec = {
  contractType: "linear",
  settleAssetId: 1,
  unit: 1n,
  tickSize: 1n,
  leverages: [10, 20, 100],
  levels: LEVELS,
};
/** BTCUSD: prices of 1 decimal, whole contracts, BTC of 8. */
const INVERSE: FuturesSpec = { ...LINEAR, contractType: "inverse", settleAssetId: 0, unit: 10n ** 9n };
const TAKER = 50_000n;
const MAX_PRICE = 10n ** 9n;

const money = (text: string) =>
  text.startsWith("-") ? -(parseDecimal(text.slice(1), 8) as bigint) : (parseDecimal(text, 8) as bigint);
const price = (text: string) => parseDecimal(text, 2) as bigint;
const lots = (text: string) => parseDecimal(text, 6) as bigint;
const contractPrice = (text: string) => parseDecimal(text, 1) as bigint;

test("worked example E2, a linear isolated long, comes out to the digit", () => {
  const value = tradeValue(LINEAR, price("30000.00"), lots("0.5"));
  assert.equal(value, money("15000"));
  const margin = shareOf(value, 20);
  assert.equal(margin, money("750"));
  assert.equal(feeOn(value, TAKER), money("7.5"));
  const sums = { lots: lots("0.5"), value, fees: feeOn(value, TAKER) };
  assert.equal(freezeOfSide(sums.lots, sums.value, sums.fees, sums.lots, 20), money("757.5"));

  const facts: PositionFacts = {
    isShort: false,
    amount: lots("0.5"),
    entryCost: value,
    settleCost: value,
    leverage: 20,
  };
  assert.equal(liquidationPrice(LINEAR, facts, margin, MAX_PRICE), price("28643.21"));
  assert.equal(bankruptcyPrice(LINEAR, facts, margin), price("28500.00"));
  const safe = positionAtMark(LINEAR, facts, price("28643.22"));
  assert.equal(safe.unrealized, money("-678.39"));
  assert.equal(margin + safe.unrealized, money("71.61"));
  assert.equal(safe.maintenance, money("71.60805"));
  const due = positionAtMark(LINEAR, facts, price("28643.21"));
  assert.equal(margin + due.unrealized, money("71.605"));
  assert.equal(due.maintenance, money("71.608025"));
  assert.ok(riskRateE8(margin, safe) < money("1") && riskRateE8(margin, due) >= money("1"));

  const more = margin + money("150");
  assert.equal(liquidationPrice(LINEAR, facts, more, MAX_PRICE), price("28341.70"));
  assert.equal(bankruptcyPrice(LINEAR, facts, more), price("28200.00"));

  // Taken over at the mark, it is worth what leaves its holder with nothing.
  for (const [mark, left] of [
    ["28640.00", "70"],
    ["28400.00", "-50"],
  ] as const) {
    const at = positionAtMark(LINEAR, facts, price(mark));
    assert.equal(margin + at.unrealized, money(left));
    assert.equal(at.value - money(left), money("14250"));
  }
});

test("the public sample of a linear short comes out to the digit", () => {
  // 0.001 at 30721.35, margin 0.614427: bankrupt at 31335.777, liquidated at 31179.87761194 before rounding to ticks.
  const facts: PositionFacts = {
    isShort: true,
    amount: lots("0.001"),
    entryCost: money("30.72135"),
    settleCost: money("30.72135"),
    leverage: 50,
  };
  assert.equal(bankruptcyPrice(LINEAR, facts, money("0.614427")), price("31335.77"));
  assert.equal(liquidationPrice(LINEAR, facts, money("0.614427"), MAX_PRICE), price("31179.88"));
  assert.equal(marginRateE8(money("0.614427"), facts.settleCost), 2_000_000n);
});

test("worked example E3, an inverse cross short, comes out to the digit", () => {
  const sign = signOf(INVERSE, true);
  const cost = tradeValue(INVERSE, contractPrice("30000.0"), 10_000n);
  assert.equal(cost, money("0.33333333"));
  const whole: PositionFacts = {
    isShort: true,
    amount: 10_000n,
    entryCost: cost,
    settleCost: cost,
    leverage: 10,
  };
  const before = positionAtMark(INVERSE, whole, contractPrice("28000.0"));
  assert.equal(before.value, money("0.35714285"));
  assert.equal(before.unrealized, money("0.02380952"));

  const paid = tradeValue(INVERSE, contractPrice("27950.0"), 4_000n);
  assert.equal(paid, money("0.14311270"));
  const released = (cost * 4_000n) / 10_000n;
  assert.equal(released, money("0.13333333"));
  const profit = sign * (paid - released);
  assert.equal(profit, money("0.00977937"));
  const fee = feeOn(paid, TAKER);
  assert.equal(fee, money("0.00007156"));
  const cash = money("0.2") + profit - fee;
  assert.equal(cash, money("0.20970781"));

  const rest: PositionFacts = { ...whole, amount: 6_000n, settleCost: cost - released };
  assert.equal(rest.settleCost, money("0.20000000"));
  const at = positionAtMark(INVERSE, rest, contractPrice("28000.0"));
  assert.equal(at.unrealized, money("0.01428571"));
  assert.equal(at.initial, money("0.02142858"));
  assert.equal(at.maintenance, money("0.00107143"));
  const sums: AccountSums = { cash, frozen: 0n, ...at };
  assert.equal(crossMargin(sums), money("0.20256494"));
  assert.equal(theoreticalTransferable(sums), money("0.18827923"));
  assert.equal(riskTransferable(sums), money("0.21970780"));
  assert.equal(isolatedMargin(sums), money("0.18827923"));
  assert.equal(liquidationPrice(INVERSE, rest, crossBacking(sums, at), MAX_PRICE), 0n);
  assert.equal(liquidationPrice(INVERSE, rest, money("0.03"), MAX_PRICE), contractPrice("35117.7"));
});

test("worked example E4, the balance and the cross liquidation price, comes out to the digit", () => {
  const cost = tradeValue(LINEAR, price("30000.00"), lots("0.2"));
  const facts: PositionFacts = { isShort: false, amount: lots("0.2"), entryCost: cost, settleCost: cost, leverage: 10 };
  const at = positionAtMark(LINEAR, facts, price("29500.00"));
  assert.equal(at.unrealized, money("-100"));
  assert.equal(at.initial, money("590"));
  assert.equal(at.maintenance, money("29.5"));
  const value = tradeValue(LINEAR, price("29000.00"), lots("0.1"));
  const order = { lots: lots("0.1"), value, fees: feeOn(value, TAKER) };
  const frozen = freezeOfSide(order.lots, order.value, order.fees, order.lots, 10);
  assert.equal(frozen, money("291.45"));
  const sums: AccountSums = { cash: money("1000"), frozen, ...at };
  assert.equal(crossMargin(sums), money("18.55"));
  assert.equal(theoreticalTransferable(sums), money("18.55"));
  assert.equal(riskTransferable(sums), money("490.55"));
  const backing = crossBacking(sums, at);
  assert.equal(backing, money("708.55"));
  assert.equal(liquidationPrice(LINEAR, facts, backing, MAX_PRICE), price("26590.20"));
  assert.equal(marginRateE8(backing, facts.settleCost), money("0.11809166"));
  assert.equal(riskRateE8(backing, at), money("0.04847589"));

  const alone: AccountSums = {
    cash: money("1000"),
    frozen: 0n,
    ...positionAtMark(LINEAR, { ...facts, leverage: 100 }, price("29500.00")),
  };
  assert.equal(theoreticalTransferable(alone), money("841"));
  assert.equal(riskTransferable(alone), money("782"));
  assert.equal(isolatedMargin(alone), money("782"));
});

test("of E4, a one-way side freezes for the share of its orders that the position does not take up", () => {
  const values = [tradeValue(LINEAR, price("31000.00"), lots("6")), tradeValue(LINEAR, price("31500.00"), lots("8"))];
  const sums = {
    lots: lots("14"),
    value: (values[0] as bigint) + (values[1] as bigint),
    fees: values.reduce((sum, value) => sum + feeOn(value, TAKER), 0n),
  };
  assert.equal(sums.value, money("438000"));
  const opening = openingLots(sums.lots, lots("10"));
  assert.equal(opening, lots("4"));
  assert.equal(freezeOfSide(sums.lots, sums.value, sums.fees, opening, 10), money("12576.85714287"));
  assert.equal(openingLots(sums.lots, 0n), sums.lots, "in hedge mode every regular order opens");
});

test("an inverse value at mark never overstates profit, and prices come back from values", () => {
  assert.equal(valueAtMark(INVERSE, 3n, 1n, 1n), 333_333_333n);
  assert.equal(valueAtMark(INVERSE, 3n, 1n, -1n), 333_333_334n);
  assert.equal(shownPrice(INVERSE, 6_000n, money("0.2")), contractPrice("30000.0"));
  assert.equal(shownPrice(LINEAR, lots("0.5"), money("15000")), price("30000.00"));
});
