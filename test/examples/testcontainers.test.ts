/**
 * The module for Testcontainers against a stand-in for that package, whose containers are processes: there is no daemon
 * here that would run real ones. What the image itself does is tried by test/package/image.test.ts, and the types by
 * runners.test.ts.
 */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Client } from "../../client/index.ts";
import { repositoryRoot } from "../house/program.ts";

const folder = mkdtempSync(join(tmpdir(), "bourse-testcontainers-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/**
 * The part of testcontainers that the module uses. /data is a folder here, and /usr/bin/bourse the program of this
 * checkout.
 */
const STAND_IN = `
import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";

const here = (words) => words.map((word) => (word === "/data" ? ${JSON.stringify(join(folder, "data"))} : word));
const MAIN = ${JSON.stringify(join(repositoryRoot, "src", "cli", "main.ts"))};

export const Wait = { forLogMessage: (message) => ({ message }) };

export class GenericContainer {
  constructor(image) { this.made = { image }; }
  withExposedPorts(...ports) { this.made.ports = ports; return this; }
  withWaitStrategy({ message }) { this.made.message = message; return this; }
  withStartupTimeout(ms) { this.made.startMs = ms; return this; }
  withCommand(command) { this.made.command = command; return this; }
  async start() {
    const words = [...here(this.made.command), "--port", "0", "--admin-port", "0"];
    const child = spawn(process.execPath, [MAIN, ...words], { stdio: ["ignore", "pipe", "ignore"] });
    for await (const line of createInterface({ input: child.stdout }))
      if (this.made.message.test(line)) return new Running(child, this.made, new URL(line.split(" ")[2]).port);
    throw new Error("The container ended before its message came.");
  }
}

class Running {
  constructor(child, made, port) { this.child = child; this.made = made; this.port = port; }
  getHost() { return "127.0.0.1"; }
  getMappedPort(port) { if (!this.made.ports.includes(port)) throw new Error("not exposed: " + port); return Number(this.port); }
  exec([program, ...words]) {
    if (program !== "/usr/bin/bourse") throw new Error("There is no " + program + " in the image.");
    return new Promise((resolve) => execFile(process.execPath, [MAIN, ...here(words)], (error, stdout, stderr) =>
      resolve({ exitCode: error?.code ?? 0, stdout, stderr, output: stdout + stderr })));
  }
  async stop() { const gone = new Promise((resolve) => this.child.once("exit", resolve)); this.child.kill("SIGTERM"); await gone; }
}

export class AbstractStartedContainer {
  constructor(started) { this.startedTestContainer = started; }
  stop() { return this.startedTestContainer.stop(); }
}
`;

interface Module {
  readonly BourseContainer: new (image: string) => Container;
}

interface Container {
  readonly made: { readonly image: string; readonly command?: readonly string[] };
  withOptions(...options: readonly string[]): Container;
  start(): Promise<Started>;
}

interface Started {
  readonly url: string;
  readonly wsUrl: string;
  operator(...words: readonly string[]): Promise<unknown>;
  createAccount(
    name: string,
    amounts?: Readonly<Record<string, string>>,
  ): Promise<{ readonly accessId: string; readonly secretKey: string; readonly userId: number }>;
  stop(): Promise<unknown>;
}

test("a venue in a container is traded with, and its operator is reached from within", async () => {
  const fake = join(folder, "node_modules", "testcontainers");
  mkdirSync(fake, { recursive: true });
  writeFileSync(join(fake, "index.js"), STAND_IN);
  writeFileSync(join(fake, "package.json"), '{ "name": "testcontainers", "type": "module", "exports": "./index.js" }');
  const file = join(folder, "bourse-container.ts");
  cpSync(join(repositoryRoot, "examples", "testcontainers", "bourse-container.ts"), file);
  const { BourseContainer } = (await import(pathToFileURL(file).href)) as Module;

  const container = new BourseContainer("bourse:9-dev").withOptions("--frozen", "--makers", "off", "--past", "0");
  const started = await container.start();
  try {
    assert.equal(container.made.image, "bourse:9-dev");
    assert.equal(started.wsUrl, started.url.replace("http", "ws"));
    const key = await started.createAccount("carol", { USDT: "1000" });
    const client = new Client({ url: started.url, key });
    const order = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit" } as const;
    const placed = await client.post("/spot/order", { ...order, amount: "0.01", price: "60000" });
    assert.ok(placed.ok, JSON.stringify(placed));
    const before = ((await started.operator("status")) as { time_ms: number }).time_ms;
    await started.operator("clock", "--advance-ms", "60000");
    assert.equal(((await started.operator("status")) as { time_ms: number }).time_ms, before + 60_000);
    client.close();
    await assert.rejects(started.createAccount("carol"), /bourse account create --name carol failed with 1/);
  } finally {
    await started.stop();
  }
});
