import assert from "node:assert/strict";
import { test } from "node:test";
import type { Market } from "../../src/engine/listing/market.ts";
import type { Scratch } from "../../src/engine/scratch.ts";
import { SpotSettlement } from "../../src/engine/spot/settlement.ts";
import type { State } from "../../src/engine/state.ts";
import { bitcoinVenue } from "../support/venue.ts";

/** A market with two users who can trade in it. */
function tradingVenue() {
  const venue = bitcoinVenue();
  venue.addUser("one", { USDT: "1000" });
  venue.addUser("two", { BTC: "10" });
  return venue;
}

test("a figure that another command has left in the scratch is not read", () => {
  const venue = tradingVenue();
  const { scratch } = venue.state;
  venue.put(1, "buy 2 @ 100");
  assert.equal(scratch.draft.price, 10_000n);
  venue.put(2, "sell 1 @ 100");
  assert.equal(scratch.trade.lots, 1_000_000n);
  venue.addUser("three");
  for (const [name, figures] of Object.entries(scratch)) {
    for (const key of Object.keys(figures).filter((field) => !/^\d+$/.test(field))) {
      assert.throws(() => figures[key], new RegExp(`reads ${name}\\.${key}, which`));
    }
  }
});

test("a settlement that reads what the fill before came to is found", () => {
  class Hasty extends SpotSettlement {
    override refuseOrder(state: State, scratch: Scratch, ...order: [number, Market, number, number]): number {
      return scratch.trade.lots > 0n ? 0 : super.refuseOrder(state, scratch, ...order);
    }
  }
  const venue = tradingVenue();
  venue.put(1, "buy 2 @ 100");
  venue.put(2, "sell 1 @ 100");
  Object.assign(venue.state.markets[0] as object, { settlement: new Hasty() });
  assert.throws(() => venue.place(1, "buy 2 @ 100"), /The command reads trade\.lots/);
});

test("two engines of a process share no scratch", () => {
  const [one, other] = [bitcoinVenue(), bitcoinVenue()];
  assert.notEqual(one.state.scratch, other.state.scratch);
});
