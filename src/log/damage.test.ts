import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  FORM,
  flipByte,
  groupAt,
  groupsOfSizes,
  killedVenue,
  machineAfter,
  restart,
  tamper,
  temporaryDir,
  writeGroups,
} from "../../test/support/small-log.ts";
import { chainHash, lastSeqOf } from "./chain.ts";
import { logPaths } from "./data-dir.ts";
import { type DamagePlace, LogDamaged } from "./errors.ts";
import { LogReader } from "./reader.ts";
import { writeSnapshot } from "./snapshot-file.ts";

// First seqs 1, 11, 31, 61.
const GROUPS = groupsOfSizes([10, 20, 30, 40]);

/** Damage to the stored log, and what the refusal must name: the row, what differs, and how far the log is sound. */
const DAMAGES: readonly {
  readonly name: string;
  readonly spoil: (dir: string) => void;
  readonly what: RegExp;
  readonly firstSeq?: number;
  /** Absent where the log cannot be read at all. */
  readonly lastSoundSeq?: number;
}[] = [
  {
    name: "one byte of a payload on the disk",
    spoil: (dir) => flipStoredByte(dir, Buffer.from(groupAt(31, 30).payload).subarray(200, 300)),
    what: /its hash is not that of its count, time and payload/,
    firstSeq: 31,
    lastSoundSeq: 30,
  },
  {
    name: "a count that is too large",
    spoil: (dir) => tamper(dir, "UPDATE log_group SET count = 25 WHERE first_seq = 11"),
    what: /its hash is not/,
    firstSeq: 11,
    lastSoundSeq: 10,
  },
  {
    name: "a count of zero",
    spoil: (dir) => tamper(dir, "UPDATE log_group SET count = 0 WHERE first_seq = 11"),
    what: /its count is 0/,
    firstSeq: 11,
    lastSoundSeq: 10,
  },
  {
    name: "a changed time in the last group",
    spoil: (dir) => tamper(dir, "UPDATE log_group SET time_ms = time_ms + 1 WHERE first_seq = 61"),
    what: /its hash is not/,
    firstSeq: 61,
    lastSoundSeq: 60,
  },
  {
    name: "an integer that no log writes",
    spoil: (dir) => tamper(dir, "UPDATE log_group SET time_ms = 9223372036854775807 WHERE first_seq = 31"),
    what: /too large to be represented/,
    lastSoundSeq: 30,
  },
  {
    name: "a previous hash of another length",
    spoil: (dir) => tamper(dir, "UPDATE log_group SET prev_hash = zeroblob(31) WHERE first_seq = 31"),
    what: /not of the log's types/,
    firstSeq: 31,
    lastSoundSeq: 30,
  },
  {
    name: "another previous hash",
    spoil: (dir) => tamper(dir, "UPDATE log_group SET prev_hash = zeroblob(32) WHERE first_seq = 31"),
    what: /its previous hash is not/,
    firstSeq: 31,
    lastSoundSeq: 30,
  },
  {
    name: "a row in the middle deleted",
    spoil: (dir) => tamper(dir, "DELETE FROM log_group WHERE first_seq = 11"),
    what: /seq 11 should follow; commands are missing/,
    firstSeq: 31,
    lastSoundSeq: 10,
  },
  {
    name: "the first row deleted",
    spoil: (dir) => tamper(dir, "DELETE FROM log_group WHERE first_seq = 1"),
    what: /seq 1 should follow/,
    firstSeq: 11,
    lastSoundSeq: 0,
  },
  {
    name: "the last row, which was acknowledged, deleted",
    spoil: (dir) => tamper(dir, "DELETE FROM log_group WHERE first_seq = 61"),
    what: /commands up to seq 100 were acknowledged, but the log ends at seq 60/,
    lastSoundSeq: 60,
  },
  {
    name: "all rows deleted",
    spoil: (dir) => tamper(dir, "DELETE FROM log_group"),
    what: /commands up to seq 100 were acknowledged, but the log ends at seq 0/,
    lastSoundSeq: 0,
  },
  {
    name: "the payloads of two rows swapped",
    spoil: (dir) =>
      tamper(
        dir,
        `UPDATE log_group SET payload = (SELECT o.payload FROM log_group o WHERE o.first_seq = 42 - log_group.first_seq)
         WHERE first_seq IN (11, 31)`,
      ),
    what: /its hash is not/,
    firstSeq: 11,
    lastSoundSeq: 10,
  },
  {
    name: "two rows swapped whole",
    spoil: (dir) =>
      tamper(
        dir,
        `UPDATE log_group SET first_seq = -first_seq WHERE first_seq IN (11, 31);
         UPDATE log_group SET first_seq = 42 + first_seq WHERE first_seq < 0`,
      ),
    what: /its previous hash is not/,
    firstSeq: 11,
    lastSoundSeq: 10,
  },
  {
    name: "a row put in before the first",
    spoil: (dir) =>
      tamper(dir, "INSERT INTO log_group SELECT -5, count, time_ms, prev_hash, hash, payload FROM log_group LIMIT 1"),
    what: /seq 1 should follow/,
    firstSeq: -5,
    lastSoundSeq: 0,
  },
  {
    name: "another venue id",
    spoil: (dir) => tamper(dir, "UPDATE meta SET value = '00' WHERE key = 'venue_id'"),
    what: /its previous hash is not/,
    firstSeq: 1,
    lastSoundSeq: 0,
  },
  {
    name: "a format version that is none",
    spoil: (dir) => tamper(dir, "UPDATE meta SET value = 'two' WHERE key = 'format_version'"),
    what: /format version is NaN/,
  },
  {
    name: "the table gone",
    spoil: (dir) => tamper(dir, "DROP TABLE log_group"),
    what: /no such table/,
    lastSoundSeq: 0,
  },
  {
    name: "the file cut in half",
    spoil: (dir) => truncateSync(logPaths(dir).log, 4096 * 3),
    what: /malformed|SQLite cannot read it/,
  },
  {
    name: "another kind of file",
    spoil: (dir) => writeFileSync(logPaths(dir).log, "not a database, but long enough to be looked at".repeat(100)),
    what: /not a database/,
  },
  {
    name: "the file gone, the commit marker left",
    spoil: (dir) => rmSync(logPaths(dir).log),
    what: /the file is missing, but others of its log are there/,
  },
];

