import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { KeptProcess } from "../../scripts/cluster/kept-process.ts";
import { type EtcdProcess, LocalCluster, type LocalNode } from "../../scripts/cluster/local-cluster.ts";
import { decodeCommand } from "../../src/engine/command.ts";
import { recordWords, WordBuffer } from "../../src/engine/words.ts";
import { lastSeqOf } from "../../src/log/chain.ts";
import { LogReader } from "../../src/log/reader.ts";
import { type AccountHistory, accountModel, isTurnedAway, playAccount, record } from "../linearizability/account.ts";
import { contradictionIn } from "../linearizability/check.ts";
import type { ApiClient, ApiKeyPair } from "../support/api-client.ts";
import { ImpatientClient } from "../support/impatient-client.ts";
import { SmallDisk, withoutSmallDisk } from "../support/small-disk.ts";
import { xorshift } from "../support/xorshift.ts";
import { Machines, withoutMachines } from "./machines.ts";

export interface ClusterCrashOptions {
  readonly dir: string;
  readonly rounds: number;
  /** No round begins after so long; there is no end to it unless given. */
  readonly minutes?: number | undefined;
  /** Each begins with another fault. */
  readonly seed: number;
  /** Whether history is in PostgreSQL and quotas are in Redis, which then die as well. */
  readonly whole: boolean;
  /** Names of faults that come in turn; all of them unless given. */
  readonly faults?: readonly string[] | undefined;
  readonly onRound?: (round: number, told: RoundReport) => void;
}

export interface RoundReport {
  readonly fault: string;
  /** The longest time in which no node answered a write, ms; `isOutage`: while it lasted, none could. */
  readonly gapMs: number;
  readonly isOutage: boolean;
  readonly acknowledged: number;
}

export interface ClusterCrashReport {
  readonly acknowledged: number;
  /** Requests whose answer nobody got: their commands may be there, once, or not. */
  readonly unanswered: number;
  readonly leaderKills: number;
  readonly checkedOperations: number;
  readonly rounds: readonly RoundReport[];
}

const NODES = 3;
const BATCH = 20;
/** Loops of batches at each node, and users whose histories are checked. */
const BULK_LOOPS = 2;
const PLAYERS = 3;
const START_BTC = 10;
const UNIT = 100_000_000;
/** Load before a fault and while it lasts, ms. */
const CALM_MS = 700;
const AFTER_MS = 1_500;
const SETTLE_MS = 240_000;
const PROBE_MS = 20;
/** A leader that sleeps is followed after about this time. */
const FOLLOWED_MS = 700;
const AWAKE_MS = 50;
/** A clock that is set is looked at within this time. */
const CLOCK_MS = 1_500;
/** Disks of etcd servers that are to become full: their logs are written ahead in files of 64 MB. */
const DISK_MIB = 512;
const LOST_SHARE = 0.2;

