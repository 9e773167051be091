import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FuturesVenue, positionEvents } from "../../../../test/support/futures-venue.ts";
import { USER_FLAG } from "../../accounts/user.ts";

/** A user with 1000 USDT in futures who is long 0.1 BTC at 30000. */
function holderVenue(mode: "cross" | "isolated"): { venue: FuturesVenue; maker: number; user: number } {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "1000000" });
  const user = venue.addTrader("user", { USDT: "1000" });
  venue.setLeverage(user, 10, mode);
  venue.rest(maker, "sell 0.1 @ 30000.00");
  venue.rest(user, "buy 0.1 @ 30000.00");
  return { venue, maker, user };
}

describe("the margin of an isolated position", () => {
  test("is added to with what is free, and taken from down to what it must keep", () => {
    const { venue, user } = holderVenue("isolated");
    assert.equal(venue.cash(user), "698.50000000");
    assert.equal(venue.adjustMargin(user, "698.50000001").refusal, "insufficient_balance");
    assert.equal(venue.adjustMargin(user, "100").refusal, undefined);
    assert.match(venue.position(user), / margin 400.0/);
    venue.index("29500");
    assert.equal(venue.adjustMargin(user, "-50.00000001").refusal, "insufficient_balance", "50 are lost at the mark");
    assert.equal(venue.adjustMargin(user, "-50").refusal, undefined);
    assert.match(venue.position(user), / margin 350.0/);
    venue.assertRepeatable();
  });

  for (const [amount, refusal] of [
    ["0", "invalid_command"],
    ["0.000000001", "invalid_command"],
    ["--1", "invalid_command"],
    ["abc", "invalid_command"],
  ] as const) {
    test(`is not changed by ${amount}`, () => {
      const { venue, user } = holderVenue("isolated");
      assert.equal(venue.adjustMargin(user, amount).refusal, refusal);
    });
  }

  test("is there only while there is an isolated position, on a side that the mode knows", () => {
    const { venue, maker, user } = holderVenue("isolated");
    assert.equal(venue.adjustMargin(maker, "1").refusal, "not_isolated");
    assert.equal(venue.adjustMargin(user, "1", "BTCUSDT", "long").refusal, "position_side_mismatch");
    assert.equal(venue.adjustMargin(user, "1", "BTCUSD").refusal, "no_position");
  });
});

describe("leverage", () => {
  test("of an isolated position moves margin, and of a higher one never below what it has lost", () => {
    const { venue, user } = holderVenue("isolated");
    const done = venue.setLeverage(user, 20, "isolated");
    assert.deepEqual(done.result, { marginMode: "isolated", leverage: 20 });
    assert.deepEqual(
      positionEvents(done).map(({ reason, marginChange, leverage }) => [reason, marginChange, leverage]),
      [["leverage", -150_00000000n, 20]],
    );
    venue.index("29000");
    venue.setLeverage(user, 50, "isolated");
    assert.match(venue.position(user), / margin 160.0/, "60 of margin and 100 of loss");
    assert.equal(venue.setLeverage(user, 1, "isolated").refusal, "insufficient_balance");
    venue.assertRepeatable();
  });

  test("of a cross position needs the margin to be there", () => {
    const { venue, user } = holderVenue("cross");
    assert.equal(venue.setLeverage(user, 1).refusal, "insufficient_balance");
    assert.equal(venue.setLeverage(user, 5).refusal, undefined);
  });

  test("is one on offer and within the level of the position, and stands while orders or a position do", () => {
    const { venue, maker, user } = holderVenue("cross");
    assert.equal(venue.setLeverage(user, 7).refusal, "leverage_not_offered");
    assert.equal(venue.setLeverage(user, 10, "isolated").refusal, "futures_in_use");
    venue.rest(maker, "sell 11 @ 33000.00");
    assert.equal(venue.setLeverage(maker, 20).refusal, "futures_in_use");
    venue.accept({ kind: "cancel_all_orders", userId: maker, marketId: 0, account: "futures" });
    assert.equal(venue.setLeverage(maker, 100).refusal, undefined);
    assert.equal(venue.trade(maker, "sell 11 @ 33000.00").refusal, "leverage_above_level");
  });
});

describe("position mode", () => {
  test("changes only without positions, orders and stop orders", () => {
    const { venue, user } = holderVenue("cross");
    const set = (positionMode: string) =>
      venue.execute({ kind: "change_futures_settings", userId: user, positionMode }).refusal;
    assert.equal(set("hedge"), "futures_in_use");
    assert.equal(set("one_way"), undefined);
    assert.equal(set("both"), "invalid_command");
    venue.execute({ kind: "change_futures_settings", userId: user, settleSwitch: false });
    assert.equal(venue.execute({ kind: "change_futures_settings", userId: user }).refusal, "invalid_command");
    assert.notEqual(venue.state.users.flags(user) & USER_FLAG.settleOff, 0);
  });
});

