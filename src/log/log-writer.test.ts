import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  copyDir,
  groupAt,
  groupsOfSizes,
  openLog,
  Reports,
  restart,
  temporaryDir,
} from "../../test/support/small-log.ts";
import { GROUP_BYTES_MAX } from "./chain.ts";
import { logPaths, openDataDir } from "./data-dir.ts";
import { LogFault } from "./errors.ts";
import { openLogWriter } from "./log-writer.ts";
import { LogReader } from "./reader.ts";

test("a writer reports every group once, in order, and never from within append", async (t) => {
  const { writer, reports, close } = await openLog(temporaryDir(t));
  for (const group of groupsOfSizes([1, 64, 3, 1])) writer.append(group);
  assert.deepEqual(reports.durable, []);
  assert.equal(writer.pendingGroups, 4);
  await reports.untilDurable(69);
  assert.deepEqual(reports.durable, [1, 65, 68, 69]);
  assert.equal(writer.pendingGroups, 0);
  assert.equal(writer.lastSeq, 69);
  await close();
});

test("a writer refuses a group that leaves a gap, overlaps, is empty, untimed or too large", async (t) => {
  const { writer, reports, close } = await openLog(temporaryDir(t));
  writer.append(groupAt(1, 2));
  assert.throws(() => writer.append(groupAt(4, 1)), /cannot follow seq 2/);
  assert.throws(() => writer.append(groupAt(2, 1)), /cannot follow seq 2/);
  assert.throws(() => writer.append(groupAt(3, 0)), /0 commands/);
  assert.throws(() => writer.append({ ...groupAt(3, 1), timeMs: 1.5 }), /at time 1.5/);
  assert.throws(() => writer.append({ ...groupAt(3, 1), payload: new Uint8Array(GROUP_BYTES_MAX + 1) }), /bound/);
  writer.append(groupAt(3, 1));
  await close();
  assert.deepEqual(reports.durable, [2, 3]);
});

test("a writer copies the payload, so that the caller may use its buffer again", async (t) => {
  const dir = temporaryDir(t);
  const { writer, reports, close } = await openLog(dir);
  const group = groupAt(1, 2);
  const expected = group.payload.slice();
  writer.append(group);
  group.payload.fill(0);
  await reports.untilDurable(2);
  assert.deepEqual(Uint8Array.from(readGroups(dir)[0]?.payload ?? []), expected);
  await close();
});

test("a group is readable by others, with its boundaries, as soon as it is reported", async (t) => {
  const dir = temporaryDir(t);
  const { writer, reports, close } = await openLog(dir);
  const groups = groupsOfSizes([3, 1, 100]);
  for (const group of groups) {
    writer.append(group);
    await reports.untilDurable(group.firstSeq + group.count - 1);
    assert.equal(readGroups(dir).length, groups.indexOf(group) + 1);
  }
  assert.deepEqual(
    readGroups(dir).map(({ hash: _hash, ...group }) => ({ ...group, payload: Uint8Array.from(group.payload) })),
    groups,
  );
  await close();
});

test("the write-ahead log is moved into the file while groups come in, and does not grow without end", async (t) => {
  const dir = temporaryDir(t);
  const { writer, reports, close } = await openLog(dir);
  for (const group of groupsOfSizes(Array.from({ length: 400 }, () => 64))) {
    writer.append(group);
    if (writer.pendingGroups === 8) await reports.untilDurable(group.firstSeq - 1);
  }
  await reports.untilDurable(400 * 64);
  assert.ok(statSync(logPaths(dir).log).size > 1_000_000);
  assert.ok(statSync(logPaths(dir).wal).size < 2_500_000);
  await close();
});

test("all files of a data directory are its owner's alone", async (t) => {
  const dir = join(temporaryDir(t), "venue");
  const { writer, reports, close } = await openLog(dir);
  writer.append(groupAt(1, 1));
  await reports.untilDurable(1);
  assert.equal(statSync(dir).mode & 0o777, 0o700);
  const { log, wal, commitMarker, lock } = logPaths(dir);
  for (const file of [log, wal, `${log}-shm`, commitMarker, lock])
    assert.equal(statSync(file).mode & 0o777, 0o600, file);
  await close();
});

