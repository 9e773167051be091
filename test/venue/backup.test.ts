/** A venue in one file: taken while it works, checked, and started elsewhere as what it was. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { bourse } from "../admin/command-line.ts";
import { VenueProcess } from "../support/venue-process.ts";

const folder = mkdtempSync(join(tmpdir(), "bourse-backup-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const FUNDS = { BTC: "10", USDT: "1000000" };
const ORDER = { market: "BTCUSDT", market_type: "SPOT", type: "limit", side: "buy", amount: "0.001" };

const STAYING = 150;

const { publicKey, privateKey } = generateKeyPairSync("x25519");
const [PUBLIC, PRIVATE] = [join(folder, "backup.pub"), join(folder, "backup.key")];
writeFileSync(PUBLIC, publicKey.export({ format: "pem", type: "spki" }));
writeFileSync(PRIVATE, privateKey.export({ format: "pem", type: "pkcs8" }), { mode: 0o600 });

test("a backup of a venue under load is sound, and starts elsewhere with all that was answered before it", async (t) => {
  const data = join(folder, "busy");
  const venue = await VenueProcess.start(data, "--limits", "off", "--accounts", "random", "--backup-recipient", PUBLIC);
  t.after(() => venue.end("SIGKILL"));
  const ann = await venue.trader("ann", FUNDS);
  const secret = new RegExp(readFileSync(join(data, "secret.key"), "utf8").trim());
  const client = venue.client(ann.key);
  const answered: number[] = [];
  let stopping = false;
  const loops = Array.from({ length: 8 }, async () => {
    while (!stopping) {
      const { order_id } = await client.act("/v2/spot/order", { ...ORDER, price: "100" });
      // An account may have so many open orders and no more: what comes after these does not stay.
      if (answered.length < STAYING) answered.push(order_id);
      else await client.act("/v2/spot/cancel-order", { market: "BTCUSDT", market_type: "SPOT", order_id });
    }
  });
  while (answered.length < 50) await pause(10);
  const before = [...answered];
  const [online, second] = await Promise.all([
    venue.admin("/admin/backups", {}),
    venue.admin("/admin/backups", {}).catch((error: Error) => error.message),
  ]);
  const to = join(folder, "busy.tar");
  const direct = await bourse("backup", "--to", to, "--data", data, "--recipient", PUBLIC, "--json");
  assert.equal(direct.code, 0, direct.stderr);
  stopping = true;
  await Promise.all(loops);
  assert.match(second, /A backup is being made or verified/);
  assert.ok(online.seq >= before.length && statSync(online.file).size === online.bytes);
  assert.equal(statSync(online.file).mode & 0o777, 0o600);
  assert.deepEqual((await venue.admin("/admin/backups")).backups.length, 1);
  assert.ok(JSON.parse(direct.stdout).seq > online.seq, "the venue went on meanwhile");
  const again = await bourse("backup", "--to", to, "--data", data);
  assert.deepEqual([again.code, /exists already; a backup never replaces another/.test(again.stderr)], [1, true]);

  for (const file of [online.file, to]) {
    assert.doesNotMatch(readFileSync(file).toString("latin1"), secret, "nothing of it can be read");
    const without = await bourse("verify", file);
    assert.deepEqual([without.code, /sealed for the owner of a key/.test(without.stderr)], [3, true]);
    const verified = await bourse("verify", file, "--identity", PRIVATE, "--json");
    assert.equal(JSON.parse(verified.stdout).has_secret_key, true);
    assert.deepEqual([verified.code, JSON.parse(verified.stdout).ok], [0, true]);
    const place = join(folder, `restored-${file === to ? "direct" : "online"}`);
    const restored = await bourse("restore", file, "--data", place, "--identity", PRIVATE, "--json");
    assert.equal(restored.code, 0, restored.stderr);
    assert.equal((await bourse("audit", "--data", place)).code, 0);
    const copy = await VenueProcess.start(place, "--makers", "off", "--limits", "off", "--accounts", "random");
    t.after(() => copy.end("SIGKILL"));
    // The copy has a token of its own; the keys of clients are those of the venue.
    assert.notEqual(copy.authorization, venue.authorization);
    const pending = await copy.client(ann.key).get(`/v2/spot/order-status?market=BTCUSDT&order_id=${before.at(-1)}`);
    assert.equal(pending.code, 0, pending.message);
    assert.ok((await copy.admin(`/admin/users/${ann.userId}`)).open_orders >= before.length);
    assert.equal((await copy.admin("/admin/audit")).ok, true);
    assert.equal(await copy.end("SIGTERM"), 0);
  }
  const stopped = await venue.end("SIGTERM");
  assert.equal(stopped, 0);
  const still = await bourse("backup", "--to", join(folder, "stopped.tar"), "--data", data);
  assert.equal(still.code, 0, "a stopped venue is backed up the same way");
  // Not sealed it holds nothing that opens an account, unless it is asked to.
  const plain = join(folder, "plain.tar");
  assert.equal((await bourse("backup", "--to", plain, "--with-secrets", "--data", data)).code, 0);
  for (const [file, has] of [
    [join(folder, "stopped.tar"), false],
    [plain, true],
  ] as const) {
    assert.equal(secret.test(readFileSync(file).toString("latin1")), has, file);
    assert.equal(JSON.parse((await bourse("verify", file, "--json")).stdout).has_secret_key, has, file);
  }
  const place = join(folder, "without-key");
  assert.equal((await bourse("restore", join(folder, "stopped.tar"), "--data", place)).code, 0);
  const refused = await bourse("start", "--data", place, "--port", "0", "--admin-port", "0", "--accounts", "random");
  assert.deepEqual([refused.code, /secret\.key is missing; .* Put it back/.test(refused.stderr)], [1, true]);
  // Which may come from elsewhere.
  const given = { BOURSE_SECRET_KEY: readFileSync(join(data, "secret.key"), "utf8").trim() };
  const started = await VenueProcess.startIn(
    { ...process.env, ...given },
    place,
    "--makers",
    "off",
    "--limits",
    "off",
    "--accounts",
    "random",
  );
  t.after(() => started.end("SIGKILL"));
  assert.equal((await started.client(ann.key).get("/v2/assets/spot/balance")).code, 0);
  assert.equal(await started.end("SIGTERM"), 0);
});

test("a backup that was altered, cut off or is none is refused with code 3, and nothing is left of a restore", async () => {
  const data = join(folder, "quiet");
  const venue = await VenueProcess.start(data, "--makers", "off");
  assert.equal(await venue.end("SIGTERM"), 0);
  const sound = join(folder, "quiet.tar");
  assert.equal((await bourse("backup", "--to", sound, "--data", data)).code, 0);
  const bytes = readFileSync(sound);
  const spoilt: [what: string, content: Buffer][] = [
    ["cut off", bytes.subarray(0, bytes.length - 3_000)],
    ["no tar", Buffer.from("hello".repeat(1_000))],
    ["empty", Buffer.alloc(0)],
    ...["starting funds of bob", '"seq"', '"sha256"'].map((words): [string, Buffer] => {
      const content = Buffer.from(bytes);
      const at = content.indexOf(words);
      assert.ok(at > 0, words);
      content.writeUInt8((content.readUInt8(at) ^ 1) as number, at);
      return [words, content];
    }),
  ];
  for (const [what, content] of spoilt) {
    const file = join(folder, "spoilt.tar");
    writeFileSync(file, content);
    const verified = await bourse("verify", file);
    assert.deepEqual([verified.code, verified.stdout], [3, ""], what);
    assert.match(verified.stderr, /^bourse: The backup .*spoilt\.tar cannot be used: .*\.\n$/, what);
    const place = join(folder, "never");
    assert.equal((await bourse("restore", file, "--data", place)).code, 3, what);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith("never")),
      [],
      what,
    );
  }
  const full = join(folder, "full");
  mkdirSync(full);
  cpSync(join(data, "secret.key"), join(full, "mine"));
  const refused = await bourse("restore", sound, "--data", full);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /is not empty, and a backup is restored into an empty one only/);
  assert.deepEqual(readdirSync(full), ["mine"]);
  assert.equal((await bourse("verify", join(folder, "nowhere.tar"))).code, 1);
  const nowhere = await bourse("backup", "--to", join(folder, "no", "where.tar"), "--data", data);
  assert.match(nowhere.stderr, /There is no directory .* to put the backup in/);
  assert.ok(!existsSync(join(folder, "no")));
});

test("the running venue verifies its own backups, finds one that was altered, and reads no other file", async (t) => {
  const data = join(folder, "verified");
  const venue = await VenueProcess.start(data, "--limits", "off");
  t.after(() => venue.end("SIGKILL"));
  const { file, seq } = await venue.admin("/admin/backups", {});
  const sound = await venue.admin("/admin/backup-checks", { file });
  assert.deepEqual([sound.file, sound.seq, sound.bytes], [file, seq, statSync(file).size]);
  const byVerb = await bourse("backup", "verify", "--file", file, "--data", data);
  assert.equal(byVerb.code, 0, byVerb.stderr);

  const bytes = readFileSync(file);
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  await assert.rejects(venue.admin("/admin/backup-checks", { file }), /cannot be used: .* is not what was written/);
  for (const other of [join(data, "admin-token"), "/etc/passwd", `${file}.none`, "../verified"])
    await assert.rejects(venue.admin("/admin/backup-checks", { file: other }), /one of the venue's own backups/);
});

test("a backup that is sealed for a key elsewhere is not called unsound where the key is not", async (t) => {
  const data = join(folder, "sealed-elsewhere");
  const venue = await VenueProcess.start(data, "--limits", "off", "--backup-recipient", PUBLIC);
  t.after(() => venue.end("SIGKILL"));
  const { file } = await venue.admin("/admin/backups", {});
  await assert.rejects(venue.admin("/admin/backup-checks", { file }), /run bourse verify FILE --identity KEY/);
});
