/**
 * A whole cluster on one machine: etcd servers, PostgreSQL, Redis or Valkey, and the nodes, each a process of its own
 * on loopback.
 */

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { type EtcdMember, etcdArguments } from "./etcd.ts";
import { KeptProcess } from "./kept-process.ts";
import { type ProgramName, pathOf, programHere, unprivileged } from "./programs.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const NAMES = ["1", "2", "3", "4", "5"] as const;
/** Ports of one node and its etcd server. */
const PORTS_EACH = 5;

/** Where a node and its etcd server are. */
export interface Place {
  /** Addresses at which they hear each other, and at which clients and operators reach the node. */
  readonly inner: string;
  readonly outer: string;
  /** What stands before a command there: nothing, or what leads to another network. */
  readonly within: readonly string[];
  /** The node's environment; this process's own unless given. */
  readonly env?: NodeJS.ProcessEnv;
}

const LOOPBACK: Place = { inner: "127.0.0.1", outer: "127.0.0.1", within: [] };

export interface LocalClusterOptions {
  /** Where everything is kept; made where there is nothing. */
  readonly dir: string;
  /** How many nodes, and as many etcd servers. */
  readonly nodes: number;
  /** The first of the ports; 0 takes free ones. */
  readonly basePort: number;
  /** Whether history goes into a PostgreSQL of this cluster, and whether quotas are shared over a Redis of it. */
  readonly history: boolean;
  readonly quotas: boolean;
  /** All on loopback unless given, one for each node. PostgreSQL and Redis are reached from loopback alone. */
  readonly places?: readonly Place[] | undefined;
  /** Further settings of every node. */
  readonly settings: readonly string[];
  /** Something has ended that nobody ended here. */
  readonly onEnd?: ((ended: KeptProcess, how: string) => void) | undefined;
}

export interface LocalNode {
  readonly name: string;
  readonly process: KeptProcess;
  readonly url: string;
  readonly adminUrl: string;
  readonly data: string;
  /** Calls another verb of the program with the settings that say where its log is. */
  command(verb: readonly string[]): {
    readonly status: number | null;
    readonly stdout: string;
    readonly stderr: string;
  };
}

/** Why none can be made here, as sentences; empty where one can. */
export function missingHere({ history, quotas }: Pick<LocalClusterOptions, "history" | "quotas">): string[] {
  const needed: ProgramName[] = [
    "etcd",
    ...(history ? ["postgresql" as const] : []),
    ...(quotas ? ["redis" as const] : []),
  ];
  return needed.flatMap((name) => {
    const program = programHere(name);
    return "missing" in program ? [program.missing] : [];
  });
}

/** An etcd server, its folder, and what makes a new member of it when that is lost. */
export interface EtcdProcess extends KeptProcess {
  readonly folder: string;
  /**
   * Lets the others, more than half of which must run, take it for a new one: the way back of a server whose data are
   * gone.
   */
  joinAnew(): void;
}

export class LocalCluster {
  readonly nodes: readonly LocalNode[];
  readonly etcd: readonly EtcdProcess[];
  readonly database: KeptProcess | undefined;
  readonly quotaServer: KeptProcess | undefined;

  private constructor(parts: Pick<LocalCluster, "nodes" | "etcd" | "database" | "quotaServer">) {
    this.nodes = parts.nodes;
    this.etcd = parts.etcd;
    this.database = parts.database;
    this.quotaServer = parts.quotaServer;
  }

