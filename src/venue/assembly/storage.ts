import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import type { ReplicatedLog } from "../../cluster/replicated-log.ts";
import type { Engine } from "../../engine/engine.ts";
import { RULES_VERSION } from "../../engine/rules-version.ts";
import type { SecretVault } from "../../gateway/auth/secret-vault.ts";
import { HistoryRefused } from "../../history/fault.ts";
import { History } from "../../history/history.ts";
import { seqOfHistory } from "../../history/sqlite/history-file.ts";
import { createPrivateFile, type DataDir, logPaths, openDataDir } from "../../log/data-dir.ts";
import { LogDamaged } from "../../log/errors.ts";
import { openFileLog } from "../../log/file-log.ts";
import type { Log } from "../../log/log.ts";
import { MemoryLog } from "../../log/memory-log.ts";
import { type RecoveryReport, recover } from "../../log/recovery.ts";
import { KeptTrail } from "../audit-trail.ts";
import { backfillOf } from "../backfill.ts";
import { lockOf } from "../backup/lock-files.ts";
import type { Lock } from "../backup/sealed.ts";
import { type Clock, refuseLogAhead } from "../clock.ts";
import { DataFolderError } from "../data-folder.ts";
import { EngineMachine } from "../machine.ts";
import { OperatorFiles } from "../operator-files.ts";
import { vaultFromElsewhere } from "../sealing-key.ts";
import { type ClusterSettings, IN_MEMORY, type Settings, SettingsError } from "../settings.ts";
import { versionOf } from "../version.ts";
import type { World } from "./world.ts";

/** Everything that a venue keeps, and the engine as the log has made it. */
export interface Storage extends Recovered {
  readonly files: OperatorFiles;
  /** Seals with a key from elsewhere; undefined: the key is in the data directory. */
  readonly sharedVault: SecretVault | undefined;
  /** Seals the venue's own backups. */
  readonly backupLock: Lock | undefined;
}

interface Recovered {
  readonly engine: Engine;
  readonly history: History;
  readonly trail: KeptTrail;
  /** Undefined in memory. */
  readonly dataDir: DataDir | undefined;
  readonly recovery: RecoveryReport | undefined;
  /** Of the log, whatever its course. */
  readonly venueId: string;
  /** The log where several nodes hold it. */
  readonly replicated: ReplicatedLog | undefined;
  /** Opens the log for new commands. */
  openLog(clock: Clock): Promise<Log>;
}

/**
 * Brings the engine to the end of the log: newest snapshot, the rest replayed, history and trail caught up. Throws
 * LogDamaged, DataDirLocked and the like with sentences for the operator.
 */
export async function openStorage(settings: Settings, world: World): Promise<Storage> {
  const { log, opened } = world;
  const { data } = settings;
  // What is wrong with it is told before this node waits for others.
  const sharedVault = world.vault ?? (data === IN_MEMORY ? undefined : vaultFromElsewhere(settings.secretKey));
  const backupLock = data === IN_MEMORY ? undefined : lockOf(settings.backup);
  const recovered = data === IN_MEMORY ? await openInMemory(world) : await openFromLog(settings, sharedVault, world);
  const { engine, history, trail, dataDir } = recovered;
  opened.defer(() => dataDir?.release());
  const files = new OperatorFiles(dataDir?.path ?? IN_MEMORY);
  opened.defer(() => files.close());
  files.refuseSampleSecrets(settings.profile);
  opened.defer(() => history.close());
  opened.defer(() => trail.close(engine.state.seq));
  if (history.setAside !== undefined) log.warn(history.setAside);
  for (const note of history.notes) log.info(note);
  if (recovered.recovery !== undefined) tellRecovery(recovered.recovery, log);
  return { ...recovered, files, sharedVault, backupLock };
}

function tellRecovery({ notes, replayedCommands, durationMs, end, snapshot }: RecoveryReport, log: Logger): void {
  for (const note of notes) log.warn(note);
  const figures = {
    seq: end.lastSeq,
    replayed: replayedCommands,
    snapshotSeq: snapshot?.seq,
    durationMs: Math.round(durationMs),
  };
  log.info(figures, "the log is read and verified");
}