async function adminOf<Data>(node: LocalNode, path: string, body?: object): Promise<Data> {
  const token = readFileSync(join(node.data, "admin-token"), "utf8").trim();
  const response = await fetch(node.adminUrl + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const { code, message, data } = (await response.json()) as { code: number; message: string; data: Data };
  assert.equal(code, 0, `${path}: ${message}`);
  return data;
}

/** What a fault does to a cluster, and what heals it. */
interface Fault {
  readonly name: string;
  /** Whether the process that leads dies of it. */
  readonly killsLeader?: true;
  /** Whether it needs machines of their own, servers beside the nodes, or small disks for etcd. */
  readonly needs?: "machines" | "servers" | "disks";
  /**
   * Whether nothing can be taken while it lasts: each node says that it is not ready, and refuses with 3008; or none
   * runs that could.
   */
  readonly outage?: "refused" | "nobody";
  strike(stage: Stage): Promise<() => Promise<void>>;
}

const die = (...processes: readonly (KeptProcess | undefined)[]) => {
  const hit = processes.filter((each) => each !== undefined);
  return Promise.all(hit.map((each) => each.kill())).then(() => async () => {
    await Promise.all(hit.map((each) => each.start()));
  });
};

const sleep = (process: KeptProcess | undefined) => {
  process?.signal("SIGSTOP");
  return Promise.resolve(async () => {
    process?.signal("SIGCONT");
    await process?.start();
  });
};

const cutOff = ({ machines, cluster }: Stage, ...nodes: readonly LocalNode[]) => {
  const hit = nodes.map((node) => cluster.nodes.indexOf(node));
  for (const at of hit) machines?.cut(at);
  return Promise.resolve(() => {
    for (const at of hit) machines?.mend(at);
    return Promise.resolve();
  });
};

const filtered = ({ machines, cluster }: Stage, nodes: readonly LocalNode[], filter: (at: number) => void) => {
  const hit = nodes.map((node) => cluster.nodes.indexOf(node));
  for (const at of hit) filter(at);
  return Promise.resolve(() => {
    for (const at of hit) machines?.pass(at);
    return Promise.resolve();
  });
};

/** A process with all that it has started, which a signal to it alone would leave awake. */
const sleepWhole = (process: KeptProcess | undefined) => {
  const pids = process?.pid === undefined ? [] : treeOf(process.pid);
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) global.process.kill(pid, name);
  };
  signal("SIGSTOP");
  return Promise.resolve(() => Promise.resolve(signal("SIGCONT")));
};

function treeOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  return [pid, ...children.flatMap(treeOf)];
}

/** A server whose disk is full ends, and is started again when there is room. */
const fillDisks = ({ disks }: Stage, ...servers: readonly EtcdProcess[]) => {
  const hit = servers.map((server) => [server, disks.get(server.folder)] as const);
  for (const [, disk] of hit) disk?.fill(0);
  return Promise.resolve(async () => {
    for (const [, disk] of hit) disk?.empty();
    await Promise.all(hit.map(([server]) => server.start()));
  });
};

const setClock = ({ machines, cluster }: Stage, node: LocalNode, ahead: number) => {
  const at = cluster.nodes.indexOf(node);
  machines?.setClock(at, ahead);
  return Promise.resolve(() => Promise.resolve(machines?.setClock(at, 0)));
};

/** The node whose log goes furthest. */
function longest(nodes: readonly LocalNode[]): LocalNode {
  const endOf = ({ data }: LocalNode) => {
    const reader = new LogReader(data);
    try {
      return reader.end().lastSeq;
    } finally {
      reader.close();
    }
  };
  return nodes.toSorted((one, other) => endOf(other) - endOf(one))[0] as LocalNode;
}

