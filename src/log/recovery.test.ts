import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import {
  FORM,
  flipByte,
  groupsOfSizes,
  HashMachine,
  killedVenue,
  machineAfter,
  openLog,
  restart,
  tamper,
  temporaryDir,
  writeGroups,
} from "../../test/support/small-log.ts";
import { type LogGroup, lastSeqOf } from "./chain.ts";
import { logPaths, openDataDir } from "./data-dir.ts";
import { LogDamaged, ReplayDiverged } from "./errors.ts";
import { recover } from "./recovery.ts";
import { type ReplayProgress, replay } from "./replay.ts";
import { writeSnapshot } from "./snapshot-file.ts";

const GROUPS = groupsOfSizes([10, 20, 30, 40]);

/** Writes the snapshot that a venue would have written after the first `groupCount` groups; returns its path. */
function snapshotAfter(dir: string, groupCount: number): string {
  const machine = machineAfter(GROUPS.slice(0, groupCount));
  return writeSnapshot(dir, { ...FORM, seq: machine.seq, timeMs: 1_750_000_000_000, chunks: machine.chunks() }).file;
}

test("an empty directory becomes a venue with an empty log", async (t) => {
  const dir = temporaryDir(t);
  const { machine, report } = await restart(dir);
  assert.equal(report.created, true);
  assert.equal(report.end.lastSeq, 0);
  assert.equal(machine.seq, 0);
  assert.deepEqual(report.notes, []);
  const again = await restart(dir);
  assert.equal(again.report.created, false);
  assert.equal(again.report.venueId, report.venueId);
});

test("a log that was half made when the process was killed is made anew", async (t) => {
  const dir = temporaryDir(t);
  for (const suffix of ["", "-wal", "-shm"]) writeFileSync(logPaths(dir).newLog + suffix, randomBytes(100));
  assert.equal((await restart(dir)).report.created, true);
  assert.ok(readdirSync(dir).every((name) => !name.includes(".new")));
});

test("without a snapshot every group is applied, in order, as it was written", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  const { machine, report } = await restart(dir);
  assert.deepEqual(machine.applied, GROUPS);
  assert.equal(report.replayedCommands, 100);
  assert.equal(report.snapshot, undefined);
  assert.equal(report.end.lastSeq, 100);
});

test("from a snapshot only the groups behind it are applied, and the state is the same", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  const file = snapshotAfter(dir, 2);
  const { machine, report } = await restart(dir);
  assert.equal(report.snapshot?.file, file);
  assert.equal(machine.restoredFrom?.seq, 30);
  assert.deepEqual(machine.applied, GROUPS.slice(2));
  assert.equal(report.replayedCommands, 70);
  assert.equal(machine.stateHash(), machineAfter(GROUPS).stateHash());
});

test("a snapshot at the very end of the log leaves nothing to apply, and the log is verified all the same", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  snapshotAfter(dir, 4);
  const { machine, report } = await restart(dir);
  assert.equal(machine.seq, 100);
  assert.deepEqual(machine.applied, []);
  assert.equal(report.end.lastSeq, 100);
  tamper(dir, "UPDATE log_group SET payload = zeroblob(560) WHERE first_seq = 1");
  await assert.rejects(restart(dir), LogDamaged);
});

test("an unsound newest snapshot is set aside, the older one is used, and both are said", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  const older = snapshotAfter(dir, 1);
  const newest = snapshotAfter(dir, 3);
  flipByte(newest, statSync(newest).size - 1);
  const { machine, report } = await restart(dir);
  assert.equal(report.snapshot?.file, older);
  assert.equal(machine.stateHash(), machineAfter(GROUPS).stateHash());
  const reason = "its content does not have the hash that it states";
  assert.deepEqual(report.notes, [`The snapshot ${newest} was set aside, because ${reason}; ${older} was used.`]);
  assert.equal(existsSync(`${newest}.unsound`), true);
  assert.deepEqual((await restart(dir)).report.notes, []);
});