/**
 * Returns the name of the course that history and audit trail are views of: a log that was cut back goes another way
 * from there, and what is left of a view of the way before must not be taken for it.
 */
export function courseOf(venueId: string, cuts: number): string {
  return cuts === 0 ? venueId : `${venueId}.${cuts}`;
}

async function openInMemory({ onFault }: World): Promise<Recovered> {
  const history = await History.open({ path: IN_MEMORY, venueId: IN_MEMORY, onFault });
  const { engine } = new EngineMachine();
  return {
    engine,
    history,
    trail: new KeptTrail(IN_MEMORY),
    dataDir: undefined,
    recovery: undefined,
    venueId: IN_MEMORY,
    replicated: undefined,
    openLog: async (clock) => new MemoryLog(clock).open(),
  };
}

async function openFromLog(
  settings: Settings,
  sharedVault: SecretVault | undefined,
  { log, onFault }: World,
): Promise<Recovered> {
  const isProduction = settings.profile === "production";
  const dataDir = openDataDir(settings.data);
  let history: History | undefined;
  let trail: KeptTrail | undefined;
  let replicated: ReplicatedLog | undefined;
  try {
    if (settings.cluster !== undefined) {
      // Settings of several nodes need a key that all of them have.
      const { secret } = sharedVault as SecretVault;
      replicated = await openReplicated(settings.cluster, { dataDir, secret, log, settings });
    }
    const agreed = replicated && { checked: replicated.checked, toSeq: replicated.checked.end.lastSeq };
    const machine = new EngineMachine(
      (events) => history?.append(events.written(), machine.seq),
      undefined,
      (command, outcome, seq, timeMs) => trail?.applied(command, outcome, seq, timeMs),
    );
    const recovery = await recover(dataDir, machine, {
      // A history that lags, or is new, needs the events of everything it has not seen; a trail that lags, what came of
      // it.
      prepare: async ({ venueId: id, cuts, forkOf, start, end }) => {
        if (isProduction && forkOf !== undefined) throw new ForkInProduction(dataDir.path, forkOf);
        const venueId = courseOf(id, cuts);
        history = await openHistory(settings, { dir: dataDir.path, venueId, logSeq: end.lastSeq }, { log, onFault });
        trail = new KeptTrail(join(dataDir.path, "audit-trail.sqlite"), (err) =>
          log.error({ err }, "the audit trail cannot be written, and is caught up later"),
        );
        // A trail that has seen nothing is content with what the log says: a start must not take longer for it.
        const seen = trail.beginCatchUp(venueId, end.lastSeq) ?? end.lastSeq;
        return Math.min(history.appliedSeq, Math.max(seen, start.lastSeq));
      },
      onBatch: () => history?.room(),
      ...agreed,
    });
    machine.flush();
    if (settings.clock === "real") refuseLogAhead(machine.engine.state.timeMs, settings.clockJumpMs);
    trail?.catchUp(dataDir.path, machine.seq - recovery.replayedCommands, machine.seq);
    // The last commands may have left no event, by which alone history would know of them.
    history?.append(new Uint8Array(0), machine.seq);
    return {
      engine: machine.engine,
      history: history as unknown as History,
      trail: trail as unknown as KeptTrail,
      dataDir,
      recovery,
      venueId: recovery.venueId,
      replicated,
      openLog: async (clock) => {
        if (replicated !== undefined) {
          replicated.useClock(clock);
          return replicated;
        }
        const endTimeMs = machine.engine.state.timeMs;
        const faultInjection = settings.profile === "dev";
        return await openFileLog(dataDir, { end: recovery.end, endTimeMs, clock, faultInjection });
      },
    };
  } catch (error) {
    await replicated?.close();
    await history?.close();
    trail?.abandon();
    dataDir.release();
    throw error;
  }
}

interface ReplicatedOptions {
  readonly dataDir: DataDir;
  readonly secret: Uint8Array;
  readonly log: Logger;
  readonly settings: Settings;
}

