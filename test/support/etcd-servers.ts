/** etcd servers of a test's own: Debian's binary, as one cluster on free ports of loopback, in a temporary folder. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type EtcdMember, etcdArguments } from "../../scripts/cluster/etcd.ts";
import { pathOf, programHere } from "../../scripts/cluster/programs.ts";
import type { EtcdAccess } from "../../src/cluster/etcd/client.ts";

/** Why tests that need servers are left out; false where there are some. */
export function withoutEtcd(): string | false {
  const here = programHere("etcd");
  return "missing" in here ? here.missing : false;
}

/** Of the user whom secured servers let in. */
const PASSWORD = "a word of the venue";

export class EtcdServers {
  readonly #folder = mkdtempSync(join(tmpdir(), "bourse-etcd-"));
  readonly #ports: readonly number[];
  readonly #children: (ChildProcess | undefined)[] = [];
  readonly #further: readonly string[];
  /** Where they lie, of servers that are reached over TLS. */
  #certificates: string | undefined;
  /** Before the host, as far as there is one. */
  #user = "";
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

  /**
   * Starts some as deploy/etcd has them: over TLS, with certificates of one authority for servers and nodes alike, and
   * a user who may read and write the keys of the venue and nothing else. Needs openssl.
   */
  static async startSecured(count: number): Promise<EtcdServers> {
    const folder = mkdtempSync(join(tmpdir(), "bourse-certificates-"));
    const file = (name: string) => join(folder, name);
    certificate(file, "ca", []);
    for (const name of ["server", "node"])
      certificate(file, name, [
        "-CA",
        file("ca.pem"),
        "-CAkey",
        file("ca.key"),
        "-addext",
        "subjectAltName=IP:127.0.0.1",
      ]);
    const servers = await EtcdServers.start(count, [
      ...["--client-cert-auth", "--trusted-ca-file", file("ca.pem")],
      ...["--cert-file", file("server.pem"), "--key-file", file("server.key")],
    ]);
    servers.#certificates = folder;
    servers.clientOptions = ["ca", "cert", "key"].flatMap((name) => {
      const of = { ca: "ca.pem", cert: "node.pem", key: "node.key" }[name] as string;
      return [`--log-${name}`, file(of)];
    });
    const [ca, cert, key] = ["ca.pem", "node.pem", "node.key"].map((name) => readFileSync(file(name)));
    servers.clientTls = { ca, cert, key };
    await servers.#demandUser();
    return servers;
  }

  private constructor(ports: readonly number[], further: readonly string[]) {
    this.#ports = ports;
    this.#further = further;
  }

  /** As an operator does with etcdctl. */
  async #demandUser(): Promise<void> {
    const range = { key: base64("/bourse/"), range_end: base64("/bourse0") };
    for (const [path, body] of [
      ["user/add", { name: "root", password: randomUUID() }],
      ["user/grant", { user: "root", role: "root" }],
      ["role/add", { name: "venue" }],
      ["role/grant", { name: "venue", perm: { permType: "READWRITE", ...range } }],
      ["user/add", { name: "bourse", password: PASSWORD }],
      ["user/grant", { user: "bourse", role: "venue" }],
      ["enable", {}],
    ] as const) {
      for (let tries = 1; ; tries++) {
        const { status, text } = await this.#post(`/v3/auth/${path}`, body);
        if (status === 200) break;
        // They take a moment to find each other; an answer that was late may have been lost.
        if (tries > 1 && /already|exist/.test(text)) break;
        if (tries > 200) throw new Error(`${path}: ${status} ${text}`);
        await pause(50);
      }
    }
    this.#user = `bourse:${encodeURIComponent(PASSWORD)}@`;
  }

  #post(path: string, body: object): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve) => {
      const options = { method: "POST", ...this.clientTls, timeout: 5_000 };
      const asked = request(`https://127.0.0.1:${this.#ports[0]}${path}`, options, (answer) => {
        let text = "";
        answer.on("data", (chunk) => {
          text += chunk;
        });
        answer.once("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      asked.once("timeout", () => asked.destroy());
      asked.once("error", (error) => resolve({ status: 0, text: error.message }));
      asked.end(JSON.stringify(body));
    });
  }

  get count(): number {
    return this.#ports.length / 2;
  }

  /** All addresses, beginning with that of one server. */
  addresses(first = 0): string[] {
    const before = this.#certificates === undefined ? "http://" : `https://${this.#user}`;
    return Array.from(
      { length: this.count },
      (_, at) => `${before}127.0.0.1:${this.#ports[(first + at) % this.count]}`,
    );
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
    const spoken = this.#further.includes("--client-cert-auth")
      ? args.map((arg) => overTls(arg, members[index]))
      : args;
    const child = spawn(pathOf("etcd"), [...spoken, ...this.#further], { stdio: "ignore" });
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
    if (this.#certificates !== undefined) rmSync(this.#certificates, { recursive: true });
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

/** The address of a server for clients, among its arguments. */
function overTls(argument: string, member: EtcdMember | undefined): string {
  return argument === `http://${member?.host}:${member?.clientPort}` ? argument.replace("http:", "https:") : argument;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** A certificate of that name with its key; signed by itself unless told otherwise. */
function certificate(file: (name: string) => string, name: string, signed: readonly string[]): void {
  const made = ["-keyout", file(`${name}.key`), "-out", file(`${name}.pem`), "-subj", `/CN=${name}`, "-days", "2"];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync("openssl", ["req", ...kind, ...made, ...signed], { stdio: "ignore" });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
