import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { type LogGroup, lastSeqOf } from "./chain.ts";
import { LogFault } from "./errors.ts";
import { FileLog } from "./file-log.ts";
import { type FileLogWriter, PENDING_GROUPS_MAX } from "./log-writer.ts";

/** A log over a disk that stores a group when it is told to. */
function logOverSlowDisk() {
  const pending: LogGroup[] = [];
  const disk = {
    lastSeq: 0,
    append: (group: LogGroup) => {
      assert.ok(pending.length < PENDING_GROUPS_MAX, "more groups are under way than the writer takes");
      disk.lastSeq = lastSeqOf(group);
      pending.push(group);
    },
  };
  const options = { end: { lastSeq: 0, lastHash: new Uint8Array() }, endTimeMs: 0, clock: { now: () => 1 } };
  const log = new FileLog("", disk as unknown as FileLogWriter, options);
  const reported: number[] = [];
  const faults: LogFault[] = [];
  log.follow({
    onCommitted: ({ firstSeq }) => reported.push(firstSeq),
    onFault: (fault) => faults.push(fault),
  });
  return {
    ...{ log, reported, faults },
    propose: (groups: number) => {
      for (let group = 0; group < groups; group++) log.propose(new Uint8Array(8), 1, 0);
    },
    store: (groups = pending.length) => {
      for (const group of pending.splice(0, groups)) log.stored(lastSeqOf(group), 0);
    },
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const AHEAD = PENDING_GROUPS_MAX / 2;

test("groups are reported when the disk has them, unless they are written behind", async () => {
  const { log, reported, propose, store } = logOverSlowDisk();
  propose(2);
  await turn();
  assert.deepEqual(reported, []);
  store();
  assert.deepEqual(reported, [1, 2]);

  const ended = Promise.withResolvers<void>();
  let isOver = false;
  const behind = log.writeBehind(() => ended.promise).then(() => (isOver = true));
  propose(3);
  assert.deepEqual(reported, [1, 2], "never from within propose");
  await turn();
  assert.deepEqual(reported, upTo(5));
  ended.resolve();
  await turn();
  assert.equal(isOver, false, "the disk does not have all of it");
  propose(1);
  await turn();
  assert.deepEqual(reported, upTo(5), "what comes after it waits for the disk again");
  store(3);
  await behind;
  assert.deepEqual(reported, upTo(5));
  store();
  assert.deepEqual(reported, upTo(6));
});

test("groups that are written behind are at most half of what the writer takes ahead of the disk", async () => {
  const { log, reported, propose, store } = logOverSlowDisk();
  const ended = Promise.withResolvers<void>();
  const behind = log.writeBehind(() => ended.promise);
  propose(PENDING_GROUPS_MAX);
  await turn();
  assert.deepEqual(reported, upTo(AHEAD));
  store(5);
  assert.deepEqual(reported, upTo(AHEAD + 5));
  propose(5);
  await turn();
  assert.equal(reported.length, AHEAD + 5);
  store();
  assert.equal(reported.length, PENDING_GROUPS_MAX + 5);
  ended.resolve();
  await behind;
});

test("whoever waits for the disk waits for what was reported ahead of it, and for nothing else", async () => {
  const { log, propose, store } = logOverSlowDisk();
  propose(1);
  await log.durable();
  store();
  const ended = Promise.withResolvers<void>();
  const behind = log.writeBehind(() => ended.promise);
  propose(1);
  await turn();
  let isDurable = false;
  const durable = log.durable().then(() => (isDurable = true));
  await turn();
  assert.equal(isDurable, false);
  store();
  await durable;
  ended.resolve();
  await behind;
});

test("a log that fails ends the wait for the disk, and work that fails is waited for all the same", async () => {
  const { log, faults, propose, store } = logOverSlowDisk();
  const failed = log.writeBehind(() => Promise.reject(new Error("the work failed")));
  await assert.rejects(failed, /the work failed/);
  const behind = log.writeBehind(async () => {
    propose(2);
    await turn();
    throw new Error("the work failed");
  });
  await turn();
  store(1);
  const fault = new LogFault("commit", "EIO", "The disk failed.");
  const outcome = assert.rejects(behind, fault);
  await turn();
  log.failed(fault);
  await outcome;
  assert.deepEqual(faults, [fault]);
});
