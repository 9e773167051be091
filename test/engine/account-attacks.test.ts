/**
 * Attacks on credit, withdrawals, pools and referral that paid under the rules of version 4, each with its figures: what it brought then, and
 * that it brings nothing now.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PoolVenue } from "../support/pool-venue.ts";
import type { Venue } from "../support/venue.ts";

const DAY_MS = 86_400_000;

for (const rules of [4, 5]) {
  test(`E6 under rules ${rules}: 229,500 of volume between two orders of one owner, who invited both and is the only provider, cost ${rules === 4 ? "nothing" : "a quarter of the fee"}`, () => {
    const venue = new PoolVenue(undefined, undefined, rules);
    const owner = venue.addProvider("owner");
    const pair = [
      venue.addUser("left", { DSC: "210000", USDT: "20000" }),
      venue.addUser("right", { DSC: "10000", USDT: "20000" }),
    ] as const;
    venue.accept({ kind: "create_refer_code", userId: owner, code: "OWNS", referrerRate: "0.3", refereeRate: "0.2" });
    for (const userId of pair) venue.accept({ kind: "bind_referee", userId, code: "OWNS" });
    const worth = () => 0.0765 * spotOf(venue, [owner, ...pair], "DSC") + spotOf(venue, [owner, ...pair], "USDT");
    const before = worth();
    // At the pool's own price, where it quotes nothing: 30 deals of 7,650 USDT.
    for (let round = 0; round < 30; round++) {
      const [seller, buyer] = round % 2 === 0 ? pair : [pair[1], pair[0]];
      venue.put(seller, "sell 100000 @ 0.0765", "DSCUSDT");
      venue.put(buyer, "buy 100000 @ 0.0765", "DSCUSDT");
    }
    venue.timeMs = DAY_MS;
    venue.accept({ kind: "tick" });
    const cost = before - worth();
    // 0.3 % of either side: 1,377.
    if (rules === 4) assert.ok(cost < 0.000001, `${cost}`);
    else assert.equal(cost.toFixed(4), (1_377 / 4).toFixed(4));
    venue.assertRepeatable();
  });

  test(`E7 under rules ${rules}: an addition to a narrow pool that was moved within 5 % of the index ${rules === 4 ? "loses 1.12 %" : "is refused"}`, () => {
    const range = { type: "finite", low: "0.95", high: "1.05", price: "1", gridDigits: 5 };
    const venue = new PoolVenue(undefined, range, rules);
    venue.spotIndex("1", "DSCUSDT");
    const provider = venue.addUser("provider", { DSC: "100000", USDT: "100000" });
    assert.equal(venue.add(provider, "100000", "100000").refusal, undefined);
    const mover = venue.addUser("mover", { DSC: "500000", USDT: "500000" });
    const victim = venue.addUser("victim", { DSC: "500000", USDT: "100000" });
    venue.put(mover, "buy 200000 @ 1.049 ioc", "DSCUSDT");
    const { refusal } = venue.add(victim, "500000", "100000");
    assert.equal(refusal, rules === 4 ? undefined : "pool_price_off_index");
    if (rules === 4) {
      const added = 600_000 - worthAtOne(venue, victim);
      venue.put(mover, "sell 500000 @ 1 ioc", "DSCUSDT");
      venue.timeMs += DAY_MS;
      venue.accept({ kind: "remove_liquidity", userId: victim, market: "DSCUSDT" });
      const lost = 600_000 - worthAtOne(venue, victim);
      // Half of the fees that moving costs are the providers'.
      assert.equal(((lost / added) * 100).toFixed(2), "1.12");
    }
    venue.assertRepeatable();
  });
}

/** What users have in spot of a currency together. */
function spotOf(venue: Venue, users: readonly number[], ccy: string): number {
  return users.reduce((sum, user) => {
    const [available = "0", , frozen = "0"] = venue.balance(user, ccy).split(" ");
    return sum + Number(available) + Number(frozen);
  }, 0);
}

function worthAtOne(venue: Venue, user: number): number {
  return spotOf(venue, [user], "DSC") + spotOf(venue, [user], "USDT");
}
