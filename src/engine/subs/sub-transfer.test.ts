import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue, INVERSE } from "../../../test/support/futures-venue.ts";
import { PaymentsVenue } from "../../../test/support/payments-venue.ts";
import { cashOf } from "../futures/positions/account-sums.ts";
import { formatDecimal } from "../money/decimal.ts";
import type { Refusal } from "../refusal.ts";
import { NONE } from "../trading/order.ts";
import type { SubTransfer } from "./command-schemas.ts";

/** Users 1 "alice" with 100 USDT and 2 "bob"; 3 "alice-1" and 4 "alice-2" are alice's, 5 "bob-1" is bob's. */
function family(): FuturesVenue {
  const venue = new FuturesVenue();
  venue.addUser("alice", { USDT: "100" });
  venue.addUser("bob", { USDT: "100" });
  for (const [userId, name] of [
    [1, "alice-1"],
    [1, "alice-2"],
    [2, "bob-1"],
  ] as const) {
    venue.accept({ kind: "create_sub_account", userId, name, permissions: [] });
  }
  return venue;
}

const GIVE: SubTransfer = {
  kind: "sub_transfer",
  userId: 1,
  fromUserId: 1,
  toUserId: 3,
  from: "SPOT",
  to: "SPOT",
  ccy: "USDT",
  amount: "40",
};

/** What a user has available of USDT, in whole ones. */
function spot(venue: FuturesVenue, userId: number): string {
  return (venue.balance(userId, "USDT").split(".") as [string])[0];
}

function cash({ state }: FuturesVenue, userId: number): string {
  const account = state.futures.accounts.find(userId, state.assetByCcy.get("USDT")?.id as number);
  return formatDecimal(account === NONE ? 0n : cashOf(state, account), 8);
}

const REFUSALS: readonly (readonly [Partial<SubTransfer>, Refusal])[] = [
  [{ userId: 99 }, "user_not_found"],
  [{ userId: 3 }, "not_a_main_account"],
  [{ ccy: "XYZ", fromUserId: 99 }, "asset_not_found"],
  [{ fromUserId: 99, from: "MARGIN" }, "sub_account_not_found"],
  [{ fromUserId: 2 }, "sub_account_not_found"],
  [{ toUserId: 5 }, "sub_account_not_found"],
  [{ toUserId: 2 }, "sub_account_not_found"],
  [{ from: "MARGIN", amount: "x" }, "transfer_not_possible"],
  [{ to: "FINANCIAL" }, "transfer_not_possible"],
  [{ toUserId: 1, to: "FUTURES" }, "transfer_not_possible"],
  [{ fromUserId: 3, toUserId: 4, to: "FUTURES" }, "transfer_not_possible"],
  [{ fromUserId: 3, toUserId: 4, from: "FUTURES" }, "transfer_not_possible"],
  [{ amount: "0" }, "invalid_command"],
  [{ amount: "-1" }, "invalid_command"],
  [{ amount: "0.000000001" }, "invalid_command"],
  [{ ccy: "USD", to: "FUTURES" }, "transfer_not_possible"],
  [{ amount: "100.00000001" }, "insufficient_balance"],
  [{ fromUserId: 3, toUserId: 1, amount: "0.00000001" }, "insufficient_balance"],
  [{ from: "FUTURES", amount: "1" }, "insufficient_balance"],
];

test("money moves between a main account and its own sub-accounts, and nowhere else", () => {
  const venue = family();
  for (const [change, refusal] of REFUSALS) {
    assert.equal(venue.execute({ ...GIVE, ...change }).refusal, refusal, JSON.stringify(change));
  }
  venue.accept(GIVE);
  venue.accept({ ...GIVE, fromUserId: 3, toUserId: 4, amount: "15" });
  venue.accept({ ...GIVE, fromUserId: 4, toUserId: 1, amount: "5" });
  assert.deepEqual(
    [1, 3, 4].map((id) => spot(venue, id)),
    ["65", "25", "10"],
  );
  venue.assertRepeatable();
});

