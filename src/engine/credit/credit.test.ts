import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { endedOrders, Venue } from "../../../test/support/venue.ts";
import { checkInvariants } from "../invariants.ts";
import { CELL } from "../ledger/cell.ts";
import type { Asset } from "../listing/asset.ts";
import { formatDecimal } from "../money/decimal.ts";
import type { Refusal } from "../refusal.ts";
import { RULES_VERSION } from "../rules-version.ts";
import { refuseOutflow } from "../wallet/outflow.ts";
import { worthByIndex } from "../wallet/worth.ts";
import { CREDIT_CELL } from "./codes.ts";
import type { GrantCredit, RepayCredit } from "./command-schemas.ts";
import { creditOf } from "./credit-state.ts";
import { LOANS_PER_USER_MAX } from "./grant.ts";
import { type CreditLoan, chargeInterest, hourlyInterest, interestDue } from "./loan.ts";
import { statusOf } from "./risk.ts";

const HOUR_MS = 3_600_000;

const GRANTS: readonly (readonly [Partial<GrantCredit>, Refusal | undefined])[] = [
  [{ amount: "1000.00000001" }, "insufficient_balance"],
  [{}, undefined],
  [{ amount: "900.00000001" }, "insufficient_balance"],
  [{ amount: "0" }, "invalid_command"],
  [{ amount: "0.000000001" }, "invalid_command"],
  [{ dailyRate: "1" }, "invalid_command"],
  [{ dailyRate: "-0.1" }, "invalid_command"],
  [{ note: "" }, "invalid_command"],
  [{ ccy: "NONE" }, "asset_not_found"],
  [{ userId: 9 }, "user_not_found"],
  [{ ccy: "BTC", amount: "0.1" }, "no_usd_price"],
];

test("an operator lends out of the credit pool, and what is lent is owed", () => {
  const venue = creditVenue({ fresh: false });
  for (const [change, refusal] of GRANTS) {
    const done = venue.execute({ ...grant(1, "100"), ...change });
    assert.equal(done.refusal, refusal, `${JSON.stringify(change)} ${done.detail}`);
  }
  assert.equal(venue.balance(1, "USDT"), "600.00000000 + 0.00000000");
  assert.equal(held(venue, CREDIT_CELL.credit_pool), "900.00000000");
  assert.deepEqual(creditOf(venue.state).lent, new Map([[1, 100_00000000n]]));
  venue.assertRepeatable();
});

test("a reference lends once", () => {
  const venue = creditVenue();
  const first = venue.accept({ ...grant(1, "100"), reference: "wire 1" }).result;
  assert.deepEqual(first, { loanId: 1 });
  assert.deepEqual(venue.accept({ ...grant(1, "100.0"), reference: "wire 1" }).result, { loanId: 1, repeated: true });
  assert.equal(venue.execute({ ...grant(1, "101"), reference: "wire 1" }).refusal, "invalid_command");
  assert.equal(creditOf(venue.state).loans.size, 1);
});

test("interest is charged at the loan and with each full hour, rounded up, and never on interest", () => {
  const venue = creditVenue();
  // 100 at 0.09 % a day cost 0.00375 an hour.
  venue.accept(grant(1, "100", "0.0009"));
  assert.equal(owed(venue), "0.00375000");
  venue.wait(HOUR_MS - 1);
  assert.equal(owed(venue), "0.00375000");
  venue.wait(1);
  assert.equal(owed(venue), "0.00750000");
  venue.wait(100 * HOUR_MS);
  assert.equal(owed(venue), "0.38250000");
  // Half of it is paid back: from then on an hour costs half.
  venue.accept(repay(1, "50.3825"));
  assert.deepEqual([owed(venue), creditOf(venue.state).lent.get(1)], ["0.00000000", 50_00000000n]);
  venue.wait(HOUR_MS);
  assert.equal(owed(venue), "0.00187500");
  assert.equal(held(venue, CELL.interest), "0.38250000");
  venue.assertRepeatable();
});