const FAULTS: readonly Fault[] = [
  { ...{ name: "the leader dies", killsLeader: true }, strike: (stage) => die(stage.leader.process) },
  { name: "the leader sleeps", strike: (stage) => sleep(stage.leader.process) },
  { name: "a follower dies", strike: (stage) => die(stage.follower.process) },
  { name: "a follower sleeps", strike: (stage) => sleep(stage.follower.process) },
  { name: "the leader's etcd server dies", strike: (stage) => die(stage.etcdOf(stage.leader)) },
  { name: "an etcd server dies", strike: (stage) => die(stage.anyEtcd) },
  { name: "an etcd server sleeps", strike: (stage) => sleep(stage.anyEtcd) },
  {
    name: "an etcd server loses its data",
    async strike({ cluster, anyEtcd: server }) {
      await server.kill();
      cluster.removeEtcdData(server);
      return async () => {
        server.joinAnew();
        await server.start();
      };
    },
  },
  { ...{ name: "all etcd servers die", outage: "refused" }, strike: ({ cluster }) => die(...cluster.etcd) },
  {
    ...{ name: "two etcd servers sleep", outage: "refused" },
    async strike({ cluster }) {
      const heals = await Promise.all(cluster.etcd.slice(0, 2).map(sleep));
      return async () => {
        for (const heal of heals) await heal();
      };
    },
  },
  { name: "an etcd server's disk is full", needs: "disks", strike: (stage) => fillDisks(stage, stage.anyEtcd) },
  {
    ...{ name: "two etcd servers' disks are full", needs: "disks", outage: "refused" },
    strike: (stage) => fillDisks(stage, ...stage.cluster.etcd.slice(0, 2)),
  },
  {
    ...{ name: "the leader sleeps, wakes up when it is followed, and dies", killsLeader: true },
    async strike({ leader: { process: node }, random }) {
      node.signal("SIGSTOP");
      await pause(FOLLOWED_MS + random() * FOLLOWED_MS);
      node.signal("SIGCONT");
      await pause(random() * AWAKE_MS);
      return await die(node);
    },
  },
  {
    // The second fault comes while the first is being healed.
    ...{
      name: "a node is away, the last one loses its disk, and the third dies while that one reads",
      killsLeader: true,
      outage: "nobody",
    },
    async strike({ cluster, random }) {
      const [third, away, last] = cluster.nodes as [LocalNode, LocalNode, LocalNode];
      await away.process.kill();
      await pause(CALM_MS);
      await last.process.kill();
      rmSync(last.data, { recursive: true });
      const reading = last.process.start();
      await pause(random() * AFTER_MS);
      await third.process.kill();
      return async () => {
        await Promise.all([away.process.start(), reading]);
        await third.process.start();
      };
    },
  },
  {
    ...{ name: "the leader's machine dies", killsLeader: true },
    strike: (stage) => die(stage.leader.process, stage.etcdOf(stage.leader)),
  },
  { name: "a follower's machine dies", strike: (stage) => die(stage.follower.process, stage.etcdOf(stage.follower)) },
  {
    ...{ name: "all nodes die", killsLeader: true, outage: "nobody" },
    strike: (stage) => die(...stage.cluster.nodes.map((node) => node.process)),
  },
  {
    // Always the same one: the others have the log from its beginning, and at the end are asked for all that was
    // acknowledged.
    name: "the last node loses its disk",
    async strike({ cluster }) {
      const { process: node, data } = cluster.nodes.at(-1) as LocalNode;
      await node.kill();
      rmSync(data, { recursive: true });
      return () => node.start();
    },
  },
  { name: "the leader is cut off", needs: "machines", strike: (stage) => cutOff(stage, stage.leader) },
  { name: "a follower is cut off", needs: "machines", strike: (stage) => cutOff(stage, stage.follower) },
  {
    ...{ name: "the leader hears nobody", needs: "machines" },
    strike: (stage) => filtered(stage, [stage.leader], (at) => stage.machines?.cutOneWay(at, "deaf")),
  },
  {
    ...{ name: "nobody hears the leader", needs: "machines" },
    strike: (stage) => filtered(stage, [stage.leader], (at) => stage.machines?.cutOneWay(at, "mute")),
  },
  {
    ...{ name: "a follower hears nobody", needs: "machines" },
    strike: (stage) => filtered(stage, [stage.follower], (at) => stage.machines?.cutOneWay(at, "deaf")),
  },
  {
    ...{ name: "a fifth of what machines send each other is lost", needs: "machines" },
    strike: (stage) => filtered(stage, stage.cluster.nodes, (at) => stage.machines?.lose(at, LOST_SHARE)),
  },
  { name: "each is cut off", needs: "machines", strike: (stage) => cutOff(stage, ...stage.cluster.nodes) },
  {
    ...{ name: "the leader's clock jumps ahead", needs: "machines" },
    strike: (stage) => setClock(stage, stage.leader, 3_600),
  },
  {
    ...{ name: "the leader's clock falls back", needs: "machines" },
    strike: (stage) => setClock(stage, stage.leader, -3_600),
  },
  {
    ...{ name: "a follower's clock jumps ahead, and the leader dies", killsLeader: true, needs: "machines" },
    async strike(stage) {
      const healClock = await setClock(stage, stage.follower, 3_600);
      await pause(CLOCK_MS);
      const healLeader = await die(stage.leader.process);
      return async () => {
        await healLeader();
        await healClock();
      };
    },
  },
  { name: "PostgreSQL dies", needs: "servers", strike: (stage) => die(stage.cluster.database) },
  { name: "PostgreSQL sleeps", needs: "servers", strike: (stage) => sleepWhole(stage.cluster.database) },
  { name: "Redis sleeps", needs: "servers", strike: (stage) => sleep(stage.cluster.quotaServer) },
  { name: "Redis dies", needs: "servers", strike: (stage) => die(stage.cluster.quotaServer) },
  {
    // What etcd has lost stands in the nodes' logs as soon as their disks have taken it, which a node that is killed at
    // the same time cannot wait for.
    name: "etcd loses all its data",
    killsLeader: true,
    outage: "nobody",
    async strike({ cluster }) {
      await Promise.all(cluster.etcd.map((server) => server.kill()));
      cluster.removeEtcdData(...cluster.etcd);
      await cluster.stop();
      return () => cluster.startFrom(longest(cluster.nodes));
    },
  },
];

