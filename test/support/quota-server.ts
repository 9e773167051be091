/**
 * A real Redis or Valkey, for what nodes share on one: in memory, on a free port, with nothing of the machine's own.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { programHere } from "../../scripts/cluster/programs.ts";
import type { RateFigures } from "../../src/gateway/limits/figures.ts";
import { limitsByWindow } from "../../src/gateway/limits/long-cycle.ts";
import { SharedQuotas } from "../../src/gateway/limits/shared/shared-quotas.ts";
import { quotaServerAt } from "../../src/venue/quota-server.ts";

const TRIES = 200;

/** No machine is so busy that it takes a node from the others. */
const PATIENT_MS = 20_000;

/** Why tests that need a server are left out; false where there is one. */
export function withoutQuotaServer(): string | false {
  const here = programHere("redis");
  return "missing" in here ? here.missing : false;
}

/** Where the quotas of a venue may be: what holds for one holds for the other. */
export const QUOTAS = [
  { where: "in the process", isShared: false, skip: false },
  { where: "shared on a server", isShared: true, skip: withoutQuotaServer() },
] as const;

export class QuotaServerProcess {
  readonly port: number;
  readonly password: string | undefined;
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #client: Redis | undefined;

  private constructor(port: number, password: string | undefined) {
    this.port = port;
    this.password = password;
    this.#folder = mkdtempSync(join(tmpdir(), "bourse-quotas-"));
  }

  static async start({ password }: { readonly password?: string } = {}): Promise<QuotaServerProcess> {
    const server = new QuotaServerProcess(await freePort(), password);
    await server.start();
    return server;
  }

  /** As settings name it. */
  get url(): string {
    return this.urlWith(this.password);
  }

  urlWith(password: string | undefined): string {
    const proof = password === undefined ? "" : `:${encodeURIComponent(password)}@`;
    return `redis://${proof}127.0.0.1:${this.port}/1`;
  }

  /** Shares quotas with all others that do so here, by a test's own time. */
  readonly share = (figures: RateFigures, nowMs?: () => number): Promise<SharedQuotas> =>
    SharedQuotas.open({
      server: quotaServerAt(this.url),
      log: { info: () => {}, warn: ({ reason }: { reason?: string }) => assert.fail(reason) },
      longLimits: limitsByWindow(figures.long),
      nowMs,
      waitMs: PATIENT_MS,
    });

  /** Starts, also again, with nothing in it. Returns when it answers. */
  async start(): Promise<void> {
    const here = programHere("redis");
    assert.ok("path" in here);
    const options = [
      "--port",
      `${this.port}`,
      "--bind",
      "127.0.0.1",
      "--save",
      "",
      "--appendonly",
      "no",
      "--dir",
      this.#folder,
    ];
    if (this.password !== undefined) options.push("--requirepass", this.password);
    const child = spawn(here.path, options, { argv0: "redis-server", stdio: "ignore" });
    this.#child = child;
    // A test that fails on its way must not leave it behind, nor wait for it.
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    child.once("exit", () => process.off("exit", kill));
    child.unref();
    this.#client = new Redis(this.url, { lazyConnect: true, retryStrategy: () => null });
    this.#client.on("error", () => {});
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        await this.#client.connect();
        return;
      } catch {
        await pause(20);
      }
    }
    assert.fail("Redis does not answer.");
  }

  /** Speaks to it in a database of the nodes. */
  get client(): Redis {
    return this.#client as Redis;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    this.#client?.disconnect();
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
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
