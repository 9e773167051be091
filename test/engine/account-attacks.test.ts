/**
 * Attacks on credit, withdrawals, pools and referral that paid under the rules of version 4, each with its figures:
 * what it brought then, and that it brings nothing now.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDebtor } from "../../src/engine/payments/deposit-debt.ts";
import { FuturesVenue, LINEAR } from "../support/futures-venue.ts";
import { CHAIN, PaymentsVenue } from "../support/payments-venue.ts";
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

for (const rules of [4, 5]) {
  test(`E3 under rules ${rules}: a credit line of 100,000 spent on a friend's coin without an index ${rules === 4 ? "makes him 138,861 richer and the pool 99,139 poorer" : "buys none of it beyond what is the user's own"}`, () => {
    const venue = lineVenue(rules);
    const [user, friend] = [venue.addUser("user", { USDT: "40000" }), venue.addUser("friend", { JNK: "1000" })];
    venue.accept({ kind: "grant_credit", userId: user, ccy: "USDT", amount: "100000", dailyRate: "0", note: "a line" });
    venue.put(friend, "sell 139.139 @ 1000", "JNKUSDT");
    const whole = venue.place(user, "buy 139.139 @ 1000 ioc", "JNKUSDT");
    assert.equal(whole.refusal, rules === 4 ? undefined : "credit_trade_risk");
    if (rules === 4) {
      assert.equal(spotOf(venue, [friend], "USDT").toFixed(0), "138861");
      assert.equal(spotOf(venue, [user], "USDT").toFixed(0), "861");
    } else {
      // In pieces neither, nor as an order that rests: it stays above 110,000.
      assert.equal(venue.place(user, "buy 30 @ 1000 ioc", "JNKUSDT").refusal, "credit_trade_risk");
      assert.equal(venue.place(user, "buy 29.999 @ 1000 ioc", "JNKUSDT").refusal, undefined);
      assert.equal(venue.place(user, "buy 0.001 @ 1000 ioc", "JNKUSDT").refusal, "credit_trade_risk");
      assert.ok(spotOf(venue, [user], "USDT") > 110_000);
    }
    venue.assertRepeatable();
  });

  test(`E3 under rules ${rules}: what was lent ${rules === 4 ? "goes" : "does not go"} where leverage may lose it, or into a friend's pool`, () => {
    const venue = lineVenue(rules);
    const user = venue.addUser("user", { USDT: "40000", JNK: "100" });
    venue.accept({ kind: "grant_credit", userId: user, ccy: "USDT", amount: "100000", dailyRate: "0", note: "a line" });
    const refusals = [
      venue.execute({ kind: "transfer", userId: user, from: "SPOT", to: "FUTURES", ccy: "USDT", amount: "40000.01" }),
      venue.execute({
        kind: "transfer_margin",
        userId: user,
        market: "BTCUSDT",
        ccy: "USDT",
        amount: "40000.01",
        isIn: true,
      }),
      venue.execute({
        kind: "add_liquidity",
        userId: user,
        market: "JNKUSDT",
        baseAmount: "100",
        quoteAmount: "40000.01",
      }),
    ].map(({ refusal }) => refusal);
    assert.deepEqual(
      refusals,
      rules === 4
        ? [undefined, undefined, undefined]
        : ["credit_withdrawal_risk", "credit_withdrawal_risk", "index_stale"],
    );
    if (rules === 5) {
      // Nor by steps: what went there backs the line no more.
      const step = {
        kind: "transfer",
        userId: user,
        from: "SPOT",
        to: "FUTURES",
        ccy: "USDT",
        amount: "20000",
      } as const;
      assert.equal(venue.execute({ ...step, amount: "5000" }).refusal, undefined);
      assert.equal(venue.execute({ ...step, amount: "1" }).refusal, "credit_withdrawal_risk");
    }
    venue.assertRepeatable();
  });
}

/**
 * BTCUSDT of spot with an index and margin, and of futures; a coin without an index whose market has a pool; and a
 * credit pool.
 */
function lineVenue(rules: number): Venue {
  const venue = new FuturesVenue(undefined, rules);
  venue.listMarket("BTC", "USDT");
  venue.spotIndex("30000");
  venue.accept({ kind: "change_market", market: "BTCUSDT", indexSources: [{ exchange: "one", weight: "1" }] });
  const loans = [{ ccy: "USDT", minAmount: "1", maxAmount: "1000", dailyInterestRate: "0.001" }];
  venue.accept({ kind: "set_margin_market", market: "BTCUSDT", leverage: 3, loans } as never);
  venue.listAsset("JNK");
  venue.listMarket("JNK", "USDT");
  venue.accept({ kind: "set_pool", market: "JNKUSDT", type: "infinite" });
  venue.changeMarket("JNKUSDT", { makerFeeRate: "0.002", takerFeeRate: "0.002" });
  venue.accept({ kind: "deposit", cell: "sys:credit_pool", ccy: "USDT", amount: "100000", note: "" });
  return venue;
}

