import assert from "node:assert/strict";
import { test } from "node:test";
import { Venue } from "../../../test/support/venue.ts";
import { isFrozen } from "../accounts/freeze.ts";
import type { JsonCommand } from "../command.ts";
import type { Refusal } from "../refusal.ts";
import { SUBS_PER_MAIN_MAX } from "./commands.ts";
import { hasSubPermission, SUB_PERMISSIONS, termsOf } from "./sub-account.ts";

/** Users 1 "alice" and 2 "bob", and the sub-accounts 3 "alice-1" and 4 "bob-1". */
function family(rulesVersion?: number): Venue {
  const venue = new Venue(undefined, rulesVersion);
  venue.addUser("alice");
  venue.addUser("bob");
  venue.accept({ kind: "create_sub_account", userId: 1, name: "alice-1", permissions: ["API"] });
  venue.accept({ kind: "create_sub_account", userId: 2, name: "bob-1", permissions: SUB_PERMISSIONS });
  return venue;
}

const SUB = { kind: "create_sub_account", userId: 1, name: "new-sub", permissions: [] } as const;
const FREEZE = { kind: "freeze_sub_account", userId: 1, subUserId: 3, frozen: true } as const;
const KEY = {
  kind: "create_sub_api_key",
  userId: 1,
  subUserId: 3,
  accessId: "key",
  secretCipher: "sealed",
  ipWhitelist: [],
  tradeEnabled: true,
} as const;

const REFUSALS: readonly (readonly [JsonCommand, Refusal])[] = [
  [{ ...SUB, userId: 99 }, "user_not_found"],
  [{ ...SUB, userId: 3 }, "not_a_main_account"],
  [{ ...SUB, name: "ab" }, "invalid_command"],
  [{ ...SUB, name: "a".repeat(27) }, "invalid_command"],
  [{ ...SUB, name: "a_b" }, "invalid_command"],
  [{ ...SUB, name: "123" }, "invalid_command"],
  [{ ...SUB, permissions: ["API", "SPOT"] }, "invalid_command"],
  [{ ...SUB, remark: "x".repeat(51) }, "invalid_command"],
  [{ ...SUB, name: "alice-1" }, "name_taken"],
  [{ ...SUB, name: "bob-1" }, "name_taken"],
  [{ ...SUB, name: "bob" }, "name_taken"],
  [{ ...FREEZE, userId: 99 }, "user_not_found"],
  [{ ...FREEZE, userId: 3 }, "not_a_main_account"],
  [{ ...FREEZE, subUserId: 1 }, "sub_account_not_found"],
  [{ ...FREEZE, subUserId: 4 }, "sub_account_not_found"],
  [{ ...FREEZE, subUserId: 99 }, "sub_account_not_found"],
  [{ ...KEY, userId: 3 }, "not_a_main_account"],
  [{ ...KEY, subUserId: 4 }, "sub_account_not_found"],
  [{ ...KEY, accessId: "" }, "invalid_command"],
  [{ ...KEY, remark: "x".repeat(51) }, "invalid_command"],
  [{ kind: "change_sub_account", subUserId: 1, permissions: [] }, "sub_account_not_found"],
  [{ kind: "change_sub_account", subUserId: 99, frozen: true }, "sub_account_not_found"],
  [{ kind: "change_sub_account", subUserId: 3, permissions: ["x"] }, "invalid_command"],
];

test("a sub-account is made, frozen and given keys by its main account alone, and by the rules of its name", () => {
  const venue = family();
  for (const [command, refusal] of REFUSALS) {
    assert.equal(venue.execute(command).refusal, refusal, JSON.stringify(command));
  }
  assert.equal(venue.state.users.get(3)?.mainUserId, 1);
  assert.deepEqual(termsOf(venue.state, 3), { permissions: ["API"], remark: "" });
  assert.deepEqual(venue.state.users.subsOf(1), [3]);
  venue.assertRepeatable();
});

test("a main account has a bounded number of sub-accounts, with those that an operator made for it", () => {
  const venue = family();
  venue.accept({ kind: "create_user", name: "by an operator", mainUserId: 1 });
  for (let n = 3; n <= SUBS_PER_MAIN_MAX; n++) venue.accept({ ...SUB, name: `sub-${n}` });
  assert.equal(venue.execute({ ...SUB, name: "one-more" }).refusal, "too_many_sub_accounts");
  assert.equal(venue.execute({ ...SUB, userId: 2, name: "of-another" }).refusal, undefined);
});

