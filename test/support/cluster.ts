/** Nodes of one venue, each a process of its own, over etcd servers of a test's own. */

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { EtcdStore } from "../../src/cluster/etcd/etcd-store.ts";
import { Sealer } from "../../src/cluster/frame.ts";
import type { NodeRecord } from "../../src/cluster/store.ts";
import type { Envelope } from "./api-client.ts";
import { EtcdServers } from "./etcd-servers.ts";
import { mainProgram } from "./program.ts";
import { type BeginningVenue, VenueProcess } from "./venue-process.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const NAMES = ["a", "b", "c", "d", "e"];
/** Of 20 to 50 ms each: generous, because test machines are slow and shared. */
const TRIES = 3_000;

/**
 * Refused before anything came of it: nobody to put it to at the moment, or older than its window when a slow machine
 * came to it.
 */
const ASK_AGAIN: ReadonlySet<number> = new Set([3008, 4010]);

/** The data of an answer, which is asked for again while a node does not serve. */
export async function served(ask: () => Promise<Envelope>): Promise<Envelope["data"]> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { code, message, data } = await ask();
    if (code === 0) return data;
    if (!ASK_AGAIN.has(code)) throw new Error(`${code} ${message}`);
    await pause(50);
  }
  throw new Error("The node does not serve.");
}

export interface ClusterRow {
  readonly node: string;
  readonly url: string | null;
  readonly leader: boolean;
  readonly seq: number | null;
  readonly lag_ms: number | null;
  readonly state_hash: string | null;
}

interface NodeOptions {
  /** The name that it is given instead of its own. */
  readonly name?: string;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Further settings. */
  readonly options?: readonly string[];
  /** The main file of another program than this one. */
  readonly program?: string | undefined;
}

export interface ClusterOptions {
  /** Settings of each node. */
  readonly options?: readonly string[];
  /** The environment in which the nodes run at first. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** The program that they are at first; this one unless given. */
  readonly program?: string | undefined;
  /** Nodes that belong to it; three unless given. */
  readonly count?: number;
  /** Whether nothing runs yet but the servers. */
  readonly isIdle?: boolean;
  /** Three plain ones unless given; ended with the cluster. */
  readonly servers?: EtcdServers;
}

export class Cluster {
  readonly servers: EtcdServers;
  /** How many nodes belong to it: those with the first names. */
  count: number;
  readonly #folder = mkdtempSync(join(tmpdir(), "bourse-cluster-"));
  readonly #options: readonly string[];
  readonly #nodes: (VenueProcess | undefined)[] = [];

