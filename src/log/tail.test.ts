import assert from "node:assert/strict";
import { appendFileSync, existsSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import {
  copyDir,
  type Frame,
  flipByte,
  framesOf,
  groupAt,
  groupsOfSizes,
  killedVenue,
  machineAfter,
  openLog,
  restart,
  temporaryDir,
} from "../../test/support/small-log.ts";
import { lastSeqOf } from "./chain.ts";
import { logPaths, openDataDir } from "./data-dir.ts";
import { LogDamaged } from "./errors.ts";
import { checkLogForStart } from "./start-check.ts";
import { inspectWal } from "./tail.ts";

const SETTLED = groupsOfSizes([10, 20]);
const PENDING = groupsOfSizes([30, 40, 50], 31);
const LAST_SEQ = lastSeqOf(PENDING[2]!);
/** Last seq before the group that is on its way in these tests. */
const ACKNOWLEDGED_SEQ = lastSeqOf(PENDING[1]!);

/** What a stop in the middle of a write can leave of the last transaction. `seq` is where the log ends afterwards. */
const TORN_TAILS: readonly {
  readonly name: string;
  readonly tear: (wal: string, last: readonly Frame[]) => void;
  readonly seq: number;
}[] = [
  {
    name: "a last page that is half there",
    tear: (wal, last) => truncateSync(wal, last.at(-1)!.end - 2_000),
    seq: ACKNOWLEDGED_SEQ,
  },
  {
    name: "a frame header without its page",
    tear: (wal, last) => truncateSync(wal, last.at(-1)!.offset + 24),
    seq: ACKNOWLEDGED_SEQ,
  },
  {
    name: "half a frame header",
    tear: (wal, last) => truncateSync(wal, last.at(-1)!.offset + 11),
    seq: ACKNOWLEDGED_SEQ,
  },
  {
    name: "half a transaction in whole frames",
    tear: (wal, last) => truncateSync(wal, last[0]!.end),
    seq: ACKNOWLEDGED_SEQ,
  },
  {
    name: "a last frame whose checksum is wrong",
    tear: (wal, last) => flipByte(wal, last.at(-1)!.offset + 500),
    seq: ACKNOWLEDGED_SEQ,
  },
  {
    name: "a first frame that did not reach the disk, though the later ones did (power cut)",
    tear: (wal, last) => flipByte(wal, last[0]!.offset + 500),
    seq: ACKNOWLEDGED_SEQ,
  },
  {
    name: "a few stray bytes behind a whole transaction",
    tear: (wal) => appendFileSync(wal, Buffer.alloc(100, 0xa5)),
    seq: LAST_SEQ,
  },
  {
    name: "stray bytes of more than a frame behind a whole transaction",
    tear: (wal) => appendFileSync(wal, Buffer.alloc(5_000, 0xa5)),
    seq: LAST_SEQ,
  },
  {
    name: "zeros behind a whole transaction (a file made longer before its content came)",
    tear: (wal) => appendFileSync(wal, Buffer.alloc(8_192)),
    seq: LAST_SEQ,
  },
];

for (const { name, tear, seq } of TORN_TAILS) {
  test(`a torn tail is cut, and said: ${name}`, async (t) => {
    const dir = await killedVenue(t, { settled: SETTLED, pending: PENDING, lastUnacknowledged: true });
    const { wal } = logPaths(dir);
    const frames = framesOf(dir);
    const commits = frames.filter((frame) => frame.commits);
    tear(
      wal,
      frames.filter((frame) => frame.offset >= commits.at(-2)!.end),
    );
    const soundEnd = seq === LAST_SEQ ? commits.at(-1)!.end : commits.at(-2)!.end;
    const tornBytes = statSync(wal).size - soundEnd;

    const { machine, report } = await restart(dir);

    assert.deepEqual(report.notes, [`A torn tail of ${tornBytes} bytes after seq ${seq} was cut.`]);
    assert.deepEqual(report.cutTail, { bytes: tornBytes, afterSeq: seq });
    assert.equal(machine.seq, seq);
    assert.equal(existsSync(wal), false);
    const again = await restart(dir);
    assert.deepEqual(again.report.notes, []);
    assert.equal(again.machine.stateHash(), machine.stateHash());
  });
}

test("after a cut the log goes on from the last sound command", async (t) => {
  const dir = await killedVenue(t, { settled: SETTLED, pending: PENDING, lastUnacknowledged: true });
  truncateSync(logPaths(dir).wal, framesOf(dir).at(-1)!.end - 1);
  const log = await openLog(dir);
  const other = groupAt(ACKNOWLEDGED_SEQ + 1, 3);
  log.writer.append(other);
  await log.close();
  const { machine } = await restart(dir);
  const expected = machineAfter([...SETTLED, ...PENDING.slice(0, 2), other]);
  assert.equal(machine.stateHash(), expected.stateHash());
});

test("a write-ahead log that was only just begun is cut, and nothing is lost", async (t) => {
  const dir = await killedVenue(t, { settled: SETTLED, pending: [] });
  writeFileSync(logPaths(dir).wal, Buffer.alloc(10, 0x37));
  const { machine, report } = await restart(dir);
  assert.equal(machine.seq, 30);
  assert.deepEqual(report.notes, ["A torn tail of 10 bytes after seq 30 was cut."]);
});

test("frames of earlier generations behind the present ones are normal", async (t) => {
  const dir = temporaryDir(t);
  const log = await openLog(dir);
  // Enough for several checkpoints, each of which begins the write-ahead log anew over the old frames.
  const groups = groupsOfSizes(Array.from({ length: 330 }, () => 64));
  for (const group of groups) {
    log.writer.append(group);
    if (log.writer.pendingGroups === 4) await log.reports.untilDurable(group.firstSeq - 1);
  }
  await log.reports.untilDurable(log.writer.lastSeq);
  const killed = copyDir(t, dir);
  await log.close();
  assert.ok(framesOf(killed).at(-1)!.end < statSync(logPaths(killed).wal).size, "no old frames were left");
  const { machine, report } = await restart(killed);
  assert.deepEqual(report.notes, []);
  assert.equal(machine.seq, 330 * 64);
});

test("a transaction torn over frames of an earlier generation is cut, and those are not counted", async (t) => {
  const dir = temporaryDir(t);
  const log = await openLog(dir);
  for (const group of groupsOfSizes(Array.from({ length: 150 }, () => 64))) {
    log.writer.append(group);
    await log.reports.untilDurable(lastSeqOf(group));
  }
  const killed = copyDir(t, dir);
  await log.close();
  rmSync(logPaths(killed).commitMarker);
  const frames = framesOf(killed);
  const commits = frames.filter((frame) => frame.commits);
  assert.ok(frames.at(-1)!.end < statSync(logPaths(killed).wal).size, "no old frames were left");
  flipByte(logPaths(killed).wal, frames.at(-1)!.offset + 100);
  const { report } = await restart(killed);
  assert.deepEqual(report.cutTail, { bytes: frames.at(-1)!.end - commits.at(-2)!.end, afterSeq: 149 * 64 });
});

/** What no stop can leave. `offset` is what the refusal must name. */
const DAMAGES: readonly {
  readonly name: string;
  readonly spoil: (dir: string, frames: readonly Frame[]) => void;
  readonly offset: (frames: readonly Frame[]) => number;
  readonly lastSoundSeq: number;
}[] = [
  {
    // The first pending group fitted into one page, so the second frame begins the transaction after it.
    name: "a flipped byte in a page of an earlier transaction",
    spoil: (dir, frames) => flipByte(logPaths(dir).wal, frames[1]!.offset + 1_000),
    offset: (frames) => frames[1]!.offset,
    lastSoundSeq: 60,
  },
  {
    name: "a flipped byte in a frame header of an earlier transaction",
    spoil: (dir, frames) => flipByte(logPaths(dir).wal, frames[0]!.offset + 9),
    offset: (frames) => frames[0]!.offset,
    lastSoundSeq: 30,
  },
  {
    name: "a flipped byte in the header of the write-ahead log",
    spoil: (dir) => flipByte(logPaths(dir).wal, 20),
    offset: () => 0,
    lastSoundSeq: 30,
  },
  {
    name: "a flipped byte in the last transaction, which was acknowledged",
    spoil: (dir, frames) => flipByte(logPaths(dir).wal, frames.at(-1)!.offset + 100),
    offset: (frames) => frames.filter((frame) => frame.commits).at(-2)!.end,
    lastSoundSeq: ACKNOWLEDGED_SEQ,
  },
  {
    name: "an acknowledged last transaction cut off",
    spoil: (dir, frames) => truncateSync(logPaths(dir).wal, frames.at(-1)!.offset + 1),
    offset: (frames) => frames.filter((frame) => frame.commits).at(-2)!.end,
    lastSoundSeq: ACKNOWLEDGED_SEQ,
  },
  {
    name: "a broken frame inside the last transaction, and no commit marker to say whether it was acknowledged",
    spoil: (dir, frames) => {
      rmSync(logPaths(dir).commitMarker);
      flipByte(logPaths(dir).wal, frames.filter((frame) => frame.commits).at(-2)!.end + 100);
    },
    offset: (frames) => frames.filter((frame) => frame.commits).at(-2)!.end,
    lastSoundSeq: ACKNOWLEDGED_SEQ,
  },
];

for (const { name, spoil, offset, lastSoundSeq } of DAMAGES) {
  test(`damage to the write-ahead log stops the start and is placed: ${name}`, async (t) => {
    const dir = await killedVenue(t, { settled: SETTLED, pending: PENDING });
    const frames = framesOf(dir);
    const { wal } = logPaths(dir);
    spoil(dir, frames);
    const size = statSync(wal).size;
    await assert.rejects(restart(dir), (error) => {
      assert.ok(error instanceof LogDamaged);
      assert.deepEqual(error.place, { file: wal, offset: offset(frames), lastSoundSeq });
      assert.ok(error.message.includes(wal) && error.message.includes(`last sound seq is ${lastSoundSeq}.`));
      return true;
    });
    assert.equal(statSync(wal).size, size, "the evidence was changed");
  });
}

test("no single flipped byte in the acknowledged part of a write-ahead log goes unnoticed", async (t) => {
  const dir = await killedVenue(t, { settled: SETTLED, pending: PENDING });
  const size = statSync(logPaths(dir).wal).size;
  const offsets = [...Array(56).keys(), ...Array.from({ length: 80 }, (_, at) => (at * 7_919) % size)];
  for (const offset of offsets) {
    flipByte(logPaths(dir).wal, offset);
    const dataDir = openDataDir(dir);
    assert.throws(() => checkLogForStart(dataDir), LogDamaged, `byte ${offset}`);
    dataDir.release();
    flipByte(logPaths(dir).wal, offset);
  }
  assert.equal((await restart(dir)).machine.seq, LAST_SEQ);
});

test("a missing and an empty write-ahead log are clean", (t) => {
  const file = `${temporaryDir(t)}/none-wal`;
  assert.equal(inspectWal(file).state, "clean");
  writeFileSync(file, "");
  assert.equal(inspectWal(file).state, "clean");
});
