/**
 * The package as a stranger gets it: packed, installed in an empty folder, started, and with it the examples as they stand there. Run by
 * `npm run examples`, since it asks npm for packages and takes a minute.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { repositoryRoot } from "../house/program.ts";

const BYTES_MAX_MIB = 260;
const WITHOUT_NODE_MAX_MIB = 60;
const INSTALL_MAX_S = 30;
/** Tools of development, of which a stranger must get none. */
const NOT_WANTED = ["vite", "typescript", "ccxt", "viem", "playwright-core", "@foundry-rs/anvil-linux-amd64"];

const folder = mkdtempSync(join(tmpdir(), "bourse-packed-"));
// As in a stranger's shell: no folder of this repository, nor the Node in it.
const PATH = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((each) => !each.startsWith(repositoryRoot))
  .join(delimiter);
const env: NodeJS.ProcessEnv = { ...process.env, PATH };
for (const name of Object.keys(env)) if (/^(npm_|NODE_)/i.test(name)) delete env[name];

function run(program: string, args: readonly string[], cwd = folder): string {
  return execFileSync(program, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function mebibytes(path: string): number {
  return Math.ceil(Number(run("du", ["-sk", path]).split("\t")[0]) / 1024);
}

describe("a package in an empty folder", () => {
  before(() => {
    const tarball = run("npm", ["pack", "--pack-destination", folder], repositoryRoot)
      .trim()
      .split("\n")
      .at(-1) as string;
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    const since = performance.now();
    run("npm", ["install", "--prefer-offline", `./${tarball}`]);
    const seconds = (performance.now() - since) / 1_000;
    // A machine that does other things as well may take longer: then the figure is told, and not held against the package.
    process.stderr.write(`installed in ${seconds.toFixed(1)} s${seconds > INSTALL_MAX_S ? ", which is long" : ""}\n`);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test("it is small, and brings no tool of development", () => {
    const whole = mebibytes("node_modules");
    const node = execFileSync("sh", ["-c", "du -skc node_modules/node-* | tail -1"], { cwd: folder, encoding: "utf8" });
    const without = whole - Math.floor(Number(node.split("\t")[0]) / 1024);
    process.stderr.write(`${whole} MiB, without Node ${without} MiB\n`);
    assert.ok(whole < BYTES_MAX_MIB, `${whole} MiB`);
    assert.ok(without < WITHOUT_NODE_MAX_MIB, `${without} MiB without Node`);
    assert.deepEqual(
      NOT_WANTED.filter((name) => existsSync(join(folder, "node_modules", name))),
      [],
    );
  });

  test("bourse start serves the API, the terminal and the documents, and keeps its data in the working directory", async () => {
    const bourse = join(folder, "node_modules", ".bin", "bourse");
    const { version } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as { version: string };
    assert.equal(run(bourse, ["--version"]).trim(), version);
    const child = spawn(bourse, ["start", "--port", "0", "--log-level", "warn"], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    const url = /^bourse ready (\S+) admin/.exec(line)?.[1] ?? assert.fail(line);
    for (const path of ["/v2/time", "/", "/docs", "/docs/api", "/docs/sockets", "/openapi.json", "/docs/legacy"]) {
      assert.equal((await fetch(url + path)).status, 200, path);
    }
    assert.doesNotMatch(await (await fetch(url)).text(), /is not built/);
    assert.match(run(bourse, ["status"]), /seq/);
    assert.ok(existsSync(join(folder, "bourse-data", "log.sqlite")));
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
  });

  test("the examples run with it, under Node's runner and under vitest, and its types stand a strict check", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
      devDependencies: Record<string, string>;
    };
    const tools = ["typescript", "@types/node", "ccxt"].map((name) => `${name}@${devDependencies[name]}`);
    run("npm", ["install", "--prefer-offline", "--ignore-scripts", ...tools, "vitest"]);
    cpSync(join(repositoryRoot, "examples"), join(folder, "examples"), { recursive: true });
    const node = join(folder, "node_modules", ".bin", "node");
    run(node, ["--test", "examples/*/*.test.ts"]);
    run(node, ["node_modules/vitest/vitest.mjs", "run", "bot.spec"]);
    const options = {
      strict: true,
      noEmit: true,
      module: "nodenext",
      target: "esnext",
      allowImportingTsExtensions: true,
      types: ["node"],
    };
    // Declarations of packages are checked, too; those of ccxt have a fault of their own.
    const include = ["keep-a-bid", "market-maker", "backtest"].map((name) => `examples/${name}`);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include }));
    run(node, ["node_modules/typescript/bin/tsc", "--project", "."]);
  });

  test("ten venues at once in one program", () => {
    const program = `
      import { startVenue } from "bourse";
      await (await startVenue()).stop();
      const before = process.memoryUsage().rss;
      const since = performance.now();
      const venues = await Promise.all(Array.from({ length: 10 }, (_, seed) => startVenue({ seed })));
      const seconds = (performance.now() - since) / 1000;
      const each = (process.memoryUsage().rss - before) / 10 / 2 ** 20;
      await Promise.all(venues.map((venue) => venue.stop()));
      console.log(JSON.stringify({ seconds, each, left: process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap") }));`;
    const printed = run(join(folder, "node_modules", ".bin", "node"), ["--input-type=module", "--eval", program]);
    const { seconds, each, left } = JSON.parse(printed) as { seconds: number; each: number; left: string[] };
    process.stderr.write(`ten ready in ${seconds.toFixed(1)} s, ${each.toFixed(0)} MiB each\n`);
    assert.ok(each < 60, `${each} MiB`);
    assert.deepEqual(left, []);
  });
});