/** After a fault the group must not have been reported; whether it is stored depends on how far it came. */
const FAULTS = [
  { fault: "write", code: "SQLITE_FULL", step: "commit", storedSeq: 2 },
  { fault: "sync", code: "SQLITE_IOERR_FSYNC", step: "commit", storedSeq: 3 },
  { fault: "commit_marker", code: "EIO", step: "commit_marker", storedSeq: 3 },
] as const;

for (const { fault, code, step, storedSeq } of FAULTS) {
  test(`a failed ${fault} stops the writer: one fault, nothing acknowledged after it`, async (t) => {
    const dir = temporaryDir(t);
    const { writer, reports, close } = await openLog(dir, { faultInjection: true });
    writer.append(groupAt(1, 2));
    writer.injectFault(fault);
    writer.append(groupAt(3, 1));
    writer.append(groupAt(4, 1));
    await reports.untilFault();
    assert.throws(() => writer.append(groupAt(5, 1)), LogFault);
    await close();
    assert.deepEqual(reports.durable, [2]);
    assert.equal(reports.faults.length, 1);
    const [reported] = reports.faults;
    assert.equal(reported?.code, code);
    assert.equal(reported?.step, step);
    assert.ok(reported?.cause instanceof Error);
    assert.match(reported?.message ?? "", /No command of that group was acknowledged/);
    assert.equal((await restart(dir)).machine.seq, storedSeq);
  });
}

test("a writer that was opened without fault injection cannot be made to fail", async (t) => {
  const { writer, close } = await openLog(temporaryDir(t));
  assert.throws(() => writer.injectFault("sync"), /without fault injection/);
  await close();
});

test("a file system that takes no more bytes stops the writer, and the log is sound up to the last report", {
  skip: process.platform === "win32" ? "the shell's file size limit is not to be had there" : false,
}, async (t) => {
  const dir = temporaryDir(t);
  const child = fileURLToPath(new URL("../../test/support/write-until-stopped.ts", import.meta.url));
  // 1,024 blocks of 512 bytes (some shells count in 1,024): a real write of SQLite fails there with EFBIG.
  const command = `ulimit -f 1024 && exec "${process.execPath}" "${child}" "${dir}"`;
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8", timeout: 60_000 });
  assert.equal(status, 3, stderr);
  const lines = stdout.trim().split("\n");
  const acknowledged = Number(lines.at(-2));
  assert.match(lines.at(-1) ?? "", /^fault (commit|checkpoint) SQLITE_(FULL|IOERR)/);
  assert.ok(acknowledged > 0);
  assert.ok((await restart(dir)).machine.seq >= acknowledged);
});

test("the writer refuses to start behind another end than the log has", async (t) => {
  const dir = temporaryDir(t);
  const { writer, reports, close, end } = await openLog(dir);
  writer.append(groupAt(1, 2));
  await reports.untilDurable(2);
  await close();
  const dataDir = openDataDir(dir);
  await assert.rejects(openLogWriter(dataDir, end, new Reports()), /ends at seq 2, but recovery ended at seq 0/);
  dataDir.release();
});

test("what a running venue has on the disk is whole at any moment it might be killed", async (t) => {
  const dir = temporaryDir(t);
  const { writer, reports, close } = await openLog(dir);
  for (const group of groupsOfSizes([5, 5, 5, 5])) {
    writer.append(group);
    await reports.untilDurable(group.firstSeq + 4);
    const { machine, report } = await restart(copyDir(t, dir));
    assert.equal(machine.seq, group.firstSeq + 4);
    assert.deepEqual(report.notes, []);
  }
  await close();
});

function readGroups(dir: string) {
  const reader = new LogReader(dir);
  const groups = [...reader.groups()];
  reader.close();
  return groups;
}