export const CLUSTER_FAULTS = FAULTS.map(({ name }) => name);

class Stage {
  readonly cluster: LocalCluster;
  readonly machines: Machines | undefined;
  /** By the folder that lies on it. */
  readonly disks: ReadonlyMap<string, SmallDisk>;
  readonly random: () => number;
  leader: LocalNode;

  constructor({ cluster, machines, disks, random }: Pick<Stage, "cluster" | "machines" | "disks" | "random">) {
    this.cluster = cluster;
    this.machines = machines;
    this.disks = disks;
    this.random = random;
    this.leader = cluster.nodes[0] as LocalNode;
  }

  get follower(): LocalNode {
    return this.#drawn(this.cluster.nodes.filter((node) => node !== this.leader));
  }

  get anyEtcd(): EtcdProcess {
    return this.#drawn(this.cluster.etcd);
  }

  etcdOf(node: LocalNode): EtcdProcess {
    return this.cluster.etcd[this.cluster.nodes.indexOf(node)] as EtcdProcess;
  }

  /** Waits until all nodes have come to the same state, and finds out who leads. */
  async settled(): Promise<void> {
    const sinceMs = performance.now();
    for (let told = ""; ; ) {
      try {
        const [first] = this.cluster.nodes as [LocalNode];
        const { nodes } = await adminOf<{
          nodes: { node: string; leader: boolean; seq: number; state_hash: string }[];
        }>(first, "/admin/cluster");
        told = JSON.stringify(nodes);
        const leads = nodes.filter(({ leader }) => leader);
        const isOne = new Set(nodes.map(({ seq, state_hash }) => `${seq} ${state_hash}`)).size === 1;
        if (isOne && leads.length === 1 && nodes.length === NODES) {
          this.leader = this.cluster.nodes.find(({ name }) => name === leads[0]?.node) as LocalNode;
          return;
        }
      } catch (error) {
        told = String(error);
      }
      assert.ok(performance.now() - sinceMs < SETTLE_MS, `The nodes do not come together: ${told}`);
      await pause(50);
    }
  }

  #drawn<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.random() * values.length)] as Value;
  }
}

/** What clients were told. */
class Told {
  /** Batches by name, with a bit for each order that was acknowledged. */
  readonly batches = new Map<string, number>();
  acknowledged = 0;
  unanswered = 0;
}

/**
 * Loads all nodes of a cluster, lets a fault strike, heals it, and compares: nothing acknowledged is lost, nothing is
 * there twice, all nodes have the same log and the same state, and what each client saw can have come of one order of
 * operations. Throws at the first difference.
 */
