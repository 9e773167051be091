/** A PostgreSQL of a test's own: Debian's binaries, a cluster in a temporary folder, on a port of loopback. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { programHere, unprivileged } from "../../scripts/cluster/programs.ts";

const SETTINGS = [
  // Faster, and as good for a test whose machine does not fail; a killed server still recovers what it had committed.
  ...["fsync=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0"],
  ...["shared_buffers=64MB", "max_connections=60", "log_min_messages=panic", "autovacuum_naptime=5"],
];
const USER = "bourse";
const PASSWORD = "a word: of/its own";
const READY_MS = 60_000;

const found = programHere("postgresql");
/** Why there is none here; false where there is one. */
export const NO_POSTGRESQL = "missing" in found ? found.missing : false;

export class PostgresServer {
  readonly port: number;
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #databases = 0;

  /** The caller removes what it starts. */
  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), "bourse-postgresql-"));
    const server = new PostgresServer(folder, await freePort());
    server.#initialise();
    await server.run();
    return server;
  }

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  /** Where a database of this name is. */
  address(database: string, { user = USER, password = PASSWORD } = {}): string {
    return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${this.port}/${database}`;
  }

  /** The password of `address`, as it stands there and as it is. */
  get secrets(): readonly string[] {
    return [PASSWORD, encodeURIComponent(PASSWORD)];
  }

  /** The address of a new, empty database. */
  async newDatabase(): Promise<string> {
    const name = `history_${++this.#databases}`;
    await this.query("postgres", `create database ${name}`);
    return this.address(name);
  }

  async query(database: string, text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: database.includes("/") ? database : this.address(database) });
    await client.connect();
    try {
      return (await client.query(text)).rows ?? [];
    } finally {
      await client.end();
    }
  }

  /** Starts it, if it does not run, and returns when it answers. */
  async run(): Promise<void> {
    if (this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null) return;
    const options = ["-D", join(this.#folder, "data"), "-k", this.#folder, "-p", String(this.port)];
    const settings = SETTINGS.flatMap((setting) => ["-c", setting]);
    const child = spawn(join(binOf(), "postgres"), [...options, "-h", "127.0.0.1", ...settings], {
      stdio: "ignore",
      ...unprivileged(),
    });
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    child.once("exit", () => process.off("exit", kill));
    child.unref();
    this.#child = child;
    const sinceMs = performance.now();
    while (performance.now() - sinceMs < READY_MS) {
      try {
        await this.query("postgres", "select 1");
        return;
      } catch (error) {
        if (child.exitCode !== null) throw error;
        await pause(50);
      }
    }
    throw new Error("PostgreSQL was not ready in time.");
  }

  /** As a machine that fails: no process of it says goodbye. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null) return;
    // The others of the cluster end by themselves when their parent is gone.
    await this.#ended(child, "SIGKILL");
  }

  /** Sends a signal to all of its processes, such as SIGSTOP: it stands still, and keeps its connections. */
  signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid as number;
    const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
    for (const each of [pid, ...processes.map(Number)]) {
      try {
        process.kill(each, signal);
      } catch (error) {
        // It has ended by itself meanwhile.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
  }

  /** As an operator stops it at once: connections are cut. */
  async stop(): Promise<void> {
    if (this.#child?.pid !== undefined && this.#child.exitCode === null) await this.#ended(this.#child, "SIGINT");
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    if (child.signalCode !== null) return;
    child.ref();
    await new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
      child.kill(signal);
    });
  }

  #initialise(): void {
    const passwords = join(this.#folder, "password");
    writeFileSync(passwords, PASSWORD);
    const user = unprivileged();
    if (user !== undefined) for (const path of [this.#folder, passwords]) chownSync(path, user.uid, user.gid);
    const flags = ["--no-sync", "--encoding=UTF8", "--locale=C", "--auth=scram-sha-256", `--username=${USER}`];
    const { status, stderr } = spawnSync(
      join(binOf(), "initdb"),
      ["-D", join(this.#folder, "data"), ...flags, `--pwfile=${passwords}`],
      { encoding: "utf8", ...user },
    );
    if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
  }
}

/** Undefined: it has ended. */
function parentOf(pid: string): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}

function binOf(): string {
  if ("missing" in found) throw new Error(found.missing);
  return found.path;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
