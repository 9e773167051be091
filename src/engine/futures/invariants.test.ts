import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue } from "../../../test/support/futures-venue.ts";
import { checkInvariants } from "../invariants.ts";
import { CELL } from "../ledger/cell.ts";
import type { State } from "../state.ts";
import { clearingCell } from "./positions/change-position.ts";

/** A user with an isolated long of 1 BTC, an order that reduces it and one that opens more. */
function stateToBreak(): { state: State; slot: number; row: number; order: number } {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "1000000" });
  const user = venue.addTrader("user", { USDT: "20000" });
  venue.setLeverage(user, 10, "isolated");
  venue.rest(maker, "sell 1 @ 30000.00");
  venue.rest(user, "buy 1 @ 30000.00");
  venue.rest(user, "buy 1 @ 29000.00");
  const order = venue.close(user, "limit 31000.00 0.6").order?.orderId as number;
  const slot = venue.positionSlot(user);
  const { state } = venue;
  return { state, slot, row: state.futures.positions.seat(slot), order: state.orders.find(order) };
}

type Broken = ReturnType<typeof stateToBreak>;

const FAULTS: readonly [string, (broken: Broken) => void, RegExp][] = [
  [
    "a lot too many",
    ({ state, slot }) => state.futures.positions.setAmount(slot, 1_000_001n),
    /lots long and 1000000 short/,
  ],
  [
    "open interest that nobody holds",
    ({ state }) => state.futures.live.setOpenInterest(0, 5n),
    /counts an open interest/,
  ],
  [
    "a settle cost a unit off",
    ({ state, slot }) => state.futures.positions.setSettleCost(slot, state.futures.positions.settleCost(slot) + 1n),
    /The clearing cell of BTCUSDT holds 0 units against positions of 1/,
  ],
  [
    "a unit of clearing that no position gained",
    ({ state }) => {
      const market = state.markets[0];
      assert.ok(market);
      state.ledger.post(state.events, clearingCell(state, market), 1n, 0n, 0, 0);
      state.ledger.post(state.events, state.ledger.feeCell(1), -1n, 0n, 0, 0);
    },
    /The clearing cell of BTCUSDT/,
  ],
  [
    "margin that belongs to nobody",
    ({ state }) => {
      const cell = state.ledger.cell(CELL.isolated_short, 2, 0, 1, 0);
      state.ledger.post(state.events, cell, 7n, 0n, 0, 0);
      state.ledger.post(state.events, state.ledger.feeCell(1), -7n, 0n, 0, 0);
    },
    /A margin of 7 units belongs to no position/,
  ],
  ["a freeze a unit too small", ({ state, row }) => state.futures.seats.setFrozen(row, 1n), /has frozen 1 units for/],
  ["an account that froze less", ({ state }) => state.futures.accounts.setFrozen(1, 0n), /has frozen 0 units of/],
  [
    "a freeze price that moved",
    ({ state }) => state.futures.held.setFreezePrice(state.orders.find(3), 2_800_000n),
    /counts orders worth/,
  ],
  [
    "an order that reduces more than there is",
    ({ state, slot }) => state.futures.positions.setAmount(slot, 599_999n),
    /would reduce 599999 lots by 600000/,
  ],
  [
    "a position of the other mode",
    ({ state, row }) => state.futures.seats.setIsolated(row, false),
    /is not of its seat's margin mode/,
  ],
  ["levels that end below what is held", ({ state }) => lowerLevels(state), /more than the last level allows/],
  ["an account that nobody looked at", ({ state }) => state.futures.noted.push(0), /wait to be looked at/],
];

function lowerLevels(state: State): void {
  const market = state.markets[0];
  assert.ok(market?.futures);
  market.futures = { ...market.futures, levels: market.futures.levels.map((level) => ({ ...level, amount: 10n })) };
}

test("every fault planted into futures is found", () => {
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