test("repayments pay loans by their ids, of each the interest first, and never more than the debt", () => {
  const venue = creditVenue();
  venue.accept(grant(1, "100", "0.024"));
  venue.accept(grant(1, "50", "0.048"));
  const told = () =>
    [...creditOf(venue.state).loans.values()].map(
      (loan) => `${loan.loanId}: ${show(loan.principal)} + ${show(interestDue(loan, venue.state.timeMs))}`,
    );
  assert.deepEqual(told(), ["1: 100 + 0.1", "2: 50 + 0.1"]);
  venue.accept(repay(1, "0.05"));
  assert.deepEqual(told(), ["1: 100 + 0.05", "2: 50 + 0.1"]);
  venue.accept({ ...repay(1, "10.1"), loanId: 2 });
  assert.deepEqual(told(), ["1: 100 + 0.05", "2: 40 + 0"]);
  venue.accept(repay(1, "100.06"));
  assert.deepEqual(told(), ["2: 39.99 + 0"]);
  assert.equal(venue.execute({ ...repay(1, "1"), loanId: 1 }).refusal, "credit_not_found");
  assert.equal(venue.execute(repay(2, "1")).refusal, "credit_not_found");
  assert.equal(venue.execute({ ...repay(1, "1"), ccy: "BTC" }).refusal, "credit_not_found");
  assert.deepEqual(venue.accept(repay(1, "1000")).result, { repaid: "39.99000000" });
  assert.equal(creditOf(venue.state).byUser.size, 0);
  assert.equal(venue.execute(repay(1, "1")).refusal, "credit_not_found");
  assert.equal(held(venue, CREDIT_CELL.credit_pool), "1000.00000000");
  venue.assertRepeatable(venue.log.length - 3);
});

test("a repayment that the spot account cannot cover is refused; what orders freeze is not touched", () => {
  const venue = creditVenue();
  venue.accept(grant(1, "100"));
  venue.put(1, "buy 0.019 @ 30000");
  assert.equal(venue.execute(repay(1, "31")).refusal, "insufficient_balance");
  venue.accept(repay(1, "30"));
});

test("what may leave is equity less debt, above the withdrawal risk, by the index alone", () => {
  const venue = creditVenue();
  venue.accept(grant(1, "500"));
  // 1000 of 500: risk 2.
  assert.deepEqual(leaves(venue, "500"), undefined);
  assert.deepEqual(leaves(venue, "500.00000001"), "credit_withdrawal_risk");
  // Bitcoin for 900 at the index: the same, whatever a deal says.
  venue.put(2, "sell 0.03 @ 30000");
  venue.put(1, "buy 0.03 @ 30000");
  venue.put(2, "sell 0.001 @ 40000");
  venue.put(3, "buy 0.001 @ 40000");
  assert.equal(show(statusOf(venue.state, 1).equity), "998.2");
  venue.spotIndex("25000");
  assert.equal(show(statusOf(venue.state, 1).equity), "848.5");
  assert.equal(leaves(venue, "348.5"), undefined);
  // 1.35 and below: nothing.
  venue.spotIndex("19180");
  assert.equal(show(statusOf(venue.state, 1).equity), "674.2492");
  assert.equal(leaves(venue, "0.00000001"), "credit_withdrawal_risk");
});

test("while an index is silent its coins count nothing and a debt in them what it was worth last; nothing leaves who owes one", () => {
  for (const rules of [4, 5]) {
    const venue = creditVenue({ rules });
    venue.accept({ kind: "deposit", cell: "sys:credit_pool", ccy: "BTC", amount: "1", note: "" });
    venue.accept({ ...grant(1, "0.001"), ccy: "BTC" });
    venue.accept(grant(2, "100"));
    assert.equal(leaves(venue, "100"), undefined);
    assert.deepEqual(worth(venue), ["530", "30"]);
    venue.wait(60_001);
    // The bitcoin that is held counts nothing, the one that is owed all.
    assert.deepEqual(worth(venue), ["500", "30"]);
    assert.equal(leaves(venue, "0.00000001"), "index_stale");
    // A limit of 20 buys something without a price, and leaves 480 of 30.
    assert.equal(venue.place(1, "buy 0.001 @ 20000").refusal, rules === 4 ? "credit_trade_risk" : undefined);
    assert.equal(venue.place(1, "buy 0.01557 @ 30000").refusal, "credit_trade_risk", "32.90 would be left of 30");
    // User 2 owes dollars and has bitcoin, which nobody can value now.
    assert.equal(leaves(venue, "0.00000001", 2), "credit_withdrawal_risk");
    // Sold for dollars they count: that he may.
    assert.equal(venue.place(2, "sell 0.0001 @ 30000").refusal, "credit_trade_risk");
    assert.equal(venue.place(2, "sell 0.001 @ 30000").refusal, rules === 4 ? "credit_trade_risk" : undefined);
    assert.equal(venue.place(3, "buy 0.001 @ 20000").refusal, undefined);
  }
});

