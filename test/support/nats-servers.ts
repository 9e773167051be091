/** NATS servers of a test's own: Debian's binary, as one cluster on free ports of loopback, in a temporary folder. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const PLACES = ["/usr/sbin", "/usr/bin", "/usr/local/bin"];

type Here = { readonly path: string } | { readonly missing: string };

let known: Here | undefined;

/** The path of nats-server; installed from Debian where that is possible. Otherwise the sentence that says why there is none. */
export function natsServerHere(): Here {
  known ??= find();
  return known;
}

/** Why tests that need servers are left out; false where there are some. */
export function withoutNats(): string | false {
  const here = natsServerHere();
  return "missing" in here ? here.missing : false;
}

function find(): Here {
  const found = pathOf();
  if (found !== undefined) return { path: found };
  if (process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).error !== undefined) {
    return {
      missing:
        "There is no nats-server here, and only root on Debian can have it installed: apt-get install nats-server.",
    };
  }
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = ["install", "--yes", "--no-install-recommends", "nats-server"];
  for (const args of [["update"], install]) spawnSync("apt-get", args, { env, stdio: "ignore" });
  const path = pathOf();
  return path === undefined ? { missing: "There is no nats-server here, and apt-get could not install it." } : { path };
}

function pathOf(): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...PLACES];
  return folders.map((folder) => join(folder, "nats-server")).find((path) => existsSync(path));
}

export class NatsServers {
  readonly #folder = mkdtempSync(join(tmpdir(), "bourse-nats-"));
  readonly #ports: readonly number[];
  readonly #children: (ChildProcess | undefined)[] = [];

  /** Starts `count` servers; they take a moment to find each other. */
  static async start(count: number): Promise<NatsServers> {
    const ports: number[] = [];
    while (ports.length < count * 2) {
      const port = await freePort();
      if (!ports.includes(port)) ports.push(port);
    }
    const servers = new NatsServers(ports);
    for (let index = 0; index < count; index++) servers.run(index);
    return servers;
  }

  private constructor(ports: readonly number[]) {
    this.#ports = ports;
  }

  get count(): number {
    return this.#ports.length / 2;
  }

  /** All addresses, beginning with that of one server. */
  addresses(first = 0): string[] {
    return Array.from({ length: this.count }, (_, at) => `nats://127.0.0.1:${this.#ports[(first + at) % this.count]}`);
  }

  /** Starts a server, if it does not run. */
  run(index: number): void {
    const here = natsServerHere();
    if ("missing" in here) throw new Error(here.missing);
    if (this.#isRunning(index)) return;
    const routes = this.#ports.slice(this.count).map((port) => `nats://127.0.0.1:${port}`);
    const config = join(this.#folder, `${index}.conf`);
    mkdirSync(this.#storeOf(index), { recursive: true });
    const cluster = `cluster { name: bourse, listen: "127.0.0.1:${this.#ports[this.count + index]}", routes: ${JSON.stringify(routes)} }`;
    writeFileSync(
      config,
      [
        `server_name: n${index + 1}`,
        `listen: "127.0.0.1:${this.#ports[index]}"`,
        "max_payload: 8MB",
        `jetstream { store_dir: ${JSON.stringify(this.#storeOf(index))} }`,
        ...(this.count > 1 ? [cluster] : []),
      ].join("\n"),
    );
    const child = spawn(here.path, ["-c", config], { stdio: "ignore" });
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    child.once("exit", () => process.off("exit", kill));
    child.unref();
    this.#children[index] = child;
  }

  signal(index: number, signal: NodeJS.Signals): void {
    this.#children[index]?.kill(signal);
  }

  async kill(index: number): Promise<void> {
    const child = this.#children[index];
    if (child === undefined || !this.#isRunning(index)) return;
    child.ref();
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  /** Everything that a server, which must not run, has kept. */
  wipe(index: number): void {
    rmSync(this.#storeOf(index), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    for (let index = 0; index < this.count; index++) await this.kill(index);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #storeOf(index: number): string {
    return join(this.#folder, `store-${index}`);
  }

  #isRunning(index: number): boolean {
    const child = this.#children[index];
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
