import assert from "node:assert/strict";
import { test } from "node:test";
import { groupAt, groupsOfSizes, openLog, tamper, temporaryDir, writeGroups } from "../../test/support/small-log.ts";
import { LogDamaged } from "./errors.ts";
import { LogReader } from "./reader.ts";

const GROUPS = groupsOfSizes([3, 1, 10, 5]);

/** Which groups (by first seq) a range of sequence numbers yields from the log 1..3, 4, 5..14, 15..19. */
const RANGES: readonly { from: number; to: number; firstSeqs: readonly number[] }[] = [
  { from: 1, to: Number.MAX_SAFE_INTEGER, firstSeqs: [1, 4, 5, 15] },
  { from: 0, to: Number.MAX_SAFE_INTEGER, firstSeqs: [1, 4, 5, 15] },
  { from: 2, to: 4, firstSeqs: [1, 4] },
  { from: 4, to: 4, firstSeqs: [4] },
  { from: 14, to: 14, firstSeqs: [5] },
  { from: 15, to: 1_000, firstSeqs: [15] },
  { from: 20, to: 1_000, firstSeqs: [] },
  { from: 3, to: 2, firstSeqs: [1] },
];

test("a reader yields the groups that hold the sequence numbers asked for", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  const reader = new LogReader(dir);
  for (const { from, to, firstSeqs } of RANGES) {
    const found = [...reader.groups(from, to)].map((group) => group.firstSeq);
    assert.deepEqual(found, firstSeqs, `from ${from} to ${to}`);
  }
  assert.equal(reader.end().lastSeq, 19);
  reader.close();
});

test("an empty log yields nothing", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, []);
  const reader = new LogReader(dir);
  assert.deepEqual([...reader.groups()], []);
  assert.equal(reader.end().lastSeq, 0);
  assert.match(reader.venueId, /^[0-9a-f]{32}$/);
  reader.close();
});

test("a directory without a log is refused, and none is made there", (t) => {
  const dir = temporaryDir(t);
  assert.throws(() => new LogReader(dir), LogDamaged);
  assert.throws(() => new LogReader(dir), /file is missing/);
});

test("a reader at work neither stops the writer nor misses what comes meanwhile", async (t) => {
  const dir = temporaryDir(t);
  const log = await openLog(dir);
  log.writer.append(groupAt(1, 5));
  await log.reports.untilDurable(5);
  const reader = new LogReader(dir);
  const seen: number[] = [];
  for (const group of reader.groups()) {
    seen.push(group.firstSeq);
    if (group.firstSeq > 500) break;
    const next = groupAt(group.firstSeq + 5, 5);
    log.writer.append(next);
    await log.reports.untilDurable(next.firstSeq + 4);
  }
  assert.equal(seen.length, 101);
  reader.close();
  await log.close();
});

test("a batch of groups survives being packed: times, counts and hashes are those stored", async (t) => {
  const dir = temporaryDir(t);
  // More than one batch, with payloads whose length is no multiple of 8.
  const groups = groupsOfSizes(Array.from({ length: 1_500 }, (_, at) => 1 + (at % 5))).map((group, at) => ({
    ...group,
    payload: group.payload.subarray(at % 8),
  }));
  const log = await openLog(dir);
  for (const group of groups) {
    if (log.writer.pendingGroups === 32) await log.reports.untilDurable(group.firstSeq - 1);
    log.writer.append(group);
  }
  await log.close();
  const reader = new LogReader(dir);
  const read = [...reader.groups()];
  assert.equal(read.length, groups.length);
  read.forEach((group, at) => {
    const { hash, ...rest } = group;
    assert.equal(hash.length, 32);
    assert.deepEqual(
      { ...rest, payload: Uint8Array.from(rest.payload) },
      { ...groups[at], payload: Uint8Array.from(groups[at]!.payload) },
    );
  });
  const hashes = new Set(read.map((group) => Buffer.from(group.hash).toString("hex")));
  assert.equal(hashes.size, groups.length);
  assert.deepEqual(Uint8Array.from(read.at(-1)!.hash), Uint8Array.from(reader.end().lastHash));
  reader.close();
});

test("a reader stops at the first unsound group and has yielded those before it", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  tamper(dir, "UPDATE log_group SET time_ms = time_ms + 1 WHERE first_seq = 15");
  const reader = new LogReader(dir);
  const seen: number[] = [];
  assert.throws(() => {
    for (const group of reader.groups()) seen.push(group.firstSeq);
  }, LogDamaged);
  assert.deepEqual(seen, [1, 4, 5]);
  reader.close();
});