for (const rules of [4, 5]) {
  test(`E4 under rules ${rules}: what a deposit was exchanged for ${rules === 4 ? "is paid out, 598,000, while 10 BTC are owed to its chain" : "stays until the deposit is settled"}`, () => {
    const venue = depositVenue(rules);
    assert.equal(venue.withdraw("598000", { ccy: "USDT" }).refusal, rules === 4 ? undefined : "reversible_deposit");
    if (rules === 4) {
      venue.gone("t");
      assert.equal(isDebtor(venue.state, venue.ann), true);
      venue.accept({ kind: "withdrawal_started", withdrawId: 1 });
      venue.accept({ kind: "withdrawal_mined", withdrawId: 1, txId: "x", height: 12 });
      venue.head(13);
      assert.equal(spotOf(venue, [venue.ann], "USDT").toFixed(0), "800");
    } else {
      // What is worth more than the deposit may leave: nothing of it does, to nobody and by no way.
      venue.deposit(venue.ann, "USDT", "3000");
      assert.equal(venue.withdraw("1800.01", { ccy: "USDT" }).refusal, "reversible_deposit");
      assert.equal(venue.withdraw("1800", { ccy: "USDT" }).refusal, undefined);
      const toBen = { ccy: "USDT", method: "inter_user", chain: "", toAddress: "ben" };
      assert.equal(venue.withdraw("1", toBen).refusal, "reversible_deposit");
      const sub = venue.accept({ kind: "create_sub_account", userId: venue.ann, name: "ann-1", permissions: [] });
      const { userId: toUserId } = sub.result as { userId: number };
      const give = {
        kind: "sub_transfer",
        userId: venue.ann,
        fromUserId: venue.ann,
        toUserId,
        from: "SPOT",
        to: "SPOT",
      } as const;
      assert.equal(venue.execute({ ...give, ccy: "USDT", amount: "1" }).refusal, "reversible_deposit");
      venue.head(14);
      assert.equal(venue.withdraw("598000", { ccy: "USDT" }).refusal, undefined);
    }
    venue.assertRepeatable();
  });

  test(`E4 under rules ${rules}: who holds a deposit that could be taken back ${rules === 4 ? "loses" : "does not lose"} it to a friend`, () => {
    const venue = depositVenue(rules);
    const friend = venue.addUser("friend", { JNK: "1000" });
    venue.put(friend, "sell 500 @ 1000", "JNKUSDT");
    assert.equal(
      venue.place(venue.ann, "buy 500 @ 1000 ioc", "JNKUSDT").refusal,
      rules === 4 ? undefined : "reversible_deposit",
    );
    // At the index it is traded as ever.
    assert.equal(venue.place(venue.ann, "buy 0.1 @ 60000").refusal, undefined);
    venue.gone("t");
    assert.equal(venue.place(venue.ann, "buy 0.1 @ 60000").refusal, undefined);
    venue.assertRepeatable();
  });
}

test("E4: a deposit that could be taken back goes nowhere where leverage may lose it to a friend", () => {
  const venue = depositVenue(5);
  venue.accept({ kind: "change_market", market: "BTCUSDT", indexSources: [{ exchange: "one", weight: "1" }] });
  const loans = [{ ccy: "USDT", minAmount: "1", maxAmount: "1000", dailyInterestRate: "0.001" }];
  venue.accept({ kind: "set_margin_market", market: "BTCUSDT", leverage: 3, loans } as never);
  venue.accept({ ...LINEAR, market: "BTCUSDT" });
  const into = (amount: string) => [
    venue.execute({ kind: "transfer", userId: venue.ann, from: "SPOT", to: "FUTURES", ccy: "USDT", amount }).refusal,
    venue.execute({ kind: "transfer_margin", userId: venue.ann, market: "BTCUSDT", ccy: "USDT", amount, isIn: true })
      .refusal,
  ];
  assert.deepEqual(into("1"), ["reversible_deposit", "reversible_deposit"]);
  // What is worth more than the deposit may go there, and backs it no more.
  venue.deposit(venue.ann, "USDT", "3000");
  assert.deepEqual(into("1800.01"), ["reversible_deposit", "reversible_deposit"]);
  assert.deepEqual(into("1000"), [undefined, "reversible_deposit"]);
  venue.head(14);
  assert.deepEqual(into("200000"), [undefined, undefined]);
  venue.assertRepeatable();
});

