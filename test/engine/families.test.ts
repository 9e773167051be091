/**
 * Limits that guard others' money count the accounts of a family together: a main account makes twenty sub-accounts by
 * itself, and each of them would have the limit once more. Source: domain 6.3.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "../../src/engine/command.ts";
import { FuturesVenue } from "../support/futures-venue.ts";
import { marginVenue, ruin } from "../support/margin-venue.ts";
import { Venue } from "../support/venue.ts";

function addSub(venue: Venue, main: number, name: string, funds: Readonly<Record<string, string>> = {}): number {
  const { userId } = venue.accept({ kind: "create_user", name, mainUserId: main } as Command).result as {
    userId: number;
  };
  for (const [ccy, amount] of Object.entries(funds)) venue.deposit(userId, ccy, amount);
  return userId;
}

for (const rules of [4, 5]) {
  test(`under rules ${rules} positions of 10 each at 100x, in pieces by sub-accounts, ${rules === 4 ? "pass the level of 10" : "end where a whole one would"}`, () => {
    const venue = new FuturesVenue(undefined, rules);
    const main = venue.addTrader("main", { USDT: "100000" });
    const subs = [1, 2].map((at) => {
      const sub = addSub(venue, main, `piece-${at}`, { USDT: "100000" });
      venue.transfer(sub, "SPOT", "FUTURES", "USDT", "100000");
      return sub;
    }) as [number, number];
    const stranger = venue.addTrader("stranger", { USDT: "10000000" });
    for (const userId of [main, ...subs]) venue.setLeverage(userId, 100);
    venue.setLeverage(stranger, 5);
    venue.rest(stranger, "sell 60 @ 30000");
    const [one, other] = subs;
    assert.equal(venue.trade(one, "buy 6 @ 30000").refusal, undefined);
    // What rests counts as what is held.
    assert.equal(venue.trade(other, "buy 4 @ 29000").refusal, undefined);
    const third = venue.trade(main, "buy 0.001 @ 30000");
    assert.equal(third.refusal, rules === 4 ? undefined : "leverage_above_level");
    assert.equal(
      venue.trade(other, "buy 0.001 @ 30000").refusal,
      rules === 4 ? undefined : "leverage_above_level",
      "an account with orders already, too",
    );
    // The other side is another one: the larger of the two sums decides.
    assert.equal(venue.trade(main, "sell 9 @ 31000").refusal, undefined);
    if (rules === 5) {
      assert.equal(venue.trade(main, "sell 1.001 @ 31000").refusal, "leverage_above_level");
      // Reducing goes on, and frees the others.
      venue.rest(stranger, "buy 3 @ 29999");
      assert.equal(venue.close(one, "limit 29999 3").refusal, undefined);
      assert.equal(venue.trade(main, "buy 2.999 @ 29000").refusal, undefined);
    }
    // Accounts of different people count apart.
    assert.equal(venue.trade(stranger, "sell 10 @ 31000").refusal, undefined);
    venue.assertRepeatable();
  });

  test(`under rules ${rules} loans of a family in one market come to ${rules === 4 ? "the bound of an account for each of it" : "the bound of an account"}`, () => {
    const venue = marginVenue(rules);
    venue.accept({ kind: "deposit", cell: "sys:lend_pool", ccy: "BTC", amount: "100", note: "" });
    const main = venue.addUser("main", { USDT: "400000" });
    const sub = addSub(venue, main, "sub-1", { USDT: "400000" });
    const stranger = venue.addUser("stranger", { USDT: "400000" });
    for (const userId of [main, sub, stranger]) venue.transfer(userId, "USDT", "400000");
    venue.borrow(sub, "BTC", "7");
    const more = { kind: "borrow", userId: main, ccy: "BTC", isAutoRenew: false };
    assert.equal(venue.ask({ ...more, amount: "3.00000001" }), rules === 4 ? undefined : "loan_too_large");
    if (rules === 5) {
      venue.borrow(main, "BTC", "3");
      venue.borrow(stranger, "BTC", "10");
      venue.repay(sub, "BTC", "3");
      venue.borrow(main, "BTC", "1");
    }
    venue.assertRepeatable();
  });
}

test("a debt of a sub-account keeps its owner from withdrawing until it is paid, and the owner of none", () => {
  for (const rules of [4, 5]) {
    const venue = marginVenue(rules);
    const main = venue.addUser("main", { USDT: "1000" });
    const sub = addSub(venue, main, "sub-1", { USDT: "1200" });
    const [friend, other] = [venue.addUser("friend"), venue.addUser("other", { USDT: "10" })];
    venue.accept({ kind: "set_inter_transfer", ccy: "USDT", enabled: true });
    const withdraws = (userId: number) => {
      venue.execute({
        kind: "allow_withdraw_address",
        userId,
        chain: "",
        address: String(friend),
        memo: "",
        remark: "",
      });
      const away = { method: "inter_user", chain: "", toAddress: String(friend), memo: "", remark: "" };
      return venue.ask({ kind: "withdraw", userId, ccy: "USDT", amount: "1", needsReview: false, ...away });
    };
    assert.equal(withdraws(main), undefined);
    ruin(venue, sub);
    assert.notEqual(venue.owed(sub, "USDT"), "0.00000000 + 0.00000000");
    assert.equal(withdraws(main), rules === 4 ? undefined : "withdraw_barred");
    assert.equal(withdraws(other), undefined);
    // Its owner pays what it owes.
    venue.accept({ kind: "set_fund_budget", hourRate: "0.9", dayRate: "0.9" } as Command);
    venue.accept({ kind: "deposit", cell: "sys:ins_margin", ccy: "USDT", amount: "1000", note: "" });
    assert.equal(withdraws(main), undefined);
    venue.assertRepeatable();
  }
});

test("what an operator gives to sub-accounts counts to the bound of their main account", () => {
  const venue = new Venue();
  venue.listAsset("USDT");
  const main = venue.addUser("main");
  const [one, other] = [addSub(venue, main, "sub-1"), addSub(venue, main, "sub-2")] as const;
  venue.accept({ kind: "set_four_eyes", bounds: [{ ccy: "USDT", call: "100" }] } as Command);
  const gives = (userId: number, amount: string) =>
    venue.accept({ kind: "deposit", actor: "root", userId, ccy: "USDT", amount, note: "" } as Command).result;
  assert.deepEqual(gives(main, "40"), { depositId: 1 });
  assert.deepEqual(gives(one, "60"), { depositId: 2 });
  assert.deepEqual(gives(other, "1"), { approvalId: 1 });
  assert.deepEqual(gives(venue.addUser("stranger"), "100"), { depositId: 3 });
});

for (const rules of [4, 5]) {
  test(`under rules ${rules} the sub-account of a frozen user ${rules === 4 ? "loses to a friend what its owner may not withdraw" : "loses nothing to a friend, and bars hold it as well"}`, () => {
    const venue = new Venue(undefined, rules);
    venue.listAsset("BTC");
    venue.listAsset("USDT");
    venue.listMarket("BTC", "USDT");
    const main = venue.addUser("main");
    const sub = addSub(venue, main, "piece", { USDT: "100000" });
    const friend = venue.addUser("friend", { BTC: "1" });
    venue.put(friend, "sell 1 @ 90000");
    const change = (terms: object, userId = main) => venue.accept({ kind: "change_user", userId, ...terms } as Command);
    const buys = () => venue.place(sub, "buy 0.1 @ 90000").refusal;

    change({ frozen: true });
    assert.equal(buys(), rules === 4 ? undefined : "account_frozen");
    // By other ways as well: every command of a user is asked of its owner.
    const transfer = {
      kind: "transfer",
      userId: sub,
      from: "SPOT",
      to: "FUTURES",
      ccy: "USDT",
      amount: "1",
    } as Command;
    assert.equal(venue.execute(transfer).refusal === "account_frozen", rules === 5);
    change({ frozen: false, tradeBarred: true });
    assert.equal(buys(), rules === 4 ? undefined : "trade_barred");
    change({ tradeBarred: false });
    assert.equal(buys(), undefined);

    // What is said of a sub-account holds for it alone.
    change({ frozen: true, tradeBarred: true }, sub);
    assert.equal(buys(), "account_frozen");
    assert.equal(venue.place(main, "buy 0.1 @ 1").refusal, "insufficient_balance");
    venue.assertRepeatable();
  });
}