test("what is held is rounded down and what is owed up, and the exact fraction decides", () => {
  const venue = creditVenue();
  // A unit of bitcoin is 30001.5 units of a dollar.
  venue.spotIndex("30001.50");
  venue.accept({ kind: "deposit", cell: "sys:credit_pool", ccy: "BTC", amount: "1", note: "" });
  venue.accept({ kind: "adjust_balance", userId: 1, ccy: "USDT", amount: "-500", note: "none" });
  venue.accept({ ...grant(1, "0.00000001"), ccy: "BTC" });
  const { equity, backing, debt, riskRateE8 } = statusOf(venue.state, 1);
  assert.deepEqual([equity, backing, debt, riskRateE8], [30_001n, 30_001n, 30_002n, 99_996_666n]);
  // At 1.1 of the debt exactly nothing is traded; a unit above it is.
  const even = creditVenue();
  even.accept(grant(1, "1000"));
  even.accept({ kind: "adjust_balance", userId: 1, ccy: "USDT", amount: "-400", note: "to 1100" });
  assert.deepEqual([statusOf(even.state, 1).riskRateE8, statusOf(even.state, 1).mayTrade], [110_000_000n, false]);
  even.deposit(1, "USDT", "0.00000001");
  assert.deepEqual([statusOf(even.state, 1).riskRateE8, statusOf(even.state, 1).mayTrade], [110_000_000n, true]);
});

test("a currency without a fresh index is worth nothing when it is held and all of its last value when it is owed", () => {
  const venue = creditVenue();
  const worthOf = (units: bigint) => worthByIndex(venue.state, new Map([[0, units]]));
  assert.deepEqual([worthOf(1_000_000n), worthOf(-1_000_000n)], [300_00000000n, -300_00000000n]);
  // Each is rounded to the user's cost.
  venue.spotIndex("30001.50");
  assert.deepEqual([worthOf(1n), worthOf(-1n)], [30_001n, -30_002n]);
  venue.wait(60_001);
  assert.deepEqual([worthOf(1_000_000n), worthOf(-1_000_000n)], [0n, -300_01500000n]);
});

test("an order of a user with credit is looked at by what it would leave, filled whole at its worst price", () => {
  const venue = creditVenue();
  venue.accept(grant(1, "1000"));
  // 1,500 of 1,000. At the index an order costs its fee, whatever its size.
  const { orderId } = venue.put(1, "buy 0.04 @ 30000");
  venue.cancel(1, orderId);
  // Above it, what is paid beyond the index and the fee may be 400 less a unit.
  assert.equal(venue.place(1, "buy 0.033 @ 42100").refusal, "credit_trade_risk");
  const high = venue.put(1, "buy 0.033 @ 42000").orderId;
  assert.equal(venue.modify(1, high, "price 42100").refusal, "credit_trade_risk");
  venue.cancel(1, high);
  // A market order counts at its bound, a tenth above the best price and no farther than three tenths from the index.
  venue.put(2, "sell 0.5 @ 38000");
  assert.equal(venue.place(1, "buy 0.035").refusal, undefined);
  assert.equal(statusOf(venue.state, 1).mayTrade, true);
  venue.assertRepeatable();
});

test("a resting order of a user with credit that has become too dear is ended when it is met, and no other", () => {
  const venue = creditVenue();
  venue.accept(grant(1, "1000"));
  const cheap = venue.put(1, "buy 0.01 @ 20000");
  const dear = venue.put(1, "buy 0.02 @ 40000");
  venue.spotIndex("15000");
  const taken = venue.place(2, "sell 0.05 @ 20000 ioc");
  // 0.02 at 40,000 would lose 500; 0.01 at 20,000 loses 50.
  assert.deepEqual(
    taken.deals.map((deal) => venue.dealText(deal)),
    ["0.01 @ 20000.00"],
  );
  const ended = endedOrders(taken);
  assert.deepEqual(
    ended.map(({ orderId, status }) => [orderId, status]),
    [
      [dear.orderId, "canceled"],
      [cheap.orderId, "filled"],
      [taken.order?.orderId, "part_canceled"],
    ],
  );
  venue.assertRepeatable();
});

