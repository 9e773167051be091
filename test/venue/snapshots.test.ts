/** Going back: a dev venue is again what it was, to the byte, in memory and on the disk, after a crash too. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { cutLog, openLogFile } from "../../src/log/log-file.ts";
import { IN_MEMORY } from "../../src/venue/settings.ts";
import { openAdminVenue } from "../admin/venue.ts";
import { mainProgram } from "../support/program.ts";
import { SocketClient } from "../support/socket-client.ts";
import { VenueProcess } from "../support/venue-process.ts";

const MAIN = mainProgram();
const FIXED = ["--start-time", "2026-01-01T00:00:00Z", "--frozen", "--accounts", "fixed", "--clock", "virtual"];
const ALICE = {
  accessId: "76C101C1D5579A41CA9066B9CCB187B5",
  secret: "799400991C9FCC1EAB583202E52473F16226EB2883EF46DB",
};

const dir = mkdtempSync(join(tmpdir(), "bourse-back-"));
after(() => rmSync(dir, { recursive: true, force: true }));

/** What a bot and an operator are answered in half an hour of trading. */
async function halfHour(venue: VenueProcess): Promise<string[]> {
  const seen: string[] = [];
  const alice = venue.client(ALICE);
  const ask = async (path: string) => seen.push(await (await alice.fetch("GET", path)).text());
  const act = async (path: string, body: object) =>
    seen.push(await (await alice.fetch("POST", path, JSON.stringify(body))).text());
  const order = { market: "BTCUSDT", market_type: "SPOT", side: "buy", amount: "0.01" };
  await act("/v2/spot/order", { ...order, type: "limit", price: "50000", client_id: "once" });
  await act("/v2/spot/order", { ...order, type: "market", amount: "500" });
  const { access_id } = await venue.admin("/admin/api-keys", { user_id: 2 });
  const deposit = { user_id: 2, ccy: "USDT", amount: "5", note: "gift", reference: "gift-1" };
  seen.push(access_id, JSON.stringify(await venue.admin("/admin/deposits", deposit)));
  for (let step = 0; step < 3; step++) {
    await venue.admin("/admin/clock", { advance_ms: 600_000 });
    await act("/v2/spot/order", { ...order, side: "sell", type: "market", amount: "0.005" });
    await ask("/v2/spot/ticker?market=BTCUSDT,ETHUSDT");
  }
  for (const path of [
    "/v2/spot/depth?market=BTCUSDT&limit=20&interval=0",
    "/v2/spot/kline?market=BTCUSDT&period=1min",
    "/v2/spot/user-deals?market=BTCUSDT&market_type=SPOT",
    "/v2/spot/order-status?market=BTCUSDT&order_id=1",
    "/v2/assets/spot/balance",
    "/v2/futures/funding-rate?market=BTCUSDT",
  ])
    await ask(path);
  seen.push(JSON.stringify(await venue.admin("/admin/audit-trail")), await standing(venue));
  return seen;
}

/** Where a venue stands, as far as it does not count its own uptime. */
async function standing(venue: VenueProcess): Promise<string> {
  // Time and the disk go on whatever the venue goes back to.
  const { uptime_ms: _, storage: _storage, ...status } = await venue.admin("/admin/status");
  return JSON.stringify(status);
}

