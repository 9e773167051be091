/** The past of a new venue is made ahead of the disk; nobody has heard of it before the disk has all of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { temporaryDir } from "../support/small-log.ts";
import { VenueProcess } from "../support/venue-process.ts";

const WORLD = ["--start-time", "2026-01-01T00:00:00Z", "--frozen", "--limits", "off", "--seed", "1"];
/** Often enough that a snapshot is always under way, also when the log lags. */
const SNAPSHOTS = ["--snapshot-every", "2000"];

for (const share of [10, 40]) {
  test(`a venue that is killed after ${share} percent of its past comes back from what the disk has of it`, async (t) => {
    const data = temporaryDir(t);
    const begun = VenueProcess.begin(process.env, data, ...WORLD, ...SNAPSHOTS, "--past", "3d");
    const ended = assert.rejects(begun.ready);
    while (!begun.complaints().includes(`"percent":${share},`)) await pause(5);
    begun.kill();
    await ended;

    const venue = await VenueProcess.start(data, ...WORLD, ...SNAPSHOTS, "--past", "3d");
    const { seq } = await venue.admin("/admin/status");
    assert.ok(seq > 1_000, `only ${seq} commands`);
    assert.equal((await venue.admin("/admin/audit")).ok, true);
    const { data: deals } = await venue.client().get("/v2/spot/deals?market=BTCUSDT&limit=100");
    assert.equal(deals.length, 100);
    assert.equal(await venue.end("SIGKILL"), null);

    const again = await VenueProcess.start(data, ...WORLD, ...SNAPSHOTS, "--makers", "off", "--past", "0");
    assert.ok((await again.admin("/admin/status")).seq >= seq);
    assert.equal(await again.end("SIGTERM"), 0);
  });
}
