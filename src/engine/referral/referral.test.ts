import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PaymentsVenue } from "../../../test/support/payments-venue.ts";
import { runs } from "../../../test/support/runs.ts";
import { bitcoinVenue, type Venue } from "../../../test/support/venue.ts";
import { checkInvariants } from "../invariants.ts";
import { shareOf } from "./rebates.ts";
import { DAY_MS, type Referee, referralOf } from "./referral-state.ts";

test("a share of the fees of an invited user is paid at midnight, in their currencies, out of the fee cell", () => {
  const venue = referralVenue();
  venue.put(3, "sell 1 @ 30000");
  venue.put(2, "buy 0.5 @ 30000");
  // A taker's 0.2 % of half a bitcoin.
  assert.equal(venue.fees("BTC"), "0.00100000");
  venue.timeMs = DAY_MS - 1;
  venue.accept({ kind: "tick" });
  assert.equal(venue.balance(1, "BTC"), "0.00000000 + 0.00000000");
  venue.timeMs = DAY_MS;
  const { events } = venue.accept({ kind: "tick" });
  assert.deepEqual(
    [venue.balance(1, "BTC"), venue.balance(2, "BTC"), venue.balance(4, "BTC"), venue.fees("BTC")],
    ["0.00020000", "0.49910000", "0.00005000", "0.00065000"].map((one, at) => (at < 3 ? `${one} + 0.00000000` : one)),
  );
  const told = events.flatMap((one) => (one.kind === "json" && one.event.type === "rebates_paid" ? [one.event] : []));
  assert.equal(told.length, 1);
  assert.equal(told[0]?.spotValue, "15000.00000000");
  assert.equal(told[0]?.dayMs, 0);
  // Nothing is left to be paid.
  venue.timeMs = 5 * DAY_MS;
  venue.accept({ kind: "tick" });
  assert.equal(venue.balance(1, "BTC"), "0.00020000 + 0.00000000");
  venue.assertRepeatable();
});

test("what the fee cell has not any more is due with the next midnight", () => {
  const venue = referralVenue();
  venue.put(3, "sell 1 @ 30000");
  venue.put(2, "buy 0.5 @ 30000");
  venue.accept({ kind: "adjust_balance", userId: 3, ccy: "BTC", amount: "0.001", cell: "sys:fee", note: "taken" });
  venue.timeMs = DAY_MS;
  venue.accept({ kind: "tick" });
  assert.equal(venue.balance(1, "BTC"), "0.00000000 + 0.00000000");
  venue.put(2, "buy 0.25 @ 30000");
  venue.accept({ kind: "adjust_balance", userId: 3, ccy: "BTC", amount: "-0.001", cell: "sys:fee", note: "back" });
  venue.timeMs = 2 * DAY_MS;
  venue.accept({ kind: "tick" });
  assert.equal(venue.balance(1, "BTC"), "0.00030000 + 0.00000000");
  venue.assertRepeatable(venue.log.length - 3);
});

test("nobody invites himself, his family, or who invited him, and nobody is invited twice", () => {
  const venue = referralVenue();
  const own = venue.accept({ kind: "create_user", name: "ann-1", mainUserId: 1 }).result as { userId: number };
  const make = (userId: number, code: string) =>
    venue.accept({ kind: "create_refer_code", userId, code, referrerRate: "0.1", refereeRate: "0" });
  make(2, "BENS");
  make(own.userId, "SUBS");
  make(3, "CATS");
  const bind = (userId: number, code: string) => venue.execute({ kind: "bind_referee", userId, code }).refusal;
  assert.equal(bind(1, "ANNS"), "refers_in_a_circle");
  assert.equal(bind(1, "SUBS"), "refers_in_a_circle");
  assert.equal(bind(own.userId, "ANNS"), "refers_in_a_circle");
  assert.equal(bind(1, "BENS"), "refers_in_a_circle");
  assert.equal(bind(2, "CATS"), "already_referred");
  assert.equal(bind(3, "BENS"), undefined);
  assert.equal(bind(1, "CATS"), "refers_in_a_circle");
  assert.equal(bind(9, "ANNS"), "user_not_found");
  assert.equal(bind(4, "NONE"), "refer_code_not_found");
});

