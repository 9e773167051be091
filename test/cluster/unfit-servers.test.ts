/** Servers that a node cannot use: it ends with a sentence instead of waiting for what never comes. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { Leader } from "../../src/cluster/entry.ts";
import { EtcdStore } from "../../src/cluster/etcd/etcd-store.ts";
import { Sealer } from "../../src/cluster/frame.ts";
import type { PlacedGroup, PutOutcome, StoreEnd } from "../../src/cluster/store.ts";
import { EtcdServers, withoutEtcd } from "../support/etcd-servers.ts";

const WITH_ETCD = { skip: withoutEtcd() };
const PASSWORD = "right";

async function serversWith(t: TestContext, ...further: readonly string[]): Promise<EtcdServers> {
  const servers = await EtcdServers.start(1, further);
  t.after(() => servers.close());
  return servers;
}

async function serverWith(t: TestContext, ...further: readonly string[]): Promise<URL> {
  return new URL((await serversWith(t, ...further)).addresses()[0] as string);
}

function storeAt(t: TestContext, address: URL, path = ""): EtcdStore {
  return storeOf(t, { servers: [`${address.href.replace(/\/$/, "")}${path}`], sealer: new Sealer(randomBytes(32)) });
}

function storeOf(
  t: TestContext,
  options: { servers: readonly string[]; sealer: Sealer; boot?: string; onFault?: (error: Error) => void },
): EtcdStore {
  const store = new EtcdStore({
    ...{ node: "a", boot: "b", address: "none", onNote: () => {}, onFault: () => {} },
    ...options,
  });
  t.after(() => store.close());
  return store;
}

test("a server that takes too little at a time", WITH_ETCD, async (t) => {
  const address = await serverWith(t, "--max-request-bytes", "1048576");
  await assert.rejects(storeAt(t, address).open(), {
    code: "ETCD_UNFIT",
    message: /takes too little at a time; set max-request-bytes to 8388608 there/,
  });
});

test("a user where authentication is off, and a wrong password where it is on", WITH_ETCD, async (t) => {
  const address = await serverWith(t);
  const as = (password: string) => {
    const url = new URL(address);
    url.username = "root";
    url.password = password;
    return url;
  };
  const store = storeAt(t, address);
  await store.open();
  await assert.rejects(storeAt(t, as(PASSWORD)).open(), {
    code: "ETCD_UNFIT",
    message: /names a user, but authentication is not enabled there/,
  });
  for (const [path, body] of [
    ["user/add", { name: "root", password: PASSWORD }],
    ["role/add", { name: "root" }],
    ["user/grant", { user: "root", role: "root" }],
    ["enable", {}],
  ] as const) {
    const answer = await fetch(new URL(`/v3/auth/${path}`, address), { method: "POST", body: JSON.stringify(body) });
    assert.equal(answer.status, 200, await answer.text());
  }
  await assert.rejects(storeAt(t, as("wrong")).open(), {
    code: "ETCD_UNFIT",
    message: /do not let this node in: the user or the password in the setting log is not theirs/,
  });
  const right = storeAt(t, as(PASSWORD));
  await right.open();
  assert.equal(await right.venue(), undefined);
});

test(
  "two venues in one etcd do not see each other, and one that has another key is no node of it",
  WITH_ETCD,
  async (t) => {
    const address = await serverWith(t);
    const [one, other] = [storeAt(t, address, "/one"), storeAt(t, address, "/other")];
    await one.open();
    await other.open();
    await one.found("00", { place: 0, seq: 0, hash: "", timeMs: 0 });
    assert.equal((await one.venue())?.venueId, "00");
    assert.equal(await other.venue(), undefined);
    const stranger = storeAt(t, address, "/one");
    await stranger.open();
    await assert.rejects(stranger.venue(), { code: "BAD_FRAME", message: /not sealed there under this venue's key/ });
  },
);

const BASE = { place: 0, seq: 0, hash: "", timeMs: 0 };

function groupAt(place: number, text: string): PlacedGroup {
  const payload = new TextEncoder().encode(text);
  const origin = { node: "a", boot: "b", token: place };
  return { place, entry: { firstSeq: place, count: 1, timeMs: 1, prevHash: "", origin, payload } };
}

async function leads(store: EtcdStore): Promise<Leader> {
  await new Promise<void>((resolve) => store.lead(0, resolve));
  const { promise, resolve } = Promise.withResolvers<Leader | undefined>();
  store.read(1, (page) => resolve(page?.leader));
  return (await promise) as Leader;
}

function put(store: EtcdStore, term: number, place: number, text: string): Promise<PutOutcome> {
  return new Promise((resolve) => store.put(term, [groupAt(place, text)], resolve));
}

test(
  "a leader of before is refused by servers that were emptied and came to the same revisions",
  WITH_ETCD,
  async (t) => {
    const servers = await serversWith(t);
    const sealer = new Sealer(randomBytes(32));
    const open = async (boot: string) => {
      const store = storeOf(t, { servers: servers.addresses(), sealer, boot });
      await store.open();
      await store.found("00", BASE);
      await store.venue();
      return { store, term: (await leads(store)).term };
    };
    const before = await open("before");
    assert.equal(await put(before.store, before.term, 1, "one"), "in");
    await servers.kill(0);
    servers.wipe(0);
    servers.run(0);
    const since = await open("since");
    assert.equal(since.term, before.term);
    for (const place of [1, 2, 3]) assert.equal(await put(since.store, since.term, place, "other"), "in");
    // It may hear of the broken connection first.
    let outcome: PutOutcome = "unknown";
    while (outcome === "unknown") outcome = await put(before.store, before.term, 4, "four");
    assert.equal(outcome, "deposed");
    assert.equal(await since.store.groupAt(4), undefined);
  },
);

test(
  "a log that is removed and put back, and servers that go back, end who read the one before",
  WITH_ETCD,
  async (t) => {
    const servers = await serversWith(t);
    const address = servers.addresses()[0] as string;
    const sealer = new Sealer(randomBytes(32));
    const faults: Error[] = [];
    const store = storeOf(t, { servers: [address], sealer, onFault: (error) => faults.push(error) });
    await store.open();
    await store.found("00", BASE);
    await store.venue();
    const ask = () => new Promise<StoreEnd | undefined>((resolve) => store.endFrom(1, resolve));
    assert.equal((await ask())?.place, 0);
    const key = (text: string) => Buffer.from(text).toString("base64");
    const range = { key: key("/bourse/"), range_end: key("/bourse0") };
    await fetch(`${address}/v3/kv/deleterange`, { method: "POST", body: JSON.stringify(range) });
    assert.equal(await ask(), undefined);
    assert.match((faults.pop() as Error).message, /The store has lost what it had acknowledged/);
    const other = storeOf(t, { servers: [address], sealer });
    await other.open();
    await other.found("00", BASE);
    assert.notEqual(await other.venue(), undefined);
    assert.equal(await ask(), undefined);
    assert.match((faults.pop() as Error).message, /The store has lost what it had acknowledged/);

    await servers.kill(0);
    servers.wipe(0);
    servers.run(0);
    let error: unknown;
    for (; error === undefined; error = faults.pop()) await ask();
    assert.match((error as Error).message, /The store has lost what it had acknowledged/);
  },
);

test("servers that are not of one etcd", WITH_ETCD, async (t) => {
  const [one, other] = [await serversWith(t), await serversWith(t, "--initial-cluster-token", "another")];
  const addresses = [one.addresses()[0] as string, other.addresses()[0] as string];
  const faults: Error[] = [];
  const store = storeOf(t, {
    servers: addresses,
    sealer: new Sealer(randomBytes(32)),
    onFault: (error) => faults.push(error),
  });
  await store.open();
  const ask = () => new Promise<StoreEnd | undefined>((resolve) => store.endFrom(1, resolve));
  for (let end: StoreEnd | undefined; end === undefined && faults.length === 0; ) end = await ask();
  // On a busy machine either of them may have been left for the other by now.
  const asked = addresses.findIndex((address) => new URL(address).host === store.server);
  await ([one, other][asked] as EtcdServers).kill(0);
  let error = faults.pop();
  for (; error === undefined; error = faults.pop()) await ask();
  assert.match((error as Error).message, /do not belong together; .* is of another etcd/);
});
