import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { HashMachine, temporaryDir } from "../../test/support/small-log.ts";
import { GROUP_BYTES_MAX } from "./chain.ts";
import { openDataDir } from "./data-dir.ts";
import { openFileLog } from "./file-log.ts";
import type { CommittedGroup, Log } from "./log.ts";
import { MemoryLog } from "./memory-log.ts";
import { recover } from "./recovery.ts";

const clock = { ms: 1_000, now: () => clock.ms };

async function openOnDisk(t: TestContext): Promise<Log> {
  const dataDir = openDataDir(temporaryDir(t));
  const { end } = await recover(dataDir, new HashMachine());
  const log = await openFileLog(dataDir, { end, endTimeMs: 0, clock });
  t.after(async () => {
    await log.close();
    dataDir.release();
  });
  return log;
}

/** Both answer one suite: anyone who follows a log must not be able to tell which one it is. */
const LOGS: Readonly<Record<string, (t: TestContext) => Promise<Log>>> = {
  "the log on disk": openOnDisk,
  "the log in memory": async () => new MemoryLog(clock).open(),
};

/** Collects what is committed, with copies of the payloads, and waits for it. */
function followerOf(log: Log) {
  const groups: CommittedGroup[] = [];
  let wake = () => {};
  log.follow({
    onCommitted: (group) => {
      groups.push({ ...group, payload: group.payload.slice() });
      wake();
    },
    onFault: (fault) => {
      throw fault;
    },
  });
  const until = async (count: number) => {
    while (groups.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { groups, until };
}

const payload = (...bytes: number[]) => Uint8Array.from([...bytes, 0, 0, 0, 0, 0, 0, 0, 0]).subarray(0, 8);

for (const [name, open] of Object.entries(LOGS)) {
  test(`${name} gives seq and time with the commit, in the order of the proposals and never from within one`, async (t) => {
    const log = await open(t);
    const { groups, until } = followerOf(log);
    clock.ms = 5_000;
    log.propose(payload(1), 3, 71);
    log.propose(payload(2), 1, 72);
    assert.deepEqual(groups, []);
    await until(2);
    // The clock goes back; the log's time does not.
    clock.ms = 1_000;
    assert.equal(log.now(), 5_000);
    log.propose(payload(3), 2, 73);
    await until(3);
    assert.deepEqual(groups, [
      { firstSeq: 1, count: 3, timeMs: 5_000, payload: payload(1), token: 71 },
      { firstSeq: 4, count: 1, timeMs: 5_000, payload: payload(2), token: 72 },
      { firstSeq: 5, count: 2, timeMs: 5_000, payload: payload(3), token: 73 },
    ]);
  });

  test(`${name} can be read from any seq up to what is committed, with what was proposed`, async (t) => {
    const log = await open(t);
    const { until } = followerOf(log);
    for (const byte of [1, 2, 3]) log.propose(payload(byte), 2, byte);
    assert.deepEqual([...log.read(1)], []);
    await until(3);
    log.propose(payload(4), 2, 4);
    const read = [...log.read(4)].map((group) => [group.firstSeq, group.count, group.payload[0]]);
    assert.deepEqual(read, [
      [3, 2, 2],
      [5, 2, 3],
    ]);
    assert.deepEqual([...log.read(7)], []);
    await until(4);
  });

  test(`${name} commits what was proposed before it closes, and takes no more`, async (t) => {
    const log = await open(t);
    const { groups } = followerOf(log);
    for (let token = 1; token <= 20; token++) log.propose(payload(token), 5, token);
    await Promise.all([log.close(), log.close()]);
    assert.equal(groups.at(-1)?.firstSeq, 96);
    assert.throws(() => log.propose(payload(1), 1, 21), /closed/);
  });

  test(`${name} refuses a group that is empty or too large`, async (t) => {
    const log = await open(t);
    assert.throws(() => log.propose(payload(), 0, 1), /0 commands/);
    assert.throws(() => log.propose(new Uint8Array(GROUP_BYTES_MAX + 1), 1, 1), /bound/);
  });
}

test("all who opened a log in memory hear the same, and each knows its own proposals", async () => {
  const shared = new MemoryLog(clock);
  const [one, other] = [shared.open(), shared.open()];
  const [heard, overheard] = [followerOf(one), followerOf(other)];
  one.propose(payload(1), 1, 7);
  other.propose(payload(2), 1, 7);
  await Promise.all([heard.until(2), overheard.until(2)]);
  const tokens = ({ groups }: typeof heard) => groups.map(({ firstSeq, token }) => [firstSeq, token]);
  assert.deepEqual(tokens(heard), [
    [1, 7],
    [2, undefined],
  ]);
  assert.deepEqual(tokens(overheard), [
    [1, undefined],
    [2, 7],
  ]);
});
