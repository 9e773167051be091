import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { groupsOfSizes, HashMachine, machineAfter, restart, temporaryDir } from "../../test/support/small-log.ts";
import { GROUP_COMMANDS } from "../../test/support/write-until-stopped.ts";
import { replay } from "./replay.ts";
import { listSnapshots, readSnapshot } from "./snapshot-file.ts";

const ROUNDS = 6;
/** On a busy machine it may take more until a snapshot is finished before the kill. */
const ROUNDS_MAX = 30;
/** Milliseconds from the first acknowledgement to the kill, spread over what checkpoints and snapshots take. */
const KILL_AFTER_MS = [3, 150, 40, 260, 90, 400];

test("a writer killed again and again loses nothing that it acknowledged, and stores nothing twice", async (t) => {
  const dir = temporaryDir(t);
  let recoveredSeq = 0;
  let snapshotsUsed = 0;
  for (let round = 0; round < ROUNDS || (snapshotsUsed === 0 && round < ROUNDS_MAX); round++) {
    const afterMs = (KILL_AFTER_MS[round % ROUNDS] as number) * (1 + Math.floor(round / ROUNDS));
    const acknowledged = await writeAndKill(dir, afterMs);
    assert.ok(acknowledged > recoveredSeq);
    for (const { file } of listSnapshots(dir).heads) assert.equal(typeof readSnapshot(file), "object", file);

    const { machine, report } = await restart(dir);

    // One group was under way: it may have reached the disk or not.
    const stored = machine.seq - acknowledged;
    assert.ok(stored === 0 || stored === GROUP_COMMANDS, `acknowledged ${acknowledged}, recovered ${machine.seq}`);
    const expected = machineAfter(groupsOfSizes(Array<number>(machine.seq / GROUP_COMMANDS).fill(GROUP_COMMANDS)));
    assert.equal(machine.stateHash(), expected.stateHash());
    recoveredSeq = machine.seq;
    if (report.snapshot !== undefined) snapshotsUsed++;
  }
  assert.ok(snapshotsUsed > 0, "no round started from a snapshot");
  const whole = new HashMachine();
  const { confirmedSnapshots } = await replay(dir, whole, { from: "start" });
  assert.equal(whole.seq, recoveredSeq);
  assert.ok(confirmedSnapshots.length > 0);
});

/** Runs a writer on `dir`, kills it some time after its first acknowledgement, and returns the last seq it printed. */
async function writeAndKill(dir: string, afterMs: number): Promise<number> {
  const file = fileURLToPath(new URL("../../test/support/write-until-stopped.ts", import.meta.url));
  const child = spawn(process.execPath, [file, dir], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  let acknowledged = 0;
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    acknowledged = Number(line);
  });
  await Promise.race([once(lines, "line"), closed]);
  // Time itself: the writer is killed at any moment.
  await wait(afterMs);
  child.kill("SIGKILL");
  const [, signal] = await closed;
  assert.equal(signal, "SIGKILL");
  return acknowledged;
}
