import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "../command.ts";
import { encodeCommand } from "../command.ts";
import { Engine, refusalIn } from "../engine.ts";
import { checkInvariants } from "../invariants.ts";
import { loadSnapshot, takeSnapshot } from "../snapshot.ts";
import { WordBuffer } from "../words.ts";
import { hasSecondFactor, type Identity, identities } from "./identities.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const hash = (digit: string) => digit.repeat(64);

/** An engine with a user; `give` answers the result, or the name of the refusal. */
function venue(engine = new Engine()) {
  const { state } = engine;
  const give = (command: object): unknown => {
    const words = new WordBuffer(64);
    encodeCommand(words, command as Command);
    const outcome = engine.apply(words, 0, state.seq + 1, Math.max(state.timeMs, 1_750_000_000_000));
    assert.deepEqual(checkInvariants(state), []);
    return refusalIn(outcome) ?? outcome.result;
  };
  const pass = (ms: number) => {
    const words = new WordBuffer(64);
    encodeCommand(words, { kind: "tick" });
    engine.apply(words, 0, state.seq + 1, state.timeMs + ms);
  };
  return { engine, state, give, pass };
}

const signUp = { kind: "sign_up", email: "ann@example.org", passwordCipher: "sealed" };
const begin = (digit: string, more: object = {}) => ({
  kind: "begin_session",
  userId: 1,
  tokenHash: hash(digit),
  by: "password",
  address: "192.0.2.1",
  agent: "",
  ...more,
});

test("under rules that did not know sessions there is no such command", () => {
  const { state, give } = venue();
  state.rulesVersion = 3;
  assert.equal(give(signUp), "invalid_command");
  state.rulesVersion = 4;
  assert.deepEqual(give(signUp), { userId: 1 });
});

test("an e-mail address leads to one account, and a user's name is not taken by it", () => {
  const { give } = venue();
  give({ kind: "create_user", actor: "root", name: "bob@example.org" });
  assert.equal(give({ ...signUp, email: "bob@example.org" }), "email_taken");
  assert.deepEqual(give({ ...signUp }), { userId: 2 });
  assert.equal(give({ ...signUp }), "email_taken");
  assert.equal(give({ kind: "invite_identity", actor: "root", userId: 1, email: "ann@example.org" }), "email_taken");
  assert.deepEqual(give({ kind: "invite_identity", actor: "root", userId: 1, email: "bob@example.org" }), {
    userId: 1,
  });
  assert.equal(give({ kind: "invite_identity", actor: "root", userId: 1, email: "eve@example.org" }), "email_taken");
  assert.equal(give(begin("a")), "password_missing");
  for (const email of ["", "Ann@example.org", "ann", "a b@example.org", "a@b,c@d", `${"a".repeat(60)}@b.org`]) {
    assert.equal(give({ ...signUp, email }), "invalid_command", email);
  }
});

test("a state that is restored goes on as the one that was kept", () => {
  const one = venue();
  one.give(signUp);
  one.give({ kind: "set_totp", userId: 1, totpCipher: "secret", totpStep: 7, recoveryHashes: [hash("1"), hash("2")] });
  one.give({
    ...{ kind: "add_passkey", userId: 1, credentialId: "c", publicKey: "k", counter: 3, transports: [], name: "phone" },
  });
  one.give(begin("a", { totpStep: 8 }));
  one.give(begin("b", { by: "passkey", credentialId: "c", counter: 4 }));
  const chunks = takeSnapshot(one.state);
  const engine = new Engine();
  loadSnapshot(engine.state, chunks, one.state.seq, one.state.timeMs);
  const other = venue(engine);
  assert.deepEqual(takeSnapshot(engine.state), chunks);
  for (const command of [
    begin("c", { totpStep: 8 }),
    begin("c", { totpStep: 9 }),
    begin("c", { totpStep: 10 }),
    begin("d", { recoveryHash: hash("1") }),
    begin("e", { recoveryHash: hash("1") }),
    begin("e", { by: "passkey", credentialId: "c", counter: 4 }),
    begin("e", { by: "passkey", credentialId: "c", counter: 5 }),
    { kind: "touch_session", sessionId: 1 },
    { kind: "end_session", userId: 1, sessionId: 2 },
    { kind: "set_password", userId: 1, passwordCipher: "other", keepSessionId: 1 },
  ]) {
    assert.deepEqual(other.give(command), one.give(command), JSON.stringify(command));
  }
  assert.deepEqual([...identities.of(one.state).sessions.keys()], [1]);
  one.pass(DAY_MS);
  other.pass(DAY_MS);
  assert.deepEqual(takeSnapshot(other.state), takeSnapshot(one.state));
});

test("sessions that have ended are swept away within an hour, and then nothing is due", () => {
  const { state, give, pass } = venue();
  give(signUp);
  give(begin("a"));
  pass(DAY_MS - 1);
  assert.equal(identities.of(state).sessions.size, 1);
  pass(HOUR_MS);
  assert.equal(identities.of(state).sessions.size, 0);
  assert.equal(identities.of(state).sweepAt, 0);
  assert.equal(state.nextDueMs, Number.POSITIVE_INFINITY);
});

test("nobody ends, confirms or changes what is another's", () => {
  const { give } = venue();
  give(signUp);
  give({ ...signUp, email: "bob@example.org" });
  give(begin("a"));
  assert.equal(give({ kind: "end_session", userId: 2, sessionId: 1 }), "session_unknown");
  assert.equal(give({ kind: "confirm_session", userId: 2, sessionId: 1, by: "password" }), "session_unknown");
  give({
    kind: "add_passkey",
    userId: 1,
    credentialId: "c",
    publicKey: "k",
    counter: 0,
    transports: [],
    name: "phone",
  });
  assert.equal(give({ kind: "remove_passkey", userId: 2, passkeyId: 1 }), "passkey_not_found");
  assert.equal(give(begin("b", { userId: 2, by: "passkey", credentialId: "c" })), "passkey_not_found");
  const key = {
    kind: "create_own_api_key",
    userId: 1,
    accessId: "K",
    secretCipher: "s",
    permissions: [],
    ipWhitelist: [],
  };
  assert.deepEqual(give({ ...key, expiredAt: 0 }), { apiId: 1 });
  assert.equal(give({ kind: "delete_own_api_key", userId: 2, apiId: 1 }), "key_not_found");
  assert.equal(give({ kind: "change_own_api_key", userId: 2, apiId: 1, remark: "mine" }), "key_not_found");
});

test("an operator takes password and second factors off, which ends what goes on", () => {
  const { state, give } = venue();
  give(signUp);
  give({ kind: "set_totp", userId: 1, totpCipher: "secret", totpStep: 7, recoveryHashes: [hash("1")] });
  give(begin("a", { totpStep: 8 }));
  assert.deepEqual(give({ kind: "reset_identity", actor: "root", userId: 1 }), { userId: 1 });
  const own = identities.of(state);
  assert.equal(own.sessions.size, 0);
  const { passwordCipher, totpCipher, recoveryHashes, withdrawFrom } = own.byUser.get(1) ?? assert.fail();
  assert.deepEqual([passwordCipher, totpCipher, recoveryHashes], ["", "", []]);
  assert.equal(withdrawFrom, state.timeMs + DAY_MS);
});

test("one passkey is a second factor, and so are the codes of an authenticator", () => {
  const factors = [
    { totpCipher: "", passkeys: [] },
    { totpCipher: "", passkeys: [{}] },
    { totpCipher: "sealed", passkeys: [] },
  ] as unknown as readonly Identity[];
  assert.deepEqual(factors.map(hasSecondFactor), [false, true, true]);
});
