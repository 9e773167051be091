/** Connections whose end cancels orders, when the venue itself ends or goes back. Source: domain 2.17. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { ApiClient } from "../support/api-client.ts";
import { SocketClient } from "../support/socket-client.ts";
import { VenueProcess } from "../support/venue-process.ts";

const dir = mkdtempSync(join(tmpdir(), "bourse-watched-"));
after(() => rmSync(dir, { recursive: true, force: true }));

const ORDER = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "0.01", price: "20000" };
const OPTIONS = ["--makers", "off"];

/** A venue with two users, each with an order; the connection of the first is watched. */
async function watchedVenue(data: string, graceMs = 0) {
  const venue = await VenueProcess.start(data, ...OPTIONS);
  const [ann, ben] = [await venue.trader("ann", { USDT: "1000" }), await venue.trader("ben", { USDT: "1000" })];
  const socket = await watchedSocket(venue, ann.key, graceMs);
  for (const { key } of [ann, ben]) await venue.client(key).act("/v2/spot/order", ORDER);
  return { venue, ann, ben, socket };
}

async function watchedSocket(venue: VenueProcess, key: { accessId: string; secret: string }, grace_ms: number) {
  const socket = await SocketClient.connect(venue.url);
  const { timestamp } = await venue.client().read("/v2/time");
  await socket.must("server.sign", socket.signParams(key, timestamp));
  assert.equal((await socket.ask("session.cancel_on_disconnect", { grace_ms })).code, 0);
  return socket;
}

async function pending(client: ApiClient): Promise<number> {
  return (await client.read("/v2/spot/pending-order", { market_type: "SPOT" })).length;
}

/** Waits until the orders are gone. */
async function assertGone(client: ApiClient): Promise<void> {
  while ((await pending(client)) > 0) await new Promise(setImmediate);
}

test("a venue that was killed has lost its watched connections: their orders are gone after its start, and no others", async () => {
  const { venue, ann, ben } = await watchedVenue(join(dir, "killed"));
  await venue.end("SIGKILL");
  const again = await VenueProcess.start(venue.data, ...OPTIONS);
  await assertGone(again.client(ann.key));
  assert.equal(await pending(again.client(ben.key)), 1);
  // Its numbers begin anew: the first connection of this life is not one of the last.
  const socket = await watchedSocket(again, ben.key, 0);
  assert.equal(await pending(again.client(ben.key)), 1);
  await socket.close();
  await assertGone(again.client(ben.key));
  assert.equal(await again.end("SIGTERM"), 0);
});

test("a client that is back within its grace keeps its orders although the venue was killed in between", async () => {
  const { venue, ann } = await watchedVenue(join(dir, "grace"), 600_000);
  await venue.end("SIGKILL");
  const again = await VenueProcess.start(venue.data, ...OPTIONS);
  const socket = await watchedSocket(again, ann.key, 0);
  assert.equal(await pending(again.client(ann.key)), 1);
  await socket.close();
  await assertGone(again.client(ann.key));
  assert.equal(await again.end("SIGTERM"), 0);
});

test("a venue that goes back has ended its connections, and those that were watched by then count as ended", async () => {
  const { venue, ann, ben, socket } = await watchedVenue(join(dir, "reverted"));
  const { snapshot_id } = await venue.admin("/admin/snapshots", {});
  await venue.client(ann.key).act("/v2/spot/order", ORDER);
  await venue.admin(`/admin/snapshots/${snapshot_id}/revert`, {});
  assert.equal(await socket.closed(), 4001);
  await assertGone(venue.client(ann.key));
  assert.equal(await pending(venue.client(ben.key)), 1);
  const back = await watchedSocket(venue, ben.key, 0);
  await back.close();
  await assertGone(venue.client(ben.key));
  assert.equal((await venue.admin("/admin/audit")).ok, true);
  assert.equal(await venue.end("SIGTERM"), 0);
});
