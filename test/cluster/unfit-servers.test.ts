/** Servers that a node cannot use: it ends with a sentence instead of waiting for what never comes. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import { EtcdStore } from "../../src/cluster/etcd/etcd-store.ts";
import { Sealer } from "../../src/cluster/frame.ts";
import { EtcdServers, withoutEtcd } from "../support/etcd-servers.ts";

const WITH_ETCD = { skip: withoutEtcd() };
const PASSWORD = "right";

async function serverWith(t: TestContext, ...further: readonly string[]): Promise<URL> {
  const servers = await EtcdServers.start(1, further);
  t.after(() => servers.close());
  return new URL(servers.addresses()[0] as string);
}

function storeAt(t: TestContext, address: URL, path = ""): EtcdStore {
  const store = new EtcdStore({
    ...{ servers: [`${address.href.replace(/\/$/, "")}${path}`], sealer: new Sealer(randomBytes(32)) },
    ...{ node: "a", boot: "b", address: "none", onNote: () => {}, onFault: () => {} },
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