describe("transfers", () => {
  test("out are bound by what positions and orders need; into, by what spot has", () => {
    const { venue, user } = holderVenue("cross");
    assert.equal(venue.transfer(user, "FUTURES", "SPOT", "USDT", "698.50000001").refusal, "insufficient_balance");
    venue.rest(user, "buy 0.1 @ 29000.00");
    assert.equal(venue.transfer(user, "FUTURES", "SPOT", "USDT", "407.05").refusal, undefined);
    assert.equal(venue.transfer(user, "FUTURES", "SPOT", "USDT", "0.00000001").refusal, "insufficient_balance");
    assert.equal(venue.balance(user, "USDT"), "407.05000000 + 0.00000000");
    assert.equal(venue.transfer(user, "SPOT", "FUTURES", "USDT", "407.06").refusal, "insufficient_balance");
    assert.equal(venue.transfer(user, "SPOT", "FUTURES", "USDT", "407.05").refusal, undefined);
    venue.assertRepeatable();
  });

  for (const [from, to, ccy, amount, refusal] of [
    ["SPOT", "SPOT", "USDT", "1", "transfer_not_possible"],
    ["FUTURES", "MARGIN", "USDT", "1", "transfer_not_possible"],
    ["SPOT", "FUTURES", "USD", "1", "transfer_not_possible"],
    ["SPOT", "FUTURES", "XYZ", "1", "asset_not_found"],
    ["SPOT", "FUTURES", "USDT", "0", "invalid_command"],
    ["SPOT", "FUTURES", "USDT", "-1", "invalid_command"],
    ["FUTURES", "SPOT", "BTC", "1", "insufficient_balance"],
  ] as const) {
    test(`of ${amount} ${ccy} from ${from} to ${to}: ${refusal}`, () => {
      const { venue, user } = holderVenue("cross");
      assert.equal(venue.transfer(user, from, to, ccy, amount).refusal, refusal);
    });
  }

  test("stop in maintenance and in its protection period, where margin may still be changed", () => {
    const { venue, user } = holderVenue("isolated");
    const at = venue.timeMs;
    venue.accept({
      kind: "plan_maintenance",
      scope: ["FUTURES"],
      startedAt: at + 10,
      endedAt: at + 20,
      protectDurationStart: at + 20,
      protectDurationEnd: at + 30,
      announceUrl: "",
      announceEnabled: false,
    });
    venue.wait(10);
    assert.equal(venue.transfer(user, "FUTURES", "SPOT", "USDT", "1").refusal, "maintenance");
    assert.equal(venue.adjustMargin(user, "1").refusal, "maintenance");
    assert.equal(venue.trade(user, "buy 0.01 @ 29000.00").refusal, "maintenance");
    venue.wait(10);
    assert.equal(venue.transfer(user, "FUTURES", "SPOT", "USDT", "1").refusal, "protection_period");
    assert.equal(venue.adjustMargin(user, "1").refusal, undefined);
    assert.equal(venue.trade(user, "buy 0.01 @ 29000.00").refusal, "protection_period");
    assert.equal(venue.trade(user, "buy 0.01 @ 29000.00 maker_only").refusal, undefined);
  });
});

test("while the index is stale nothing is taken out of what has a position there: no money, no margin, no leverage", () => {
  const venue = new FuturesVenue();
  const other = venue.addTrader("other", { USDT: "100000" });
  const user = venue.addTrader("user", { USDT: "10000" });
  venue.setLeverage(user, 10, "isolated");
  venue.rest(other, "sell 1 @ 30000.00");
  venue.rest(user, "buy 1 @ 30000.00");
  venue.adjustMargin(user, "1000");
  venue.wait(61_000);
  for (const trader of [user, other]) {
    assert.equal(venue.transfer(trader, "FUTURES", "SPOT", "USDT", "1").refusal, "index_stale");
  }
  assert.equal(venue.adjustMargin(user, "-500").refusal, "index_stale");
  assert.equal(venue.setLeverage(user, 20, "isolated").refusal, "index_stale");
  // What comes in does no harm.
  assert.equal(venue.adjustMargin(user, "500").refusal, undefined);
  venue.indexBack("30000");
  assert.equal(venue.transfer(user, "FUTURES", "SPOT", "USDT", "1").refusal, undefined);
  assert.equal(venue.adjustMargin(user, "-500").refusal, undefined);
  assert.equal(venue.setLeverage(user, 20, "isolated").refusal, undefined);
  venue.assertRepeatable();
});