for (const { name, spoil, what, firstSeq, lastSoundSeq } of DAMAGES) {
  test(`a damaged log stops the start and names the place: ${name}`, async (t) => {
    const dir = temporaryDir(t);
    await writeGroups(dir, GROUPS);
    spoil(dir);
    const place: DamagePlace = {
      file: logPaths(dir).log,
      ...(firstSeq === undefined ? {} : { firstSeq }),
      ...(lastSoundSeq === undefined ? {} : { lastSoundSeq }),
    };
    for (let attempt = 0; attempt < 2; attempt++) {
      await assert.rejects(restart(dir), (error) => {
        assert.ok(error instanceof LogDamaged, String(error));
        assert.match(error.what, what);
        assert.deepEqual(error.place, place);
        return true;
      });
    }
  });
}

test("a log of a newer program is called newer, with both versions, and not damaged", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  tamper(dir, "UPDATE meta SET value = '2' WHERE key = 'format_version'");
  const message = /newer program: it has format version 2, and this program knows format version 1/;
  await assert.rejects(restart(dir), { code: "newer_program", message });
});

test("a log whose rows were rewritten with fitting hashes is not the one that was acknowledged", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  const reader = new LogReader(dir);
  const before = [...reader.groups()].at(-2)!;
  reader.close();
  const forged = { ...groupAt(61, 40), timeMs: 1 };
  const hash = Buffer.from(chainHash(before.hash, forged)).toString("hex");
  tamper(dir, `UPDATE log_group SET time_ms = 1, hash = x'${hash}' WHERE first_seq = 61`);
  await assert.rejects(restart(dir), /the group acknowledged at seq 100 is not the one stored there/);
});

