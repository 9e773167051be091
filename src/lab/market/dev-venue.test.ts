import assert from "node:assert/strict";
import { test } from "node:test";
import { devFloor, userId } from "../../../test/support/market-floor.ts";
import { checkInvariants } from "../../engine/invariants.ts";
import { formatDecimal } from "../../engine/money/decimal.ts";
import { DEV_MARKETS } from "./dev-markets.ts";
import { devVenueCommands } from "./dev-venue.ts";
import { heldOf } from "./funds.ts";

const KEYS = {
  alice: { accessId: "alice-key", secretCipher: "cipher-a" },
  bob: { accessId: "bob-key", secretCipher: "cipher-b" },
};

test("an empty venue takes every command of the dev profile and is sound afterwards", () => {
  const { state } = devFloor();
  assert.deepEqual([...state.assetByCcy.keys()], ["BTC", "ETH", "USDT", "USD", "DSC"]);
  assert.deepEqual([...state.marketByName.keys()], ["BTCUSDT", "ETHUSDT", "DSCUSDT"]);
  assert.deepEqual([...state.futuresByName.keys()], ["BTCUSDT", "ETHUSDT", "BTCUSD"]);
  const names = ["alice", "bob", "maker-1", "maker-2", "taker-1", "taker-2", "provider-1", "provider-2"];
  assert.deepEqual(state.users.names.slice(1), names);
  assert.equal(state.users.byName.size, names.length);
  for (const [at, name] of names.entries()) assert.equal(state.users.byName.get(name), 1 + at);
  assert.deepEqual(checkInvariants(state), []);
});

test("the two accounts have keys of their own and funds in every asset", () => {
  const floor = devFloor();
  const { state } = floor;
  for (const name of ["alice", "bob"]) {
    const key = state.keys.get(`${name}-key`);
    assert.equal(key?.userId, userId(floor, name));
    assert.deepEqual(key?.permissions, ["read", "trade", "withdraw"]);
    const held = state.assets.map(({ id, ccy, scale }) => [
      ccy,
      formatDecimal(heldOf(state, userId(floor, name), id), scale),
    ]);
    assert.deepEqual(held, [
      ["BTC", "10.00000000"],
      ["ETH", "200.0000000000"],
      ["USDT", "1000000.0000000000"],
      ["USD", "0.00000000"],
      ["DSC", "1000000.00000000"],
    ]);
  }
});

test("custody stays well below its bound, so that an operator can fund others", () => {
  const { state } = devFloor();
  // With ten decimals 64 bits hold 922 million USDT: values of amounts with eight decimals are exact.
  for (const asset of state.assets) assert.ok(state.ledger.custody(asset.id) * 3n < asset.maxCustody, asset.ccy);
});

test("every market has weighted sources that sum to 1, and every asset a chain", () => {
  const { state } = devFloor();
  for (const market of state.markets) {
    assert.equal(
      market.index.sources.reduce((sum, source) => sum + source.weightE8, 0),
      100_000_000,
      market.name,
    );
  }
  // Dollars are only counted in.
  for (const asset of state.assets) assert.equal(asset.chains.length > 0, asset.ccy !== "USD", asset.ccy);
});

test("shares of common and own shocks add up to the volatility that a market claims", () => {
  for (const { market, commonPercent, ownPercent } of DEV_MARKETS) {
    assert.equal(commonPercent ** 2 + ownPercent ** 2, 10_000, market);
  }
});

test("the same keys give the same commands, and each deposit says what it is for", () => {
  const commands = devVenueCommands(KEYS);
  assert.deepEqual(commands, devVenueCommands(KEYS));
  for (const command of commands) assert.ok(command.kind !== "deposit" || command.note.length > 0);
});
