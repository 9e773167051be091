import assert from "node:assert/strict";
import { test } from "node:test";
import { Venue } from "../../../test/support/venue.ts";
import type { ApiKey } from "../accounts/api-key.ts";
import { OPEN_KEY_LIFE_MS } from "./key-commands.ts";

/** Users 1 "alice" and 2 "bob"; 3 "alice-1" may have keys, 4 "alice-2" may not, 5 "bob-1" may. */
function family(): Venue {
  const venue = new Venue();
  venue.addUser("alice");
  venue.addUser("bob");
  venue.accept({ kind: "create_sub_account", userId: 1, name: "alice-1", permissions: ["API"] });
  venue.accept({ kind: "create_sub_account", userId: 1, name: "alice-2", permissions: ["FUTURES"] });
  venue.accept({ kind: "create_sub_account", userId: 2, name: "bob-1", permissions: ["API"] });
  return venue;
}

const KEY = {
  kind: "create_sub_api_key",
  userId: 1,
  subUserId: 3,
  accessId: "one",
  secretCipher: "sealed",
  ipWhitelist: ["192.0.2.1"],
  tradeEnabled: true,
} as const;

function keyIn({ state }: Venue, accessId = "one"): ApiKey {
  return state.keys.get(accessId) as ApiKey;
}

test("a key of a sub-account reads and, where it is said, trades; it never withdraws", () => {
  const venue = family();
  const { result } = venue.accept({ ...KEY, remark: "first" });
  assert.deepEqual(result, { apiId: 1 });
  assert.deepEqual(keyIn(venue), {
    apiId: 1,
    accessId: "one",
    userId: 3,
    secretCipher: "sealed",
    permissions: ["read", "trade"],
    ipWhitelist: ["192.0.2.1"],
    expiredAt: 0,
    remark: "first",
    createdAt: 1_000,
  });
  venue.accept({ ...KEY, accessId: "two", tradeEnabled: false });
  assert.deepEqual(keyIn(venue, "two").permissions, ["read"]);
  venue.assertRepeatable();
});

test("a key that may be used from anywhere lives 90 days from when that was said", () => {
  const venue = family();
  venue.accept({ ...KEY, ipWhitelist: [] });
  assert.equal(keyIn(venue).expiredAt, 1_000 + OPEN_KEY_LIFE_MS);
  venue.timeMs = 5_000;
  venue.accept({ kind: "change_sub_api_key", userId: 1, subUserId: 3, apiId: 1, remark: "as before" });
  assert.equal(keyIn(venue).expiredAt, 1_000 + OPEN_KEY_LIFE_MS);
  venue.accept({ kind: "change_sub_api_key", userId: 1, subUserId: 3, apiId: 1, ipWhitelist: ["192.0.2.0/24"] });
  assert.equal(keyIn(venue).expiredAt, 0);
  venue.accept({ kind: "change_sub_api_key", userId: 1, subUserId: 3, apiId: 1, ipWhitelist: [] });
  assert.equal(keyIn(venue).expiredAt, 5_000 + OPEN_KEY_LIFE_MS);
});

test("a change leaves what it does not name, and the secret", () => {
  const venue = family();
  venue.accept(KEY);
  const before = keyIn(venue);
  const change = { kind: "change_sub_api_key", userId: 1, subUserId: 3, apiId: 1 } as const;
  venue.accept({ ...change, tradeEnabled: false });
  assert.deepEqual(keyIn(venue), { ...before, permissions: ["read"] });
  venue.accept({ ...change, tradeEnabled: true, remark: "again" });
  assert.deepEqual(keyIn(venue), { ...before, remark: "again" });
  assert.equal(venue.execute({ ...change, remark: "x".repeat(51) }).refusal, "invalid_command");
  venue.assertRepeatable();
});

test("a key is administered by the main account of its own sub-account and by nobody else", () => {
  const venue = family();
  venue.accept(KEY);
  venue.accept({ ...KEY, userId: 2, subUserId: 5, accessId: "bobs" });
  const change = { kind: "change_sub_api_key", userId: 1, apiId: 1, tradeEnabled: false } as const;
  const remove = { kind: "delete_sub_api_key", userId: 1, apiId: 1 } as const;
  for (const command of [change, remove]) {
    assert.equal(venue.execute({ ...command, userId: 2 }).refusal, "key_not_found");
    assert.equal(venue.execute({ ...command, userId: 3 }).refusal, "not_a_main_account");
    assert.equal(venue.execute({ ...command, subUserId: 4 }).refusal, "key_not_found");
    assert.equal(venue.execute({ ...command, subUserId: 5 }).refusal, "sub_account_not_found");
    assert.equal(venue.execute({ ...command, apiId: 2 }).refusal, "key_not_found");
    assert.equal(venue.execute({ ...command, apiId: 99 }).refusal, "key_not_found");
  }
  // A main account's own key has a number as well, and is no sub-account's.
  venue.accept({
    kind: "create_api_key",
    ...{ userId: 1, accessId: "own", secretCipher: "", permissions: [] },
    ipWhitelist: [],
    expiredAt: 0,
  });
  assert.equal(venue.execute({ ...remove, apiId: 3 }).refusal, "key_not_found");
  venue.accept({ ...remove, subUserId: 3 });
  assert.equal(venue.state.keys.has("one"), false);
  assert.equal(venue.execute(remove).refusal, "key_not_found");
});

test("who lacks the permission API gets no key, and nobody gets more than fifty", () => {
  const venue = family();
  assert.equal(venue.execute({ ...KEY, subUserId: 4 }).refusal, "sub_api_not_granted");
  for (let n = 0; n < 50; n++) venue.accept({ ...KEY, accessId: `key ${n}` });
  assert.equal(venue.execute(KEY).refusal, "too_many_api_keys");
  venue.accept({ kind: "delete_sub_api_key", userId: 1, apiId: 7 });
  venue.accept(KEY);
  assert.equal(venue.execute({ ...KEY, accessId: "key 0" }).refusal, "name_taken");
});
