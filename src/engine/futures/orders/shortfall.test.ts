import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FuturesVenue, positionEvents } from "../../../../test/support/futures-venue.ts";

const fund = (venue: FuturesVenue, amount: string) =>
  venue.accept({ kind: "deposit", cell: "sys:ins_futures", ccy: "USDT", amount, note: "" });

/**
 * A user long 1 BTC at 30000, who asks 27500 for it, which a buyer takes when the mark has fallen to 25500: of 3000
 * behind the position 2500 go into the close.
 */
function sunkVenue(mode: "cross" | "isolated", funds: string): { venue: FuturesVenue; user: number; buyer: number } {
  const venue = new FuturesVenue();
  const buyer = venue.addTrader("buyer", { USDT: "1000000" });
  const user = venue.addTrader("user", { USDT: funds });
  venue.setLeverage(user, 10, mode);
  venue.rest(buyer, "sell 1 @ 30000.00");
  venue.rest(user, "buy 1 @ 30000.00");
  venue.index("28500");
  return { venue, user, buyer };
}

describe("a close that costs more than stands behind the position", () => {
  test("of an isolated one takes its margin, then free cash, then the insurance fund", () => {
    const { venue, user, buyer } = sunkVenue("isolated", "3100");
    fund(venue, "1000");
    venue.close(user, "limit 27000.00");

    const done = venue.trade(buyer, "buy 1 @ 27000.00");

    // 3000 of margin are lost, and 8.1 of fee are paid by the 85 that were free.
    assert.deepEqual(
      positionEvents(done)
        .filter(({ userId }) => userId === user)
        .map(({ pnl, marginChange, covered }) => [pnl, marginChange, covered]),
      [[-3000_00000000n, -3000_00000000n, 0n]],
    );
    assert.equal(venue.cash(user), "76.90000000");
    venue.assertRepeatable();
  });

  for (const [insured, covered, left] of [
    ["5", 5_00000000n, "-3.10000000"],
    ["100", 8_10000000n, "0.00000000"],
  ] as const) {
    test(`of an isolated one without free cash takes what the fund has, here ${insured}`, () => {
      const { venue, user, buyer } = sunkVenue("isolated", "3015");
      fund(venue, insured);
      venue.close(user, "limit 27000.00");
      const done = venue.trade(buyer, "buy 1 @ 27000.00");
      assert.equal(positionEvents(done).find(({ userId }) => userId === user)?.covered, covered);
      assert.equal(venue.cash(user), left);
      venue.assertRepeatable();
    });
  }

  test("of a cross one leaves cash below 0, which the fund lifts as soon as it can", () => {
    const { venue, user, buyer } = sunkVenue("cross", "3015");
    venue.close(user, "limit 27000.00");
    venue.trade(buyer, "buy 1 @ 27000.00");
    assert.equal(venue.cash(user), "-8.10000000");
    assert.equal(venue.transferable(user).startsWith("-"), true);
    fund(venue, "5");
    assert.equal(venue.cash(user), "-3.10000000");
    fund(venue, "5");
    assert.equal(venue.cash(user), "0.00000000");
    venue.assertRepeatable();
  });
});
