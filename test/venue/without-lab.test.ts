/**
 * A production venue needs nothing of the laboratory: it starts and trades in a copy of the program that has none, and
 * in a whole program it loads none of it.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { repositoryRoot } from "../house/program.ts";
import { VenueProcess } from "../support/venue-process.ts";

const LAB = join("src", "lab");
/** Whatever the program reads, but for its packages. */
const PARTS = ["src", "client", "contract", "scenarios", "package.json"];
/** Notes the address of every module that a process and its threads load. */
const NOTE_MODULES = `
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(process.env.MODULES_NOTED, url + "\\n");
    return nextLoad(url, context);
  },
});
`;

let folder: string;
/** The main program of the copy. */
let main: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "bourse-without-lab-"));
  const copy = join(folder, "program");
  for (const part of PARTS) {
    const filter = (path: string) => path !== join(repositoryRoot, LAB) && !path.endsWith(".test.ts");
    cpSync(join(repositoryRoot, part), join(copy, part), { recursive: true, filter });
  }
  symlinkSync(join(repositoryRoot, "node_modules"), join(copy, "node_modules"));
  assert.ok(existsSync(join(copy, "src", "venue")) && !existsSync(join(copy, LAB)));
  main = join(copy, "src", "cli", "main.ts");
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a production venue of a program. */
async function production(program: string, name: string, env = process.env): Promise<VenueProcess> {
  const config = join(folder, `${name}.json`);
  writeFileSync(config, JSON.stringify({ profile: "production", port: 0, "admin-port": 0, "log-level": "warn" }));
  return await VenueProcess.beginProgram(program, env, join(folder, name), "--config", config).ready;
}

/** Lets two users trade, and gives what the buyer has of the base currency then. */
async function trade(venue: VenueProcess): Promise<string> {
  for (const ccy of ["BTC", "USDT"]) await venue.admin("/admin/assets", { ccy, scale: 8 });
  const grid = { base_ccy_precision: 6, quote_ccy_precision: 2, min_amount: "0.0001" };
  const fees = { maker_fee_rate: "0", taker_fee_rate: "0" };
  await venue.admin("/admin/markets", { market: "BTCUSDT", base_ccy: "BTC", quote_ccy: "USDT", ...grid, ...fees });
  const seller = await venue.trader("seller", { BTC: "1" });
  const buyer = await venue.trader("buyer", { USDT: "100000" });
  const order = { market: "BTCUSDT", market_type: "SPOT", type: "limit", price: "60000", amount: "0.5" };
  await venue.client(seller.key).act("/v2/spot/order", { ...order, side: "sell" });
  await venue.client(buyer.key).act("/v2/spot/order", { ...order, side: "buy" });
  const { data } = await venue.client(buyer.key).get("/v2/assets/spot/balance");
  return data.find(({ ccy }: { ccy: string }) => ccy === "BTC")?.available;
}

describe("a program without the laboratory", () => {
  test("runs a production venue, which trades, checks itself and starts again", async (t) => {
    const venue = await production(main, "bare");
    t.after(() => venue.end("SIGKILL"));
    assert.equal(Number(await trade(venue)), 0.5);
    assert.deepEqual((await venue.admin("/admin/audit")).breaches, []);
    assert.equal(await venue.end("SIGTERM"), 0);
    const again = await production(main, "bare");
    t.after(() => again.end("SIGKILL"));
    assert.equal((await again.admin("/admin/users?name=buyer")).users.length, 1);
    assert.equal(await again.end("SIGTERM"), 0);
  });

  test("says what is missing to whoever asks for the dev profile or a verb of the laboratory", async () => {
    const begun = VenueProcess.beginProgram(main, process.env, join(folder, "dev"), "--profile", "dev");
    await assert.rejects(begun.ready, /ended with 2: .*The dev profile needs the laboratory, .* not installed here/s);
    const verb = spawnSync(process.execPath, [main, "fork", "--from", folder, "--data", join(folder, "fork")]);
    assert.equal(verb.status, 1);
    assert.match(verb.stderr.toString(), /^bourse: This verb belongs to the laboratory, .* not installed here\./);
    const help = spawnSync(process.execPath, [main, "--help"]);
    assert.equal(help.status, 0);
    assert.match(help.stdout.toString(), / fork .* scenario .* conform .* replay-market /s);
  });
});

test("a production venue of a whole program loads nothing of the laboratory, and a dev venue does", async (t) => {
  const hook = join(folder, "note-modules.mjs");
  writeFileSync(hook, NOTE_MODULES);
  const whole = join(repositoryRoot, "src", "cli", "main.ts");
  const loadedBy = async (name: string, start: (env: NodeJS.ProcessEnv) => Promise<VenueProcess>) => {
    const MODULES_NOTED = join(folder, `${name}.modules`);
    const NODE_OPTIONS = `${process.env["NODE_OPTIONS"] ?? ""} --import ${pathToFileURL(hook).href}`;
    const venue = await start({ ...process.env, MODULES_NOTED, NODE_OPTIONS });
    t.after(() => venue.end("SIGKILL"));
    assert.equal(await venue.end("SIGTERM"), 0);
    const modules = new Set(readFileSync(MODULES_NOTED, "utf8").trimEnd().split("\n"));
    const own = [...modules].filter((url) => url.startsWith(pathToFileURL(join(repositoryRoot, "src")).href));
    const ofLab = own.filter((url) => url.includes("/src/lab/"));
    t.diagnostic(`${name}: ${own.length} modules of src, ${ofLab.length} of them of the laboratory.`);
    return { own, ofLab };
  };
  const [inProduction, inDev] = [
    await loadedBy("whole", (env) => production(whole, "whole", env)),
    await loadedBy("dev", (env) => VenueProcess.beginProgram(whole, env, join(folder, "dev"), "--makers", "off").ready),
  ];
  assert.ok(inProduction.own.length > 100, "the hook notes what is loaded");
  assert.deepEqual(inProduction.ofLab, []);
  assert.ok(inDev.ofLab.length > 20);
});