export async function clusterRounds(options: ClusterCrashOptions): Promise<ClusterCrashReport> {
  const { dir, rounds, seed, whole, onRound } = options;
  const random = xorshift(seed);
  // What is beside the nodes is reached from loopback alone.
  const have = {
    machines: !whole && withoutMachines() === false,
    servers: whole,
    disks: withoutSmallDisk() === false,
  };
  const faults = FAULTS.filter(
    ({ name, needs }) => (options.faults?.includes(name) ?? true) && (needs === undefined || have[needs]),
  );
  assert.ok(faults.length > 0, `None of these faults can be had here. ${withoutMachines() || ""}`);
  mkdirSync(dir, { recursive: true });
  const machines = faults.some(({ needs }) => needs === "machines") ? new Machines(NODES, dir) : undefined;
  const cluster = await LocalCluster.prepare({
    ...{ dir, nodes: NODES, basePort: 0, history: whole, quotas: whole, places: machines?.places },
    settings: [
      ...["--makers", "off", "--snapshot-every", "20000", "--limits", whole ? "on" : "off"],
      ...(whole ? UNLIMITED : []),
    ],
  });
  const disks = new Map<string, SmallDisk>();
  const unmounts: (() => void)[] = [];
  const unmountAll = () => {
    for (const unmount of unmounts.splice(0)) unmount();
  };
  // Rounds that are broken off must not leave disks behind.
  process.once("exit", unmountAll);
  if (faults.some(({ needs }) => needs === "disks")) {
    for (const { folder } of cluster.etcd) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      disks.set(
        folder,
        SmallDisk.mount({ after: (unmount) => void unmounts.push(unmount as () => void) }, DISK_MIB, folder),
      );
    }
  }
  const told = new Told();
  const reports: RoundReport[] = [];
  let leaderKills = 0;
  let checkedOperations = 0;
  try {
    await cluster.start();
    const stage = new Stage({ cluster, machines, disks, random });
    await stage.settled();
    const traders = await usersOf(stage.leader, "trader", NODES * BULK_LOOPS, { BTC: "100000", USDT: "50000000" });
    const players = await usersOf(stage.leader, "player", PLAYERS, { BTC: String(START_BTC) });
    await stage.settled();
    const endsAt = performance.now() + (options.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
    for (let round = 0; round < rounds && performance.now() < endsAt; round++) {
      const fault = faults[(seed + round) % faults.length] as Fault;
      if (fault.killsLeader) leaderKills++;
      // A list of open orders has an end: what earlier rounds have left would fill it.
      for (const key of players) {
        await clientAt(stage.leader, key).act("/v2/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" });
      }
      const before = await Promise.all(players.map((key) => statusOf(clientAt(stage.leader, key))));
      const histories: AccountHistory[] = players.map(() => []);
      const successes: number[] = [];
      let isOver = false;
      const over = () => isOver;
      const load = Promise.all([
        ...traders.map((key, nth) => bulk(cluster, key, `r${round}t${nth}`, nth, told, over)),
        ...players.flatMap((key, nth) =>
          cluster.nodes.map((_, at) =>
            play(cluster, key, `r${round}p${nth}n${at}`, at, histories[nth] as AccountHistory, random, told, over),
          ),
        ),
        ...cluster.nodes.map((node) => probe(clientAt(node, traders[0] as ApiKeyPair), successes, over)),
      ]);
      await pause(CALM_MS);
      const struckAt = performance.now();
      const heal = await fault.strike(stage);
      await pause(AFTER_MS + random() * AFTER_MS);
      if (fault.outage === "refused") await allRefuse(cluster, traders[0] as ApiKeyPair);
      await heal();
      await until("an answer after the fault", () => (successes.at(-1) ?? 0) > performance.now() - 300);
      await pause(CALM_MS);
      isOver = true;
      await load;
      await stage.settled();
      for (const [nth, key] of players.entries()) {
        const history = histories[nth] as AccountHistory;
        for (const node of cluster.nodes) {
          for (const kind of ["balance", "orders"] as const)
            assert.ok(await record(clientAt(node, key), { kind }, history));
        }
        const { available, held } = before[nth] as Standing;
        const contradiction = contradictionIn(history, accountModel(available, held));
        assert.equal(contradiction, undefined, `player ${nth} cannot have seen that after "${fault.name}"`);
        checkedOperations += history.length;
      }
      for (const node of cluster.nodes) {
        const audit = await adminOf<{ ok: boolean; breaches: string[] }>(node, "/admin/audit");
        assert.ok(audit.ok, audit.breaches.join(" "));
      }
      const isOutage = fault.outage !== undefined;
      const gapMs = gapOf(successes, struckAt);
      const report = { fault: fault.name, gapMs, isOutage, acknowledged: told.acknowledged };
      reports.push(report);
      onRound?.(round + 1, report);
    }
    await cluster.stop();
    checkLogs(cluster, told);
  } finally {
    await cluster.kill();
    machines?.remove();
    unmountAll();
    process.off("exit", unmountAll);
  }
  const { acknowledged, unanswered } = told;
  return { acknowledged, unanswered, leaderKills, checkedOperations, rounds: reports };
}

