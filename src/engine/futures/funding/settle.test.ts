import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue, positionEvents } from "../../../../test/support/futures-venue.ts";

const HOUR = 3_600_000;

test("a settlement, which waits for the index, turns profit and loss on paper into money, and moves neither entry nor liquidation price", () => {
  const venue = new FuturesVenue();
  const long = venue.addTrader("long", { USDT: "5000" });
  const short = venue.addTrader("short", { USDT: "5000" });
  venue.setLeverage(long, 10, "isolated");
  venue.rest(long, "buy 1 @ 30000.00");
  venue.rest(short, "sell 1 @ 30000.00");
  venue.index("29500");
  const margin = positionEvents(venue.adjustMargin(long, "1"))[0];

  assert.deepEqual(positionEvents(venue.wait(8 * HOUR)), []);
  const done = venue.indexBack("29500");

  const [other, own] = positionEvents(done).filter(({ reason }) => reason === "settle");
  assert.deepEqual([own?.userId, own?.pnl, own?.marginChange], [long, -500_00000000n, -500_00000000n]);
  assert.deepEqual([other?.userId, other?.pnl, other?.marginChange], [short, 500_00000000n, 0n]);
  assert.equal(own?.liqPrice, margin?.liqPrice);
  assert.equal(own?.bkrPrice, margin?.bkrPrice);
  assert.equal(own?.entryCost, 30000_00000000n);
  assert.equal(venue.position(long), "long 1 worth 29500.00000000 margin 2501.00000000 realized -509.00000000");
  assert.equal(venue.position(short, true), "short 1 worth 29500.00000000 realized 485.00000000");
  venue.assertRepeatable();
});

test("who has switched settlement off keeps profit on paper", () => {
  const venue = new FuturesVenue();
  const long = venue.addTrader("long", { USDT: "5000" });
  const short = venue.addTrader("short", { USDT: "5000" });
  venue.accept({ kind: "change_futures_settings", userId: long, settleSwitch: false });
  venue.rest(long, "buy 1 @ 30000.00");
  venue.rest(short, "sell 1 @ 30000.00");
  venue.index("30100");

  venue.wait(8 * HOUR);
  const done = venue.indexBack("30100");

  assert.deepEqual(
    positionEvents(done).map(({ userId, reason }) => [userId, reason]),
    [[short, "settle"]],
  );
  assert.equal(venue.unrealized(long), "100.00000000");
  venue.assertRepeatable();
});
