import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue } from "../../../../test/support/futures-venue.ts";
import { checkInvariants } from "../../invariants.ts";
import type { State } from "../../state.ts";
import { EXIT_FLAG } from "./exit.ts";

interface Broken {
  readonly state: State;
  /** Slots of three exits: to take profit at 31000 and 32000 (a part), to stop a loss at 29000. */
  readonly slots: readonly [number, number, number];
}

/** A long position of 1 BTC at 30000 with exits. */
function stateToBreak(): Broken {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "1000000" });
  const user = venue.addTrader("user", { USDT: "20000" });
  venue.rest(maker, "sell 1 @ 30000.00");
  venue.rest(user, "buy 1 @ 30000.00");
  for (const text of ["take_profit 31000", "take_profit 32000 0.1", "stop_loss 29000"]) venue.exit(user, text);
  const { exits } = venue.state.futures;
  return { state: venue.state, slots: [exits.find(1), exits.find(2), exits.find(3)] };
}

const FAULTS: readonly [string, (broken: Broken) => void, RegExp][] = [
  [
    "one that should have fired",
    ({ state, slots }) => state.futures.exits.setTrigger(slots[2], 3_100_000),
    /Exit 3 in BTCUSDT has been reached by the price and has not fired/,
  ],
  [
    "a price that nobody looked at",
    ({ state }) => {
      state.lastPrice[0] = 2_800_000n;
    },
    /Exit 3 in BTCUSDT has been reached by the price/,
  ],
  [
    "one of a position that is closed",
    ({ state, slots }) => state.futures.exits.setPosition(slots[0], 77),
    /Exit 1 in BTCUSDT is of no open position/,
  ],
  [
    "one of another market",
    ({ state, slots }) => state.futures.exits.setMarketId(slots[0], 1),
    /Exit 1 in BTCUSDT is of no open position of the market/,
  ],
  [
    "one of the other side",
    ({ state, slots }) => state.futures.exits.setFlags(slots[0], EXIT_FLAG.short),
    /of a position of the other side/,
  ],
  ["one of the future", ({ state }) => (state.nextExitId = 3), /Exit 3 in BTCUSDT has an id that was never given out/],
  [
    "one that changed in the future",
    ({ state, slots }) => state.futures.exits.setUpdatedAt(slots[0], 9e15),
    /comes from the future/,
  ],
  [
    "one older than its position",
    ({ state, slots }) => state.futures.exits.setCreatedAt(slots[0], 1),
    /is older than its position/,
  ],
  [
    "a heap out of order",
    ({ state, slots }) => state.futures.exits.setTrigger(slots[0], 3_300_000),
    /stands below one that fires later/,
  ],
  [
    "two of the whole position",
    ({ state, slots }) => state.futures.exits.setAmount(slots[1], 0n),
    /has two exits of all of it to take_profit/,
  ],
];

test("every fault planted into exits is found", () => {
  assert.deepEqual(checkInvariants(stateToBreak().state), []);
  for (const [name, plant, breach] of FAULTS) {
    const broken = stateToBreak();
    plant(broken);
    const breaches = checkInvariants(broken.state);
    assert.ok(
      breaches.some((sentence) => breach.test(sentence)),
      `${name}:\n${breaches.join("\n")}`,
    );
  }
});
