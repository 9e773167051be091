/** A maintenance as an operator and a trader live through it, with a clock in hand and a restart in the middle. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bourse } from "../admin/command-line.ts";
import { ApiClient } from "../support/api-client.ts";
import { SocketClient } from "../support/socket-client.ts";
import { VenueProcess } from "../support/venue-process.ts";

const OF_BTCUSDT = { market: "BTCUSDT", market_type: "SPOT" };

test("a maintenance is planned, begins, survives a restart, protects its end and is over, each at its millisecond", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "bourse-maintenance-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const data = join(dir, "venue");
  const open = () => VenueProcess.start(data, "--makers", "off", "--clock", "virtual");
  let venue = await open();
  t.after(() => venue.end("SIGKILL"));
  let { time_ms: now } = await venue.admin("/admin/clock", { freeze: true });
  const { key } = await venue.trader("carol", { USDT: "1000000" });
  const client = () => new ApiClient(venue.url, () => now, key);
  const order = { ...OF_BTCUSDT, side: "buy", amount: "0.01", price: "50000" };
  const codes = async () => {
    const limit = await client().post("/v2/spot/order", { ...order, type: "limit" });
    const maker = await client().post("/v2/spot/order", { ...order, type: "maker_only" });
    const cancel = await client().post("/v2/spot/cancel-all-order", OF_BTCUSDT);
    const read = await client().get("/v2/assets/spot/balance");
    return [limit.code, maker.code, cancel.code, read.code];
  };
  const advance = async (ms: number) => {
    now = (await venue.admin("/admin/clock", { advance_ms: ms })).time_ms;
  };
  /** A connection of carol's that follows notices. */
  const follow = async () => {
    const socket = await SocketClient.connect(venue.url);
    await socket.must("server.sign", socket.signParams(key, now));
    await socket.must("notice.subscribe", { channels: [] });
    return socket;
  };
  const listed = async () => (await venue.admin("/admin/maintenance")).maintenance.length;

  const startedAt = now + 60_000;
  const window = {
    scope: ["SPOT"],
    started_at: startedAt,
    ended_at: startedAt + 10_000,
    announce_url: "https://example.com/notice",
    protect_duration_start: startedAt + 10_000,
    protect_duration_end: startedAt + 15_000,
  };
  const notice = async (from: SocketClient) => {
    const { started_at, ended_at, protect_duration_end } = (await from.push("notice.update")).info;
    assert.deepEqual([started_at, ended_at], [window.started_at, window.ended_at]);
    assert.equal(protect_duration_end, window.protect_duration_end);
  };
  let socket = await follow();
  const { maintenance_id } = await venue.admin("/admin/maintenance", window);
  await notice(socket);
  assert.equal(maintenance_id, 1);
  const [record] = await client().read("/v2/maintain/info");
  assert.deepEqual(record, { ...window, announce_enabled: true });

  await advance(59_999);
  assert.deepEqual(await codes(), [0, 0, 0, 0]);
  await advance(1);
  assert.deepEqual(await codes(), [4001, 4001, 4001, 0]);
  await notice(socket);

  assert.equal(await venue.end("SIGTERM"), 0);
  await assert.rejects(socket.push("notice.update"), /closed with 1001/, "the venue says that it goes away");
  venue = await open();
  now = (await venue.admin("/admin/clock", { freeze: true })).time_ms;
  socket = await follow();
  await notice(socket);
  assert.ok(now < startedAt + 9_000, "the virtual clock goes on where the venue stopped");
  assert.deepEqual(await codes(), [4001, 4001, 4001, 0]);
  await advance(startedAt + 9_999 - now);
  assert.deepEqual(await codes(), [4001, 4001, 4001, 0]);
  await advance(1);
  assert.deepEqual(await codes(), [3638, 0, 0, 0]);
  await notice(socket);
  await advance(4_999);
  assert.deepEqual([await codes(), await listed()], [[3638, 0, 0, 0], 1]);
  await advance(1);
  assert.deepEqual([await codes(), await listed()], [[0, 0, 0, 0], 0]);
  assert.deepEqual((await venue.admin("/admin/audit")).breaches, []);
  assert.equal(await venue.end("SIGTERM"), 0);

  const iso = (ms: number) => new Date(ms).toISOString();
  const log = await bourse("log", "--data", data);
  const line = log.stdout.split("\n").find((each) => each.includes("plan_maintenance")) ?? "";
  assert.ok(
    line.endsWith(
      `root                plan_maintenance of SPOT from ${iso(startedAt)} to ${iso(startedAt + 10_000)}, ` +
        `protection from ${iso(startedAt + 10_000)} to ${iso(startedAt + 15_000)}, ` +
        `announced at "https://example.com/notice"  -> maintenance 1`,
    ),
    line,
  );
  assert.match((await bourse("audit", "--data", data)).stdout, /Everything holds\.\n$/);
});
