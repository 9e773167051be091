/**
 * Limits of several nodes on one real server: how much passes, what it keeps, and what becomes of them when it fails.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { State } from "../../src/engine/state.ts";
import { loadContract } from "../../src/gateway/current/contract.ts";
import { currentQuotas } from "../../src/gateway/current/quotas.ts";
import { rateFigures } from "../../src/gateway/limits/figures.ts";
import { limitsByWindow } from "../../src/gateway/limits/long-cycle.ts";
import type { Quota } from "../../src/gateway/limits/quota.ts";
import { RateLimits } from "../../src/gateway/limits/rate-limits.ts";
import { SharedQuotas } from "../../src/gateway/limits/shared/shared-quotas.ts";
import { quotaServerAt } from "../../src/venue/quota-server.ts";
import { QuotaServerProcess, withoutQuotaServer } from "../support/quota-server.ts";
import { xorshift } from "../support/xorshift.ts";

const contract = loadContract();
const figures = rateFigures(contract);
const RATE = 30;
const ACCOUNTS = 3;
const ADDRESS = "192.0.2.7";
/** Anyone who waits for something that happens waits so long for it. */
const PATIENT_MS = 120_000;

interface Node {
  readonly limits: RateLimits;
  readonly shared: SharedQuotas;
  /** Of placing orders. */
  readonly orders: Quota;
}

function take(quota: Quota, userId: number, nowMs: number): Promise<boolean> {
  if (!quota.admits(userId, nowMs)) return Promise.resolve(false);
  if (quota.isShared) return new Promise((resolve) => quota.ask(undefined, resolve));
  quota.spend();
  return Promise.resolve(true);
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENT_MS;
  while (!(await isSo())) {
    assert.ok(performance.now() < end, "it did not happen");
    await pause(20);
  }
}