test("when all snapshots are unsound the log is replayed from its start, and that is said", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  flipByte(snapshotAfter(dir, 1), 9);
  flipByte(snapshotAfter(dir, 3), 9);
  const { machine, report } = await restart(dir);
  assert.equal(machine.applied.length, 4);
  assert.equal(report.notes.length, 2);
  assert.match(report.notes[0] ?? "", /the log was replayed from its start/);
});

test("a bound on the snapshot's seq takes the older one and confirms the newer on the way", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  snapshotAfter(dir, 1);
  snapshotAfter(dir, 3);
  for (const [fromSeqAtMost, snapshotSeq, confirmed] of [
    [60, 60, []],
    [59, 10, [60]],
    [9, undefined, [10, 60]],
  ] as const) {
    const dataDir = openDataDir(dir);
    const machine = new HashMachine();
    const report = await recover(dataDir, machine, { fromSeqAtMost });
    dataDir.release();
    assert.equal(report.snapshot?.seq, snapshotSeq);
    assert.deepEqual(
      report.confirmedSnapshots.map((head) => head.seq),
      confirmed,
    );
    assert.equal(machine.stateHash(), machineAfter(GROUPS).stateHash());
  }
});

test("views open before anything is replayed, say which snapshot they can follow, and hold the replay back", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  snapshotAfter(dir, 1);
  snapshotAfter(dir, 3);
  const dataDir = openDataDir(dir);
  const machine = new HashMachine();
  const calls: string[] = [];
  const report = await recover(dataDir, machine, {
    prepare: (log) => {
      calls.push(`prepare ${log.end.lastSeq} at ${machine.seq}`);
      return Promise.resolve(59);
    },
    onBatch: async () => {
      await new Promise(setImmediate);
      calls.push("batch");
    },
    onProgress: ({ appliedSeq }) => calls.push(`applied ${appliedSeq}`),
  });
  dataDir.release();
  assert.equal(report.snapshot?.seq, 10);
  assert.deepEqual(calls, ["prepare 100 at 0", "batch", "applied 100", "batch", "applied 100"]);
});

test("a machine that computes another state than a snapshot recorded must not start", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  const other = machineAfter(groupsOfSizes([30]));
  writeSnapshot(dir, { ...FORM, seq: 30, timeMs: 1, chunks: other.chunks() });
  const dataDir = openDataDir(dir);
  await assert.rejects(recover(dataDir, new HashMachine(), { fromSeqAtMost: 0 }), ReplayDiverged);
  dataDir.release();
});

test("snapshots in a form that is no longer read are set aside, whatever hash they recorded, and the log is replayed", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  const other = machineAfter(groupsOfSizes([30]));
  const { file } = writeSnapshot(dir, { ...FORM, seq: 30, timeMs: 1, chunks: other.chunks() });
  // The first layout of the file, with a form before the oldest that can be read.
  flipByte(file, 9, 3);
  flipByte(file, 11, 8);
  const { machine, report } = await restart(dir);
  assert.equal(machine.stateHash(), machineAfter(GROUPS).stateHash());
  const reason = "it was written by an older program, in a form that this one no longer reads";
  assert.deepEqual(report.notes, [
    `The snapshot ${file} was set aside, because ${reason}; the log was replayed from its start.`,
  ]);
  assert.equal(existsSync(`${file}.unsound`), true);
});

test("a machine that restores something else than the snapshot must not start", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  snapshotAfter(dir, 2);
  const dataDir = openDataDir(dir);
  const machine = new HashMachine();
  machine.restore = (meta) => {
    machine.seq = meta.seq;
  };
  await assert.rejects(recover(dataDir, machine), ReplayDiverged);
  dataDir.release();
});

test("a snapshot beyond the end of the log, or inside a group, is damage", async (t) => {
  const beyond = temporaryDir(t);
  await writeGroups(beyond, GROUPS.slice(0, 2));
  const file = snapshotAfter(beyond, 3);
  await assert.rejects(restart(beyond), (error) => {
    assert.ok(error instanceof LogDamaged);
    assert.match(error.message, /was taken at seq 60, but the log ends at seq 30/);
    assert.ok(error.message.includes(file));
    return true;
  });
  const inside = temporaryDir(t);
  await writeGroups(inside, GROUPS);
  writeSnapshot(inside, { ...FORM, seq: 35, timeMs: 1, chunks: new HashMachine().chunks() });
  await assert.rejects(restart(inside), /seq 35 is not the end of a group/);
});

