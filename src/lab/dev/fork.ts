/**
 * A new venue of the dev profile out of the log of any other: its state is what that one's was right after a command,
 * its history what that one's was, and nothing in it lets anybody in who could sign in there. The log that it comes
 * from is only read, so a copy of one from another machine will do.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { checkInvariants } from "../../engine/invariants.ts";
import { SNAPSHOT_FORM, takeSnapshot } from "../../engine/snapshot.ts";
import { recordWords, WordBuffer } from "../../engine/words.ts";
import { SecretVault } from "../../gateway/auth/secret-vault.ts";
import { History } from "../../history/history.ts";
import { type LogGroup, lastSeqOf } from "../../log/chain.ts";
import { makeDirectory, syncDirectory } from "../../log/directory.ts";
import { createForkedLog } from "../../log/log-file.ts";
import { oddKindOf } from "../../log/plain-file.ts";
import { LogReader } from "../../log/reader.ts";
import { baseSnapshot, readSnapshot, writeBaseSnapshot } from "../../log/snapshot-file.ts";
import { EngineMachine } from "../../venue/machine.ts";
import { ACCOUNTS_FILE } from "../../venue/operator-files.ts";
import { type FreshKey, replaceKeys, takeOutSecrets } from "./secrets-of-fork.ts";

/** A fork cannot be made as asked. The message is a sentence for the operator. */
export class ForkRefused extends Error {
  readonly code = "FORK";
}

export interface ForkReport {
  /** Absolute path of the new data directory. */
  readonly data: string;
  readonly seq: number;
  readonly timeMs: number;
  /** Of the venue that it comes from, right after that command. */
  readonly sourceStateHash: string;
  /** Of the fork: another one where something was replaced or taken out. */
  readonly stateHash: string;
  /** Of keys whose secrets could not be read. */
  readonly keys: readonly FreshKey[];
  /** Sentences about what was taken out, and about what history lacks. */
  readonly notes: readonly string[];
}

const KEY_FILE = "secret.key";

/**
 * Makes `data`, which is empty or does not exist yet; `at` is the last command unless given. Leaves nothing behind when
 * it fails.
 */
export async function forkVenue(from: string, at: number | undefined, data: string): Promise<ForkReport> {
  const target = resolve(data);
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new ForkRefused(
      `The directory ${target} is not empty. Name one that is, or that does not exist yet, with --data.`,
    );
  }
  const unfinished = `${target}.forking`;
  makeDirectory(dirname(target), "--data");
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  const reader = new LogReader(from);
  try {
    const report = await forkInto(unfinished, from, reader, at);
    syncDirectory(unfinished);
    if (existsSync(target)) rmdirSync(target);
    renameSync(unfinished, target);
    syncDirectory(dirname(target));
    return { ...report, data: target };
  } finally {
    reader.close();
    rmSync(unfinished, { recursive: true, force: true });
  }
}

async function forkInto(dir: string, from: string, reader: LogReader, at: number | undefined): Promise<ForkReport> {
  const seq = seqWithin(reader, from, at);
  const venueId = createForkedLog(dir, seq, `${reader.venueId} ${seq}`);
  const notes: string[] = [];
  const machine = await replayed({ dir, from, reader, seq, venueId, notes });
  const { state } = machine.engine;
  const sourceStateHash = machine.stateHash();
  const vault = vaultFor(dir, from);
  const keys = replaceKeys(state, vault);
  notes.push(...takeOutSecrets(state));
  const [breach] = checkInvariants(state);
  if (breach !== undefined) throw new ForkRefused(`The state at seq ${seq} does not hold what it must: ${breach}`);
  const { timeMs, rulesVersion } = state;
  const content = { seq, timeMs, form: SNAPSHOT_FORM, rulesVersion, chunks: takeSnapshot(state) };
  const { stateHash } = writeBaseSnapshot(dir, content);
  return { data: dir, seq, timeMs, sourceStateHash, stateHash, keys, notes };
}

function seqWithin(reader: LogReader, from: string, at: number | undefined): number {
  const end = reader.end().lastSeq;
  const { lastSeq: start } = reader.start;
  const seq = at ?? end;
  if (seq > end) throw new ForkRefused(`The log in ${from} ends at seq ${end}; there is no seq ${seq} in it yet.`);
  if (seq < start) {
    throw new ForkRefused(
      `The log in ${from} begins behind seq ${start}: what came before is in an archive. Name a seq from ` +
        `${start} to ${end}, or fork the archive.`,
    );
  }
  if (seq < 1) throw new ForkRefused(`The log in ${from} holds no command, so there is nothing to fork.`);
  return seq;
}

interface Replay {
  readonly dir: string;
  readonly from: string;
  readonly reader: LogReader;
  readonly seq: number;
  readonly venueId: string;
  readonly notes: string[];
}

/** The engine right after `seq`; what every command up to there brought about is in the fork's history then. */
async function replayed({ dir, from, reader, seq, venueId, notes }: Replay): Promise<EngineMachine> {
  let fault: Error | undefined;
  const onFault = (error: Error) => {
    fault = error;
  };
  const history = await History.open({ path: join(dir, "history.sqlite"), venueId, onFault });
  try {
    const machine = new EngineMachine((events) => history.append(events.written(), machine.seq));
    const { lastSeq: start } = reader.start;
    if (start > 0) {
      restoreBase(machine, from, start);
      notes.push(`History lacks what came of the commands up to seq ${start}: they are in an archive.`);
    }
    for (const group of reader.groups(start + 1, seq)) {
      machine.applyGroup(upTo(group, seq));
      await history.room();
      if (fault !== undefined) throw fault;
    }
    machine.flush();
    history.append(new Uint8Array(0), seq);
    await history.flushed();
    return machine;
  } finally {
    await history.close();
  }
}

function restoreBase(machine: EngineMachine, from: string, seq: number): void {
  const head = baseSnapshot(from, seq);
  if (head === undefined) {
    throw new ForkRefused(
      `The log in ${from} begins behind seq ${seq} with a snapshot, snapshot-base-…, which is not there: copy it, too.`,
    );
  }
  const snapshot = readSnapshot(head.file);
  if (typeof snapshot === "string")
    throw new ForkRefused(`The snapshot ${head.file} cannot be used, because ${snapshot}.`);
  machine.restore(snapshot, snapshot.chunks);
}

/** The commands of a group up to `seq`, which may lie within it. */
function upTo(group: LogGroup, seq: number): LogGroup {
  if (lastSeqOf(group) <= seq) return group;
  const records = WordBuffer.over(group.payload);
  const count = seq - group.firstSeq + 1;
  let words = 0;
  for (let taken = 0; taken < count; taken++) words += recordWords(records, words);
  return { ...group, count, payload: group.payload.slice(0, words * 8) };
}

/** Opens what the other venue sealed, where its key is to be had; the sample accounts are then what they were, too. */
function vaultFor(dir: string, from: string): SecretVault {
  if (!existsSync(join(from, KEY_FILE))) return SecretVault.open(dir, true);
  for (const name of [KEY_FILE, ACCOUNTS_FILE]) {
    const odd = oddKindOf(join(from, name));
    if (odd !== undefined) throw new ForkRefused(`${join(from, name)} is ${odd}, and no file.`);
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(dir, name));
  }
  return SecretVault.open(dir, false);
}
