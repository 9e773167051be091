/** `bourse archive`: moves the older part of a log away, beside a running venue or on a stopped one. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { SNAPSHOT_FORM, takeSnapshot } from "../engine/snapshot.ts";
import { type Before, compactLog, cutBefore, moveToArchive } from "../log/archive.ts";
import { type DataDir, openDataDir } from "../log/data-dir.ts";
import { DataDirLocked } from "../log/errors.ts";
import { LogReader } from "../log/reader.ts";
import { findSnapshot } from "../log/replay.ts";
import { listSnapshots, type SnapshotContent } from "../log/snapshot-file.ts";
import { EngineMachine } from "../venue/machine.ts";
import { DATA_DEFAULT } from "../venue/settings.ts";
import { CliError, EXIT } from "./exit.ts";
import { dataDirWithLog } from "./log.ts";

interface ArchiveOptions {
  readonly data?: string;
  readonly before: string;
  readonly to: string;
  readonly json?: boolean;
}

export function addArchiveVerb(program: Command): void {
  program
    .command("archive")
    .summary("move the older part of a log away")
    .description(
      "Move the commands before a seq or a time into an archive; what remains begins with a snapshot, starts and " +
        "audits by itself. The directory is new, or holds what was moved before. A venue may be running. bourse " +
        "audit --with DIR goes through both.",
    )
    .requiredOption("--before <SEQ|TIME>", "first command that stays: its seq, or its time in ISO 8601 with its zone")
    .requiredOption("--to <DIR>", "directory of the archive")
    .option("--data <DIR>", `the venue's data directory (${DATA_DEFAULT})`)
    .option("--json", "say what was moved as one JSON object")
    .action(archive);
}

function archive(options: ArchiveOptions): void {
  const dir = dataDirWithLog(options.data);
  const to = resolve(options.to);
  const cut = cutBefore(dir, beforeOf(options.before));
  const moved = { archived_seq: 0, from_seq: 0, to };
  if (cut !== undefined) {
    // Nobody may start on a log that is being cut; one that is running goes on.
    const lock = lockOf(dir);
    try {
      const reader = new LogReader(dir);
      moved.from_seq = reader.start.lastSeq + 1;
      reader.close();
      moveToArchive(dir, to, cut, stateAt(dir, cut.lastSeq));
      if (lock !== undefined) compactLog(dir);
    } finally {
      lock?.release();
    }
    moved.archived_seq = cut.lastSeq;
  }
  if (options.json === true) process.stdout.write(`${JSON.stringify(moved)}\n`);
  else if (cut === undefined) process.stdout.write("The log holds no whole group before that; nothing was moved.\n");
  else process.stdout.write(`The commands from seq ${moved.from_seq} to ${cut.lastSeq} are in ${to} now.\n`);
}

function lockOf(dir: string): DataDir | undefined {
  try {
    return openDataDir(dir);
  } catch (error) {
    if (error instanceof DataDirLocked) return undefined;
    throw error;
  }
}

/** The state right after `seq`, which is the last of a group. */
function stateAt(dir: string, seq: number): SnapshotContent {
  const reader = new LogReader(dir);
  try {
    const machine = new EngineMachine();
    const { snapshot } = findSnapshot(dir, listSnapshots(dir), reader.start, seq);
    if (snapshot !== undefined) machine.restore(snapshot, snapshot.chunks);
    for (const group of reader.groups(machine.seq + 1, seq)) machine.applyGroup(group);
    const { state } = machine.engine;
    const { timeMs, rulesVersion } = state;
    return { seq, timeMs, form: SNAPSHOT_FORM, rulesVersion, chunks: takeSnapshot(state) };
  } finally {
    reader.close();
  }
}

function beforeOf(text: string): Before {
  if (/^[1-9]\d{0,15}$/.test(text)) return { seq: Number(text) };
  const timeMs = /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(timeMs)) {
    const sentence = `Say a seq, or a time such as 2026-01-31T00:00:00Z, instead of ${text}.`;
    throw new CliError(sentence, { exitCode: EXIT.usage });
  }
  return { timeMs };
}
