import assert from "node:assert/strict";
import { test } from "node:test";
import { Venue } from "../../../test/support/venue.ts";
import type { JsonCommand } from "../command.ts";
import type { Refusal } from "../refusal.ts";
import type { CreateApiKey } from "./command-schemas.ts";
import { USER_FLAG } from "./user.ts";

/** Commands one after the other, in a venue with user 1 "main" and user 2 "sub", who belongs to 1. */
const USERS: readonly (readonly [JsonCommand, Refusal | undefined])[] = [
  [{ kind: "create_user", name: "alice" }, undefined],
  [{ kind: "create_user", name: "alice" }, "name_taken"],
  [{ kind: "create_user", name: "Alice" }, undefined],
  [{ kind: "create_user", name: "" }, "invalid_command"],
  [{ kind: "create_user", name: "x".repeat(64) }, undefined],
  [{ kind: "create_user", name: "x".repeat(65) }, "invalid_command"],
  [{ kind: "create_user", name: "__proto__" }, undefined],
  [{ kind: "create_user", name: "second sub", mainUserId: 1 }, undefined],
  [{ kind: "create_user", name: "sub of a sub", mainUserId: 2 }, "user_not_found"],
  [{ kind: "create_user", name: "nobody's", mainUserId: 0 }, "user_not_found"],
  [{ kind: "create_user", name: "nobody's", mainUserId: 99 }, "user_not_found"],
  [{ kind: "change_user", userId: 1 }, undefined],
  [{ kind: "change_user", userId: 0 }, "user_not_found"],
  [{ kind: "change_user", userId: 99 }, "user_not_found"],
  [{ kind: "change_user", userId: 1, makerFeeRate: "1" }, "invalid_command"],
  [{ kind: "change_user", userId: 1, makerFeeRate: "0.1", takerFeeRate: "x", frozen: true }, "invalid_command"],
  [{ kind: "change_user", userId: 1, makerFeeRate: "0", takerFeeRate: "0.99999999" }, undefined],
];

test("users have names of their own, sub-accounts a main account, and fee rates a range", () => {
  const venue = accountsVenue();
  for (const [command, refusal] of USERS) {
    assert.equal(venue.execute(command).refusal, refusal, JSON.stringify(command));
  }
  assert.deepEqual(venue.state.users.get(1), {
    userId: 1,
    name: "main",
    mainUserId: undefined,
    frozen: false,
    frozenByMain: false,
    tradeBarred: false,
    feeDeduction: false,
    makerFeeRateE8: 0,
    takerFeeRateE8: 99_999_999,
    createdAt: 1_000,
  });
  assert.equal(venue.state.users.get(2)?.mainUserId, 1);
  assert.equal(venue.state.users.byName.get("__proto__"), 6);
  venue.assertRepeatable();
});

test("nobody who is frozen, barred, owes something or whose quotes are held is passed over before the flags are looked into", () => {
  const { users } = accountsVenue().state;
  assert.equal(users.mayBeHeld(1), false);
  assert.equal(users.mayBeHeld(2), true, "its main account may hold it");
  const { frozen, frozenByMain, tradeBarred, indebted, quotesHeld, ...others } = USER_FLAG;
  for (const flag of [frozen, frozenByMain, tradeBarred, indebted, quotesHeld]) {
    users.setFlags(1, flag);
    assert.equal(users.mayBeHeld(1), true, `flag ${flag}`);
  }
  users.setFlags(
    1,
    Object.values(others).reduce((all, flag) => all | flag, 0),
  );
  assert.equal(users.mayBeHeld(1), false, "other flags hold nobody");
});

const KEY: CreateApiKey = {
  kind: "create_api_key",
  userId: 1,
  accessId: "k1",
  secretCipher: "opaque",
  permissions: ["read", "trade"],
  ipWhitelist: [],
  expiredAt: 0,
};

const KEYS: readonly (readonly [JsonCommand, Refusal | undefined])[] = [
  [KEY, undefined],
  [KEY, "name_taken"],
  [{ ...KEY, userId: 2 }, "name_taken"],
  [{ ...KEY, accessId: "" }, "invalid_command"],
  [{ ...KEY, accessId: "k2", userId: 99 }, "user_not_found"],
  [{ ...KEY, accessId: "k2", expiredAt: -1 }, "invalid_command"],
  [{ ...KEY, accessId: "k2", permissions: ["trade", "steal" as "read"] }, "invalid_command"],
  [{ ...KEY, accessId: "k2", permissions: ["withdraw"] }, undefined],
  [{ ...KEY, accessId: "__proto__", remark: "odd", ipWhitelist: ["10.0.0.1"], expiredAt: 5 }, undefined],
  [{ kind: "delete_api_key", accessId: "k3" }, "key_not_found"],
  [{ kind: "delete_api_key", accessId: "k1" }, undefined],
  [{ kind: "delete_api_key", accessId: "k1" }, "key_not_found"],
  [KEY, undefined],
];

test("a key has an access id of its own and may always read", () => {
  const venue = accountsVenue();
  for (const [command, refusal] of KEYS) {
    assert.equal(venue.execute(command).refusal, refusal, JSON.stringify(command));
  }
  assert.deepEqual([...venue.state.keys.keys()], ["k2", "__proto__", "k1"]);
  assert.deepEqual(venue.state.keys.get("k2")?.permissions, ["read", "withdraw"]);
  assert.deepEqual(venue.state.keys.get("__proto__"), {
    apiId: 3,
    accessId: "__proto__",
    userId: 1,
    secretCipher: "opaque",
    permissions: ["read", "trade"],
    ipWhitelist: ["10.0.0.1"],
    expiredAt: 5,
    remark: "odd",
    createdAt: 1_000,
  });
  venue.assertRepeatable();
});

test("an account has at most fifty keys, another account its own fifty", () => {
  const venue = accountsVenue();
  venue.acceptAll(Array.from({ length: 50 }, (_, at) => ({ ...KEY, accessId: `key ${at}` })));
  assert.equal(venue.execute({ ...KEY, accessId: "one more" }).refusal, "invalid_command");
  assert.equal(venue.execute({ ...KEY, accessId: "one more", userId: 2 }).refusal, undefined);
  venue.accept({ kind: "delete_api_key", accessId: "key 7" });
  assert.equal(venue.execute({ ...KEY, accessId: "another" }).refusal, undefined);
});

function accountsVenue(): Venue {
  const venue = new Venue();
  venue.addUser("main");
  venue.accept({ kind: "create_user", name: "sub", mainUserId: 1 });
  return venue;
}
