import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue, positionEvents } from "../../../../test/support/futures-venue.ts";

test("worked example E2: an isolated long takes its margin and pays its fee to the digit", () => {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "100000" });
  const user = venue.addTrader("user", { USDT: "1000" });
  venue.setLeverage(user, 20, "isolated");
  venue.rest(maker, "sell 0.5 @ 30000.00");

  const done = venue.trade(user, "buy 0.5 @ 30000.00");

  assert.equal(done.order?.status, "filled");
  assert.equal(done.order?.quoteFee, 7_50000000n);
  assert.equal(venue.position(user), "long 0.5 worth 15000.00000000 margin 750.00000000 realized -7.50000000");
  assert.equal(venue.cash(user), "242.50000000");
  venue.index("28643.22");
  assert.equal(venue.unrealized(user), "-678.39000000");
  const adjusted = venue.adjustMargin(user, "150");
  assert.deepEqual(
    positionEvents(adjusted).map(({ liqPrice, bkrPrice, marginChange }) => [liqPrice, bkrPrice, marginChange]),
    [[2834170n, 2820000n, 150_00000000n]],
  );
  assert.equal(venue.position(user), "long 0.5 worth 15000.00000000 margin 900.00000000 realized -7.50000000");
  venue.assertRepeatable();
});

test("worked example E3: an inverse short is bought back in part to the digit", () => {
  const venue = new FuturesVenue();
  const other = venue.addTrader("other", { BTC: "10" });
  const user = venue.addTrader("user", { BTC: "0.2" });
  venue.changeMarket("BTCUSD", { marketType: "FUTURES", makerFeeRate: "0" });
  venue.rest(user, "sell 10000 @ 30000.0", "BTCUSD");
  venue.trade(other, "buy 10000 @ 30000.0", "BTCUSD");
  assert.equal(venue.position(user, true, "BTCUSD"), "short 10000 worth 0.33333333 realized 0.00000000");
  venue.index("28000", "BTCUSD");
  venue.rest(other, "sell 4000 @ 27950.0", "BTCUSD");

  const done = venue.trade(user, "buy 4000 @ 27950.0", "BTCUSD");

  assert.deepEqual(
    positionEvents(done).map(({ reason, value, pnl, fee }) => [reason, value, pnl, fee]),
    [
      ["reduce", 14311270n, 977937n, 7156n],
      ["reduce", 14311270n, -977937n, 0n],
    ],
  );
  assert.equal(done.order?.realizedPnl, 977937n);
  assert.equal(venue.cash(user, "BTC"), "0.20970781");
  assert.equal(venue.position(user, true, "BTCUSD"), "short 6000 worth 0.20000000 realized 0.00970781");
  assert.equal(venue.unrealized(user, true, "BTCUSD"), "0.01428571");
  assert.equal(venue.transferable(user, "BTC"), "0.18827923");
  venue.assertRepeatable();
});

test("an order larger than the opposite position closes it and opens a new one with the rest", () => {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "100000" });
  const user = venue.addTrader("user", { USDT: "10000" });
  venue.rest(maker, "sell 0.2 @ 30000.00");
  venue.trade(user, "buy 0.2 @ 30000.00");
  venue.rest(maker, "buy 0.5 @ 30100.00");

  const done = venue.trade(user, "sell 0.5 @ 30100.00");

  const own = positionEvents(done).filter(({ userId }) => userId === user);
  assert.deepEqual(
    own.map(({ reason, lots, value, fee, pnl }) => [reason, lots, value, fee, pnl]),
    [
      ["reduce", 200_000n, 6020_00000000n, 3_01000000n, 20_00000000n],
      ["increase", 300_000n, 9030_00000000n, 4_51500000n, 0n],
    ],
  );
  assert.deepEqual(
    own.map(({ finishedType }) => finishedType),
    ["limit", ""],
  );
  assert.notEqual(own[0]?.positionId, own[1]?.positionId);
  assert.equal(venue.position(user), "none");
  assert.equal(venue.position(user, true), "short 0.3 worth 9030.00000000 realized -4.51500000");
  venue.assertRepeatable();
});
