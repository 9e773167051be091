/** What a venue does on a disk that fills up, and when there is room again. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { bourse } from "../admin/command-line.ts";
import { SmallDisk, withoutSmallDisk } from "../support/small-disk.ts";
import { VenueProcess } from "../support/venue-process.ts";

const DISK = { skip: withoutSmallDisk() };
const BOUNDS = ["--disk-low", "60", "--disk-min", "30", "--makers", "off"];
/** Of waiting for what comes by itself within seconds, on a machine that is busy. */
const WAITED_MAX_MS = 120_000;
const BUSY = 3008;

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < WAITED_MAX_MS; waited += 100) {
    if (await isSo()) return;
    await pause(100);
  }
  assert.fail(`${what} did not come.`);
}

const ORDER = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "0.01", price: "20000" };

test("a venue takes only cancels, then nothing, and everything again when there is room", DISK, async (t) => {
  const disk = SmallDisk.mount(t, 128);
  const data = join(disk.path, "venue");
  const venue = await VenueProcess.start(data, ...BOUNDS);
  t.after(() => venue.end("SIGKILL"));
  const { key } = await venue.trader("ann", { USDT: "100000" });
  const client = venue.client(key);
  const order = () => client.post("/v2/spot/order", ORDER);
  const cancel = (id: unknown) =>
    client.post("/v2/spot/cancel-order", { market: "BTCUSDT", market_type: "SPOT", order_id: id });
  const level = async () => (await venue.admin("/admin/status")).storage.disk;
  const [first, second] = [await order(), await order()].map(({ data: made }) => made.order_id);
  await until("the reserve", async () => existsSync(join(data, "reserve")));

  disk.fill(40);
  await until("the first threshold", async () => (await venue.admin("/admin/status")).cancel_only);
  assert.equal(await level(), "low");
  assert.notEqual((await order()).code, 0);
  assert.equal((await cancel(first)).code, 0);
  assert.match(await venue.metrics(), /^bourse_disk_level 1$/m);

  disk.fill(8);
  await until("the second threshold", async () => (await level()) === "full");
  assert.equal(existsSync(join(data, "reserve")), false);
  assert.deepEqual([(await order()).code, (await cancel(second)).code], [BUSY, BUSY]);
  const { seq } = await venue.admin("/admin/status");
  // Time itself: longer than from one tick to the next, of which none may come.
  await pause(1_500);
  assert.equal((await venue.admin("/admin/status")).seq, seq, "nothing is written");

  disk.empty();
  await until("room", async () => !(await venue.admin("/admin/status")).cancel_only);
  assert.equal(await level(), "ample");
  assert.equal((await cancel(second)).code, 0);
  assert.equal((await order()).code, 0);

  disk.fill(40);
  await until("the first threshold again", async () => (await venue.admin("/admin/status")).cancel_only);
  assert.equal(await venue.end("SIGTERM"), 0);
  disk.fill(4);
  const refused = await bourse("start", "--data", data, "--port", "0", ...BOUNDS);
  assert.equal(refused.code, 3);
  assert.match(refused.stderr, /has \d+\.\d MiB free, and a start needs 30\.0 MiB: make room/);

  disk.empty();
  const again = await VenueProcess.start(data, ...BOUNDS);
  t.after(() => again.end("SIGKILL"));
  await until("the end of cancel-only", async () => !(await again.admin("/admin/status")).cancel_only);
  assert.equal((await again.client(key).post("/v2/spot/order", ORDER)).code, 0);
  assert.equal(await again.end("SIGTERM"), 0);
  assert.equal((await bourse("audit", "--data", data)).code, 0);
});

test("cancel-only that an operator wanted stays when there is room again", DISK, async (t) => {
  const disk = SmallDisk.mount(t, 128);
  const venue = await VenueProcess.start(join(disk.path, "venue"), ...BOUNDS);
  t.after(() => venue.end("SIGKILL"));
  const status = () => venue.admin("/admin/status");
  await until("the reserve", async () => existsSync(join(disk.path, "venue", "reserve")));
  disk.fill(40);
  await until("the first threshold", async () => (await status()).cancel_only);
  await venue.admin("/admin/cancel-only", { cancel_only: true, reason: "An operator looks." });
  disk.empty();
  await until("room", async () => (await status()).storage.disk === "ample");
  // Time itself: the guard of the disk looks again meanwhile, and must leave it.
  await pause(2_500);
  assert.equal((await status()).cancel_only, true);
  assert.equal(await venue.end("SIGTERM"), 0);
});