test("an older copy put in place of the log is noticed", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS.slice(0, 2));
  const older = readFileSync(logPaths(dir).log);
  await writeGroups(dir, GROUPS.slice(2));
  writeFileSync(logPaths(dir).log, older);
  await assert.rejects(restart(dir), /commands up to seq 100 were acknowledged, but the log ends at seq 30/);
});

test("a write-ahead log that was removed with acknowledged commands in it is noticed", async (t) => {
  const dir = await killedVenue(t, { settled: GROUPS.slice(0, 1), pending: GROUPS.slice(1) });
  rmSync(logPaths(dir).wal);
  await assert.rejects(restart(dir), /commands up to seq 100 were acknowledged, but the log ends at seq 10/);
});

test("the log of another venue is noticed", async (t) => {
  const dir = temporaryDir(t);
  const other = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  await writeGroups(other, GROUPS);
  cpSync(logPaths(other).log, logPaths(dir).log);
  await assert.rejects(restart(dir), /is not the one stored there/);
});

test("an unsound commit marker stops the start and says what may be done", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  flipByte(logPaths(dir).commitMarker, 14);
  await assert.rejects(restart(dir), /commit marker is unsound; remove it only if the log is known to be whole/);
  rmSync(logPaths(dir).commitMarker);
  assert.equal((await restart(dir)).machine.seq, 100);
});

test("a commit marker that lags, or that was made and not yet written, is no hindrance", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS.slice(0, 2));
  const lagging = readFileSync(logPaths(dir).commitMarker);
  await writeGroups(dir, GROUPS.slice(2));
  writeFileSync(logPaths(dir).commitMarker, lagging);
  assert.equal((await restart(dir)).machine.seq, 100);
  writeFileSync(logPaths(dir).commitMarker, "");
  assert.equal((await restart(dir)).machine.seq, 100);
});

test("a directory whose log and commit marker are gone, but not its snapshots, does not become a new venue", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  writeSnapshot(dir, { ...FORM, seq: 100, timeMs: 1, chunks: machineAfter(GROUPS).chunks() });
  rmSync(logPaths(dir).log);
  rmSync(logPaths(dir).commitMarker);
  await assert.rejects(restart(dir), /the file is missing, but others of its log are there/);
});

test("no flipped byte of the file goes unnoticed unless it changes nothing", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  const { log } = logPaths(dir);
  const size = statSync(log).size;
  // The file header in full, then a byte here and there.
  const offsets = [...Array(100).keys(), ...Array.from({ length: 250 }, (_, at) => (at * 7_919) % size)];
  const expected = readAll(dir);
  let noticed = 0;
  for (const offset of offsets) {
    const copy = join(temporaryDir(t), "log.sqlite");
    cpSync(log, copy);
    flipByte(copy, offset);
    const found = readAll(join(copy, ".."));
    if (found === "damaged") noticed++;
    else assert.equal(found, expected, `byte ${offset}`);
  }
  assert.ok(noticed > 50, `${noticed} noticed`);
});

/** What a reader makes of the log in `dir`, as text, or that it found damage. */
function readAll(dir: string): string {
  try {
    const reader = new LogReader(dir);
    try {
      const groups = [...reader.groups()];
      return groups.map((group) => `${lastSeqOf(group)} ${Buffer.from(group.hash).toString("hex")}`).join("\n");
    } finally {
      reader.close();
    }
  } catch (error) {
    if (error instanceof LogDamaged) return "damaged";
    throw error;
  }
}

/** Inverts a byte wherever `content` lies in the log's file: a page that was divided leaves an old copy behind. */
function flipStoredByte(dir: string, content: Buffer): void {
  const { log } = logPaths(dir);
  const bytes = readFileSync(log);
  let found = 0;
  for (let at = bytes.indexOf(content); at >= 0; at = bytes.indexOf(content, at + 1)) {
    flipByte(log, at);
    found++;
  }
  assert.ok(found > 0, "the content is not in the file in one piece");
}