test("groups that a killed venue had only in the write-ahead log are replayed", async (t) => {
  const dir = await killedVenue(t, { settled: GROUPS.slice(0, 1), pending: GROUPS.slice(1) });
  const { machine, report } = await restart(dir);
  assert.equal(machine.stateHash(), machineAfter(GROUPS).stateHash());
  assert.deepEqual(report.notes, []);
  assert.equal(existsSync(logPaths(dir).wal), false);
});

test("a group that was stored but not acknowledged counts, and is vouched for from then on", async (t) => {
  const dir = await killedVenue(t, { settled: [], pending: GROUPS, lastUnacknowledged: true });
  assert.equal((await restart(dir)).machine.seq, 100);
  tamper(dir, "DELETE FROM log_group WHERE first_seq = 61");
  await assert.rejects(restart(dir), /commands up to seq 100 were acknowledged, but the log ends at seq 60/);
});

test("progress is told, and ends at the end of the log", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  const dataDir = openDataDir(dir);
  const told: ReplayProgress[] = [];
  await recover(dataDir, new HashMachine(), { onProgress: (progress) => told.push(progress) });
  dataDir.release();
  assert.deepEqual(told.at(-1), { verifiedSeq: 100, appliedSeq: 100, lastSeq: 100 });
});

test("a log can be replayed beside the venue that writes it, without a file being changed", async (t) => {
  const dir = temporaryDir(t);
  const log = await openLog(dir);
  for (const group of GROUPS) log.writer.append(group);
  await log.reports.untilDurable(100);
  snapshotAfter(dir, 2);
  const walSize = statSync(logPaths(dir).wal).size;
  for (const from of ["start", "snapshot"] as const) {
    const machine = new HashMachine();
    const report = await replay(dir, machine, { from });
    assert.equal(machine.stateHash(), machineAfter(GROUPS).stateHash());
    assert.equal(report.replayedCommands, from === "start" ? 100 : 70);
    assert.equal(report.confirmedSnapshots.length, from === "start" ? 1 : 0);
  }
  assert.equal(statSync(logPaths(dir).wal).size, walSize);
  await log.close();
});

test("a replay in many batches gives what one pass gives", async (t) => {
  const dir = temporaryDir(t);
  const groups = groupsOfSizes(Array.from({ length: 1_300 }, (_, at) => 1 + (at % 60)));
  const log = await openLog(dir);
  for (const group of groups) {
    if (log.writer.pendingGroups === 32) await log.reports.untilDurable(group.firstSeq - 1);
    log.writer.append(group);
  }
  await log.close();
  const middle = groups[700] as LogGroup;
  const upToMiddle = machineAfter(groups.slice(0, 701));
  writeSnapshot(dir, { ...FORM, seq: lastSeqOf(middle), timeMs: middle.timeMs, chunks: upToMiddle.chunks() });
  const { machine, report } = await restart(dir);
  assert.equal(report.snapshot?.seq, lastSeqOf(middle));
  assert.equal(machine.applied[0]?.firstSeq, lastSeqOf(middle) + 1);
  assert.equal(machine.stateHash(), machineAfter(groups).stateHash());
});

test("whatever stops a recovery leaves nothing running and the directory free", async (t) => {
  const dir = temporaryDir(t);
  await writeGroups(dir, GROUPS);
  const dataDir = openDataDir(dir);
  const machine = new HashMachine();
  machine.applyGroup = () => {
    throw new Error("a bug of the machine");
  };
  await assert.rejects(recover(dataDir, machine), /a bug of the machine/);
  dataDir.release();
  rmSync(logPaths(dir).lock);
  assert.equal((await restart(dir)).machine.seq, 100);
});