test("E4: fees of deals at the index, half of them a friend's who is the pool, take two hundredths of a deposit and no more", () => {
  const venue = depositVenue(5);
  venue.accept({ kind: "set_pool", market: "BTCUSDT", type: "infinite" });
  const friend = venue.addUser("friend", { BTC: "1", USDT: "60000" });
  const added = { kind: "add_liquidity", userId: friend, market: "BTCUSDT" } as const;
  assert.equal(venue.execute({ ...added, baseAmount: "1", quoteAmount: "60000" }).refusal, undefined);
  const maker = venue.addUser("second maker", { BTC: "5" });
  venue.put(maker, "sell 4.9 @ 60000");
  venue.put(venue.ann, "buy 4.9 @ 60000");
  const worth = () => 60_000 * spotOf(venue, [venue.ann], "BTC") + spotOf(venue, [venue.ann], "USDT");
  // With herself, at the index: 0.6 % each time.
  let refusal: string | undefined;
  for (let round = 0; round < 40 && refusal === undefined; round++) {
    refusal = venue.place(venue.ann, "sell 4.5 @ 60000").refusal ?? venue.place(venue.ann, "buy 4.5 @ 60000").refusal;
  }
  assert.equal(refusal, "reversible_deposit");
  // Without that the same 40 rounds leave 550,938, and smaller orders the rest.
  assert.equal(worth().toFixed(0), "588198");
  // Back into what is owed she may go as ever, and from there nowhere else.
  assert.equal(venue.place(venue.ann, "sell 0.3 @ 60000").refusal, "reversible_deposit");
  venue.put(maker, "sell 0.1 @ 60000");
  assert.equal(venue.place(venue.ann, "buy 0.1 @ 60000").refusal, undefined);
  venue.assertRepeatable();
});

const LATE: ReadonlyArray<
  readonly [what: string, happens: (venue: PaymentsVenue) => void, ends: (venue: PaymentsVenue) => void]
> = [
  [
    "a debt to a chain",
    (venue) => {
      venue.gone("t");
    },
    (venue) => {
      venue.deposit(venue.ann, "BTC", "10");
      venue.head(15);
    },
  ],
  [
    "a credit",
    (venue) => {
      venue.accept({ kind: "deposit", cell: "sys:credit_pool", ccy: "USDT", amount: "5000000", note: "" });
      venue.accept({
        kind: "grant_credit",
        userId: venue.ann,
        ccy: "USDT",
        amount: "2000000",
        dailyRate: "0",
        note: "late",
      });
    },
    (venue) => {
      venue.accept({ kind: "repay_credit", userId: venue.ann, ccy: "USDT", amount: "2000000", note: "" });
    },
  ],
  [
    "a frozen account",
    (venue) => {
      venue.accept({ kind: "change_user", userId: venue.ann, frozen: true });
    },
    (venue) => {
      venue.accept({ kind: "change_user", userId: venue.ann, frozen: false });
    },
  ],
];

for (const [what, happens, ends] of LATE) {
  for (const needsReview of [false, true]) {
    test(`E4: a withdrawal that was asked for before ${what} waits for ${needsReview ? "its review" : "an operator"}, its funds frozen`, () => {
      const venue = depositVenue(5);
      // Settled, and not so deep that its chain could not turn.
      venue.head(13);
      venue.withdraw("598000", { ccy: "USDT", needsReview });
      happens(venue);
      const review = { kind: "review_withdrawal", withdrawId: 1, approve: true, note: "looked at" } as const;
      if (needsReview) assert.ok(venue.execute(review).refusal !== undefined);
      else venue.accept({ kind: "withdrawal_started", withdrawId: 1 });
      assert.equal(venue.withdrawalStatus(1), "audit_required");
      assert.match(venue.balance(venue.ann, "USDT"), /\+ 598000\.0+$/);
      ends(venue);
      venue.accept(review);
      venue.accept({ kind: "withdrawal_started", withdrawId: 1 });
      assert.equal(venue.withdrawalStatus(1), "processing");
      venue.assertRepeatable();
    });
  }
}

/** Ann has sold a deposit of 10 BTC for 600,000 less the fee; it is credited, and not settled. */
function depositVenue(rules: number): PaymentsVenue {
  const venue = new PaymentsVenue({}, rules);
  const settings = { ...CHAIN, withdrawalFee: "1" };
  venue.accept({ kind: "set_asset_chain", ccy: "USDT", settings });
  venue.accept({ kind: "set_inter_transfer", ccy: "USDT", enabled: true });
  venue.allow();
  venue.listAsset("JNK");
  venue.listMarket("BTC", "USDT");
  venue.listMarket("JNK", "USDT");
  venue.spotIndex("60000");
  const maker = venue.addUser("maker", { USDT: "1000000" });
  venue.put(maker, "buy 10 @ 60000");
  venue.seen("t", "10", 10);
  venue.head(11);
  venue.put(venue.ann, "sell 10 @ 60000");
  assert.equal(spotOf(venue, [venue.ann], "USDT"), 598_800);
  return venue;
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
