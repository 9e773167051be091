import { writeSync } from "node:fs";
import { openDataDir } from "../../src/log/data-dir.ts";
import { openLogWriter } from "../../src/log/log-writer.ts";
import { recover } from "../../src/log/recovery.ts";
import { SnapshotWriter } from "../../src/log/snapshot-writer.ts";
import { FORM, groupAt, HashMachine } from "./small-log.ts";

/**
 * A child process of the tests: a venue in small. It writes groups into the log of the directory given, applies what is
 * durable and takes snapshots, until it is killed or the log fails. Each acknowledged seq is printed as a line,
 * synchronously, as an answer to a client would be sent.
 */
export const GROUP_COMMANDS = 7;
const COMMANDS_PER_SNAPSHOT = 40 * GROUP_COMMANDS;

async function run(dir: string): Promise<void> {
  const dataDir = openDataDir(dir);
  const machine = new HashMachine();
  const { end } = await recover(dataDir, machine);
  const snapshots = new SnapshotWriter(dataDir);
  const writer = await openLogWriter(dataDir, end, {
    onDurable(lastSeq) {
      const group = groupAt(machine.seq + 1, GROUP_COMMANDS);
      machine.applyGroup(group);
      machine.applied = [];
      print(`${lastSeq}\n`);
      if (lastSeq % COMMANDS_PER_SNAPSHOT === 0 && !snapshots.busy) {
        const snapshot = { ...FORM, seq: lastSeq, timeMs: group.timeMs, chunks: machine.chunks() };
        snapshots.write(snapshot).catch(() => process.exit(4));
      }
      writer.append(groupAt(lastSeq + 1, GROUP_COMMANDS));
    },
    onFault(fault) {
      print(`fault ${fault.step} ${fault.code}\n`);
      process.exit(3);
    },
  });
  writer.append(groupAt(end.lastSeq + 1, GROUP_COMMANDS));
}

/** The reader may have no time for it for a while: then the pipe is full, and takes more later. */
function print(line: string): void {
  for (;;) {
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(PAUSE, 0, 0, 1);
    }
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

if (import.meta.main) await run(process.argv[2] as string);
