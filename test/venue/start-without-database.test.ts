/**
 * A start while the database of its history is away: production waits for it and says so, and serves when it is there;
 * a signal ends the wait.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { NO_POSTGRESQL, PostgresServer } from "../support/postgresql.ts";
import { VenueProcess } from "../support/venue-process.ts";

test("a venue of production waits at its start for the database of its history, and serves when it is there", {
  skip: NO_POSTGRESQL,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "bourse-waiting-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const database = await PostgresServer.start();
  t.after(() => database.remove());
  const config = join(folder, "production.json");
  const settings = { profile: "production", port: 0, "admin-port": 0, history: await database.newDatabase() };
  writeFileSync(config, JSON.stringify(settings));
  await database.stop();

  const told = /The history's database cannot be reached .* The start waits for it: start the database/;
  const begin = async () => {
    const begun = VenueProcess.begin(process.env, join(folder, "venue"), "--config", config);
    t.after(() => begun.kill());
    let isOver = false;
    begun.ready.catch(() => (isOver = true));
    while (!told.test(begun.complaints()) && !isOver) await pause(200);
    assert.match(begun.complaints(), told);
    return begun;
  };
  const first = await begin();
  await database.run();
  const venue = await first.ready;
  t.after(() => venue.end("SIGKILL"));
  assert.equal((await fetch(`${venue.url}/readyz`)).status, 200);
  assert.equal(await venue.end("SIGTERM"), 0);

  await database.stop();
  const second = await begin();
  second.kill("SIGTERM");
  await assert.rejects(second.ready, /The venue ended with 0/);
  for (const secret of database.secrets) assert.ok(!(first.complaints() + second.complaints()).includes(secret));
});
