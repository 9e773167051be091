/** The package as a stranger gets it: packed, installed in an empty folder, started, and traded with. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { repositoryRoot } from "../house/program.ts";
import { budget } from "../support/ring.ts";
import { type Stranger, stranger } from "./stranger.ts";

const BYTES_MAX_MIB = 280;
const WITHOUT_NODE_MAX_MIB = 62;
/**
 * Without being told, a venue makes seven days: nine seconds of processor time, and as much again when its history is
 * made anew.
 */
const PAST_DAYS = budget(1, 7);
/** Tools of development, of which a stranger must get none. */
const NOT_WANTED = ["vite", "typescript", "ccxt", "viem", "playwright-core", "@foundry-rs/anvil-linux-amd64"];

describe("the package in an empty folder", () => {
  let own: Stranger;
  before(async () => {
    own = await stranger();
  });
  after(() => own.remove());

  const mebibytes = (path: string) => Math.ceil(Number(own.run("du", ["-sk", path]).split("\t")[0]) / 1024);

  test("it is small, and brings no tool of development", () => {
    const whole = mebibytes("node_modules");
    const cwd = own.folder;
    const node = execFileSync("sh", ["-c", "du -skc node_modules/node-* | tail -1"], { cwd, encoding: "utf8" });
    const without = whole - Math.floor(Number(node.split("\t")[0]) / 1024);
    process.stderr.write(`${whole} MiB, without Node ${without} MiB\n`);
    assert.ok(whole < BYTES_MAX_MIB, `${whole} MiB`);
    assert.ok(without < WITHOUT_NODE_MAX_MIB, `${without} MiB without Node`);
    assert.deepEqual(
      NOT_WANTED.filter((name) => existsSync(join(cwd, "node_modules", name))),
      [],
    );
  });

  test("it brings the licence of everything that was bundled, a bill of materials, and the versions that were tested", () => {
    const inside = (name: string) => readFileSync(join(own.folder, "node_modules", "bourse", name), "utf8");
    const notices = inside("dist/THIRD-PARTY-NOTICES.txt");
    const bill = JSON.parse(inside("dist/sbom.cdx.json")) as { components: Component[] };
    const lock = readFileSync(join(repositoryRoot, "package-lock.json"), "utf8");
    assert.equal(inside("npm-shrinkwrap.json"), lock);
    // Read from the sources, and not from what the bundler says.
    for (const name of [...importedByPages(), "@fontsource-variable/inter", "viem"]) {
      const { version, license } = JSON.parse(
        readFileSync(join(repositoryRoot, "node_modules", name, "package.json"), "utf8"),
      ) as { version: string; license: string };
      assert.ok(notices.includes(`${name} ${version} (${license})\n\n`), `no licence of ${name}`);
      const listed = bill.components.filter((each) => each.name === name && each.version === version);
      assert.equal(listed.length, 1, name);
    }
    const packages = JSON.parse(lock).packages as Record<
      string,
      { version: string; dev?: boolean; devOptional?: boolean }
    >;
    for (const [path, { version, dev, devOptional }] of Object.entries(packages)) {
      if (path === "" || dev === true || devOptional === true) continue;
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      const component = bill.components.find((each) => each.name === name && each.version === version);
      assert.match(component?.hashes[0]?.content ?? "", /^[0-9a-f]{128}$/, path);
    }
  });

  test("bourse start serves the API, the terminal and the documents, goes on from its folder, and takes orders", async () => {
    const bourse = join(own.folder, "node_modules", ".bin", "bourse");
    const { version } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as { version: string };
    assert.equal(own.run(bourse, ["--version"]).trim(), version);
    writeFileSync(join(own.folder, "trade.mjs"), TRADE);
    for (const orders of [1, 2]) {
      // The second start makes the history anew from the log, by threads that start threads.
      if (orders === 2) rmSync(join(own.folder, "bourse-data", "history.sqlite"));
      const child = spawn(bourse, ["start", "--port", "0", "--log-level", "warn", "--past", `${PAST_DAYS}d`], {
        cwd: own.folder,
        env: own.env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      let errors = "";
      child.stderr.on("data", (piece: Buffer) => (errors += piece));
      const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
      const url = /^bourse ready (\S+) admin/.exec(line)?.[1] ?? assert.fail(line + errors);
      for (const path of [
        "/v2/time",
        "/",
        "/docs",
        "/docs/pages",
        "/docs/api",
        "/docs/sockets",
        "/openapi.json",
        "/docs/legacy",
      ]) {
        assert.equal((await fetch(url + path)).status, 200, path);
      }
      assert.doesNotMatch(await (await fetch(url)).text(), /is not built/);
      assert.match(own.run(bourse, ["status"]), /seq/);
      const node = join(own.folder, "node_modules", ".bin", "node");
      assert.deepEqual(JSON.parse(own.run(existsSync(node) ? node : process.execPath, ["trade.mjs", url])), { orders });
      child.kill("SIGTERM");
      const [code] = await once(child, "exit");
      assert.equal(code, 0, errors);
    }
    assert.ok(existsSync(join(own.folder, "bourse-data", "log.sqlite")));
  });

  test("it serves programs that import and programs that require, under the Node of the machine", (t) => {
    writeFileSync(join(own.folder, "required.cjs"), REQUIRED);
    writeFileSync(join(own.folder, "host-venue.mjs"), OWN_VENUE);
    t.diagnostic(`Node ${own.run("node", ["--version"]).trim()}`);
    assert.deepEqual(JSON.parse(own.run("node", ["required.cjs"])), { market: "BTCUSDT" });
    assert.deepEqual(JSON.parse(own.run("node", ["host-venue.mjs", "child"])), { child: ["50000"] });
  });

  test("startVenue gives a test a venue in its own process, and one beside it, in which two users trade", () => {
    writeFileSync(join(own.folder, "own-venue.mjs"), OWN_VENUE);
    const node = join(own.folder, "node_modules", ".bin", "node");
    const printed = own.run(existsSync(node) ? node : process.execPath, ["own-venue.mjs"]);
    assert.deepEqual(JSON.parse(printed), { here: ["50000"], child: ["50000"] });
  });
});

interface Component {
  readonly name: string;
  readonly version: string;
  readonly hashes: readonly { readonly content: string }[];
}

/** Packages that the sources of terminal and console name. */
function importedByPages(): Set<string> {
  const files = globSync("web/src/**/*.{ts,tsx}", { cwd: repositoryRoot });
  const named = files.flatMap((file) => [
    ...readFileSync(join(repositoryRoot, file), "utf8")
      .replaceAll(/^import type .*$/gm, "")
      .matchAll(/(?:from |import\()"((?:@[\w-]+\/)?[\w-]+)/g),
  ]);
  const names = new Set(named.map(([, name = ""]) => name));
  assert.ok(names.has("solid-js") && names.size >= 4, [...names].join(", "));
  return names;
}

/** Places an order far below the market as alice, and tells how many of hers are open. */
const TRADE = `
import { Client } from "bourse/client";
const key = { accessId: "76C101C1D5579A41CA9066B9CCB187B5", secretKey: "799400991C9FCC1EAB583202E52473F16226EB2883EF46DB" };
const client = new Client({ url: process.argv[2], key });
const market = { market: "BTCUSDT", market_type: "SPOT" };
const placed = await client.post("/spot/order", { ...market, side: "buy", type: "limit", amount: "0.001", price: "1000" });
if (!placed.ok) throw new Error(placed.message);
const open = await client.get("/spot/pending-order", market);
client.close();
process.stdout.write(JSON.stringify({ orders: open.data.length }));
`;

/** Lets bob buy from alice in both kinds of venue, and tells the prices of his deals. */
const OWN_VENUE = `
import { startVenue } from "bourse";
import { Client } from "bourse/client";
async function deals(child) {
  const venue = await startVenue({ child, frozen: true, makers: false });
  const [alice, bob] = venue.accounts.map((key) => new Client({ url: venue.url, key }));
  const order = { market: "BTCUSDT", market_type: "SPOT", type: "limit", amount: "0.01", price: "50000" };
  for (const [client, side] of [[alice, "sell"], [bob, "buy"]]) {
    const placed = await client.post("/spot/order", { ...order, side });
    if (!placed.ok) throw new Error(placed.message);
  }
  const seen = await bob.get("/spot/user-deals", { market: "BTCUSDT", market_type: "SPOT" });
  for (const client of [alice, bob]) client.close();
  await venue.stop();
  return seen.data.map(({ price }) => price);
}
const here = process.argv[2] === "child" ? {} : { here: await deals(false) };
process.stdout.write(JSON.stringify({ ...here, child: await deals(true) }));
`;

/** A test in the older form of modules. */
const REQUIRED = `
const { startVenue } = require("bourse");
const { Client } = require("bourse/client");
async function main() {
  const venue = await startVenue({ child: true, frozen: true, makers: false });
  const client = new Client({ url: venue.url });
  const market = await client.get("/spot/market", { market: ["BTCUSDT"] });
  client.close();
  await venue.stop();
  process.stdout.write(JSON.stringify({ market: market.data[0].market }));
}
main();
`;
