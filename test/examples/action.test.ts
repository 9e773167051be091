/**
 * The GitHub Action, run as a runner runs it: its two programs, inputs and state in the environment, outputs in files.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Client } from "../../client/index.ts";
import { repositoryRoot } from "../house/program.ts";

const folder = mkdtempSync(join(tmpdir(), "bourse-action-test-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const action = readFileSync(join(repositoryRoot, "action.yml"), "utf8");

/** The value of a field of action.yml, and the names below one of its parts. */
const field = (name: string) => new RegExp(`^ *${name}: (.*)$`, "m").exec(action)?.[1] ?? assert.fail(name);
function namesOf(part: "inputs" | "outputs"): string[] {
  const [, text = ""] = new RegExp(`^${part}:\n((?: .*\n)*)`, "m").exec(action) ?? [];
  return [...text.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name = ""]) => name);
}

/** The values that a runner reads from a file of lines `name=value`. */
function valuesIn(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

class Runner {
  readonly #output: string;
  readonly #state: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(name: string, inputs: Readonly<Record<string, string>>) {
    const temporary = join(folder, name);
    mkdirSync(join(temporary, "workspace"), { recursive: true });
    this.#output = join(temporary, "output");
    this.#state = join(temporary, "state");
    this.#env = {
      ...process.env,
      GITHUB_OUTPUT: this.#output,
      GITHUB_STATE: this.#state,
      GITHUB_WORKSPACE: join(temporary, "workspace"),
      RUNNER_TEMP: temporary,
    };
    for (const input of namesOf("inputs")) this.#env[`INPUT_${input.toUpperCase()}`] = inputs[input] ?? "";
  }

  get outputs(): Record<string, string> {
    return valuesIn(this.#output);
  }

  get state(): Record<string, string> {
    return valuesIn(this.#state);
  }

  async run(half: "main" | "post"): Promise<{ code: number; printed: string }> {
    const env = { ...this.#env };
    for (const [name, value] of Object.entries(this.state)) env[`STATE_${name}`] = value;
    const child = spawn(process.execPath, [join(repositoryRoot, field(half))], { env, stdio: ["ignore", "pipe", 2] });
    let printed = "";
    child.stdout?.on("data", (piece: Buffer) => (printed += piece));
    const [code] = (await once(child, "close")) as [number];
    return { code, printed };
  }
}

/** A process that is gone is nobody's any more. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("starts the venue of its own repository, says where it serves, and stops it", async () => {
  const runner = new Runner("own", { options: "--past 0 --frozen --makers off --start-time '2026-01-01T00:00:00Z'" });
  const { code, printed } = await runner.run("main");
  try {
    assert.equal(code, 0, printed);
    const { outputs } = runner;
    assert.deepEqual(Object.keys(outputs).sort(), namesOf("outputs").sort());
    assert.equal(outputs["ws-url"], outputs["url"]?.replace("http:", "ws:"));
    const [alice] = JSON.parse(readFileSync(outputs["accounts-file"] as string, "utf8"));
    const key = { accessId: alice.access_id, secretKey: alice.secret_key };
    const client = new Client({ url: outputs["url"] as string, key });
    const order = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "0.1" } as const;
    const placed = await client.post("/spot/order", { ...order, price: "60000" });
    client.close();
    assert.ok(placed.ok, JSON.stringify(placed));
    const token = readFileSync(outputs["admin-token-file"] as string, "utf8").trim();
    const headers = { authorization: `Bearer ${token}` };
    const status = await (await fetch(`${outputs["admin-url"]}/admin/status`, { headers })).json();
    assert.equal((status as { data: { time_ms: number } }).data.time_ms, Date.UTC(2026, 0, 1));
    assert.ok(isAlive(Number(runner.state["pid"])));
  } finally {
    const stopped = await runner.run("post");
    assert.equal(stopped.code, 0);
    assert.match(stopped.printed, /Log of the venue[\s\S]*stopped/);
    assert.doesNotMatch(stopped.printed, /warning/);
  }
  assert.ok(!isAlive(Number(runner.state["pid"])));
});

test("prefers the venue of the workspace, and fails with its reason when that does not serve", async () => {
  const runner = new Runner("workspace", {});
  const bin = join(folder, "workspace", "workspace", "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "bourse"), "#!/bin/sh\necho there is no such option >&2\nexit 2\n", { mode: 0o755 });
  const { code, printed } = await runner.run("main");
  assert.equal(code, 1);
  assert.match(printed, /there is no such option\n::error::The venue ended with 2 before it served\.\n/);
  assert.deepEqual(runner.outputs, {});
  assert.equal((await runner.run("post")).code, 0, "the second half runs all the same");
});

test("ends a venue that does not serve in time, and says what to do", async () => {
  const slow = join(folder, "slow");
  writeFileSync(slow, "#!/bin/sh\nexec sleep 600\n", { mode: 0o755 });
  const runner = new Runner("late", { command: slow, "timeout-seconds": "1" });
  const { code, printed } = await runner.run("main");
  assert.equal(code, 1);
  assert.match(printed, /::error::The venue did not serve in time; give it more by timeout-seconds\.\n/);
  assert.ok(!isAlive(Number(runner.state["pid"])));
});

test("the second half has nothing to do when the first has begun nothing", async () => {
  assert.deepEqual(await new Runner("nothing", {}).run("post"), { code: 0, printed: "" });
});