  static async start({
    options = [],
    env,
    program,
    count = 3,
    isIdle = false,
    servers,
  }: ClusterOptions): Promise<Cluster> {
    const cluster = new Cluster(servers ?? (await EtcdServers.start(3)), options, count);
    try {
      if (!isIdle) await cluster.runAll({ env, program });
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  private constructor(servers: EtcdServers, options: readonly string[], count: number) {
    this.servers = servers;
    this.#options = options;
    this.count = count;
    writeFileSync(join(this.#folder, "secret.key"), `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  }

  /** Where the API of those that run is. */
  get urls(): string[] {
    return this.#nodes.flatMap((node) => node?.url ?? []);
  }

  isRunning(index: number): boolean {
    return this.#nodes[index] !== undefined;
  }

  /** Throws when it does not run. */
  node(index: number): VenueProcess {
    const node = this.#nodes[index];
    if (node === undefined) throw new Error(`Node ${NAMES[index]} does not run.`);
    return node;
  }

  dataOf(index: number): string {
    return join(this.#folder, NAMES[index] as string);
  }

  /** What says where the log of a node is. */
  #ofLog(index: number, name: string): string[] {
    return [
      ...["--log", this.servers.addresses(index % this.servers.count).join(","), "--node", name],
      ...["--secret-key", join(this.#folder, "secret.key"), ...this.servers.clientOptions],
    ];
  }

  async run(index: number, terms: NodeOptions = {}): Promise<VenueProcess> {
    const node = await this.begin(index, terms).ready;
    this.#nodes[index] = node;
    return node;
  }

  /** As run, for who looks at what it says before it is ready. */
  begin(
    index: number,
    { name = NAMES[index] as string, env = process.env, options = [], program = mainProgram(env) }: NodeOptions = {},
  ): BeginningVenue {
    return VenueProcess.beginProgram(
      program,
      env,
      this.dataOf(index),
      ...this.#ofLog(index, name),
      ...["--log-level", "info", "--limits", "off", ...this.#options, ...options],
    );
  }

  /**
   * Calls `bourse cluster VERB` as at the machine of a node. Gives what the command printed; throws what it complained
   * of.
   */
  command(verb: "adopt" | "found" | "forget", index: number, ...words: readonly string[]): string {
    const name = NAMES[index] as string;
    const args = ["cluster", verb, ...words, "--json", "--data", this.dataOf(index), ...this.#ofLog(index, name)];
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  }

  /** What the nodes told each other of themselves. */
  async records(): Promise<readonly NodeRecord[]> {
    return await this.withStore((store) => store.nodes());
  }

  /** Looks into the store as one of the nodes would. */
  async withStore<Answer>(look: (store: EtcdStore) => Promise<Answer>): Promise<Answer> {
    const secret = Buffer.from(readFileSync(join(this.#folder, "secret.key"), "utf8").trim(), "hex");
    const store = new EtcdStore({
      ...{ servers: this.servers.addresses(), tls: this.servers.clientTls, sealer: new Sealer(secret) },
      ...{ node: "test", boot: "", address: "", onNote: () => {}, onFault: () => {} },
    });
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await look(store);
        } catch (error) {
          if (tries === TRIES || (error as { code?: string }).code !== "ETCD_AWAY") throw error;
          await pause(20);
        }
      }
    } finally {
      await store.close();
    }
  }

  async runAll(terms: NodeOptions = {}): Promise<void> {
    await Promise.all(Array.from({ length: this.count }, (_, index) => this.run(index, terms)));
  }

  /** How all nodes stand, as one of them says. */
  async rows(index = 0): Promise<readonly ClusterRow[]> {
    return (await this.node(index).admin("/admin/cluster")).nodes;
  }

  /** Index of the node that leads, as soon as one says so. */
  async leader(asked = 0): Promise<number> {
    for (let tries = 0; tries < TRIES; tries++) {
      const index = (await this.rows(asked)).findIndex(({ leader }) => leader);
      if (index >= 0) return index;
      await pause(50);
    }
    throw new Error("No node leads.");
  }

  /**
   * Settles when all nodes have been at one seq with one state, be it one after the other, since commands go on; throws
   * when their states differ there.
   */
  async agreed(asked = 0, isOneProgram = true): Promise<ClusterRow> {
    const hashesAt = new Map<number, Map<string, ClusterRow>>();
    for (let tries = 0; tries < TRIES; tries++) {
      for (const row of await this.rows(asked)) {
        if (row.seq === null) continue;
        const there = hashesAt.get(row.seq) ?? new Map<string, ClusterRow>();
        hashesAt.set(row.seq, there.set(row.node, row));
        const [first = row] = there.values();
        // Hashes of two forms of the state cannot be compared.
        if (isOneProgram && first.state_hash !== row.state_hash)
          throw new Error(`Nodes ${first.node} and ${row.node} have different states at seq ${row.seq}.`);
        if (there.size === this.count) return row;
      }
      await pause(20);
    }
    throw new Error("The nodes do not come to the same seq.");
  }

  async kill(index: number): Promise<void> {
    await this.#nodes[index]?.end("SIGKILL");
    this.#nodes[index] = undefined;
  }

  async close(): Promise<void> {
    for (let index = 0; index < NAMES.length; index++) await this.kill(index);
    await this.servers.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