  /** Puts one together; nothing runs yet. Throws the sentences of what is missing. */
  static async prepare(options: LocalClusterOptions): Promise<LocalCluster> {
    const missing = missingHere(options);
    if (missing.length > 0) throw new Error(missing.join(" "));
    const { dir, nodes: count, basePort } = options;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const ports = basePort === 0 ? await freePorts(count * PORTS_EACH + 2) : range(basePort, count * PORTS_EACH + 2);
    const names = NAMES.slice(0, count);
    const portsOf = (at: number) =>
      ports.slice(at * PORTS_EACH, (at + 1) * PORTS_EACH) as [number, number, number, number, number];
    const [databasePort, quotaPort] = ports.slice(-2) as [number, number];
    const secret = secretOf(dir);
    const onEnd = (ended: () => KeptProcess) => (how: string) => options.onEnd?.(ended(), how);

    const placeOf = (at: number) => options.places?.[at] ?? LOOPBACK;
    const members = names.map((name, at) => {
      const [, , clientPort, peerPort] = portsOf(at);
      return { name, host: placeOf(at).inner, clientPort, peerPort };
    });
    const etcd = names.map((name, at) => {
      const { within } = placeOf(at);
      const folder = join(dir, `etcd-${name}`);
      let state: "new" | "existing" = "new";
      const kept: KeptProcess = new KeptProcess({
        name: `etcd ${name}`,
        ...commandOf(within, pathOf("etcd"), () => etcdArguments(members, at, folder, state)),
        output: join(dir, `etcd-${name}.log`),
        isReady: () => (within.length > 0 ? Promise.resolve(true) : isOpen(portsOf(at)[2])),
        onEnd: onEnd(() => kept),
      });
      const joinAnew = () => {
        replaceMember(within, members, at);
        state = "existing";
      };
      return Object.assign(kept, { folder, joinAnew });
    });

    const database = options.history
      ? databaseOf(dir, databasePort, secret, (kept, how) => options.onEnd?.(kept, how))
      : undefined;
    const quotaServer = options.quotas
      ? quotaServerOf(dir, quotaPort, secret, (kept, how) => options.onEnd?.(kept, how))
      : undefined;

    const keyFile = join(dir, "secret.key");
    if (!existsSync(keyFile)) writeFileSync(keyFile, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
    const nodes = names.map((name, at): LocalNode => {
      const [port, adminPort, , , nodePort] = portsOf(at);
      // Its own server first: the others are for when that one is gone.
      const servers = names.map((_, step) => {
        const there = (at + step) % count;
        return `http://${placeOf(there).inner}:${portsOf(there)[2]}`;
      });
      const { inner, outer, within, env } = placeOf(at);
      const data = join(dir, `node-${name}`);
      const ofLog = [
        ...["--log", servers.join(","), "--node", name, "--node-address", `${inner}:${nodePort}`],
        ...["--secret-key", keyFile],
      ];
      const kept: KeptProcess = new KeptProcess({
        name: `node ${name}`,
        ...commandOf(within, process.execPath, () => [
          ...process.execArgv.filter((flag) => !flag.startsWith("--test")),
          ...[MAIN, "start", "--data", data, "--port", `${port}`, "--admin-port", `${adminPort}`],
          ...["--host", outer, "--admin-host", outer],
          ...ofLog,
          ...(database === undefined
            ? []
            : ["--history", `postgres://bourse:${secret}@127.0.0.1:${databasePort}/bourse`]),
          ...(quotaServer === undefined ? [] : ["--quotas", `redis://:${secret}@127.0.0.1:${quotaPort}/0`]),
          ...options.settings,
        ]),
        env,
        output: join(dir, `node-${name}.log`),
        isReady: () => isServing(outer, port),
        onEnd: onEnd(() => kept),
      });
      const command = (verb: readonly string[]) => {
        const whole = [...within, process.execPath, MAIN, ...verb, "--data", data, ...ofLog];
        return spawnSync(whole[0] as string, whole.slice(1), { encoding: "utf8" });
      };
      return {
        name,
        process: kept,
        url: `http://${outer}:${port}`,
        adminUrl: `http://${outer}:${adminPort}`,
        data,
        command,
      };
    });
    return new LocalCluster({ nodes, etcd, database, quotaServer });
  }

  /** The servers first, then all nodes at once: a node waits for more than half of them. */
  async start(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.start()));
    await Promise.all(this.nodes.map((node) => node.process.start()));
  }

  get servers(): readonly KeptProcess[] {
    return [...this.etcd, this.database, this.quotaServer].filter((each) => each !== undefined);
  }

  /** All that etcd servers have written, gone, as with their disks. They must not run. */
  removeEtcdData(...servers: readonly EtcdProcess[]): void {
    for (const { folder } of servers) removeContent(folder);
  }

  /** As start, where the etcd servers have lost their data: from the log of one of the nodes. */
  async startFrom(node: LocalNode): Promise<void> {
    await Promise.all(this.servers.map((server) => server.start()));
    this.#adopt(node);
    await this.start();
  }

  #adopt(node: LocalNode): void {
    const { status, stderr } = node.command(["cluster", "adopt"]);
    if (status !== 0) throw new Error(`The log of node ${node.name} could not be adopted: ${stderr}`);
  }

  /** The nodes first, so that what they are about to finish is finished. */
  async stop(): Promise<void> {
    await Promise.all(this.nodes.map(({ process: node }) => node.stop()));
    // SIGTERM lets PostgreSQL wait until all have left it.
    await Promise.all(this.servers.map((server) => server.stop(server === this.database ? "SIGINT" : "SIGTERM")));
  }

  async kill(): Promise<void> {
    await Promise.all([...this.nodes.map((node) => node.process), ...this.servers].map((each) => each.kill()));
  }
}

/** What stands before a program there begins the command. */
function commandOf(within: readonly string[], program: string, args: () => readonly string[]) {
  const [first = program, ...further] = [...within, program];
  return { program: first, args: () => [...further, ...args()] };
}

