import assert from "node:assert/strict";
import { test } from "node:test";
import { Refused } from "../refused.ts";
import { Passwords } from "./passwords.ts";

test("a password fits its own hash, however the keyboard writes its letters, and no other", async () => {
  const passwords = new Passwords();
  const kept = await passwords.hash("caf\u00e9 au lait, s'il vous pla\u00eet", "a");
  assert.ok(typeof kept === "string");
  assert.match(kept, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.equal(await passwords.fits("cafe\u0301 au lait, s'il vous plai\u0302t", kept, "a"), true);
  assert.equal(await passwords.fits("cafe au lait, s'il vous plait", kept, "a"), false);
  assert.equal(await passwords.fits("anything", undefined, "a"), false);
  assert.notEqual(await passwords.hash("the same", "a"), await passwords.hash("the same", "a"));
});

test("two are hashed at once, some wait, four of an address at most and fewer when others come, and the rest is told that the venue is busy", async () => {
  const going: (() => void)[] = [];
  let most = 0;
  let running = 0;
  const passwords = new Passwords(async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((go) => going.push(go));
    running--;
    return Buffer.alloc(32);
  }, 2);
  const ask = (address: string) => passwords.hash("x", address);
  const own = Array.from({ length: 8 }, () => ask("a"));
  // Two run, four wait.
  assert.equal((await Promise.race(own.slice(6))) instanceof Refused, true);
  const others = Array.from({ length: 40 }, (_, at) => ask(`b${at}`));
  // Three of the first address give way to others.
  const displaced = (await Promise.race(own.slice(3, 6))) as Refused;
  assert.equal(displaced.refusal, "busy");
  const refused = (await Promise.race(others.slice(31))) as Refused;
  assert.equal(refused.refusal, "busy");
  const all = Promise.all([...own, ...others]);
  for (let count = 0; count < 34; count++) {
    while (going.length === 0) await new Promise((go) => setImmediate(go));
    going.shift()?.();
  }
  const hashes = (await all).filter((one) => typeof one === "string");
  assert.equal(hashes.length, 34);
  assert.equal(most, 2);
});

test("addresses take turns, whatever each has waiting, and a network of IPv6 is one of them", async () => {
  const order: string[] = [];
  const going: (() => void)[] = [];
  const passwords = new Passwords(async (password) => {
    order.push(password);
    await new Promise<void>((go) => going.push(go));
    return Buffer.alloc(32);
  }, 2);
  const all = [
    ...["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8::4", "2001:db8::5"].map((at) =>
      passwords.hash("many", at),
    ),
    passwords.hash("one", "192.0.2.1"),
  ];
  for (let count = 0; count < all.length; count++) {
    while (going.length === 0) await new Promise((go) => setImmediate(go));
    going.shift()?.();
  }
  await Promise.all(all);
  assert.deepEqual(order, ["many", "many", "one", "many", "many", "many"]);
  // Of one network four wait, and no more.
  const flood = Array.from({ length: 7 }, (_, at) => passwords.hash("flood", `2001:db8::${at + 1}`));
  assert.ok((await flood[6]) instanceof Refused);
  for (let count = 0; count < 6; count++) {
    while (going.length === 0) await new Promise((go) => setImmediate(go));
    going.shift()?.();
  }
  await Promise.all(flood);
});

test("a wrong password of somebody and one of nobody are the same work", async () => {
  const work: string[] = [];
  const passwords = new Passwords((password, { memory, passes }) => {
    work.push(`${password} ${memory} ${passes}`);
    return Promise.resolve(Buffer.alloc(32, 1));
  });
  const kept = await new Passwords().hash("right", "a");
  await passwords.fits("wrong", kept as string, "a");
  await passwords.fits("wrong", undefined, "a");
  assert.equal(work[0], work[1]);
});
