import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue, type Venue } from "../../../test/support/venue.ts";
import { checkInvariants } from "../invariants.ts";
import type { State } from "../state.ts";
import { STOP_FLAG } from "./stop-event.ts";

const SLOT = 1;

/** Each takes a sound state with three stop orders and breaks one thing; what must be said of it. */
const FAULTS: readonly (readonly [name: string, plant: (state: State) => void, breach: RegExp])[] = [
  [
    "one that is due has not fired",
    (state) => (state.lastPrice[0] = 9_000n),
    /order 3 .* has been reached by the price/,
  ],
  ["a trigger has moved", ({ stops }) => stops.setTrigger(SLOT, 9_500), /has been reached|stands below/],
  [
    "a direction has turned",
    ({ stops }) => stops.setFlags(SLOT, stops.flags(SLOT) ^ STOP_FLAG.lower),
    /reached|does not stand/,
  ],
  ["the top is wrong", ({ stops }) => stops.setTrigger(0, 20_000), /stands below one that fires later/],
  ["one has no trigger", ({ stops }) => stops.setTrigger(2, 0), /has no trigger/],
  ["one has no amount", ({ stops }) => stops.setAmount(SLOT, 0n), /is of no amount/],
  ["one has an id of the future", (state) => (state.nextStopId = 3), /an id that was never given out/],
  ["one is another's", ({ stops }) => stops.setUserId(SLOT, 2), /is not listed with its account/],
  ["one is nobody's", ({ stops }) => stops.setUserId(SLOT, 77), /belongs to nobody/],
  ["one is of another market", ({ stops }) => stops.setMarketId(SLOT, 1), /waits in the heap of another market/],
  ["one has lost its client id", ({ stops }) => stops.clientId.delete(SLOT), /lost or changed its client id/],
  ["a client id is left behind", ({ stops }) => stops.clientId.set(9, "x"), /A client id is stored of slot 9/],
  ["one comes from the future", ({ stops }) => stops.setUpdatedAt(SLOT, 9e9), /comes from the future/],
  [
    "one was changed before it was there",
    ({ stops }) => stops.setUpdatedAt(SLOT, 1),
    /was changed before it was created/,
  ],
  [
    "the market has gone",
    (state) => Object.assign(state.markets[0] as object, { delisted: true }),
    /delisted and has stop/,
  ],
];

for (const [name, plant, breach] of FAULTS) {
  test(`a fault is found: ${name}`, () => {
    const { state } = waitingVenue();
    assert.deepEqual(checkInvariants(state), []);
    plant(state);
    assert.match(checkInvariants(state).join("\n"), breach);
  });
}

/** The price is 100; three stop orders wait for 110, 120 and, of a sell, 90. */
function waitingVenue(): Venue {
  const venue = bitcoinVenue();
  venue.addUser("ann", { USDT: "10000", BTC: "10" });
  venue.addUser("bob");
  venue.listAsset("ETH");
  venue.listMarket("ETH", "USDT");
  venue.put(1, "sell 1 @ 100");
  venue.put(1, "buy 1 @ 100");
  for (const [text, trigger] of [
    ["buy 1 @ 100", 11_000n],
    ["buy 1 @ 100 id:mine", 12_000n],
    ["sell 1 @ 100", 9_000n],
  ] as const)
    venue.accept({ ...venue.orderOf(1, text), kind: "place_stop_order", trigger });
  return venue;
}
