import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Refused } from "../refused.ts";
import { type Pace, Passwords } from "./passwords.ts";

const HERE = { address: "192.0.2.1", isKnown: false };
/** Rests are over at once. */
const AT_ONCE: Pace = { now: () => 0, after: (_, then) => then() };

test("a password fits its own hash, however the keyboard writes its letters, and no other", async () => {
  const passwords = new Passwords();
  const kept = await passwords.hash("caf\u00e9 au lait, s'il vous pla\u00eet", HERE);
  assert.ok(typeof kept === "string");
  assert.match(kept, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.equal(await passwords.fits("cafe\u0301 au lait, s'il vous plai\u0302t", kept, HERE), true);
  assert.equal(await passwords.fits("cafe au lait, s'il vous plait", kept, HERE), false);
  assert.equal(await passwords.fits("anything", undefined, HERE), false);
  assert.notEqual(await passwords.hash("the same", HERE), await passwords.hash("the same", HERE));
  await passwords.close();
});

/** Passwords that are hashed when a test says so. */
function byHand() {
  const order: string[] = [];
  const going: (() => void)[] = [];
  let [running, most] = [0, 0];
  const passwords = new Passwords(async (password) => {
    order.push(password);
    most = Math.max(most, ++running);
    await new Promise<void>((go) => going.push(go));
    running--;
    return Buffer.alloc(32);
  }, AT_ONCE);
  return {
    passwords,
    order,
    most: () => most,
    ask: (address: string, password = "x", isKnown = false) => passwords.hash(password, { address, isKnown }),
    /** Lets so many be hashed. */
    finish: async (count: number) => {
      for (let finished = 0; finished < count; finished++) {
        while (going.length === 0) await new Promise((go) => setImmediate(go));
        going.shift()?.();
      }
    },
  };
}

test("one is hashed at once, some wait, four of an address at most and fewer when others come, and the rest is told that the venue is busy", async () => {
  const { ask, finish, most } = byHand();
  const own = Array.from({ length: 7 }, () => ask("192.0.2.1"));
  // One runs, four wait.
  assert.equal((await Promise.race(own.slice(5))) instanceof Refused, true);
  const others = Array.from({ length: 40 }, (_, at) => ask(`198.51.100.${at}`));
  // Three of the first address give way to others.
  const displaced = (await Promise.race(own.slice(2, 5))) as Refused;
  assert.equal(displaced.refusal, "busy");
  const refused = (await Promise.race(others.slice(31))) as Refused;
  assert.equal(refused.refusal, "busy");
  const all = Promise.all([...own, ...others]);
  await finish(33);
  assert.equal((await all).filter((one) => typeof one === "string").length, 33);
  assert.equal(most(), 1);
});

test("addresses take turns, whatever each has waiting, and a network of IPv6 is one of them", async () => {
  const { ask, finish, order } = byHand();
  const all = [1, 2, 3, 4].map((at) => ask(`2001:db8::${at}`, "many"));
  all.push(ask("192.0.2.1", "one"));
  await finish(5);
  await Promise.all(all);
  assert.deepEqual(order, ["many", "one", "many", "many", "many"]);
  // Of one network four wait, and no more.
  const flood = Array.from({ length: 6 }, (_, at) => ask(`2001:db8::${at + 1}`));
  assert.ok((await flood[5]) instanceof Refused);
  await finish(5);
  await Promise.all(flood);
});

test("who comes from where the account was used before is hashed at the next turn, however many strangers ask", async () => {
  const { ask, finish, order } = byHand();
  const strangers = Array.from({ length: 100 }, (_, at) => ask(`198.51.100.${at}`, "stranger"));
  const known = [ask("192.0.2.1", "owner", true), ask("192.0.2.2", "owner", true)];
  await finish(35);
  assert.deepEqual(
    await Promise.all(known.map(async (one) => typeof (await one))),
    ["string", "string"],
    "the owner was told that the venue is busy",
  );
  await Promise.all(strangers);
  assert.deepEqual(order.slice(0, 5), ["stranger", "owner", "stranger", "owner", "stranger"]);
  // Nor do those who are known keep strangers out.
  const crowd = Array.from({ length: 30 }, (_, at) => ask(`203.0.113.${at}`, "owner", true));
  const newcomer = ask("192.0.2.9", "newcomer");
  order.length = 0;
  await finish(31);
  await Promise.all([...crowd, newcomer]);
  assert.ok(order.indexOf("newcomer") <= 2, `${order.indexOf("newcomer")} were before it`);
});

test("behind each hash it rests as long as that took, so that hashing takes half of a processor at most", async () => {
  let nowMs = 0;
  const rests: { readonly ms: number; readonly then: () => void }[] = [];
  let hashed = 0;
  const pace = { now: () => nowMs, after: (ms: number, then: () => void) => void rests.push({ ms, then }) };
  const passwords = new Passwords(() => {
    nowMs += 30;
    hashed++;
    return Promise.resolve(Buffer.alloc(32));
  }, pace);
  const all = [1, 2, 3].map((at) => passwords.hash("x", { address: `192.0.2.${at}`, isKnown: false }));
  for (let turn = 1; turn <= 3; turn++) {
    while (rests.length === 0) await new Promise((go) => setImmediate(go));
    assert.equal(hashed, turn, "another was hashed in the rest");
    const rest = rests.shift();
    assert.equal(rest?.ms, 30);
    rest?.then();
  }
  assert.equal((await Promise.all(all)).length, 3);
});

test("on Linux passwords are hashed in a thread of lower priority than the one that answers", {
  skip: process.platform !== "linux",
}, async () => {
  const niceOf = (task: string) => {
    const stat = readFileSync(`/proc/self/task/${task}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  };
  const passwords = new Passwords();
  await passwords.hash("a long password", HERE);
  const tasks = readdirSync("/proc/self/task");
  const own = tasks.find((task) => readFileSync(`/proc/self/task/${task}/comm`, "utf8").trim() === "passwords");
  assert.ok(own !== undefined, "there is no such thread");
  assert.ok(niceOf(own) >= Math.min(19, niceOf(String(process.pid)) + 1), `${niceOf(own)}`);
  await passwords.close();
});

test("a wrong password of somebody and one of nobody are the same work", async () => {
  const work: string[] = [];
  const passwords = new Passwords((password, { memory, passes }) => {
    work.push(`${password} ${memory} ${passes}`);
    return Promise.resolve(Buffer.alloc(32, 1));
  });
  const real = new Passwords();
  const kept = await real.hash("right", HERE);
  await real.close();
  await passwords.fits("wrong", kept as string, HERE);
  await passwords.fits("wrong", undefined, HERE);
  assert.equal(work[0], work[1]);
});
