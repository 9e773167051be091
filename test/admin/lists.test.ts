/**
 * What an operator finds again: lists with pages and filters, by names as well as ids, and the words of the command
 * line.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { figuresOf } from "../../src/cli/figures.ts";
import { VenueProcess } from "../support/venue-process.ts";
import { bourse } from "./command-line.ts";
import { listBtcUsdt, openAdminVenue } from "./venue.ts";

test("sub-accounts are listed with their main accounts, shown, frozen and told what they may do, by calls and verbs", async (t) => {
  const venue = await openAdminVenue(t);
  await listBtcUsdt(venue);
  for (const name of ["alice", "bob"]) await venue.post("/admin/users", { name });
  for (const [name, main] of [
    ["alice-1", "alice"],
    ["alice-2", "alice"],
    ["bob-1", "bob"],
  ])
    await venue.post("/admin/users", { name, main_user_id: main });
  await venue.post("/admin/deposits", { user_id: "alice-1", ccy: "USDT", amount: "5.5" });
  const names = async (query: string) =>
    (await venue.get(`/admin/subs?${query}`)).data.subs.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names(""), ["alice-1", "alice-2", "bob-1"]);
  assert.deepEqual(await names("main_user_id=alice"), ["alice-1", "alice-2"]);
  assert.deepEqual(await names("limit=1&page=3"), ["bob-1"]);
  const { created_at: _, ...shown } = (await venue.get("/admin/subs/alice-1")).data;
  const row = { user_id: 3, name: "alice-1", main_user_id: 1, main_name: "alice", frozen_by_main: false, remark: "" };
  const all = ["FUTURES", "MARGIN", "AMM", "API"];
  assert.deepEqual(shown, { ...row, frozen: false, permissions: all, balance_usd: "5.50", api_keys: 0 });

  const where = ["--admin", venue.url, "--token", venue.token, "--json"];
  const verb = async (...words: string[]) => JSON.parse((await bourse("sub", ...words, ...where)).stdout);
  const changed = await verb("change", "alice-1", "--frozen", "true", "--permissions", "API");
  assert.deepEqual([changed.frozen, changed.permissions], [true, ["API"]]);
  assert.deepEqual(
    (await verb("list", "--frozen", "true")).subs.map(({ name }: { name: string }) => name),
    ["alice-1"],
  );
  assert.equal((await verb("show", "alice-1")).main_name, "alice");
  assert.deepEqual(await names("frozen=false"), ["alice-2", "bob-1"]);
  assert.match((await venue.get("/admin/subs/alice")).message, /no sub-account/);
  assert.match((await venue.post("/admin/subs/alice-1", {})).message, /one of frozen and permissions/);
  assert.equal((await venue.post("/admin/subs/bob", { frozen: true })).code, 3639);
});

test("users, keys and assets are listed page by page and filtered, by name or id", async (t) => {
  const venue = await openAdminVenue(t);
  await listBtcUsdt(venue);
  for (const name of ["alice", "Bob", "bobby"]) await venue.post("/admin/users", { name });
  await venue.post("/admin/users", { name: "alice-bot", main_user_id: "alice" });
  await venue.post("/admin/users/bobby", { frozen: true });
  const names = async (query: string) =>
    (await venue.get(`/admin/users?${query}`)).data.users.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names(""), ["alice", "Bob", "bobby", "alice-bot"]);
  assert.deepEqual(await names("name=BOB"), ["Bob", "bobby"]);
  assert.deepEqual(await names("main_user_id=alice"), ["alice-bot"]);
  assert.deepEqual(await names("frozen=true"), ["bobby"]);
  assert.deepEqual((await venue.get("/admin/users?limit=3")).data.has_next, true);
  assert.deepEqual(await names("limit=3&page=2"), ["alice-bot"]);
  assert.deepEqual((await venue.get("/admin/users?limit=4")).data.has_next, false);

  await venue.post("/admin/deposits", { user_id: "Bob", ccy: "USDT", amount: "5" });
  assert.equal((await venue.get("/admin/users/Bob")).data.balances[0].available, "5.00000000");
  const key = await venue.post("/admin/api-keys", { user_id: "Bob", expired_at: "2100-01-01T00:00:00+02:00" });
  const { api_keys } = (await venue.get("/admin/api-keys?user_id=Bob")).data;
  assert.deepEqual(
    [api_keys.length, api_keys[0].access_id, api_keys[0].user_id, api_keys[0].expired_at],
    [1, key.data.access_id, 2, Date.UTC(2099, 11, 31, 22)],
  );
  assert.equal(JSON.stringify(api_keys).includes(key.data.secret_key), false);
  assert.deepEqual((await venue.get("/admin/api-keys?user_id=alice")).data.api_keys, []);
  const assets = (await venue.get("/admin/assets")).data.assets;
  assert.deepEqual(
    assets.map(({ ccy, custody }: { ccy: string; custody: string }) => [ccy, custody]),
    [
      ["BTC", "0.00000000"],
      ["USDT", "5.00000000"],
    ],
  );
});

test("what is no name, no time or no user is refused with a sentence", async (t) => {
  const venue = await openAdminVenue(t);
  await listBtcUsdt(venue);
  const table: [path: string, body: object, code: number, sentence: RegExp][] = [
    ["/admin/users", { name: "12345" }, 3639, /name must be .* not of digits only/],
    ["/admin/users", { name: "eve\u202Eila" }, 3639, /name must be/],
    ["/admin/users", { name: "line\u2028break" }, 3639, /name must be/],
    ["/admin/assets", { ccy: "EVIL", scale: 2, website_url: "javascript:alert(1)" }, 3639, /website_url must be/],
    ["/admin/deposits", { user_id: "nobody", ccy: "USDT", amount: "1" }, 3639, /There is no user named nobody\./],
    [
      "/admin/maintenance",
      { scope: ["SPOT"], started_at: "2030-01-01T00:00:00", ended_at: 4e12 },
      3639,
      /started_at must be ms, or a time with its zone/,
    ],
    [
      "/admin/maintenance",
      { scope: ["SPOT"], started_at: "2030-13-01T00:00:00Z", ended_at: 4e12 },
      3639,
      /started_at must be ms/,
    ],
  ];
  for (const [path, body, code, sentence] of table) {
    const reply = await venue.post(path, body);
    assert.equal(reply.code, code, JSON.stringify(body));
    assert.match(reply.message, sentence);
  }
});

test("orders and positions of everybody are listed as the API shows them", async (t) => {
  const venue = await VenueProcess.start(":memory:", "--makers", "off");
  t.after(() => venue.end("SIGKILL"));
  const ann = await venue.trader("ann", { BTC: "10", USDT: "100000" });
  const ben = await venue.trader("ben", { BTC: "10", USDT: "100000" });
  const order = { market: "BTCUSDT", market_type: "SPOT", type: "limit", amount: "0.5" };
  await venue.client(ann.key).act("/v2/spot/order", { ...order, side: "buy", price: "50000" });
  const { order_id } = await venue.client(ben.key).act("/v2/spot/order", { ...order, side: "sell", price: "70000" });
  const all = (await venue.admin("/admin/orders?market=BTCUSDT")).orders;
  assert.deepEqual(
    all.map(({ user_id, side }: Record<string, unknown>) => [user_id, side]),
    [
      [ann.userId, "buy"],
      [ben.userId, "sell"],
    ],
  );
  const own = (await venue.admin("/admin/orders?user_id=ben&side=sell")).orders;
  assert.deepEqual([own.length, own[0].order_id, Number(own[0].price)], [1, order_id, 70_000]);
  assert.deepEqual((await venue.admin("/admin/orders?user_id=ben&side=buy")).orders, []);
  assert.deepEqual((await venue.admin("/admin/positions")).positions, []);
});

test("verbs go on under their old names, with a notice, for what only they could mean", async (t) => {
  const venue = await openAdminVenue(t);
  const where = ["--admin", venue.url, "--token", venue.token];
  const old = await bourse("asset", "list", "--ccy", "BTC", "--scale", "8", ...where);
  assert.deepEqual([old.code, old.stdout], [0, "ccy  BTC\n"]);
  assert.equal(
    old.stderr,
    "bourse: bourse asset list is now bourse asset create; the old name goes away with the next version.\n",
  );
  const listed = await bourse("asset", "list", ...where, "--json");
  assert.deepEqual([listed.stderr, JSON.parse(listed.stdout).assets[0].ccy], ["", "BTC"]);
  const markets = await bourse("markets", ...where);
  assert.match(markets.stderr, /bourse markets is now bourse market list/);
  assert.equal(markets.code, 0);
});

test("with --json a refusal is an object on standard error, and figures are records", async (t) => {
  const venue = await openAdminVenue(t);
  const where = ["--admin", venue.url, "--token", venue.token, "--json"];
  const refused = await bourse("deposit", "--user-id", "7", "--ccy", "BTC", "--amount", "1", ...where);
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  const { code, message, exit_code } = JSON.parse(refused.stderr);
  assert.deepEqual([code, exit_code], [3639, 1]);
  assert.doesNotMatch(message, /Refused with code/);
  const usage = await bourse("deposit", "--bogus", "--json");
  assert.deepEqual([usage.code, JSON.parse(usage.stderr).exit_code], [2, 2]);
  assert.deepEqual(JSON.parse((await bourse("metrics", ...where)).stdout), {
    figures: [{ name: "bourse_seq", labels: {}, value: 1 }],
  });
  assert.deepEqual(figuresOf('# HELP a b\na{x="1\\"\\\\\\n",y="2"} +Inf\n').figures, [
    { name: "a", labels: { x: '1"\\\n', y: "2" }, value: Number.NaN },
  ]);
});

test("a token is taken from the environment, where a list of processes does not show it", async (t) => {
  const venue = await openAdminVenue(t);
  process.env["BOURSE_TOKEN"] = venue.token;
  t.after(() => delete process.env["BOURSE_TOKEN"]);
  assert.equal((await bourse("status", "--admin", venue.url)).code, 0);
});

test("pointed at the API's port, the command line says what is wrong", async (t) => {
  const venue = await VenueProcess.start(":memory:", "--makers", "off");
  t.after(() => venue.end("SIGKILL"));
  const lost = await bourse("status", "--admin", venue.url, "--token", "x".repeat(32));
  assert.equal(lost.code, 1);
  assert.match(lost.stderr, /listens the API of a venue, which clients use, and not its admin interface/);
});

test("bash completes verbs, the verbs of a noun, options and shells", {
  skip: process.platform === "win32",
}, async (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), "bourse-completion-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, "bourse.bash");
  writeFileSync(script, (await bourse("completion", "bash")).stdout);
  const complete = (...words: string[]) => {
    const ask = 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bourse; declare -p COMPREPLY';
    const told = execFileSync("bash", ["-c", ask, script, "bourse", ...words], { encoding: "utf8" });
    return Array.from(told.matchAll(/\]="([^"]*)"/g), ([, word]) => word as string);
  };
  assert.deepEqual(complete("mai"), ["maintenance"]);
  assert.deepEqual(complete("market", "").sort(), ["--help", "change", "create", "list", "show"]);
  assert.deepEqual(complete("deposit", "--am"), ["--amount"]);
  assert.deepEqual(complete("completion", "z"), ["zsh"]);
  assert.match((await bourse("completion", "zsh")).stdout, /bashcompinit[\s\S]*complete -F _bourse bourse/);
  assert.equal((await bourse("completion", "fish")).code, 2);
});
