/**
 * The single executable: built, put into an empty folder of a machine with no Node, started, traded with, and started
 * again.
 */
import assert from "node:assert/strict";
import { execFileSync, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { Client } from "../../client/index.ts";
import { ownBinary } from "../../scripts/node-binaries.js";
import { repositoryRoot } from "../house/program.ts";
import { alone } from "./stranger.ts";

const ALICE = {
  accessId: "76C101C1D5579A41CA9066B9CCB187B5",
  secretKey: "799400991C9FCC1EAB583202E52473F16226EB2883EF46DB",
};

describe("the single executable", {
  skip: ownBinary() === undefined || process.platform === "win32" ? "It is built from a package with Node." : false,
}, () => {
  const folder = mkdtempSync(join(tmpdir(), "bourse-executable-test-"));
  const bourse = join(folder, "bourse");
  // Nothing is found by its name, no Node either.
  const env = { PATH: join(folder, "nothing"), HOME: folder };
  const options = { cwd: folder, env, encoding: "utf8" } as const;

  before(() =>
    alone(() => {
      const stdio: StdioOptions = ["ignore", "ignore", "pipe"];
      for (const args of [["scripts/build-package.ts"], ["scripts/build-executable.ts", "--to", bourse]])
        execFileSync(process.execPath, args, { cwd: repositoryRoot, stdio });
      rmSync(join(repositoryRoot, "npm-shrinkwrap.json"), { force: true });
    }),
  );
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts a venue, hands its address on, and ends it as an operator does. */
  async function serving(args: readonly string[], use: (url: string) => Promise<void>): Promise<void> {
    const child = spawn(bourse, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    let errors = "";
    child.stderr.on("data", (piece: Buffer) => (errors += piece));
    const exited = once(child, "exit");
    try {
      const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), "line"), exited])) as [
        unknown,
      ];
      const url = /^bourse ready (\S+) admin/.exec(String(line))?.[1] ?? assert.fail(`${line}\n${errors}`);
      await use(url);
    } finally {
      child.kill("SIGTERM");
    }
    assert.deepEqual(await exited, [0, null], errors);
  }

  async function buy(url: string): Promise<number> {
    const client = new Client({ url, key: ALICE });
    const market = { market: "BTCUSDT", market_type: "SPOT" } as const;
    const placed = await client.post("/spot/order", {
      ...market,
      side: "buy",
      type: "limit",
      amount: "0.001",
      price: "1000",
    });
    assert.ok(placed.ok, JSON.stringify(placed));
    const open = await client.get("/spot/pending-order", market);
    client.close();
    assert.ok(open.ok);
    return open.data.length;
  }

  test("it serves the API and its pages, takes orders, and goes on with them after a restart", async () => {
    assert.match(execFileSync(bourse, ["--version"], options), /^\d+\.\d+\.\d+\n$/);
    for (const orders of [1, 2]) {
      // The second start makes the history anew, which threads do that start threads.
      if (orders === 2) rmSync(join(folder, "bourse-data", "history.sqlite"));
      await serving(["start", "--port", "0", "--log-level", "warn"], async (url) => {
        for (const path of ["/v2/time", "/", "/docs", "/openapi.json"])
          assert.equal((await fetch(url + path)).status, 200, path);
        assert.doesNotMatch(await (await fetch(url)).text(), /is not built/);
        assert.equal(await buy(url), orders);
      });
    }
    assert.match(execFileSync(bourse, ["audit"], options), /Everything holds\.\n$/);
    // The program lies in the cache once, however often it was run.
    assert.equal(readdirSync(join(folder, ".cache", "bourse")).length, 1);
  });

  test("without arguments it starts a venue for development", async () => {
    const child = spawn(bourse, [], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => (printed += piece));
    // It serves at its usual port, or says that another venue has it.
    while (!/bourse ready http|Port 7400 .* in use/.test(printed) && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
    assert.match(printed, /bourse ready http:\/\/127\.0\.0\.1:7400|Port 7400 .* in use/);
  });

  test("with a configuration it starts an operator's venue", async () => {
    const data = join(folder, "operated");
    writeFileSync(join(folder, "bourse.json"), JSON.stringify({ profile: "production", data, port: 0 }));
    await serving(["start", "--config", "bourse.json"], async (url) => {
      assert.equal((await fetch(`${url}/v2/time`)).status, 200);
    });
    assert.ok(existsSync(join(data, "log.sqlite")));
  });

  test("it runs no program out of a folder that others may write to", () => {
    const cache = join(folder, "open");
    mkdirSync(cache);
    chmodSync(cache, 0o777);
    assert.throws(
      () => execFileSync(bourse, ["--version"], { ...options, env: { ...env, BOURSE_CACHE: cache }, stdio: "pipe" }),
      /nobody else may write to it/,
    );
  });

  test("a cache that cannot be made ends it with a sentence that names the variable", () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    for (const cache of [file, join(file, "cache")])
      assert.throws(
        () => execFileSync(bourse, ["--version"], { ...options, env: { ...env, BOURSE_CACHE: cache }, stdio: "pipe" }),
        /^bourse: The folder .*file.* cannot be used \(.*\)\. Name one that this user may write to with BOURSE_CACHE\.$/m,
      );
  });
});