async function openReplicated(
  cluster: ClusterSettings,
  { dataDir, secret, log, settings }: ReplicatedOptions,
): Promise<ReplicatedLog> {
  // Who is alone need not load the packages for it.
  const { ReplicatedLog: Replicated } = await import("../../cluster/replicated-log.ts");
  return await Replicated.open({
    ...{ dataDir, ...cluster, secret, tls: tlsOf(cluster), rules: RULES_VERSION, version: versionOf() },
    onNote: (text) => log.info(text),
    isHistoryShared: settings.history !== undefined,
    // What people rely on must not begin anew by itself where servers and disks are empty.
    foundsVenue: settings.profile === "dev",
    clockJumpMs: settings.clockJumpMs,
  });
}

/** The files that the settings name. Throws SettingsError. */
export function tlsOf({ tls }: ClusterSettings) {
  const read = (name: string, path: string | undefined): Buffer | undefined => {
    try {
      return path === undefined ? undefined : readFileSync(path);
    } catch (cause) {
      throw new SettingsError(`The file ${path} of the setting ${name} cannot be read.`, { cause });
    }
  };
  return { ca: read("log-ca", tls.ca), cert: read("log-cert", tls.cert), key: read("log-key", tls.key) };
}

/** In the database that is named, or in a file beside the log. */
async function openHistory(
  { history: address, profile }: Settings,
  { dir, venueId, logSeq }: { readonly dir: string; readonly venueId: string; readonly logSeq: number },
  { log, onFault }: Pick<World, "log" | "onFault">,
): Promise<History> {
  const path = join(dir, "history.sqlite");
  // A log that ends before its history has lost its end. Outside production the history is set aside instead.
  const refusesLostTail = profile === "production";
  const onStatus = (status: string, note: string) => (status === "away" ? log.warn(note) : log.info(note));
  if (address !== undefined) {
    const database = { address, refusesLostTail, onStatus, sendBackfill: backfillOf(dir) };
    const open = () => History.open({ path, database, venueId, logSeq, onFault });
    return profile === "production" ? await whenReached(open, log) : await open();
  }
  if (refusesLostTail) await refuseLostTail(dir, path, venueId, logSeq);
  // What a user traded is nobody else's business; the database takes over the mode of its file.
  createPrivateFile(path);
  return await History.open({
    path,
    venueId,
    logSeq,
    onFault,
    recovery: { sendBackfill: backfillOf(dir), onStatus },
  });
}

/**
 * Tries until the database can be reached: a supervisor would start the program again and again, which costs more and
 * comes to the same. Each try takes as long as a database may be silent. A signal ends the wait with the process.
 */
async function whenReached(open: () => Promise<History>, log: World["log"]): Promise<History> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof HistoryRefused) || error.code !== "HISTORY_UNREACHABLE") throw error;
      log.warn(
        `${error.message} The start waits for it: start the database, or name another one in the setting history.`,
      );
    }
  }
}

/** A fork was to be taken for the venue that it was made of, or for any that people rely on. */
class ForkInProduction extends DataFolderError {
  constructor(dir: string, forkOf: string) {
    const [venueId = "", seq = ""] = forkOf.split(" ");
    super(
      `The production profile does not start on a fork: ${dir} was made out of the log of the venue ${venueId} ` +
        `at seq ${seq}. ` +
        "Start it in the dev profile, or restore a backup of that venue.",
    );
  }
}

/**
 * Where the commit marker of the log is gone with its end, history still knows of it: it hears of a command when that
 * is durable.
 */
async function refuseLostTail(dir: string, history: string, venueId: string, lastSeq: number): Promise<void> {
  const seq = await seqOfHistory(history, venueId);
  if (seq <= lastSeq) return;
  const what =
    `its history goes to seq ${seq}, but the log ends at seq ${lastSeq}, so commands that were acknowledged are ` +
    "missing. Put the log back with its log.sqlite-wal, or restore a backup into another directory with bourse " +
    "restore; to go on without what is missing, move history.sqlite away";
  throw new LogDamaged(what, { file: logPaths(dir).log, lastSoundSeq: lastSeq });
}