test("all shares of a fee together are at most a half of it, an agent's included", () => {
  const venue = referralVenue();
  const make = (code: string, referrerRate: string, refereeRate: string, userId = 1) =>
    venue.execute({ kind: "create_refer_code", userId, code, referrerRate, refereeRate }).refusal;
  // Of user 1 another 5 % go to user 4.
  assert.equal(make("HALF", "0.4", "0.05000001"), "rebate_too_high");
  assert.equal(make("HALF", "0.4", "0.05"), undefined);
  assert.equal(make("HALF", "0", "0"), "refer_code_taken");
  assert.equal(make("x", "0", "0"), "invalid_command");
  assert.equal(make("RATE", "1", "0"), "invalid_command");
  assert.equal(make("USER", "0", "0", 9), "user_not_found");
  const agent = { kind: "set_agent", userId: 1, ofUserId: 4, rate: "0.05000001", remark: "" } as const;
  assert.equal(venue.execute(agent).refusal, "rebate_too_high");
  assert.equal(venue.execute({ ...agent, ofUserId: 1 }).refusal, "refers_in_a_circle");
  venue.accept({ ...agent, rate: null });
  assert.equal(referralOf(venue.state).agents.size, 0);
});

test("whoever trades with himself for rebates loses more than he gets, however he splits it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { maxLength: 40 }),
      fc.integer({ min: 0, max: 50_000_000 }),
      fc.integer({ min: 0, max: 50_000_000 }),
      (fees, one, other) => {
        const second = Math.min(other, 50_000_000 - one);
        const paid = fees.reduce((sum, fee) => sum + fee, 0n);
        const together = shareOf(paid, one) + shareOf(paid, second);
        const apart = fees.reduce((sum, fee) => sum + shareOf(fee, one) + shareOf(fee, second), 0n);
        assert.ok(apart <= together && together * 2n <= paid);
      },
    ),
    runs(300),
  );
});

test("wash trading through invited accounts in a row of friends costs at least half of its fees", () => {
  const venue = referralVenue();
  venue.accept({ kind: "create_refer_code", userId: 2, code: "BENS", referrerRate: "0.5", refereeRate: "0" });
  venue.accept({ kind: "bind_referee", userId: 3, code: "BENS" });
  for (let round = 0; round < 20; round++) {
    venue.put(3, "sell 0.01 @ 30000");
    venue.put(2, "buy 0.01 @ 30000");
  }
  const taken = [Number(venue.fees("BTC")), Number(venue.fees("USDT"))];
  venue.timeMs = DAY_MS;
  venue.accept({ kind: "tick" });
  const left = [Number(venue.fees("BTC")), Number(venue.fees("USDT"))];
  for (const at of [0, 1]) assert.ok((left[at] as number) * 2 >= (taken[at] as number));
  venue.assertRepeatable();
});

test("what an invited user brings from outside counts in USD by the index of that time, and without one by its time alone", () => {
  const venue = referralVenue();
  const brought = () => {
    const { firstDepositAt, firstDepositValue, depositValue } = referralOf(venue.state).referees.get(2) as Referee;
    return [firstDepositAt, firstDepositValue, depositValue];
  };
  const give = (userId: number, ccy: string, amount: string) =>
    venue.accept({ kind: "deposit", userId, ccy, amount, note: "" });
  // What came before the invitation does not count.
  assert.deepEqual(brought(), [0, 0n, 0n]);
  venue.timeMs = 1_000;
  give(2, "BTC", "1");
  assert.deepEqual(brought(), [1_000, 0n, 0n]);
  venue.spotIndex("30000");
  venue.timeMs = 2_000;
  give(2, "BTC", "0.5");
  give(2, "USDT", "7.5");
  give(3, "USDT", "9");
  venue.accept({ kind: "adjust_balance", userId: 2, ccy: "USDT", amount: "5", note: "no deposit" });
  assert.deepEqual(brought(), [1_000, 0n, 1_500_750_000_000n]);
  venue.spotIndex("60000");
  assert.deepEqual(brought(), [1_000, 0n, 1_500_750_000_000n]);
  venue.assertRepeatable();
});

