/** Calls of the store in etcd, of which the order of groups does not depend. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { EtcdStore } from "../../src/cluster/etcd/etcd-store.ts";
import { Sealer } from "../../src/cluster/frame.ts";
import { EtcdServers, withoutEtcd } from "../support/etcd-servers.ts";

const WITH_ETCD = { skip: withoutEtcd() };
const RECORD = { node: "a", boot: "a1", address: "127.0.0.1:1", rules: 5, version: "1", syncedSeq: 1, snapshotSeq: 0 };

let servers: EtcdServers;
let store: EtcdStore;

before(async () => {
  if (withoutEtcd() !== false) return;
  servers = await EtcdServers.start(1);
  store = new EtcdStore({
    ...{ servers: servers.addresses(), sealer: new Sealer(new Uint8Array(32)), node: "a", boot: "a1", address: "" },
    ...{ onNote: () => {}, onFault: (error) => assert.fail(error) },
  });
  await store.open();
});
after(async () => {
  await store?.close();
  await servers?.close();
});

test(
  "a node that did not hear that it had told of itself tells anew, and is not taken for another process",
  WITH_ETCD,
  async () => {
    const first = await store.tell(RECORD, undefined);
    assert.ok(first !== undefined);
    // It came through, and its answer was lost: the node knows of the first one alone.
    assert.ok((await store.tell({ ...RECORD, syncedSeq: 2 }, first)) !== undefined);
    const third = await store.tell({ ...RECORD, syncedSeq: 3 }, first);
    assert.ok(third !== undefined && third > first);
    assert.deepEqual(await store.nodes(), [{ ...RECORD, syncedSeq: 3 }]);
    // Another process of the same name has come: the older one is told.
    assert.ok((await store.tell({ ...RECORD, boot: "a2" }, undefined)) !== undefined);
    assert.equal(await store.tell({ ...RECORD, syncedSeq: 4 }, third), undefined);
  },
);