test("trading goes on while history and the audit trail cannot be written, and they catch up", DISK, async (t) => {
  const disk = SmallDisk.mount(t, 128);
  const views = SmallDisk.mount(t, 8);
  const data = join(disk.path, "venue");
  mkdirSync(data, { mode: 0o700 });
  for (const file of ["history.sqlite", "audit-trail.sqlite"]) symlinkSync(join(views.path, file), join(data, file));
  const venue = await VenueProcess.start(
    data,
    "--disk-low",
    "0",
    "--disk-min",
    "0",
    "--makers",
    "off",
    "--limits",
    "off",
  );
  t.after(() => venue.end("SIGKILL"));
  const { key, userId } = await venue.trader("ann", { USDT: "10000000" });
  const client = venue.client(key);
  const storage = async () => (await venue.admin("/admin/status")).storage;
  const finished = () => client.get("/v2/spot/finished-order?market=BTCUSDT&market_type=SPOT&limit=100");

  views.fill(0);
  let placed = 0;
  let credited = 1;
  await until("the end of room for history", async () => {
    for (let at = 0; at < 200; at++, placed++) {
      const { code, message } = await client.post("/v2/spot/order", { ...ORDER, type: "ioc" });
      assert.equal(code, 0, message);
    }
    await venue.admin("/admin/deposits", { user_id: userId, ccy: "USDT", amount: "1", note: "x".repeat(200) });
    credited++;
    const { history, audit_trail } = await storage();
    return history !== "writing" && audit_trail === "behind";
  });
  assert.equal((await finished()).code, BUSY);
  const still = await client.post("/v2/spot/order", ORDER);
  assert.equal(still.code, 0, "trading goes on");
  assert.match(await venue.metrics(), /^bourse_history_standing\{standing="writing"\} 0$/m);
  assert.match(await venue.metrics(), /^bourse_audit_trail_behind 1$/m);

  views.empty();
  await until("history", async () => (await storage()).history === "writing");
  await until("the audit trail", async () => (await storage()).audit_trail === "writing");
  const { code } = await finished();
  assert.equal(code, 0);
  const { seq } = await venue.admin("/admin/status");
  const held = async () => Number(/^bourse_history_seq (\d+)$/m.exec(await venue.metrics())?.[1]);
  assert.equal((await client.post("/v2/spot/order", ORDER)).code, 0);
  await until("all of it in history", async () => (await held()) > seq);
  const path = `/admin/audit-trail?action=deposit&user_id=${userId}&limit=100`;
  const { audit_trail: actions } = await venue.admin(path);
  assert.equal(actions.length, credited, "the audit trail lacks nothing");
  assert.ok(placed > 0);
  assert.equal(await venue.end("SIGTERM"), 0);
  assert.equal((await bourse("audit", "--data", data)).code, 0);
});

test(
  "a backup for which there is no room is refused with a sentence, leaves nothing, and the one before is as it was",
  DISK,
  async (t) => {
    const disk = SmallDisk.mount(t, 48);
    const home = SmallDisk.mount(t, 128);
    const venue = await VenueProcess.start(join(home.path, "venue"), "--makers", "off", "--backups", disk.path);
    t.after(() => venue.end("SIGKILL"));
    const { file: good } = await venue.admin("/admin/backups", {});
    const files = () => readdirSync(disk.path).filter((name) => name !== "filler");
    const [before, bytes] = [files(), readFileSync(good)];
    // At the first byte, and wherever in it the room ends.
    for (const mib of [0, 0.1, 0.3]) {
      disk.fill(mib);
      await assert.rejects(
        venue.admin("/admin/backups", {}),
        /No backup was made \(.+\)\. Look at the disk of .+ and make room there/,
      );
      assert.deepEqual(files(), before, "nothing is left of it");
      assert.equal((await venue.admin("/admin/status")).cancel_only, false, "trading goes on");
      disk.empty();
    }
    assert.ok(readFileSync(good).equals(bytes));
    const { file: next } = await venue.admin("/admin/backups", {});
    assert.notEqual(next, good);
    assert.equal(await venue.end("SIGTERM"), 0);
  },
);