test("a deposit over a chain counts once its chain does not take it back, however often it comes and goes before", () => {
  const venue = new PaymentsVenue();
  venue.listMarket("BTC", "USDT");
  venue.accept({ kind: "create_refer_code", userId: 2, code: "BENS", referrerRate: "0.2", refereeRate: "0" });
  venue.accept({ kind: "bind_referee", userId: 1, code: "BENS" });
  venue.spotIndex("30000");
  const brought = () => referralOf(venue.state).referees.get(1)?.depositValue;
  venue.seen("t", "1", 10);
  venue.head(11);
  assert.equal(venue.balance(1, "BTC"), "1.00000000 + 0.00000000");
  venue.gone("t");
  venue.seen("t", "1", 11);
  venue.head(12);
  assert.equal(brought(), 0n);
  venue.head(14);
  assert.equal(brought(), 3_000_000_000_000n);
  venue.head(20);
  assert.equal(brought(), 3_000_000_000_000n);
  venue.assertRepeatable();
});

test("a user is made together with who invited it, or not at all", () => {
  const venue = referralVenue();
  const make = (name: string, referredBy: string, mainUserId?: number) =>
    venue.execute({ kind: "create_user", name, mainUserId, referredBy, reference: name }).refusal;
  const before = venue.state.users.count;
  assert.equal(make("eve", "NONE"), "refer_code_not_found");
  // A second account of the inviter's own family.
  assert.equal(make("ann-1", "ANNS", 1), "refers_in_a_circle");
  assert.equal(venue.state.users.count, before);
  assert.equal(make("eve", "ANNS"), undefined);
  const eve = venue.state.users.byName.get("eve") as number;
  assert.deepEqual(referralOf(venue.state).invited.get(1), [2, eve]);
  // Said again it comes to nothing new, and said otherwise it is refused.
  assert.equal(make("eve", "ANNS"), undefined);
  assert.equal(
    venue.execute({ kind: "create_user", name: "eve", referredBy: undefined, reference: "eve" }).refusal,
    "invalid_command",
  );
  assert.deepEqual(referralOf(venue.state).invited.get(1), [2, eve]);
  venue.assertRepeatable();
});

test("codes that give back too much, and trades of nobody invited, are found", () => {
  const venue = referralVenue();
  const own = referralOf(venue.state);
  own.codes.set("ANNS", { code: "ANNS", userId: 1, referrerRateE8: 90_000_000, refereeRateE8: 0 });
  own.today.set(3, { units: new Map(), firstDeal: undefined });
  assert.deepEqual(checkInvariants(venue.state), [
    "The code ANNS gives back 95000000 of a fee.",
    "Trades of user 3 are counted, whom nobody invited.",
  ]);
});

/** User 1 ann invited 2 ben at 20 and 10 %, and is an agent of 4 dan at 5 %; 3 cat is nobody's. */
function referralVenue(): Venue {
  const venue = bitcoinVenue();
  venue.addUser("ann");
  venue.addUser("ben", { USDT: "100000" });
  venue.addUser("cat", { BTC: "10" });
  venue.addUser("dan");
  venue.accept({ kind: "set_agent", userId: 1, ofUserId: 4, rate: "0.05", remark: "north" });
  venue.accept({ kind: "create_refer_code", userId: 1, code: "ANNS", referrerRate: "0.2", refereeRate: "0.1" });
  venue.accept({ kind: "bind_referee", userId: 2, code: "ANNS" });
  return venue;
}
