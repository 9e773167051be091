import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { versionOf } from "../../src/venue/version.ts";
import { ApiClient } from "../support/api-client.ts";
import { VenueProcess } from "../support/venue-process.ts";
import { bourse } from "./command-line.ts";

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "bourse-start-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A venue without a moving market, ended at the latest with the test. */
async function startedVenue(t: TestContext, data: string, ...options: string[]): Promise<VenueProcess> {
  const venue = await VenueProcess.start(data, "--makers", "off", ...options);
  t.after(() => venue.end("SIGKILL"));
  return venue;
}

test("a dev venue starts with one command, is found by its folder, and ends with 0 at a signal", async (t) => {
  const data = join(folderOf(t), "venue");
  const venue = await startedVenue(t, data);
  assert.match(venue.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.match(venue.adminUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
  for (const private_ of ["admin-token", "dev-accounts.json", "secret.key"]) {
    assert.equal(statSync(join(data, private_)).mode & 0o777, 0o600, private_);
  }

  const [alice, bob] = JSON.parse(readFileSync(join(data, "dev-accounts.json"), "utf8"));
  assert.deepEqual([alice.name, alice.user_id, bob.name, bob.user_id], ["alice", 1, "bob", 2]);
  const client = new ApiClient(venue.url, Date.now, { accessId: alice.access_id, secret: alice.secret_key });
  const balance = await client.read("/v2/assets/spot/balance");
  assert.ok(
    balance.some(({ ccy }: { ccy: string }) => ccy === "USDT"),
    "the printed keys work and have funds",
  );
  for (const { access_id, secret_key } of [alice, bob]) {
    assert.ok(
      venue.complaints().includes(access_id) && venue.complaints().includes(secret_key),
      "they are printed, too",
    );
  }

  const status = await bourse("status", "--data", data, "--json");
  assert.equal(JSON.parse(status.stdout).profile, "dev");
  const account = ["account", "create", "--name", "carol", "--fund", "USDT=100", "--json", "--data", data];
  const made = JSON.parse((await bourse(...account)).stdout);
  const carol = new ApiClient(venue.url, Date.now, { accessId: made.access_id, secret: made.secret_key });
  await carol.read("/v2/account/info");

  const second = await bourse("start", "--data", data, "--port", "0");
  assert.deepEqual([second.code, second.stdout], [1, ""]);
  assert.match(second.stderr, /bourse: The data directory .* is in use by the process with id \d+\./);
  assert.match((await bourse("log", "--data", data, "--from", "1", "--to", "2")).stdout, /begin epoch.*\n.*list_asset/);
  assert.match((await bourse("audit", "--data", data)).stdout, /Everything holds\.\n$/);

  assert.equal(await venue.end("SIGTERM"), 0);
  assert.ok(!existsSync(join(data, "admin-url")), "a stopped venue is nowhere");
  renameSync(join(data, "secret.key"), join(data, "lost.key"));
  const lost = await bourse("start", "--data", data, "--port", "0");
  assert.deepEqual([lost.code, lost.stdout], [1, ""]);
  assert.match(lost.stderr, /^bourse: The key file .*secret\.key is missing; /m);
  const production = join(data, "..", "production.json");
  writeFileSync(production, JSON.stringify({ profile: "production", data, port: 0 }));
  const refused = await bourse("start", "--config", production);
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /bourse: The production profile does not start on a venue of the dev profile: /);
});

test("a production venue starts empty from its file and keeps its token over restarts", async (t) => {
  const folder = folderOf(t);
  const config = join(folder, "bourse.json");
  writeFileSync(config, JSON.stringify({ profile: "production", "log-level": "warn" }));
  const data = join(folder, "venue");
  const start = async () => {
    const venue = await VenueProcess.start(data, "--config", config);
    t.after(() => venue.end("SIGKILL"));
    return venue;
  };
  const first = await start();
  const token = readFileSync(join(data, "admin-token"), "utf8");
  const status = await first.admin("/admin/status");
  assert.deepEqual([status.profile, status.clock], ["production", { kind: "real" }]);
  assert.deepEqual(await first.client().read("/v2/spot/market"), []);
  assert.ok(!existsSync(join(data, "dev-accounts.json")));
  // Markets there are interrupted when their price moves too far, unless somebody says otherwise.
  for (const ccy of ["ONE", "TWO"]) await first.admin("/admin/assets", { ccy, scale: 8 });
  const terms = {
    base_ccy_precision: 4,
    quote_ccy_precision: 2,
    min_amount: "0.1",
    maker_fee_rate: 0,
    taker_fee_rate: 0,
  };
  const guarded = { market: "ONETWO", base_ccy: "ONE", quote_ccy: "TWO", ...terms };
  await first.admin("/admin/markets", guarded);
  await first.admin("/admin/markets", {
    ...guarded,
    market: "TWOONE",
    base_ccy: "TWO",
    quote_ccy: "ONE",
    interruption: "none",
  });
  const interruptionOf = async (market: string) => (await first.admin(`/admin/markets/${market}`)).interruption;
  assert.deepEqual(await interruptionOf("ONETWO"), { move: "0.1", window_ms: 60_000, auction_ms: 120_000 });
  assert.equal(await interruptionOf("TWOONE"), "none");
  assert.equal(first.complaints(), "", "nothing to warn of");
  assert.equal(await first.end("SIGINT"), 0);
  const second = await start();
  assert.equal(readFileSync(join(data, "admin-token"), "utf8"), token);
  assert.equal(await second.end("SIGTERM"), 0);
});

test("on a virtual clock the venue's time is the operator's", async (t) => {
  const data = join(folderOf(t), "venue");
  const venue = await startedVenue(t, data, "--clock", "virtual");
  const frozen = await venue.admin("/admin/clock", { freeze: true });
  const moved = await venue.admin("/admin/clock", { advance_ms: 86_400_000 });
  assert.equal(moved.time_ms, frozen.time_ms + 86_400_000);
  assert.equal((await venue.client().read("/v2/time")).timestamp, moved.time_ms);
  await venue.end("SIGTERM");
});

test("what keeps a venue from starting is said in a sentence, and standard output stays empty", async (t) => {
  const folder = folderOf(t);
  const occupied = createServer().listen(0, "127.0.0.1");
  t.after(() => occupied.close());
  await new Promise((resolve) => occupied.once("listening", resolve));
  const { port } = occupied.address() as { port: number };
  writeFileSync(join(folder, "file"), "");
  mkdirSync(join(folder, "odd", "lock.sqlite"), { recursive: true });
  const table: [args: string[], code: number, sentence: RegExp][] = [
    [
      ["--data", ":memory:", "--port", String(port), "--admin-port", "0"],
      1,
      /bourse: Port \d+ of 127\.0\.0\.1 is in use; choose another one with --port,/,
    ],
    [
      ["--data", ":memory:", "--port", "0", "--admin-port", String(port)],
      1,
      /bourse: Port \d+ of 127\.0\.0\.1 is in use; choose another one with --admin-port,/,
    ],
    [
      ["--data", ":memory:", "--port", "0", "--host", "192.0.2.1"],
      1,
      /bourse: This machine has no address 192\.0\.2\.1/,
    ],
    [
      ["--data", join(folder, "file"), "--port", "0"],
      1,
      /bourse: The directory .*file cannot be used: .*file is no directory \(EEXIST\)\. Move it away, or name another directory with --data\./,
    ],
    [
      ["--data", join(folder, "odd"), "--port", "0"],
      1,
      /^bourse: .*lock\.sqlite is a directory, where the venue keeps a file\. Put the file back, or remove what is there\.$/m,
    ],
  ];
  for (const [args, code, sentence] of table) {
    const ended = await bourse("start", ...args);
    assert.deepEqual([ended.code, ended.stdout], [code, ""], ended.stderr);
    assert.match(ended.stderr, sentence);
  }
});

test("the landing page shows what runs, works without the outside world and passes its own policy", async (t) => {
  const venue = await startedVenue(t, ":memory:");
  const page = await fetch(`${venue.url}/docs`);
  const text = await page.text();
  assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'; script-src 'self'/);
  assert.ok(text.includes(`version <b>${versionOf()}</b>`));
  assert.match(text, /profile <b>dev<\/b>/);
  assert.doesNotMatch(text, /\{\{|<script>|<style>| on[a-z]+=/, "nothing is left to fill in and nothing runs inline");
  const links = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link as string);
  assert.ok(links.includes("/docs/api") && links.includes("/openapi.json"));
  // The operators of a dev venue have their console on another port of the same machine.
  for (const link of links.filter((each) => !each.startsWith("data:") && each !== venue.adminUrl)) {
    assert.match(link, /^\//, "no link leads to another host");
    const answer = await fetch(venue.url + link);
    await answer.arrayBuffer();
    assert.equal(answer.status, 200, link);
  }
  const scripts = ["main", "markets", "clock", "sandbox"].map(async (name) => {
    const answer = await fetch(`${venue.url}/docs/landing/${name}.js`);
    assert.equal(answer.headers.get("content-type"), "text/javascript; charset=utf-8");
    return await answer.text();
  });
  const script = (await Promise.all(scripts)).join("\n");
  const read = [...script.matchAll(/read\(["`](\/(?:v2|web)\/[a-z/${}]+)/g)].map(([, path]) => path as string);
  const paths = ["spot", "futures"].flatMap((product) => read.map((path) => path.replace(/\$\{product\}/, product)));
  assert.ok(paths.length >= 12);
  const query = "?market=BTCUSDT&limit=10&interval=0&period=1min";
  for (const path of paths) await venue.client().read(path + query);
  await venue.end("SIGTERM");
});
