import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { RULES_VERSION } from "../../src/engine/rules-version.ts";
import { bourse } from "../admin/command-line.ts";
import { VenueProcess } from "../support/venue-process.ts";
import { type GoldenVenue, goldenVenues, unpack } from "./golden.ts";

/** One of each world is enough: what their commands come to is compared elsewhere. */
const VENUES = ["futures-34", "spot-28", "margin-8"];

for (const venue of goldenVenues().filter(({ name }) => VENUES.includes(name))) {
  test(`a venue that a release with rules ${venue.rulesVersion} left is taken over, goes on and audits: ${venue.name}`, async (t) => {
    const data = unpack(venue);
    t.after(() => rmSync(data, { recursive: true }));
    await takenOver(data, venue);
  });
}

async function takenOver(data: string, { rulesVersion }: GoldenVenue): Promise<void> {
  // Where time stands still no tick comes between a look at the state and the end.
  const options = ["--makers", "off", "--clock", "virtual", "--frozen", "on"];
  const first = await VenueProcess.start(data, ...options);
  // It left no history, which is made anew from all of its commands, each under the rules that held.
  await first.trader("late", { USDT: "100" });
  // What the venue notes of its chains comes when it comes: it has by the time that a further block is seen.
  const { chains } = await first.admin("/admin/chains");
  for (const { chain } of chains) await first.admin(`/admin/chains/${chain}/blocks`, { count: 1 });
  const { state_hash } = await first.admin("/admin/status");
  const audit = await first.admin("/admin/audit");
  assert.deepEqual([audit.ok, audit.breaches], [true, []]);
  assert.equal(await first.end("SIGTERM"), 0);

  const second = await VenueProcess.start(data, ...options);
  assert.match(second.complaints(), /"replayed":0/);
  assert.equal((await second.admin("/admin/status")).state_hash, state_hash);
  assert.equal(await second.end("SIGTERM"), 0);

  const log = (await bourse("log", "--data", data, "--json")).stdout.trimEnd().split("\n");
  const epochs = log.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "epoch");
  // The first release wrote no epoch: a log that names none is of version 1.
  assert.deepEqual(
    epochs.map(({ rules_version }) => rules_version),
    [...new Set([rulesVersion, RULES_VERSION])].filter((version) => version > 1),
  );
  // From the first command on: each under the rules that held.
  const audited = await bourse("audit", "--data", data);
  assert.equal(audited.code, 0, audited.stderr);
  assert.match(audited.stdout, /Everything holds\.\n$/);
}
