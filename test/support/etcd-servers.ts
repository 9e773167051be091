/** etcd servers of a test's own: Debian's binary, as one cluster on free ports of loopback, in a temporary folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { etcdArguments } from "../../scripts/cluster/etcd.ts";
import { pathOf, programHere } from "../../scripts/cluster/programs.ts";
import type { EtcdAccess } from "../../src/cluster/etcd/client.ts";

/** Why tests that need servers are left out; false where there are some. */
export function withoutEtcd(): string | false {
  const here = programHere("etcd");
  return "missing" in here ? here.missing : false;
}

export class EtcdServers {
  readonly #folder = mkdtempSync(join(tmpdir(), "bourse-etcd-"));
  readonly #ports: readonly number[];
  readonly #children: (ChildProcess | undefined)[] = [];
  readonly #further: readonly string[];
  /** Settings of a node, and files, by which it is let in. */
  clientOptions: readonly string[] = [];
  clientTls: EtcdAccess["tls"];

  /** Starts `count` servers; they take a moment to find each other. `further` are arguments of each. */
  static async start(count: number, further: readonly string[] = []): Promise<EtcdServers> {
    const ports: number[] = [];
    while (ports.length < count * 2) {
      const port = await freePort();
      if (!ports.includes(port)) ports.push(port);
    }
    const servers = new EtcdServers(ports, further);
    for (let index = 0; index < count; index++) servers.run(index);
    return servers;
  }

  private constructor(ports: readonly number[], further: readonly string[]) {
    this.#ports = ports;
    this.#further = further;
  }

  get count(): number {
    return this.#ports.length / 2;
  }

  /** All addresses, beginning with that of one server. */
  addresses(first = 0): string[] {
    return Array.from({ length: this.count }, (_, at) => `http://127.0.0.1:${this.#ports[(first + at) % this.count]}`);
  }

  /** Starts a server, if it does not run. */
  run(index: number): void {
    if (this.#isRunning(index)) return;
    const members = Array.from({ length: this.count }, (_, at) => ({
      name: `n${at + 1}`,
      host: "127.0.0.1",
      clientPort: this.#ports[at] as number,
      peerPort: this.#ports[this.count + at] as number,
    }));
    const args = etcdArguments(members, index, this.#storeOf(index));
    const child = spawn(pathOf("etcd"), [...args, ...this.#further], { stdio: "ignore" });
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

  /** Where a server keeps its data, and as which process it runs. */
  folderOf(index: number): string {
    return this.#storeOf(index);
  }

  pidOf(index: number): number | undefined {
    return this.#children[index]?.pid;
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
