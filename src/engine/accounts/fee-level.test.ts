import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue, type Venue } from "../../../test/support/venue.ts";
import type { JsonCommand } from "../command.ts";
import type { Refusal } from "../refusal.ts";
import { FEE_LEVELS_MAX } from "./fee-level.ts";

const level = (name: string, makerFeeRate: string, takerFeeRate: string): JsonCommand => ({
  kind: "set_fee_level",
  level: name,
  makerFeeRate,
  takerFeeRate,
});
const user = (change: object): JsonCommand => ({ kind: "change_user", userId: 1, ...change });

/** Commands one after the other, and the rates of the next order of user 1; the market has 0.001 and 0.002. */
const STEPS: readonly (readonly [JsonCommand, Refusal | undefined, rates: string])[] = [
  [user({ feeLevel: "vip" }), "fee_level_not_found", "0.001 0.002"],
  [level("vip", "0.0005", "0.0006"), undefined, "0.001 0.002"],
  [level("best", "0", "0"), undefined, "0.001 0.002"],
  [user({ feeLevel: "vip" }), undefined, "0.0005 0.0006"],
  [level("vip", "0.0004", "0.0006"), undefined, "0.0004 0.0006"],
  [user({ makerFeeRate: "0.0001" }), undefined, "0.0001 0.0006"],
  [level("vip", "0.0003", "0.0002"), undefined, "0.0001 0.0002"],
  [user({ feeLevel: "best" }), undefined, "0.0001 0"],
  [user({ makerFeeRate: null }), undefined, "0 0"],
  [user({ feeLevel: "none", frozen: true }), "fee_level_not_found", "0 0"],
  [user({ takerFeeRate: "0.5" }), undefined, "0 0.5"],
  [user({ frozen: false }), undefined, "0 0.5"],
  [{ kind: "delete_fee_level", level: "best" }, "invalid_command", "0 0.5"],
  [user({ feeLevel: null }), undefined, "0.001 0.5"],
  [{ kind: "delete_fee_level", level: "best" }, undefined, "0.001 0.5"],
  [{ kind: "delete_fee_level", level: "best" }, "fee_level_not_found", "0.001 0.5"],
  [user({ takerFeeRate: null }), undefined, "0.001 0.002"],
  [user({ feeLevel: "vip", makerFeeRate: "0.9" }), undefined, "0.9 0.0002"],
  [level("", "0", "0"), "invalid_command", "0.9 0.0002"],
  [level("two words", "0", "0"), "invalid_command", "0.9 0.0002"],
  [level("x".repeat(33), "0", "0"), "invalid_command", "0.9 0.0002"],
  [level("vip", "1", "0"), "invalid_command", "0.9 0.0002"],
  [level("vip", "0", "-0.1"), "invalid_command", "0.9 0.0002"],
  [level("vip", "0", "0.000000001"), "invalid_command", "0.9 0.0002"],
];

test("a user's own rates come before those of its level, and these before the market's", () => {
  const venue = feeVenue();
  for (const [command, refusal, rates] of STEPS) {
    const done = venue.execute(command);
    assert.equal(done.refusal, refusal, `${JSON.stringify(command)} ${done.detail}`);
    assert.equal(ratesOfNextOrder(venue), rates, JSON.stringify(command));
  }
  venue.assertRepeatable();
});

test("an order keeps the rates of its level that held when it was accepted", () => {
  const venue = feeVenue();
  venue.accept(level("vip", "0.1", "0.2"));
  venue.accept(user({ feeLevel: "vip" }));
  venue.put(1, "sell 1 @ 100.00");
  venue.accept(level("vip", "0.3", "0.4"));
  const [deal] = venue.accept(venue.orderOf(2, "buy 1 @ 100.00")).deals;
  assert.equal(deal?.maker.fee, 10_00000000n);
  assert.equal(deal?.taker.fee, 200000n);
});

test("there is a bound on fee levels; those that are there still change", () => {
  const venue = feeVenue();
  venue.acceptAll(Array.from({ length: FEE_LEVELS_MAX }, (_, at) => level(`level-${at}`, "0", "0")));
  assert.equal(venue.execute(level("one-more", "0", "0")).refusal, "invalid_command");
  venue.accept(level("level-0", "0.1", "0.1"));
});

function feeVenue(): Venue {
  const venue = bitcoinVenue();
  for (const name of ["first", "second"]) venue.addUser(name, { BTC: "10", USDT: "1000" });
  return venue;
}

/** "maker taker", as an order shows them; the order is taken back. */
function ratesOfNextOrder(venue: Venue): string {
  const { orderId, makerFeeRateE8, takerFeeRateE8 } = venue.put(1, "sell 0.001 @ 5000.00");
  venue.cancel(1, orderId);
  return `${makerFeeRateE8 / 1e8} ${takerFeeRateE8 / 1e8}`;
}
