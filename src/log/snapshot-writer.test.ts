import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FORM, temporaryDir } from "../../test/support/small-log.ts";
import { openDataDir } from "./data-dir.ts";
import { readSnapshot, type Snapshot } from "./snapshot-file.ts";
import { SnapshotFailed, SnapshotWriter } from "./snapshot-writer.ts";

test("a snapshot is written in another thread, one at a time", async (t) => {
  const dataDir = openDataDir(temporaryDir(t));
  const writer = new SnapshotWriter(dataDir);
  const chunks = [Uint8Array.from([1, 2, 3]), new Uint8Array(10_000).fill(4)];
  const written = writer.write({ ...FORM, seq: 12, timeMs: 34, chunks });
  assert.equal(writer.busy, true);
  assert.equal(chunks[0]?.length, 0, "the chunk was not transferred");
  await assert.rejects(writer.write({ ...FORM, seq: 13, timeMs: 35, chunks: [] }), /already being written/);
  const head = await written;
  assert.equal(writer.busy, false);
  assert.deepEqual((readSnapshot(head.file) as Snapshot).chunks, [
    Uint8Array.from([1, 2, 3]),
    new Uint8Array(10_000).fill(4),
  ]);
  await writer.settle();
  dataDir.release();
});

test("a snapshot that cannot be written says why, and another can be tried", async (t) => {
  const dataDir = openDataDir(join(temporaryDir(t), "venue"));
  const writer = new SnapshotWriter(dataDir);
  rmSync(dataDir.path, { recursive: true });
  await assert.rejects(writer.write({ ...FORM, seq: 1, timeMs: 1, chunks: [] }), (error) => {
    assert.ok(error instanceof SnapshotFailed);
    assert.equal(error.code, "ENOENT");
    assert.match(error.message, /The snapshot could not be written/);
    return true;
  });
  assert.equal(writer.busy, false);
  dataDir.release();
});