const RATE = 1_000_000;
const GROUPS = [
  "Place and edit orders",
  "Cancel orders",
  "Batch cancel",
  "Query orders",
  "Query accounts",
  "Modify accounts",
];

/** Limits that are at work, and that nobody reaches. */
const UNLIMITED = [
  ...["--ip-rate", String(RATE), "--long-effective-min", "0", "--long-limits", "none", "--group-rates"],
  JSON.stringify(Object.fromEntries(GROUPS.map((group) => [`spot:${group}`, RATE]))),
];

const clientAt = (node: LocalNode, key: ApiKeyPair) => new ImpatientClient(node.url, Date.now, key);

async function usersOf(
  node: LocalNode,
  name: string,
  count: number,
  funds: Readonly<Record<string, string>>,
): Promise<ApiKeyPair[]> {
  const keys: ApiKeyPair[] = [];
  for (let nth = 0; nth < count; nth++) {
    const { user_id } = await adminOf<{ user_id: number }>(node, "/admin/users", { name: `${name}-${nth}` });
    const key = await adminOf<{ access_id: string; secret_key: string }>(node, "/admin/api-keys", { user_id });
    for (const [ccy, amount] of Object.entries(funds)) {
      await adminOf(node, "/admin/deposits", { user_id, ccy, amount, note: "for a test" });
    }
    keys.push({ accessId: key.access_id, secret: key.secret_key });
  }
  return keys;
}

interface Standing {
  readonly available: number;
  readonly held: ReadonlyMap<string, number>;
}

/** Where the model of an account starts. */
async function statusOf(client: ApiClient): Promise<Standing> {
  const balances = (await client.read("/v2/assets/spot/balance")) as { ccy: string; available: string }[];
  const orders = (await client.read("/v2/spot/pending-order", { market_type: "SPOT", limit: 100 })) as {
    client_id: string;
    unfilled_amount: string;
  }[];
  const units = (text: string) => Math.round(Number(text) * UNIT);
  return {
    available: units(balances.find(({ ccy }) => ccy === "BTC")?.available ?? "0"),
    held: new Map(orders.map(({ client_id, unfilled_amount }) => [client_id, units(unfilled_amount)])),
  };
}

/** Batches of orders that trade with each other, at one node, and at the next when that one fails. */
async function bulk(
  cluster: LocalCluster,
  key: ApiKeyPair,
  name: string,
  from: number,
  told: Told,
  isOver: () => boolean,
): Promise<void> {
  for (let nth = 0, at = from; !isOver(); nth++) {
    const client = clientAt(cluster.nodes[at % NODES] as LocalNode, key);
    const batch = `${name}b${nth}`;
    const orders = Array.from({ length: BATCH }, (_, one) => ({
      ...{ market: "BTCUSDT", market_type: "SPOT", side: one % 2 === 0 ? "buy" : "sell", type: "limit" },
      ...{ amount: "0.001", price: String(60_000 + ((nth + (one >> 1)) % 50)), client_id: `${batch}-${one}` },
    }));
    try {
      const { code, data } = await client.post("/v2/spot/batch-order", { orders });
      if (code !== 0) {
        await pause(20);
        continue;
      }
      let bits = 0;
      for (const [one, order] of (data as { code: number }[]).entries()) if (order.code === 0) bits |= 1 << one;
      told.batches.set(batch, bits);
      for (let rest = bits; rest !== 0; rest &= rest - 1) told.acknowledged++;
    } catch {
      told.unanswered++;
      at++;
      await pause(20);
    }
  }
}