describe("limits that nodes share", { skip: withoutQuotaServer() }, () => {
  let server: QuotaServerProcess;
  let nodes: Node[];
  /** The time of all nodes and of the server, as far as a test gives it. */
  let nowMs = 0;

  function nodeWith(shared: SharedQuotas): Node {
    const state = new State();
    for (let user = 1; user <= ACCOUNTS; user++) state.users.add(String(user), 0, 0);
    const limits = new RateLimits(figures, state, undefined, shared);
    const endpoint = contract.endpoints.find(({ path, method }) => path === "/spot/order" && method === "POST");
    const node = { limits, shared, orders: currentQuotas(contract, limits)(endpoint as never) as Quota };
    nodes.push(node);
    return node;
  }

  async function openNodes(count: number): Promise<Node[]> {
    for (let at = 0; at < count; at++) nodeWith(await server.share(figures, () => nowMs));
    return nodes;
  }

  before(async () => {
    server = await QuotaServerProcess.start();
  });
  after(() => server.close());
  beforeEach(async () => {
    nowMs = 1_750_000_000_000;
    nodes = [];
    await server.client.flushall();
  });
  afterEach(async () => {
    for (const { shared } of nodes) await shared.close();
  });

  test("requests of one account that come to all nodes at the same instant pass exactly as often as at one", async () => {
    await openNodes(4);
    const asked = nodes.flatMap(({ orders }) => Array.from({ length: 40 }, () => take(orders, 1, nowMs)));
    assert.equal((await Promise.all(asked)).filter((passes) => passes).length, RATE);
    const other = await Promise.all(Array.from({ length: 40 }, () => take((nodes[2] as Node).orders, 2, nowMs)));
    assert.equal(other.filter((passes) => passes).length, RATE, "at one node alone it is all of it");
    // Who was refused need not be asked for again, whichever node.
    assert.deepEqual(
      nodes.map(({ orders }) => orders.admits(1, nowMs)),
      [false, false, false, false],
    );
  });

  test("over no window does an account get more of all nodes together than a bucketful and what refills", async () => {
    await openNodes(3);
    const random = xorshift(7);
    const passed: number[] = [];
    for (let turn = 0; turn < 150; turn++) {
      const asks = Array.from({ length: Math.floor(random() * 8) }, () => {
        const { orders } = nodes[Math.floor(random() * nodes.length)] as Node;
        return take(orders, 1, nowMs);
      });
      for (const passes of await Promise.all(asks)) if (passes) passed.push(nowMs);
      nowMs += Math.floor(random() * 60);
    }
    assert.ok(passed.length > 2 * RATE);
    for (let from = 0; from < passed.length; from++) {
      for (let to = from; to < passed.length; to++) {
        const most = RATE + (RATE * ((passed[to] as number) - (passed[from] as number))) / 1_000;
        assert.ok(to - from + 1 <= most, `${to - from + 1} from ${passed[from]} to ${passed[to]}`);
      }
    }
  });

  test("an address gets at most a bucketful of each node at once, and all of them earn back what was too much", async () => {
    await openNodes(3);
    const all = () => nodes.reduce((sum, { limits }) => sum + Number(limits.admit(ADDRESS, nowMs)), 0);
    let passed = 0;
    for (let times = 0; times < 500; times++) passed += all();
    assert.equal(passed, 3 * 400);
    const left = async () =>
      Number(/^-?\d+/.exec((await server.client.get("bourse:quota:any:ip:0:c0000207")) ?? "")?.[0]);
    await until(async () => (await left()) === -800_000);
    await until(() => nodes.every(({ shared }) => shared.counts.isShared));
    nowMs += 2_000;
    // The first at each node is what it did not know better; it is told what the others spent.
    passed = all();
    assert.ok(passed <= 3);
    await until(async () => (await left()) === -passed * 1_000);
    await roundTrip();
    assert.equal(all(), 0);
    nowMs += 3 * (passed + 1);
    assert.ok(all() >= 1, "and then it goes on");
  });

  test("an address that goes from node to node gets no more than at one", async () => {
    await openNodes(2);
    let passed = 0;
    for (let request = 0; request < 500; request++) {
      const { limits } = nodes[request % 2] as Node;
      if (limits.admit(ADDRESS, nowMs)) passed++;
      // As a client that waits for each answer.
      await roundTrip();
    }
    // One of each node was decided by what it had heard before.
    assert.ok(passed >= 400 && passed <= 402, String(passed));
  });

  test("a stranger's address takes a few hundred bytes of the server", async (t) => {
    // Time stands still, so that nothing ends meanwhile.
    const [node] = (await openNodes(1)) as [Node];
    const used = async () => Number(/used_memory:(\d+)/.exec(await server.client.info("memory"))?.[1]);
    const strangers = 5_000;
    const before = await used();
    for (let stranger = 0; stranger < strangers; stranger++) {
      node.limits.admit(`2001:db8:${(stranger >> 8).toString(16)}:${(stranger & 255).toString(16)}::1`, nowMs);
    }
    await until(async () => (await server.client.dbsize()) > strangers);
    const perAddress = ((await used()) - before) / strangers;
    t.diagnostic(`${perAddress.toFixed(0)} bytes for an address`);
    assert.ok(perAddress < 400);
  });

  test("what the server keeps is named by ids alone, and ends by itself when it is full again", async () => {
    const node = nodeWith(await server.share(figures));
    for (let stranger = 0; stranger < 50; stranger++) {
      for (let request = 0; request < 400; request++) node.limits.admit(`192.0.2.${stranger}`, Date.now());
    }
    assert.ok(await take(node.orders, 1, Date.now()));
    const keys = await server.client.keys("*");
    assert.ok(keys.length > 2);
    const named = /^bourse:(?:nodes|long-cycle:\d+|quota:[A-Za-z0-9 :,]+:(?:\d+|ip:[0-9a-f]{1,8}:[0-9a-f]{1,8}))$/;
    for (const key of keys) {
      assert.match(key, named);
      const livesMs = await server.client.pttl(key);
      const most = key.startsWith("bourse:long-cycle:") ? 86_400_000 : 10_000;
      assert.ok(livesMs !== -1 && livesMs <= most, `${key} stays for ${livesMs} ms`);
    }
    await until(async () => (await server.client.keys("bourse:quota:*")).length === 0);
  });

  test("the long cycle is one count over all nodes", async () => {
    const [one, two] = (await openNodes(2)) as [Node, Node];
    for (let request = 0; request < 5; request++) await take(one.orders, 1, nowMs);
    await take(two.orders, 1, nowMs);
    assert.match(two.orders.headerLines(), /1H-Remaining: 19994\r\n/);
    nowMs += 3_600_000;
    await take(one.orders, 1, nowMs);
    assert.match(one.orders.headerLines(), /1H-Remaining: 19999\r\n.*24H-Remaining: 199993\r\n/s);
  });

  test("a server that is emptied gives everybody a new bucketful, and nothing fails", async () => {
    const [one, two] = (await openNodes(2)) as [Node, Node];
    for (let request = 0; request < RATE; request++) assert.ok(await take(one.orders, 1, nowMs));
    await server.client.flushall();
    await server.client.script("FLUSH");
    assert.ok(await take(two.orders, 1, nowMs));
    assert.match(two.orders.headerLines(), /Remaining: 29\r\n/);
    assert.ok(two.shared.isShared);
  });

  /** A node as a venue has it, with what it says in its log. */
  async function loggingNode(url: string, waitMs?: number) {
    const lines: string[] = [];
    const note = (details: object, message: string) => void lines.push(JSON.stringify(details) + message);
    const longLimits = limitsByWindow(figures.long);
    const log = { info: note, warn: note };
    const shared = await SharedQuotas.open({ server: quotaServerAt(url), log, longLimits, waitMs });
    return { ...nodeWith(shared), lines };
  }

  /** What each node allows by itself holds, and nobody is refused for what happened to the server. */
  async function assertGoesOn({ orders, limits }: Node): Promise<void> {
    const now = Date.now();
    const asked = await Promise.all(Array.from({ length: 100 }, () => take(orders, 3, now)));
    const passed = asked.filter((passes) => passes).length;
    assert.ok(passed >= 1 && passed <= RATE, `${passed} passed`);
    assert.ok(limits.admit("198.51.100.1", now));
  }

  test("a wrong password: the node goes on by itself and says so, without the password", async () => {
    await server.client.config("SET", "requirepass", "right");
    try {
      const node = await loggingNode(server.urlWith("open sesame"));
      assert.equal(node.shared.isShared, false);
      await assertGoesOn(node);
      assert.match(node.lines.join("\n"), /does not take the password.*goes on by itself/s);
      assert.doesNotMatch(node.lines.join("\n"), /sesame/);
    } finally {
      await server.client.config("SET", "requirepass", "");
    }
  });

  test("the account of the server that docs/guides/install.md makes can do all that a node needs, and no more", async () => {
    const page = readFileSync(new URL("../../docs/guides/install.md", import.meta.url), "utf8");
    const [, rights = ""] = /^ACL SETUSER bourse on >PASSWORD (.*)$/m.exec(page) ?? [];
    await server.client.call("ACL", "SETUSER", "bourse", "on", ">secret", ...rights.split(" "));
    await server.client.call("ACL", "LOG", "RESET");
    const node = await loggingNode(server.urlWith("secret").replace("//:", "//bourse:"), PATIENT_MS);
    assert.ok(node.shared.isShared, node.lines.join("\n"));
    assert.ok(await take(node.orders, 1, Date.now()));
    assert.ok(node.limits.admit(ADDRESS, Date.now()));
    await node.shared.close();
    assert.deepEqual(await server.client.call("ACL", "LOG"), []);
  });

  test("a server whose memory is full: each node goes on by itself until there is room again", async () => {
    const node = await loggingNode(server.url, PATIENT_MS);
    assert.ok(node.shared.isShared);
    await server.client.config("SET", "maxmemory", "1");
    await assertGoesOn(node);
    assert.equal(node.shared.isShared, false);
    assert.match(node.lines.join("\n"), /its memory is full/);
    await server.client.config("SET", "maxmemory", "0");
    await until(() => node.shared.isShared);
  });

  test("a server that stands still keeps nobody waiting longer than a moment, and is relied on again when it moves", async (t) => {
    const node = await loggingNode(server.url);
    await until(() => node.shared.isShared);
    server.signal("SIGSTOP");
    try {
      const startMs = performance.now();
      await assertGoesOn(node);
      t.diagnostic(`100 checks were decided after ${(performance.now() - startMs).toFixed(1)} ms`);
      assert.ok(performance.now() - startMs < PATIENT_MS);
      assert.equal(node.shared.isShared, false);
    } finally {
      server.signal("SIGCONT");
    }
    await until(() => node.shared.isShared);
  });

  test("a server that is killed under load: no check is lost, and nodes share again once it is back", async () => {
    const node = await loggingNode(server.url, PATIENT_MS);
    let decided = 0;
    let asked = 0;
    const load = setInterval(() => {
      for (let request = 0; request < 20; request++) {
        asked++;
        void take(node.orders, 1 + (asked % 2), Date.now()).then(() => decided++);
      }
    }, 1);
    await until(() => decided > 100);
    await server.kill();
    await until(() => !node.shared.isShared);
    await assertGoesOn(node);
    await server.start();
    await until(() => node.shared.isShared);
    clearInterval(load);
    await until(() => decided === asked);
    assert.equal(node.shared.counts.partings, 1);
  });

  /** Until whatever was told is heard. */
  async function roundTrip(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await server.client.ping();
    await new Promise((resolve) => setImmediate(resolve));
  }
});
