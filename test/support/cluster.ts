/** Nodes of one venue, each a process of its own, over NATS servers of a test's own. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Envelope } from "./api-client.ts";
import { NatsServers } from "./nats-servers.ts";
import { VenueProcess } from "./venue-process.ts";

const NAMES = ["a", "b", "c"];
/** Of 20 to 50 ms each: generous, because test machines are slow and shared. */
const TRIES = 3_000;

/** Refused before anything came of it: nobody to put it to at the moment, or older than its window when a slow machine came to it. */
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

interface NodeTerms {
  readonly nodes?: readonly string[];
  readonly env?: NodeJS.ProcessEnv | undefined;
}

export class Cluster {
  readonly servers: NatsServers;
  readonly #folder = mkdtempSync(join(tmpdir(), "bourse-cluster-"));
  readonly #options: readonly string[];
  readonly #nodes: (VenueProcess | undefined)[] = [];

  /** `env` is the environment in which the nodes run at first. */
  static async start({
    options = [],
    env,
  }: {
    options?: readonly string[];
    env?: NodeJS.ProcessEnv;
  }): Promise<Cluster> {
    const cluster = new Cluster(await NatsServers.start(NAMES.length), options);
    try {
      await cluster.runAll({ env });
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  private constructor(servers: NatsServers, options: readonly string[]) {
    this.servers = servers;
    this.#options = options;
    writeFileSync(join(this.#folder, "secret.key"), `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  }

  get count(): number {
    return NAMES.length;
  }

  /** Where the API of those that run is. */
  get urls(): string[] {
    return this.#nodes.flatMap((node) => node?.url ?? []);
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

  /** `nodes` are those that it is told of. */
  async run(index: number, { nodes = NAMES, env }: NodeTerms = {}): Promise<VenueProcess> {
    const node = await VenueProcess.startIn(
      env ?? process.env,
      this.dataOf(index),
      ...["--log", this.servers.addresses(index).join(",")],
      ...["--node", NAMES[index] as string, "--nodes", nodes.join(",")],
      ...["--secret-key", join(this.#folder, "secret.key"), "--log-level", "info", "--limits", "off"],
      ...this.#options,
    );
    this.#nodes[index] = node;
    return node;
  }

  async runAll(terms: NodeTerms = {}): Promise<void> {
    await Promise.all(NAMES.map((_, index) => this.run(index, terms)));
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
   * Settles when all nodes have been at one seq with one state, be it one after the other, since commands go on; throws when their states
   * differ there.
   */
  async agreed(): Promise<ClusterRow> {
    const hashesAt = new Map<number, Map<string, ClusterRow>>();
    for (let tries = 0; tries < TRIES; tries++) {
      for (const row of await this.rows()) {
        if (row.seq === null) continue;
        const there = hashesAt.get(row.seq) ?? new Map<string, ClusterRow>();
        hashesAt.set(row.seq, there.set(row.node, row));
        const [first = row] = there.values();
        if (first.state_hash !== row.state_hash)
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