test("between main and sub the futures accounts are reached as well, from either kind to either", () => {
  const venue = family();
  venue.accept({ ...GIVE, to: "FUTURES" });
  venue.accept({ ...GIVE, fromUserId: 3, toUserId: 1, from: "FUTURES", to: "FUTURES", amount: "30" });
  venue.accept({ ...GIVE, from: "FUTURES", amount: "20" });
  assert.deepEqual([cash(venue, 1), cash(venue, 3)], ["10.00000000", "10.00000000"]);
  assert.deepEqual(
    [1, 3].map((id) => spot(venue, id)),
    ["60", "20"],
  );
  venue.assertRepeatable();
});

test("what the orders and positions of a sub-account need stays with it", () => {
  const venue = family();
  venue.accept({ ...GIVE, to: "FUTURES" });
  venue.listMarket("BTC", "USDT");
  venue.accept({ ...GIVE, amount: "30" });
  venue.put(3, "buy 1 @ 20");
  const back = { ...GIVE, fromUserId: 3, toUserId: 1 };
  assert.equal(venue.execute({ ...back, amount: "10.00000001" }).refusal, "insufficient_balance");
  venue.accept({ ...back, amount: "10" });
  venue.accept({ ...back, from: "FUTURES", amount: "40" });
});

test("a main account fetches what a frozen sub-account has", () => {
  const venue = family();
  venue.accept(GIVE);
  venue.accept({ kind: "freeze_sub_account", userId: 1, subUserId: 3, frozen: true });
  venue.accept({ ...GIVE, fromUserId: 3, toUserId: 1 });
  assert.equal(spot(venue, 1), "100");
});

test("while the index under a position is stale nothing leaves its account for another", () => {
  const venue = family();
  venue.accept({ ...GIVE, to: "FUTURES" });
  const maker = venue.addTrader("maker", { USDT: "1000" });
  venue.rest(maker, "sell 0.001 @ 30000");
  venue.rest(3, "buy 0.001 @ 30000");
  venue.wait(61_000);
  const back = { ...GIVE, fromUserId: 3, toUserId: 1, from: "FUTURES", to: "FUTURES", amount: "1" };
  assert.equal(venue.execute(back).refusal, "index_stale");
  venue.accept({ ...GIVE, to: "FUTURES", amount: "1" });
  venue.indexBack("30000");
  venue.accept(back);
});

test("what a chain could still take back from a sub-account does not leave it, by whichever of its accounts", () => {
  const venue = new PaymentsVenue();
  venue.listAsset("USD");
  venue.accept(INVERSE);
  const sub = venue.accept({ kind: "create_sub_account", userId: 1, name: "ann-1", permissions: [] }).result;
  const { userId: subId } = sub as { userId: number };
  venue.address(subId, "s1");
  venue.deposit(subId, "BTC", "1");
  venue.seen("t", "3", 10, { toAddress: "s1" });
  venue.head(11);
  const out = { ...GIVE, fromUserId: subId, toUserId: 1, ccy: "BTC" };
  assert.equal(venue.execute({ ...out, amount: "1.00000001" }).refusal, "insufficient_balance");
  venue.accept({ ...out, amount: "0.5" });
  const toFutures = { kind: "transfer", userId: subId, from: "SPOT", to: "FUTURES", ccy: "BTC" } as const;
  assert.equal(venue.execute({ ...toFutures, amount: "0.50000001" }).refusal, "reversible_deposit");
  venue.accept({ ...toFutures, amount: "0.5" });
  const outOfFutures = { ...out, from: "FUTURES" };
  assert.equal(venue.execute({ ...outOfFutures, amount: "0.50000001" }).refusal, "insufficient_balance");
  // What leaves is taken off what spot and savings hold, wherever it comes from; by way of spot it may.
  assert.equal(venue.execute({ ...outOfFutures, amount: "0.5" }).refusal, "reversible_deposit");
  venue.accept({ ...toFutures, from: "FUTURES", to: "SPOT", amount: "0.3" });
  venue.accept({ ...out, amount: "0.3" });
  venue.accept({ kind: "adjust_balance", userId: subId, ccy: "BTC", amount: "-1", note: "a mistake of an operator" });
  // Taken back: what is owed keeps the sub-account from giving anything away.
  venue.accept({ kind: "deposit_gone", chain: "TEST", txId: "t", output: 0, toAddress: "s1" });
  assert.equal(venue.execute({ ...outOfFutures, amount: "0.1" }).refusal, "withdraw_barred");
});
