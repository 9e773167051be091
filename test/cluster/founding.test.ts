/** A venue begins once, by an act: servers and folders that were wiped never become a second one by themselves. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Cluster } from "../support/cluster.ts";
import { EtcdServers, withoutEtcd } from "../support/etcd-servers.ts";
import type { BeginningVenue } from "../support/venue-process.ts";

const WITH_ETCD = { skip: withoutEtcd() };
const WAITS = /neither the etcd servers nor its folder hold a venue.*bourse cluster found/;
/** Of 50 ms each. */
const TRIES = 3_000;

const folder = mkdtempSync(join(tmpdir(), "bourse-founding-"));
let cluster: Cluster;

before(async () => {
  if (withoutEtcd() !== false) return;
  writeFileSync(join(folder, "bourse.json"), JSON.stringify({ profile: "production" }));
  const options = ["--config", join(folder, "bourse.json")];
  cluster = await Cluster.start({ options, count: 2, isIdle: true, servers: await EtcdServers.start(1) });
});
after(async () => {
  await cluster?.close();
  rmSync(folder, { recursive: true });
});

async function says({ complaints, ready }: BeginningVenue, sentence: RegExp): Promise<void> {
  let hasEnded = false;
  ready.catch(() => {
    hasEnded = true;
  });
  for (let tries = 0; !sentence.test(complaints()); tries++) {
    assert.ok(tries < TRIES && !hasEnded, complaints());
    await pause(50);
  }
}

async function wipeServers(): Promise<void> {
  await cluster.servers.kill(0);
  cluster.servers.wipe(0);
  cluster.servers.run(0);
}

/** Something that is in the log from now on. */
async function makeUser(index: number, name: string): Promise<void> {
  await cluster.node(index).admin("/admin/users", { name });
}

async function users(index: number): Promise<string[]> {
  const { users: rows } = await cluster.node(index).admin("/admin/users");
  return rows.map(({ name }: { name: string }) => name);
}

test(
  "nodes of the production profile wait until somebody founds the venue, and found none themselves",
  WITH_ETCD,
  async () => {
    const waiting = [0, 1].map((index) => cluster.begin(index));
    for (const node of waiting) await says(node, WAITS);
    assert.equal(await cluster.withStore((store) => store.venue()), undefined);
    // A node waits on this folder.
    const { venue_id } = JSON.parse(cluster.command("found", 0));
    assert.equal((await cluster.withStore((store) => store.venue()))?.venueId, venue_id);
    for (const { ready } of waiting) await (await ready).end("SIGTERM");
    assert.throws(() => cluster.command("found", 0), /There is the log of a venue in .*bourse cluster adopt/);
    rmSync(cluster.dataOf(2), { recursive: true, force: true });
    assert.throws(() => cluster.command("found", 2), /The store holds the log of venue [0-9a-f]{32} from seq 0 on/);
    await cluster.runAll();
    await makeUser(0, "ann");
    await cluster.agreed();
  },
);

test(
  "where etcd and one disk are wiped, that node waits, the other one refuses, and its log goes on",
  WITH_ETCD,
  async () => {
    for (const index of [0, 1]) await cluster.node(index).end("SIGTERM");
    await wipeServers();
    rmSync(cluster.dataOf(0), { recursive: true });
    const wiped = cluster.begin(0);
    await says(wiped, WAITS);
    await assert.rejects(
      cluster.run(1),
      /ended with 3.*The store holds no log, this folder that of venue [0-9a-f]{32}/s,
    );
    assert.match(cluster.command("adopt", 1), /"venue_id":"[0-9a-f]{32}"/);
    await cluster.run(1);
    await (await wiped.ready).end("SIGTERM");
    assert.ok((await users(1)).includes("ann"));
    await cluster.run(0);
    assert.ok((await users(0)).includes("ann"));
    await cluster.agreed();
  },
);
