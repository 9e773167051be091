import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { FORM, flipByte, temporaryDir } from "../../test/support/small-log.ts";
import { RULES_VERSION } from "../engine/rules-version.ts";
import { listSnapshots, readSnapshot, type Snapshot, writeSnapshot } from "./snapshot-file.ts";

const CHUNKS = [Uint8Array.from([1, 2, 3]), new Uint8Array(0), new Uint8Array(700_001).fill(9)];

test("a snapshot comes back as it was written, each chunk at the start of its own buffer", (t) => {
  const dir = temporaryDir(t);
  const head = writeSnapshot(dir, { ...FORM, seq: 77, timeMs: 1_750_000_000_000, chunks: CHUNKS });
  assert.equal(head.stateHash, hash("sha256", Buffer.concat(CHUNKS)));
  const snapshot = readSnapshot(head.file) as Snapshot;
  assert.deepEqual(snapshot.chunks, CHUNKS);
  for (const chunk of snapshot.chunks) assert.equal(chunk.byteOffset % 8, 0);
  const { chunks: _chunks, ...rest } = snapshot;
  assert.deepEqual(rest, head);
  assert.deepEqual(listSnapshots(dir), { heads: [head], unsound: [] });
  assert.equal(statSync(head.file).mode & 0o777, 0o600);
});

test("a state of no chunks is a snapshot, too", (t) => {
  const head = writeSnapshot(temporaryDir(t), { ...FORM, seq: 0, timeMs: 0, chunks: [] });
  assert.deepEqual((readSnapshot(head.file) as Snapshot).chunks, []);
});

test("the newest two snapshots are kept, by their sequence number", (t) => {
  const dir = temporaryDir(t);
  for (const seq of [9, 10, 1_000, 2_000]) writeSnapshot(dir, { ...FORM, seq, timeMs: seq, chunks: CHUNKS });
  assert.deepEqual(
    listSnapshots(dir).heads.map((head) => head.seq),
    [2_000, 1_000],
  );
  assert.equal(readdirSync(dir).length, 2);
});

test("a snapshot interrupted midway leaves the older ones, does not count, and is swept by the next one", (t) => {
  const dir = temporaryDir(t);
  const { file } = writeSnapshot(dir, { ...FORM, seq: 1, timeMs: 1, chunks: CHUNKS });
  const bytes = readFileSync(file);
  writeFileSync(join(dir, "snapshot-0000000000000002.bourse.unfinished"), bytes.subarray(0, 1_000));
  assert.deepEqual(
    listSnapshots(dir).heads.map((head) => head.seq),
    [1],
  );
  writeSnapshot(dir, { ...FORM, seq: 3, timeMs: 3, chunks: CHUNKS });
  assert.equal(readdirSync(dir).length, 2);
});

test("a directory that does not take the file leaves the older snapshots as they are", (t) => {
  const dir = temporaryDir(t);
  writeSnapshot(dir, { ...FORM, seq: 1, timeMs: 1, chunks: CHUNKS });
  renameSync(dir, `${dir}-moved`);
  assert.throws(() => writeSnapshot(dir, { ...FORM, seq: 2, timeMs: 2, chunks: CHUNKS }), /ENOENT/);
  renameSync(`${dir}-moved`, dir);
  assert.equal(listSnapshots(dir).heads.length, 1);
});

/** Ways in which a snapshot file can be unsound, and the reason given. */
const UNSOUND: readonly { name: string; spoil: (file: string) => void; reason: RegExp }[] = [
  { name: "an empty file", spoil: (file) => truncateSync(file, 0), reason: /shorter than its header/ },
  { name: "half a header", spoil: (file) => truncateSync(file, 70), reason: /shorter than its header/ },
  { name: "half a body", spoil: (file) => truncateSync(file, 300_000), reason: /length is not the one/ },
  { name: "bytes behind the body", spoil: (file) => appendFileSync(file, "x"), reason: /length is not the one/ },
  { name: "a wrong magic", spoil: (file) => flipByte(file, 0), reason: /does not begin as a snapshot/ },
  { name: "a flipped version", spoil: (file) => flipByte(file, 11), reason: /header is damaged/ },
  { name: "an older form", spoil: (file) => setVersion(file, (1 << 16) | 8), reason: /written by an older program/ },
  { name: "a huge number of chunks", spoil: (file) => flipByte(file, 12), reason: /header is damaged/ },
  { name: "a flipped seq", spoil: (file) => flipByte(file, 20), reason: /header is damaged/ },
  { name: "a flipped length", spoil: (file) => flipByte(file, 65), reason: /header is damaged/ },
  { name: "a flipped body", spoil: (file) => flipByte(file, 500_000), reason: /does not have the hash/ },
];

for (const { name, spoil, reason } of UNSOUND) {
  test(`an unsound snapshot is recognised: ${name}`, (t) => {
    const { file } = writeSnapshot(temporaryDir(t), { ...FORM, seq: 5, timeMs: 5, chunks: CHUNKS });
    spoil(file);
    assert.match(readSnapshot(file) as string, reason);
  });
}

test("a snapshot of a newer program is called newer, with both versions, and not damaged", (t) => {
  const later = writeSnapshot(temporaryDir(t), {
    ...FORM,
    seq: 5,
    timeMs: 5,
    rulesVersion: 4_000,
    chunks: CHUNKS,
  }).file;
  assert.throws(() => readSnapshot(later), {
    code: "newer_program",
    message: new RegExp(
      `newer program: it has rules version 4000, and this program knows rules version ${RULES_VERSION}`,
    ),
  });
  const { file } = writeSnapshot(temporaryDir(t), { ...FORM, seq: 5, timeMs: 5, chunks: CHUNKS });
  setVersion(file, 3 << 16);
  assert.throws(() => listSnapshots(dirname(file)), {
    code: "newer_program",
    message: /newer program: it has layout 3, and this program knows layout 2/,
  });
});

/** Writes another version into a snapshot's header. */
function setVersion(file: string, version: number): void {
  const bytes = readFileSync(file);
  bytes.writeUInt32BE(version, 8);
  writeFileSync(file, bytes);
}
