/**
 * The room that the log takes in etcd while three nodes take batches of orders as fast as they can, for `--minutes N`
 * (6): every ten seconds what the database holds and its file takes, the log ahead of it and the memory of the fullest
 * server. After a third one node is killed, and comes back after half, when the store no longer has what it missed;
 * after two thirds it loses its disk. History is in PostgreSQL, where it is here.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { EtcdClient } from "../src/cluster/etcd/client.ts";
import { EtcdServers } from "../test/support/etcd-servers.ts";
import { NO_POSTGRESQL, PostgresServer } from "../test/support/postgresql.ts";
import { load } from "./http-load.ts";
import { type Figure, report } from "./report.ts";
import { makeTraders, signBatches, startVenue, stopAll, UNLIMITED, type Venue } from "./venue.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "6" }, json: { type: "boolean", default: false } },
});
const SECONDS = Number(values.minutes) * 60;
const LAP_SECONDS = 10;
const NAMES = ["a", "b", "c"];
const TRADERS = 16;
const BATCH = 50;
const CONNECTIONS = 4;
/** As many at a time as a lap can send; signed anew for each lap, since a signature serves for a minute only. */
const BATCHES = 2_000;
/** A twentieth of the setting's own, so that minutes have as many snapshots as an hour. */
const SNAPSHOT_EVERY = 50_000;
const MIB = 1024 * 1024;

interface Lap {
  readonly seq: number;
  readonly inUse: number;
  readonly file: number;
  readonly ahead: number;
  readonly memory: number;
}

const dir = mkdtempSync(join(tmpdir(), "bourse-bench-"));
const secretKey = join(dir, "secret.key");
writeFileSync(secretKey, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
const etcd = await EtcdServers.start(NAMES.length);
const database = NO_POSTGRESQL === false ? await PostgresServer.start() : undefined;
try {
  const history = database === undefined ? [] : ["--history", await database.newDatabase()];
  const start = (index: number): Promise<Venue> =>
    startVenue(join(dir, NAMES[index] as string), [
      ...[...UNLIMITED, ...history, "--snapshot-every", `${SNAPSHOT_EVERY}`],
      ...["--log", etcd.addresses(index).join(","), "--node", NAMES[index] as string, "--secret-key", secretKey],
    ]);
  const nodes: (Venue | undefined)[] = await Promise.all(NAMES.map((_, index) => start(index)));
  const traders = await makeTraders(nodes[0] as Venue, TRADERS);
  const client = new EtcdClient({ servers: etcd.addresses() });
  const laps: Lap[] = [];
  const startedAt = performance.now();
  const last = NAMES.length - 1;
  const end = () => {
    const { pid } = nodes[last] as Venue;
    nodes[last] = undefined;
    process.kill(pid, "SIGKILL");
  };
  const actions: [at: number, action: () => Promise<void> | void][] = [
    [1 / 3, end],
    [
      1 / 2,
      async () => {
        nodes[last] = await start(last);
      },
    ],
    [
      2 / 3,
      async () => {
        end();
        rmSync(join(dir, NAMES[last] as string), { recursive: true });
        nodes[last] = await start(last);
      },
    ],
  ];
  for (let elapsed = 0; elapsed < SECONDS; elapsed = (performance.now() - startedAt) / 1_000) {
    const [next] = actions;
    if (next !== undefined && elapsed >= next[0] * SECONDS) await actions.shift()?.[1]();
    const batches = signBatches(traders, BATCHES, BATCH);
    let at = 0;
    // A batch that was sent once is sent again as another one: it has no client ids.
    const nextBatch = () => batches[at++ % batches.length] as Buffer;
    const running = nodes.filter((node) => node !== undefined);
    const told = await Promise.all(
      running.map(({ port }) => load({ port, connections: CONNECTIONS, seconds: LAP_SECONDS, next: nextBatch })),
    );
    const failed = told.find(({ firstFailure }) => firstFailure !== undefined);
    if (failed !== undefined) throw new Error(failed.firstFailure);
    const lap = await look(client, running[0] as Venue);
    laps.push(lap);
    const mib = (bytes: number) => (bytes / MIB).toFixed(1).padStart(7);
    console.log(
      `${elapsed.toFixed(0).padStart(4)} s  seq ${lap.seq}  in use ${mib(lap.inUse)}  file ${mib(lap.file)}  ` +
        `ahead ${mib(lap.ahead)}  memory ${mib(lap.memory)} MiB`,
    );
  }
  client.close();
  report("cluster_room", figuresOf(laps, (performance.now() - startedAt) / 1_000));
} finally {
  stopAll();
  await etcd.close();
  await database?.remove();
  rmSync(dir, { recursive: true, force: true });
}

async function look(client: EtcdClient, { adminUrl, token }: Venue): Promise<Lap> {
  const response = await fetch(`${adminUrl}/admin/status`, { headers: { authorization: `Bearer ${token}` } });
  const { data } = (await response.json()) as { data: { seq: number } };
  const each = await Promise.all(
    NAMES.map(async (_, index) => {
      const status = await client.call<Record<"dbSize" | "dbSizeInUse", string>>("Maintenance", "Status", {}, index);
      const ahead = join(etcd.folderOf(index), "member", "wal");
      const sizes = readdirSync(ahead).map((name) => statSync(join(ahead, name)).blocks * 512);
      const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${etcd.pidOf(index)}/status`, "utf8"))?.[1];
      return {
        inUse: Number(status.dbSizeInUse),
        file: Number(status.dbSize),
        ahead: sizes.reduce((sum, size) => sum + size, 0),
        memory: Number(resident) * 1024,
      };
    }),
  );
  const most = (of: (server: (typeof each)[0]) => number) => Math.max(...each.map(of));
  return {
    seq: data.seq,
    inUse: most(({ inUse }) => inUse),
    file: most(({ file }) => file),
    ahead: most(({ ahead }) => ahead),
    memory: most(({ memory }) => memory),
  };
}

function figuresOf(laps: readonly Lap[], seconds: number): Figure[] {
  const half = laps.slice(laps.length >> 1);
  const most = (of: (lap: Lap) => number, among = laps) => Math.max(...among.map(of)) / MIB;
  return [
    { name: "commands", value: (laps.at(-1)?.seq ?? 0) / seconds, unit: "commands/s" },
    { name: "in_use", value: most(({ inUse }) => inUse), unit: "MiB" },
    { name: "file", value: most(({ file }) => file), unit: "MiB" },
    // At the end as in the middle: it grows no more.
    {
      name: "file_growth",
      value: (laps.at(-1)?.file ?? 0) / (half[0]?.file ?? 1),
      unit: "×",
      gate: 1.25,
      atMost: true,
    },
    { name: "ahead", value: most(({ ahead }) => ahead), unit: "MiB" },
    { name: "memory", value: most(({ memory }) => memory), unit: "MiB" },
  ];
}