test("permissions are those that were granted, in one order; what an operator made without saying more has all", () => {
  const venue = family();
  venue.accept({ ...SUB, permissions: ["AMM", "FUTURES", "AMM"], remark: "for bots" });
  venue.accept({ kind: "create_user", name: "by an operator", mainUserId: 1 });
  const { state } = venue;
  assert.deepEqual(termsOf(state, 5), { permissions: ["FUTURES", "AMM"], remark: "for bots" });
  assert.equal(hasSubPermission(state, 5, "MARGIN"), false);
  assert.deepEqual(termsOf(state, 6).permissions, SUB_PERMISSIONS);
  venue.accept({ kind: "change_sub_account", subUserId: 5, permissions: ["MARGIN"] });
  assert.deepEqual(termsOf(state, 5), { permissions: ["MARGIN"], remark: "for bots" });
  venue.assertRepeatable();
});

test("a main account frees what it froze, and nobody else's freeze", () => {
  const venue = family();
  const thaw = { ...FREEZE, frozen: false };
  assert.equal(venue.accept(FREEZE).events.length, 2);
  // Nothing is told twice.
  assert.equal(venue.accept(FREEZE).events.length, 0);
  assert.ok(isFrozen(venue.state, 3));
  venue.accept({ kind: "change_sub_account", subUserId: 3, frozen: true });
  assert.equal(venue.execute(thaw).refusal, "sub_account_frozen_by_operator");
  // The main account may freeze on top of it, and that holds when the operator is done.
  venue.accept({ kind: "change_user", userId: 3, frozen: false });
  assert.ok(isFrozen(venue.state, 3));
  venue.accept(thaw);
  assert.equal(isFrozen(venue.state, 3), false);
  venue.assertRepeatable();
});

test("nothing that a frozen sub-account asks for is done, but what it has resting stays", () => {
  const venue = family();
  venue.listAsset("BTC");
  venue.listAsset("USDT");
  venue.listMarket("BTC", "USDT");
  venue.deposit(3, "USDT", "100");
  const order = venue.put(3, "buy 1 @ 10");
  venue.accept(FREEZE);
  assert.equal(venue.cancel(3, order.orderId).refusal, "account_frozen");
  assert.equal(venue.execute({ kind: "change_user", userId: 3, byUser: true }).refusal, "account_frozen");
  assert.equal(venue.balance(3, "USDT"), "90.00000000 + 10.00000000");
  venue.accept({ ...FREEZE, frozen: false });
  assert.equal(venue.cancel(3, order.orderId).refusal, undefined);
});

test("a frozen main account administers nothing", () => {
  const venue = family();
  venue.accept({ kind: "change_user", userId: 1, frozen: true });
  for (const command of [SUB, FREEZE, KEY]) assert.equal(venue.execute(command).refusal, "account_frozen");
});

test("while the whole site is under maintenance no main account writes, and an operator may", () => {
  const venue = family();
  venue.accept({
    kind: "plan_maintenance",
    scope: ["ALL_SITE"],
    startedAt: 2_000,
    endedAt: 3_000,
    protectDurationStart: 0,
    protectDurationEnd: 0,
    announceUrl: "",
    announceEnabled: false,
  });
  venue.timeMs = 2_000;
  for (const command of [SUB, FREEZE, KEY]) assert.equal(venue.execute(command).refusal, "maintenance");
  venue.accept({ kind: "change_sub_account", subUserId: 3, frozen: true });
});

test("keys that were made before keys had numbers get them with the rules that number keys", () => {
  const venue = new Venue(undefined, 2);
  const { keys } = venue.state;
  venue.addUser("alice");
  const key = { kind: "create_api_key", userId: 1, secretCipher: "", permissions: [], ipWhitelist: [], expiredAt: 0 };
  for (const accessId of ["a", "b"]) venue.accept({ ...key, accessId } as JsonCommand);
  assert.deepEqual(
    [...keys.values()].map(({ apiId }) => apiId),
    [undefined, undefined],
  );
  const mark = { hash: "0".repeat(64), form: 0 };
  const epoch = { kind: "begin_epoch", rulesVersion: 3, before: mark, after: mark } as const;
  venue.engine.execute(epoch, { seq: 4, timeMs: 1_000 });
  assert.deepEqual(
    [...keys.values()].map(({ apiId }) => apiId),
    [1, 2],
  );
  venue.engine.execute({ kind: "delete_api_key", accessId: "b" }, { seq: 5, timeMs: 1_000 });
  venue.engine.execute({ ...key, accessId: "c" } as JsonCommand, { seq: 6, timeMs: 1_000 });
  // A number that was a key's is never another's.
  assert.equal(keys.get("c")?.apiId, 3);
  assert.equal(keys.withApiId(2), undefined);
});
