import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { decodeCommand } from "../../src/engine/command.ts";
import { RULES_VERSION } from "../../src/engine/rules-version.ts";
import { WordBuffer } from "../../src/engine/words.ts";
import { LogReader } from "../../src/log/reader.ts";
import type { ApiKeyPair } from "../support/api-client.ts";
import { Cluster, served } from "../support/cluster.ts";
import { withoutEtcd } from "../support/etcd-servers.ts";
import { olderProgram } from "./older-checkout.ts";

/** The last commit of the stage before this one, whose nodes already kept their log in etcd. */
const OLDER_COMMIT = "8a34048922b5bdd5ab4ace4dd02258933aacd7c8";
/**
 * That commit, or this program where the clone does not reach back to it; knowing the rules up to the last version but
 * one.
 */
const older = olderProgram(OLDER_COMMIT);
const ORDER = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "0.01", price: "20000" };

/** A sample account, which has money from the start: while old rules hold, a new program lets operators move none. */
const key: ApiKeyPair = {
  accessId: "76C101C1D5579A41CA9066B9CCB187B5",
  secret: "799400991C9FCC1EAB583202E52473F16226EB2883EF46DB",
};

let cluster: Cluster;

before(async () => {
  if (withoutEtcd() !== false) return;
  cluster = await Cluster.start({ ...older, options: ["--makers", "off"] });
});
after(async () => {
  await cluster?.close();
  older.remove();
});

/** The rules that began so far, as a node's log has it. */
function epochs(index: number): number[] {
  const reader = new LogReader(cluster.dataOf(index));
  try {
    return [...reader.groups()].flatMap(({ payload }) => {
      const command = decodeCommand(WordBuffer.over(payload), 0);
      return command.kind === "begin_epoch" ? command.rulesVersion : [];
    });
  } finally {
    reader.close();
  }
}

test("nodes are put on a new program one by one: the old rules hold as long as one has the old one, then the new ones begin everywhere", {
  skip: withoutEtcd(),
}, async (t) => {
  t.diagnostic(older.what);
  const placed: string[] = [];
  let upgraded = 0;
  const trade = async () => {
    for (let index = 0; index < cluster.count; index++) {
      const clientId = `order-${placed.length}`;
      const client = cluster.node(index).client(key);
      await served(() => client.post("/v2/spot/order", { ...ORDER, client_id: clientId }));
      placed.push(clientId);
    }
    const query = { market: "BTCUSDT", market_type: "SPOT", limit: "100" };
    const client = cluster.node(0).client(key);
    const orders = await served(() => client.get("/v2/spot/pending-order", query));
    assert.deepEqual(orders.map(({ client_id }: { client_id: string }) => client_id).sort(), placed.toSorted());
    await cluster.agreed(0, upgraded % cluster.count === 0);
  };

  await trade();
  for (const index of [2, 1, 0]) {
    for (let at = 0; at < cluster.count; at++) assert.deepEqual(epochs(at), [RULES_VERSION - 1]);
    await cluster.node(index).end("SIGTERM");
    await cluster.run(index);
    upgraded++;
    await trade();
  }
  for (let tries = 0; !epochs(0).includes(RULES_VERSION); tries++) {
    assert.ok(tries < 3_000, "the new rules do not begin");
    await pause(50);
  }
  await trade();
  for (let at = 0; at < cluster.count; at++) assert.deepEqual(epochs(at), [RULES_VERSION - 1, RULES_VERSION]);

  await cluster.kill(2);
  await assert.rejects(
    cluster.run(2, older),
    new RegExp(`rules version ${RULES_VERSION}.*rules version ${RULES_VERSION - 1}`),
  );
  await cluster.run(2);
  await trade();
});