test("after a revert the same steps come to the same answers, and a reset is the first start again", async () => {
  const venue = await VenueProcess.start(IN_MEMORY, ...FIXED);
  const begin = await standing(venue);
  const snapshot = await venue.admin("/admin/snapshots", { name: "before" });
  assert.equal(snapshot.snapshot_id, 1);
  assert.equal(await standing(venue), begin, "a snapshot changes nothing");
  const first = await halfHour(venue);
  await venue.admin("/admin/snapshots", { name: "later" });

  const socket = await SocketClient.connect(venue.url);
  const closed = new Promise<readonly [number, string]>((resolve) =>
    socket.webSocket.once("close", (code, reason) => resolve([code, reason.toString()])),
  );
  assert.deepEqual(await venue.admin("/admin/snapshots/1/revert", {}), snapshot);
  assert.deepEqual(await closed, [4001, "The venue went back to its snapshot 1."]);
  assert.equal(await standing(venue), begin);
  assert.deepEqual(await venue.admin("/admin/snapshots"), { snapshots: [snapshot] }, "the later one never was");
  assert.deepEqual(await halfHour(venue), first);

  const { snapshot_id: _, ...reset } = await venue.admin("/admin/reset", {});
  assert.deepEqual(reset, { name: "", seq: snapshot.seq, time_ms: snapshot.time_ms, state_hash: snapshot.state_hash });
  assert.deepEqual(await venue.admin("/admin/snapshots"), { snapshots: [] });
  assert.equal(await standing(venue), begin);
  // Sockets are served again, of the venue as it is now.
  const again = await SocketClient.connect(venue.url);
  await again.must("deals.subscribe", { market_list: ["BTCUSDT"] });
  again.webSocket.close();
  await assert.rejects(venue.admin("/admin/snapshots/7/revert", {}), /There is no snapshot 7/);
  assert.equal((await venue.admin("/admin/audit")).ok, true);
  assert.equal(await venue.end("SIGTERM"), 0);
});

test("a venue on the disk comes back in the state that it went back to, also when it was killed on the way", async (t) => {
  const data = join(dir, "kept");
  const venue = await VenueProcess.start(data, ...FIXED);
  await halfHour(venue);
  const snapshot = await venue.admin("/admin/snapshots", {});
  const begin = await standing(venue);
  await halfHour(venue);
  const startMs = performance.now();
  await venue.admin("/admin/snapshots/1/revert", {});
  t.diagnostic(`went back in ${Math.round(performance.now() - startMs)} ms`);
  assert.equal(await standing(venue), begin);
  const alice = venue.client(ALICE);
  const deals = await alice.read("/v2/spot/user-deals", { market: "BTCUSDT", market_type: "SPOT" });
  await venue.end("SIGKILL");

  // Makers would begin anew, and change what is to be seen.
  const again = await VenueProcess.start(data, ...FIXED, "--makers", "off");
  assert.equal((await again.admin("/admin/status")).state_hash, snapshot.state_hash);
  assert.deepEqual(
    await again.client(ALICE).read("/v2/spot/user-deals", { market: "BTCUSDT", market_type: "SPOT" }),
    deals,
  );
  assert.doesNotMatch(again.complaints(), /set aside/);
  assert.deepEqual(await again.admin("/admin/snapshots"), { snapshots: [snapshot] });
  await halfHour(again);
  await again.end("SIGKILL");

  // As a crash right after the log was cut leaves it: history and trail tell of what is no longer in the log.
  const log = openLogFile(data, "write");
  assert.equal(cutLog(log, snapshot.seq, 1)?.lastSeq, snapshot.seq);
  assert.equal(cutLog(log, snapshot.seq + 1, 1), undefined, "beyond the end there is nothing to cut");
  log.database.close();
  rmSync(join(data, "acknowledged"));
  const back = await VenueProcess.start(data, ...FIXED, "--makers", "off");
  assert.equal((await back.admin("/admin/status")).state_hash, snapshot.state_hash);
  assert.deepEqual(
    await back.client(ALICE).read("/v2/spot/user-deals", { market: "BTCUSDT", market_type: "SPOT" }),
    deals,
  );
  assert.equal((await back.admin("/admin/reset", {})).seq < snapshot.seq, true);
  const { file } = await back.admin("/admin/backups", {});
  assert.equal(await back.end("SIGTERM"), 0);
  for (const args of [
    ["audit", "--data", data],
    ["verify", file],
  ]) {
    execFileSync(process.execPath, [MAIN, ...args], { stdio: "ignore" });
  }
});

test("a venue that is no dev venue has no snapshots, and says so", async (t) => {
  const venue = await openAdminVenue(t);
  for (const path of ["/admin/snapshots", "/admin/snapshots/1/revert", "/admin/reset"]) {
    const { code, message } = await venue.post(path, {});
    assert.equal(code, 3639);
    assert.match(message, /a venue goes back in the dev profile only/);
  }
});