test("an auction meets no orders of a user with credit that together would cost too much", () => {
  const venue = creditVenue();
  venue.accept(grant(1, "1000"));
  venue.listAsset("JNK");
  const opening = { biddingAt: 2_000, noCancelAt: 3_000, onlineAt: 4_000 };
  venue.listMarket("JNK", "USDT", opening);
  venue.deposit(2, "JNK", "1000");
  venue.timeMs = 2_000;
  // Each alone would leave 1,200 of 1,000, both together 900.
  const orders = [1, 2].map(() => venue.put(1, "buy 0.3 @ 1000", "JNKUSDT").orderId);
  venue.put(2, "sell 1 @ 1000", "JNKUSDT");
  venue.timeMs = 4_000;
  const { events, deals } = venue.accept({ kind: "tick" });
  assert.equal(deals.length, 0);
  const ended = endedOrders({ events });
  assert.deepEqual(
    ended.map(({ orderId, status }) => [orderId, status]),
    orders.map((id) => [id, "canceled"]),
  );
  venue.assertRepeatable();
});

test("a user with credit trades above the trade risk, and takes orders back at any", () => {
  const venue = creditVenue();
  venue.accept(grant(1, "1000"));
  const { orderId } = venue.put(1, "buy 0.001 @ 20000");
  venue.accept({ kind: "set_credit_terms", withdrawalRisk: "2", tradeRisk: "1.5" });
  assert.equal(venue.place(1, "buy 0.001 @ 20000").refusal, "credit_trade_risk");
  assert.equal(venue.modify(1, orderId, "price 21000").refusal, "credit_trade_risk");
  assert.equal(venue.cancel(1, orderId).refusal, undefined);
  venue.accept({ kind: "set_credit_terms", userId: 1, withdrawalRisk: "2", tradeRisk: "1.49999999" });
  venue.put(1, "buy 0.001 @ 20000");
  venue.accept({ kind: "set_credit_terms", userId: 1, withdrawalRisk: "2", tradeRisk: "1.5" });
  venue.accept(repay(1, "1000"));
  venue.put(1, "buy 0.001 @ 20000");
  for (const [withdrawalRisk, tradeRisk] of [
    ["x", "1"],
    ["1", "-1"],
    ["1000.1", "1"],
  ] as const) {
    const done = venue.execute({ kind: "set_credit_terms", withdrawalRisk, tradeRisk });
    assert.equal(done.refusal, "invalid_command");
  }
  venue.assertRepeatable();
});

test("what lies in other accounts of the user backs the credit, and a withdrawal under way does not", () => {
  const venue = creditVenue();
  venue.accept(grant(1, "100"));
  const before = statusOf(venue.state, 1);
  venue.accept({ kind: "move_savings", userId: 1, to: "FINANCIAL", ccy: "USDT", amount: "300", note: "" });
  assert.deepEqual(statusOf(venue.state, 1), before);
  venue.put(1, "buy 0.005 @ 20000");
  assert.deepEqual(statusOf(venue.state, 1), before);
  venue.accept({ kind: "set_inter_transfer", ccy: "USDT", enabled: true });
  venue.accept({ kind: "allow_withdraw_address", userId: 1, chain: "", address: "2", memo: "", remark: "" });
  const away = {
    kind: "withdraw",
    userId: 1,
    method: "inter_user",
    chain: "",
    toAddress: "2",
    memo: "",
    ccy: "USDT",
    amount: "150",
    remark: "",
    needsReview: true,
  } as const;
  venue.accept(away);
  assert.equal(show(statusOf(venue.state, 1).equity), "450");
  // What is left is worth 450, of which 350 are the user's own: but only 50 are still there to be withdrawn.
  assert.equal(leaves(venue, "350"), undefined);
  assert.equal(leaves(venue, "350.00000001"), "credit_withdrawal_risk");
});

test("a main account hands its sub-accounts no more than may leave it", () => {
  const venue = creditVenue();
  venue.accept(grant(1, "500"));
  const sub = venue.accept({ kind: "create_sub_account", userId: 1, name: "ann-1", permissions: [] }).result;
  const { userId: toUserId } = sub as { userId: number };
  const give = {
    kind: "sub_transfer",
    userId: 1,
    fromUserId: 1,
    toUserId,
    from: "SPOT",
    to: "SPOT",
    ccy: "USDT",
  } as const;
  assert.equal(venue.execute({ ...give, amount: "500.00000001" }).refusal, "credit_withdrawal_risk");
  venue.accept({ ...give, amount: "500" });
  assert.equal(venue.execute({ ...give, amount: "0.00000001" }).refusal, "credit_withdrawal_risk");
  venue.accept({ ...give, fromUserId: toUserId, toUserId: 1, amount: "1" });
});