/** All that a folder holds; it may be a disk of its own. */
function removeContent(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
}

/** A server whose data are gone is a new one to the others: as docs/guides/cluster.md says an operator does it. */
function replaceMember(within: readonly string[], members: readonly EtcdMember[], at: number): void {
  const { name, host, peerPort } = members[at] as EtcdMember;
  const others = members.filter((_, index) => index !== at);
  const endpoints = others.map((other) => `http://${other.host}:${other.clientPort}`).join(",");
  const etcdctl = (...args: readonly string[]): string => {
    const [program, ...rest] = [...within, pathOf("etcdctl"), "--endpoints", endpoints, ...args] as [string];
    const env = { ...process.env, ETCDCTL_API: "3" };
    const { status, stdout, stderr } = spawnSync(program, rest, { encoding: "utf8", env });
    if (status !== 0) throw new Error(`etcdctl ${args.join(" ")}: ${stderr.trim()}`);
    return stdout;
  };
  const line = etcdctl("member", "list")
    .split("\n")
    .find((each) => each.split(", ")[2] === name);
  const [id] = line?.split(", ") ?? [];
  if (id !== undefined) etcdctl("member", "remove", id);
  etcdctl("member", "add", name, `--peer-urls=http://${host}:${peerPort}`);
}

type OnEnd = (kept: KeptProcess, how: string) => void;

function quotaServerOf(dir: string, port: number, secret: string, onEnd: OnEnd): KeptProcess {
  const kept: KeptProcess = new KeptProcess({
    name: "redis-server",
    program: pathOf("redis"),
    argv0: "redis-server",
    args: () => [
      "--port",
      `${port}`,
      "--bind",
      "127.0.0.1",
      "--save",
      "",
      "--appendonly",
      "no",
      "--dir",
      dir,
      "--requirepass",
      secret,
    ],
    output: join(dir, "redis.log"),
    isReady: () => isOpen(port),
    onEnd: (how) => onEnd(kept, how),
  });
  return kept;
}

function databaseOf(dir: string, port: number, secret: string, onEnd: OnEnd): KeptProcess {
  const bin = pathOf("postgresql");
  const folder = join(dir, "postgresql");
  const user = unprivileged();
  if (!existsSync(join(folder, "PG_VERSION"))) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const passwords = join(dir, "postgresql.password");
    writeFileSync(passwords, secret, { mode: 0o600 });
    if (user !== undefined) {
      for (const path of [folder, passwords]) chownSync(path, user.uid, user.gid);
      // The user as whom the server runs has to come through.
      chmodSync(dir, 0o711);
    }
    const flags = [
      "--encoding=UTF8",
      "--locale=C",
      "--auth=scram-sha-256",
      "--username=bourse",
      `--pwfile=${passwords}`,
    ];
    const { status, stderr } = spawnSync(join(bin, "initdb"), ["-D", folder, ...flags], {
      encoding: "utf8",
      cwd: "/",
      ...user,
    });
    rmSync(passwords);
    if (status !== 0) throw new Error(`PostgreSQL could not be set up in ${folder}: ${stderr.trim()}`);
  }
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=60",
    "shared_buffers=64MB",
  ];
  const output = join(dir, "postgresql.log");
  const kept: KeptProcess = new KeptProcess({
    name: "PostgreSQL",
    program: join(bin, "postgres"),
    args: () => ["-D", folder, "-p", `${port}`, ...settings.flatMap((setting) => ["-c", setting])],
    output,
    user,
    isReady: () => hasDatabase(port, secret),
    onEnd: (how) => onEnd(kept, how),
  });
  return kept;
}

/** Makes the database where there is none. */
async function hasDatabase(port: number, password: string): Promise<boolean> {
  const client = new pg.Client({ host: "127.0.0.1", port, user: "bourse", password, database: "postgres" });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query("select 1 from pg_database where datname = 'bourse'");
    if (rowCount === 0) await client.query("create database bourse");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The password of all servers of a cluster, which are on loopback, but perhaps not alone there. */
function secretOf(dir: string): string {
  const path = join(dir, "servers.password");
  if (!existsSync(path)) writeFileSync(path, randomBytes(16).toString("hex"), { mode: 0o600 });
  return readFileSync(path, "utf8").trim();
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** A node opens its port early, and serves when it agrees with the others. */
async function isServing(host: string, port: number): Promise<boolean> {
  try {
    const { status } = await fetch(`http://${host}:${port}/readyz`, { signal: AbortSignal.timeout(1_000) });
    return status === 200;
  } catch {
    return false;
  }
}

function range(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => from + at);
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer().listen(0, "127.0.0.1");
      return new Promise<typeof server>((resolve) => server.once("listening", () => resolve(server)));
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
