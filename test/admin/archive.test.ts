import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { logPaths } from "../../src/log/data-dir.ts";
import { VenueProcess } from "../support/venue-process.ts";
import { bourse } from "./command-line.ts";
import { logFolder } from "./log-folder.ts";

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "bourse-archive-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "archive");
}

async function verdictOf(...args: string[]) {
  const { code, stdout, stderr } = await bourse("audit", ...args, "--json");
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

async function seqsOf(data: string): Promise<number[]> {
  const { stdout } = await bourse("log", "--data", data, "--json");
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).seq);
}

test("a stopped venue's older commands move away; what remains audits by itself and together with the archive", async (t) => {
  const data = await logFolder(t);
  const whole = await verdictOf("--data", data);
  const to = newFolder(t);
  const moved = await bourse("archive", "--before", "12", "--to", to, "--data", data);
  assert.equal(moved.code, 0, moved.stderr);
  assert.equal(moved.stdout, `The commands from seq 1 to 11 are in ${to} now.\n`);
  assert.deepEqual([(await seqsOf(data))[0], (await seqsOf(to)).at(-1)], [12, 11]);
  for (const args of [[], ["--with", to]]) {
    assert.deepEqual(await verdictOf("--data", data, ...args), whole);
  }
  // More goes behind it, by time, and the same directory takes it.
  const again = await bourse("archive", "--before", "2025-06-15T15:06:45Z", "--to", to, "--data", data, "--json");
  assert.deepEqual(JSON.parse(again.stdout), { archived_seq: 14, from_seq: 12, to });
  assert.equal((await verdictOf("--data", data, "--with", to)).state_hash, whole.state_hash);
  assert.match((await bourse("archive", "--before", "15", "--to", to, "--data", data)).stdout, /nothing was moved/);
});

test("an archive that does not join, or was changed, is not taken for the log's past", async (t) => {
  const data = await logFolder(t);
  const to = newFolder(t);
  await bourse("archive", "--before", "10", "--to", to, "--data", data);
  const other = await logFolder(t);
  const foreign = await bourse("audit", "--data", data, "--with", other);
  assert.equal(foreign.code, 3);
  assert.match(foreign.stderr, /begins behind seq 9, and what comes before ends at seq 16/);
  assert.match((await bourse("archive", "--before", "10", "--to", to, "--data", other)).stderr, /another venue/);
  const database = new DatabaseSync(logPaths(to).log);
  database.exec("UPDATE log_group SET time_ms = time_ms + 1 WHERE first_seq = 4");
  database.close();
  const changed = await bourse("audit", "--data", data, "--with", to);
  assert.equal(changed.code, 3);
  assert.match(changed.stderr, /group with first seq 4/);
});

test("a running venue's log is archived beside it: it goes on, starts again and audits", async (t) => {
  const data = join(newFolder(t), "..", "venue");
  const to = newFolder(t);
  const venue = await VenueProcess.start(data);
  let seq = 0;
  while (seq < 300) ({ seq } = await venue.admin("/admin/status"));
  const moved = await bourse("archive", "--before", "250", "--to", to, "--data", data, "--json");
  assert.equal(moved.code, 0, moved.stderr);
  const { archived_seq } = JSON.parse(moved.stdout);
  assert.ok(archived_seq > 0 && archived_seq < 250, moved.stdout);
  while (seq < 400) ({ seq } = await venue.admin("/admin/status"));
  assert.equal(await venue.end("SIGKILL"), null);

  const again = await VenueProcess.start(data, "--makers", "off");
  assert.equal((await again.admin("/admin/audit")).ok, true);
  assert.equal(await again.end("SIGTERM"), 0);
  const alone = await verdictOf("--data", data);
  const both = await verdictOf("--data", data, "--with", to);
  assert.deepEqual([alone.ok, both.ok, both.state_hash], [true, true, alone.state_hash]);
  assert.equal((await seqsOf(data))[0], archived_seq + 1);
});