test("a user has so many loans at most", () => {
  const venue = creditVenue();
  for (let loan = 0; loan < LOANS_PER_USER_MAX; loan++) venue.accept(grant(1, "0.01"));
  assert.equal(venue.execute(grant(1, "0.01")).refusal, "invalid_command");
  venue.accept(repay(1, "0.01"));
  venue.accept(grant(1, "0.01"));
});

test("however often it is looked at, a loan costs what its hours cost, and dust costs a unit an hour", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
      fc.integer({ min: 0, max: 99_999_999 }),
      fc.array(fc.integer({ min: 0, max: 3 * HOUR_MS }), { maxLength: 20 }),
      (principal, dailyRateE8, waits) => {
        const loan: CreditLoan = {
          ...{ loanId: 1, userId: 1, assetId: 0, dailyRateE8, createdAt: 7, principal },
          ...{ hoursCharged: 0, interest: 0n },
        };
        let timeMs = 7;
        for (const wait of [0, ...waits]) {
          timeMs += wait;
          chargeInterest(loan, timeMs);
        }
        const hours = BigInt(1 + Math.floor((timeMs - 7) / HOUR_MS));
        assert.equal(loan.interest, hours * hourlyInterest(principal, dailyRateE8));
        assert.ok(hourlyInterest(principal, dailyRateE8) * 2_400_000_000n >= principal * BigInt(dailyRateE8));
        assert.ok(dailyRateE8 === 0 || loan.interest >= hours);
      },
    ),
    runs(300),
  );
});

test("what is lent and not counted, and a borrower who is not marked, are found", () => {
  const venue = creditVenue();
  venue.accept(grant(1, "100"));
  creditOf(venue.state).lent.set(1, 1n);
  venue.state.users.setFlags(1, 0);
  assert.deepEqual(checkInvariants(venue.state), [
    "User 1 has loans and may trade as if there were none.",
    "10000000000 units of asset 1 are lent, and counted as 1.",
  ]);
});

function grant(userId: number, amount: string, dailyRate = "0"): GrantCredit {
  return { kind: "grant_credit", userId, ccy: "USDT", amount, dailyRate, note: "a line" };
}

function repay(userId: number, amount: string): RepayCredit {
  return { kind: "repay_credit", userId, ccy: "USDT", amount, note: "" };
}

/** With 1000 USDT in the pool, an index of 30000, and users of whom the first has 500 USDT. */
function creditVenue({ fresh = true, rules = RULES_VERSION } = {}): Venue {
  const venue = new Venue(undefined, rules);
  venue.listAsset("BTC");
  venue.listAsset("USDT");
  venue.listMarket("BTC", "USDT");
  venue.addUser("ann", { USDT: "500" });
  venue.addUser("ben", { BTC: "1" });
  venue.addUser("cat", { USDT: "1000" });
  if (fresh) venue.spotIndex("30000");
  venue.accept({ kind: "deposit", cell: "sys:credit_pool", ccy: "USDT", amount: "1000", note: "" });
  return venue;
}

/** What user 1 is worth and owes. */
function worth({ state }: Venue): [backing: string, debt: string] {
  const { backing, debt } = statusOf(state, 1);
  return [show(backing), show(debt)];
}

/** Why so many USDT may not leave a user. */
function leaves({ state }: Venue, amount: string, userId = 1): Refusal | undefined {
  const asset = state.assetByCcy.get("USDT") as Asset;
  const units = BigInt(Math.round(Number(amount) * 1e8));
  return refuseOutflow(state, userId, [[asset, units]])?.refusal;
}

function owed({ state }: Venue): string {
  return formatDecimal(interestDue(creditOf(state).loans.get(1) as CreditLoan, state.timeMs), 8);
}

function held({ state }: Venue, kind: number): string {
  return formatDecimal(state.ledger.heldByVenue(kind, 1), 8);
}

/** Units of 10^-8 without needless zeros. */
function show(units: bigint): string {
  return String(Number(units) / 1e8);
}
