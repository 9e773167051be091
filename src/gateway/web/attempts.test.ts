import assert from "node:assert/strict";
import { test } from "node:test";
import { Attempts } from "./attempts.ts";

const STRANGERS = 110_000;
const addressOf = (at: number) => `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`;

test("a refused attempt is not counted and makes nothing that is kept", () => {
  const attempts = new Attempts(() => 0);
  const tried = (at: number) => ({ email: `nobody${at}@example.com`, isAccount: false, isKnown: false });
  for (let at = 0; at < 30; at++) assert.ok(attempts.signIn("192.0.2.1", tried(at)));
  const before = attempts.size;
  for (let at = 30; at < 5_000; at++) assert.equal(attempts.signIn("192.0.2.1", tried(at)), undefined);
  assert.equal(attempts.size, before);
});

test("strangers who name a hundred thousand things make nobody forget what was tried on an account", () => {
  const attempts = new Attempts(() => 0);
  const account = { email: "ann@example.com", isAccount: true, isKnown: false };
  for (let at = 0; at < 10; at++) assert.ok(attempts.secondFactor(7));
  for (let at = 0; at < 50; at++) assert.ok(attempts.signIn(`192.0.2.${at}`, account));
  for (let at = 0; at < 3; at++) assert.ok(attempts.mailTo(account.email, true));
  for (let at = 0; at < 20; at++) assert.ok(attempts.testMoney(7));
  for (let at = 0; at < STRANGERS; at++) {
    attempts.signIn(addressOf(at), { email: `nobody${at}@example.com`, isAccount: false, isKnown: false });
    attempts.passkey(addressOf(at));
    attempts.mailFrom(addressOf(at));
    attempts.mailTo(`nobody${at}@example.com`, false);
  }
  assert.ok(attempts.size <= 100_000 + 60, `${attempts.size} things are kept`);
  assert.equal(attempts.secondFactor(7), undefined);
  assert.equal(attempts.signIn("192.0.2.99", account), undefined);
  assert.equal(attempts.mailTo(account.email, true), false);
  assert.equal(attempts.testMoney(7), undefined);
  assert.ok(attempts.signIn("192.0.2.99", { ...account, isKnown: true }), "from where its owner was before");
});

test("an attempt that was taken back counts for nothing and leaves nothing behind", () => {
  const attempts = new Attempts(() => 0);
  for (let at = 0; at < 100; at++) {
    const attempt = attempts.signIn("192.0.2.1", { email: "ann@example.com", isAccount: true, isKnown: false });
    assert.ok(attempt);
    attempt.takeBack();
  }
  assert.equal(attempts.size, 0);
});

test("what is counted of accounts is forgotten when its time is over", () => {
  let nowMs = 0;
  const attempts = new Attempts(() => nowMs);
  for (let round = 0; round < 20; round++) {
    for (let userId = 1; userId <= 2_000; userId++) attempts.secondFactor(round * 2_000 + userId);
    nowMs += 3_600_000;
  }
  assert.ok(attempts.size <= 8_000, `${attempts.size} are kept of 2,000 an hour`);
});