/** One client of a player, who goes to another node when his own does not answer. */
async function play(
  cluster: LocalCluster,
  key: ApiKeyPair,
  name: string,
  from: number,
  history: AccountHistory,
  random: () => number,
  told: Told,
  isOver: () => boolean,
): Promise<void> {
  for (let at = from, life = 0; !isOver(); at++, life++) {
    const before = history.length;
    await playAccount(
      clientAt(cluster.nodes[at % NODES] as LocalNode, key),
      `${name}l${life}`,
      history,
      random,
      isOver,
    );
    told.acknowledged += history.length - before;
    if (!isOver()) told.unanswered++;
    await pause(20);
  }
}

/** It meets nothing, and leaves nothing behind. */
const HOPELESS_ORDER = {
  ...{ market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "ioc", amount: "0.0001", price: "100" },
};

/** Writes in short intervals, and notes when that was answered. */
async function probe(client: ApiClient, successes: number[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      const answer = await client.post("/v2/spot/order", HOPELESS_ORDER);
      if (!isTurnedAway(answer)) successes.push(performance.now());
    } catch {
      // The others go on.
    }
    await pause(PROBE_MS);
  }
}

/** Each node says that it is not ready, and turns away what it is asked to do, instead of letting it wait. */
async function allRefuse(cluster: LocalCluster, key: ApiKeyPair): Promise<void> {
  for (const node of cluster.nodes) {
    let told = "";
    const isRefusing = async () => {
      try {
        const ready = await fetch(`${node.url}/readyz`);
        const { code, message } = await clientAt(node, key).post("/v2/spot/order", HOPELESS_ORDER);
        told = `readyz ${ready.status}, ${code} ${message}`;
        return ready.status === 503 && code === 3008;
      } catch (error) {
        told = String(error);
        return false;
      }
    };
    const sinceMs = performance.now();
    while (!(await isRefusing())) {
      assert.ok(performance.now() - sinceMs < SETTLE_MS, `node ${node.name} does not refuse: ${told}`);
      await pause(50);
    }
  }
}

function gapOf(successes: readonly number[], fromMs: number): number {
  const times = successes.toSorted((one, other) => one - other);
  const since = times.findLastIndex((at) => at <= fromMs);
  let gap = 0;
  for (let at = Math.max(1, since + 1); at < times.length; at++) {
    gap = Math.max(gap, (times[at] as number) - (times[at - 1] as number));
  }
  return gap;
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  const sinceMs = performance.now();
  while (!isSo()) {
    assert.ok(performance.now() - sinceMs < SETTLE_MS, `${what} did not come`);
    await pause(20);
  }
}

/**
 * All nodes have the same log, with every acknowledged order in it, and none twice. Of the one log that may begin
 * behind another node's snapshot the hashes say that what it holds is the same.
 */
function checkLogs(cluster: LocalCluster, told: Told): void {
  const ends: Map<number, string>[] = [];
  for (const node of cluster.nodes) {
    const { name, data } = node;
    const reader = new LogReader(data);
    const seen = new Set<string>();
    const hashes = new Map<number, string>();
    try {
      for (const group of reader.groups()) {
        hashes.set(lastSeqOf(group), Buffer.from(group.hash).toString("hex"));
        const records = WordBuffer.over(group.payload);
        for (let at = 0; at < records.length; at += recordWords(records, at)) {
          const command = decodeCommand(records, at);
          if (command.kind !== "place_order" || command.clientId === "") continue;
          assert.ok(!seen.has(command.clientId), `The order ${command.clientId} is in the log of node ${name} twice.`);
          seen.add(command.clientId);
        }
      }
      ends.push(hashes);
      if (reader.start.lastSeq > 0 && node === cluster.nodes.at(-1)) continue;
    } finally {
      reader.close();
    }
    for (const [batch, bits] of told.batches) {
      for (let one = 0; one < BATCH; one++) {
        const isThere = (bits & (1 << one)) === 0 || seen.has(`${batch}-${one}`);
        assert.ok(isThere, `The acknowledged order ${batch}-${one} is not in the log of node ${name}.`);
      }
    }
  }
  // A node that stopped first has not what the others did while they stopped.
  const common = Math.min(...ends.map((hashes) => Math.max(0, ...[...hashes.keys()].slice(-1))));
  assert.equal(new Set(ends.map((hashes) => hashes.get(common))).size, 1, `The logs differ at seq ${common}.`);
}
