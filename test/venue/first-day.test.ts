/**
 * An operator's first day, as docs/guides/install.md tells it: from an empty machine to a venue behind a proxy that
 * others run, and a copy of it elsewhere; and the day on which the next release comes.
 */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { RULES_VERSION } from "../../src/engine/rules-version.ts";
import { bourse } from "../admin/command-line.ts";
import { goldenVenues, unpack } from "../golden/golden.ts";
import { Nginx, NO_NGINX } from "../support/nginx.ts";
import { VenueProcess } from "../support/venue-process.ts";

const folder = mkdtempSync(join(tmpdir(), "bourse-first-day-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const data = join(folder, "venue");
const config = join(folder, "bourse.json");

/** A verb that must succeed, with its answer. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks at what came
async function run(...args: readonly string[]): Promise<any> {
  const { code, stdout, stderr } = await bourse(...args, "--data", data, "--json");
  assert.equal(code, 0, `bourse ${args.join(" ")}: ${stderr}`);
  return JSON.parse(stdout);
}

const PASSPHRASE = join(folder, "backup-passphrase");
writeFileSync(PASSPHRASE, "a passphrase of its own\n", { mode: 0o600 });

/** The same as another operator: the token stands in the environment of nobody, so it is given. */
async function runAs(token: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await bourse(...args, "--data", data, "--token", token, "--json");
  return code === 0 ? JSON.parse(stdout) : { refused: JSON.parse(stderr).message };
}

test("a production venue with two operators is set up, traded on, backed up, archived and restored elsewhere", async (t) => {
  writeFileSync(
    config,
    JSON.stringify({
      profile: "production",
      data: "venue",
      port: 0,
      "four-eyes": "USDT=50000",
      backups: "safe",
      "backup-passphrase-file": "backup-passphrase",
      "log-level": "warn",
      "trusted-proxies": "127.0.0.1",
    }),
  );
  const venue = await VenueProcess.start(data, "--config", config);
  t.after(() => venue.end("SIGKILL"));

  // Operators: root makes two, who then work under their own names.
  const first = await run("operator", "create", "--name", "ann", "--role", "admin");
  const enrol = async (name: string, ...codes: readonly string[]) =>
    (await run("operator", "enrol", "--name", name, ...codes.flatMap((code) => ["--codes", code]))).token;
  const ann = await enrol("ann", first.enrolment);
  /** What takes two: ann asks, and root consents while she is the only administrator. */
  const byTwo = async (...args: readonly string[]) => {
    const asked = await runAs(ann, ...args);
    assert.equal(asked.status, "pending", "who may do what takes two, once there is an administrator");
    return [asked, await run("approval", "decide", String(asked.approval_id), "--approve")] as const;
  };
  const [asked, agreed] = await byTwo("operator", "create", "--name", "tess", "--role", "treasurer");
  const tess = await enrol("tess", asked.enrolment, agreed.enrolment);

  // A listing.
  for (const ccy of ["BTC", "USDT"]) await runAs(ann, "asset", "create", "--ccy", ccy, "--scale", "8");
  const market = ["--market", "BTCUSDT", "--base-ccy", "BTC", "--quote-ccy", "USDT", "--min-amount", "0.0001"];
  const grid = ["--base-ccy-precision", "6", "--quote-ccy-precision", "2"];
  const fees = ["--maker-fee-rate", "0.001", "--taker-fee-rate", "0.001"];
  await runAs(ann, "market", "create", ...market, ...grid, ...fees);
  const index = ["index", "set", "--market", "BTCUSDT", "--sources", "exchange=a,price=60000"];
  await runAs(ann, "market", "change", "--market", "BTCUSDT", "--index-sources", "exchange=a,weight=1");
  await runAs(ann, ...index);

  // Users, credited by the treasurer: above the bound by two.
  for (const name of ["alice", "bob"])
    await runAs(ann, "user", "create", "--name", name, "--reference", `signup ${name}`);
  const wire = ["--ccy", "USDT", "--amount", "100000", "--note", "wire 1", "--reference", "wire 1"];
  const pending = await runAs(tess, "deposit", "--user-id", "alice", ...wire);
  assert.deepEqual(await runAs(tess, "deposit", "--user-id", "alice", ...wire), pending);
  assert.match(
    (await runAs(tess, "approval", "decide", String(pending.approval_id), "--approve")).refused,
    /Another operator/,
  );
  assert.equal((await runAs(ann, "approval", "decide", String(pending.approval_id), "--approve")).status, "approved");
  await runAs(
    tess,
    "deposit",
    "--user-id",
    "bob",
    "--ccy",
    "BTC",
    "--amount",
    "2",
    "--note",
    "chain 7",
    "--reference",
    "tx 7",
  );
  const { audit_trail } = await run("audit-trail", "--actor", "tess", "--action", "deposit");
  assert.deepEqual(
    audit_trail.map(({ outcome, details }: { outcome: string; details: { amount: string } }) => [
      outcome,
      details.amount,
    ]),
    [
      ["accepted", "2"],
      ["accepted", "100000"],
      ["pending", "100000"],
      ["pending", "100000"],
    ],
  );

  // Trading.
  const keys = new Map<string, { accessId: string; secret: string }>();
  for (const name of ["alice", "bob"]) {
    const [{ access_id, secret_key }] = await byTwo("key", "create", "--user-id", name);
    keys.set(name, { accessId: access_id, secret: secret_key });
  }
  const order = { market: "BTCUSDT", market_type: "SPOT", type: "limit", price: "60000", amount: "0.5" };
  const proxy = NO_NGINX === false ? await Nginx.start(folder, venue.url) : undefined;
  if (proxy === undefined) t.diagnostic(NO_NGINX as string);
  t.after(() => proxy?.end());
  /** Places an order as a customer does: over TLS, through the proxy, where there is one. */
  const place = async (name: string, body: object) => {
    const client = venue.client(keys.get(name));
    if (proxy === undefined) return await client.act("/v2/spot/order", body);
    const text = JSON.stringify(body);
    const headers = client.headersFor("POST", "/v2/spot/order", text);
    const answer = await proxy.ask("/v2/spot/order", { method: "POST", headers, body: text });
    assert.equal(answer.body.code, 0, answer.body.message);
  };
  await place("alice", { ...order, side: "buy" });
  await place("bob", { ...order, side: "sell", amount: "0.2" });
  assert.equal((await run("order", "list", "--user-id", "alice")).orders.length, 1);

  // A backup while it runs, an archive of what is old, a clean stop and the next start.
  const early = await run("backup", "create");
  assert.ok(early.file.startsWith(join(folder, "safe")));
  const { seq } = await run("status");
  const archived = await bourse(
    "archive",
    "--before",
    String(seq),
    "--to",
    join(folder, "archive"),
    "--data",
    data,
    "--json",
  );
  assert.equal(archived.code, 0, archived.stderr);
  await place("bob", { ...order, side: "sell", amount: "0.1" });
  const late = join(folder, "late.tar");
  await run("backup", "--to", late, "--passphrase-file", PASSPHRASE);
  const whole = await bourse("audit", "--data", data, "--with", join(folder, "archive"));
  assert.equal(whole.code, 0, whole.stderr);
  assert.equal(await venue.end("SIGTERM"), 0);
  const again = await VenueProcess.start(data, "--config", config);
  t.after(() => again.end("SIGKILL"));
  assert.equal((await runAs(ann, "status")).profile, "production", "operators and their tokens outlive a restart");
  assert.equal((await run("audit-trail", "--actor", "tess", "--action", "deposit")).audit_trail.length, 4);

  // The same venue elsewhere, from the backup before the archive and from the one after it.
  for (const [file, filled] of [
    [early.file, "0.2"],
    [late, "0.3"],
  ] as const) {
    const place = join(folder, `copy-${filled}`);
    assert.equal((await bourse("verify", file, "--passphrase-file", PASSPHRASE)).code, 0);
    const restored = await bourse("restore", file, "--data", place, "--passphrase-file", PASSPHRASE);
    assert.equal(restored.code, 0, restored.stderr);
    assert.equal((await bourse("audit", "--data", place)).code, 0);
    if (file === late) {
      const joined = await bourse("audit", "--data", place, "--with", join(folder, "archive"));
      assert.equal(joined.code, 0, `what was restored goes on from the archive: ${joined.stderr}`);
    }
    const copy = await VenueProcess.start(place, "--config", config, "--data", place);
    t.after(() => copy.end("SIGKILL"));
    const orders = (await copy.admin("/admin/orders?user_id=alice")).orders;
    assert.deepEqual(
      orders.map(({ filled_amount }: { filled_amount: string }) => Number(filled_amount)),
      [Number(filled)],
    );
    assert.equal((await copy.client(keys.get("alice")).get("/v2/assets/spot/balance")).code, 0, "keys go on working");
    assert.deepEqual((await copy.admin("/admin/audit")).breaches, []);
    assert.equal(await copy.end("SIGTERM"), 0);
  }
  assert.equal(await again.end("SIGTERM"), 0);
  assert.ok(!existsSync(join(data, "admin-url")));
  assert.doesNotMatch(readFileSync(config, "utf8"), new RegExp(tess), "no token stands in the configuration");
});

test("a venue of an earlier release is saved, upgraded into a new epoch, archived, and audits with its archive where it is restored", async (t) => {
  const old = goldenVenues().findLast(({ name, rulesVersion }) => name === "spot-28" && rulesVersion < RULES_VERSION);
  assert.ok(old !== undefined);
  const data = unpack(old);
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const place = mkdtempSync(join(tmpdir(), "bourse-next-day-"));
  t.after(() => rmSync(place, { recursive: true, force: true }));
  const config = join(place, "bourse.json");
  writeFileSync(config, JSON.stringify({ profile: "production", port: 0, "log-level": "info" }));
  const must = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await bourse(...args);
    assert.equal(code, 0, `bourse ${args.join(" ")}: ${stderr}`);
    return stdout;
  };

  // There is no way back to older rules but a backup.
  const before = join(place, "before.tar");
  await must("backup", "--to", before, "--data", data);
  await must("verify", before);
  const upgraded = await VenueProcess.start(data, "--config", config);
  t.after(() => upgraded.end("SIGKILL"));
  assert.match(upgraded.complaints(), /a new epoch begins/);
  const { users } = await upgraded.admin("/admin/users");
  assert.ok(users.length > 0);
  await upgraded.admin("/admin/users", { name: "late" });
  assert.equal(await upgraded.end("SIGTERM"), 0);
  const log = (await must("log", "--data", data, "--json")).trimEnd().split("\n");
  const epoch = log.map((line) => JSON.parse(line)).findLast(({ kind }) => kind === "epoch");
  assert.equal(epoch.rules_version, RULES_VERSION);

  // What lies behind the epoch goes to the archive; what remains, and a copy of it, go on from there.
  const archive = join(place, "archive");
  const { archived_seq } = JSON.parse(
    await must("archive", "--before", String(epoch.seq), "--to", archive, "--data", data, "--json"),
  );
  assert.equal(archived_seq, epoch.seq - 1);
  const after = join(place, "after.tar");
  await must("backup", "--to", after, "--data", data);
  const copy = join(place, "copy");
  await must("restore", after, "--data", copy);
  const hashOf = async (...args: readonly string[]) => JSON.parse(await must("audit", ...args, "--json")).state_hash;
  const hashes = [data, copy].flatMap((each) => [hashOf("--data", each), hashOf("--data", each, "--with", archive)]);
  assert.equal(new Set(await Promise.all(hashes)).size, 1, "whole or in parts, here or there, it is one state");
  const again = await VenueProcess.start(copy, "--config", config);
  t.after(() => again.end("SIGKILL"));
  assert.equal((await again.admin("/admin/users?name=late")).users.length, 1);
  assert.equal((await again.admin("/admin/audit")).ok, true);
  assert.equal(await again.end("SIGTERM"), 0);

  // The way back: the saved venue is what it was, under the rules of then.
  const back = join(place, "back");
  await must("restore", before, "--data", back);
  const saved = (await must("log", "--data", back, "--json")).trimEnd().split("\n");
  assert.equal(saved.length, epoch.seq - 1);
});
