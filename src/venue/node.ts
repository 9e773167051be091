import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReplicatedLog } from "../cluster/replicated-log.ts";
import { type BeginEpoch, decodeCommand, isJson, type StateMark } from "../engine/command.ts";
import type { Engine, Outcome } from "../engine/engine.ts";
import { RULES_VERSION } from "../engine/rules-version.ts";
import type { WordBuffer } from "../engine/words.ts";
import { Feeds } from "../feeds/feeds.ts";
import { HistoryBusy } from "../history/fault.ts";
import { History } from "../history/history.ts";
import type { HistoryStanding } from "../history/protocol.ts";
import { seqOfHistory } from "../history/sqlite/history-file.ts";
import { createPrivateFile, type DataDir, logPaths, openDataDir } from "../log/data-dir.ts";
import { LogDamaged } from "../log/errors.ts";
import { FileLog, openFileLog } from "../log/file-log.ts";
import type { Log } from "../log/log.ts";
import type { InjectedFault } from "../log/log-writer.ts";
import { MemoryLog } from "../log/memory-log.ts";
import { type RecoveryReport, recover } from "../log/recovery.ts";
import { KeptTrail } from "./audit-trail.ts";
import { type Clock, GuardedClock, realClock, refuseLogAhead, VirtualClock } from "./clock.ts";
import { DataFolderError } from "./data-folder.ts";
import { beginEpochWhenDue, refuseNewerRules, refuseOtherState } from "./epoch.ts";
import { EngineMachine, epochIn } from "./machine.ts";
import { PacedClock } from "./paced-clock.ts";
import { pastOf } from "./past.ts";
import { Sequencer, type SequencerHandlers } from "./sequencer.ts";
import { type ClusterSettings, IN_MEMORY, SettingsError } from "./settings.ts";

/** History may be this far behind the engine before the venue says that it is busy. */
const HISTORY_BACKLOG_BYTES_MAX = 256 * 1024 * 1024;

/** Each of them waits a few seconds. */
const BUSY_TRIES = 20;

const DAY_MS = 86_400_000;
/** Fundings are collected at multiples of this. */
const FUNDING_MS = 28_800_000;

export interface NodeOptions {
  /** A directory, or `:memory:` to keep nothing. */
  readonly data: string;
  /** Address of the database that holds the history; undefined: a file beside the log. */
  readonly history?: string | undefined;
  /** Hears how a history in a database stands, when that changes. */
  readonly onHistory?: ((standing: HistoryStanding, note: string) => void) | undefined;
  /** With whom this node holds one log; undefined: alone. */
  readonly cluster?: (ClusterSettings & { readonly secret: Uint8Array; readonly version: string }) | undefined;
  /** Hears what happens between nodes, as sentences. */
  readonly onClusterNote?: ((text: string) => void) | undefined;
  readonly clock: "real" | "virtual";
  /** Where a virtual clock begins in a new log, ms; now unless given. */
  readonly startTimeMs?: number | undefined;
  /** Whether a virtual clock stands still at first. */
  readonly frozen?: boolean | undefined;
  /** ms before that in which a new log begins: its clock is held there until somebody has lived through them. */
  readonly pastMs?: number | undefined;
  /** ms that the machine's clock may jump ahead, and the log be ahead of it at the start; see GuardedClock. */
  readonly clockJumpMs: number;
  /** Hears of a jump that is not followed, and of its end with 0. */
  readonly onClockJump: (aheadMs: number) => void;
  /** Refuses a log that ends before the history of the same venue does: the end of it is gone. Without, the history is set aside. */
  readonly refusesLostTail: boolean;
  /** Refuses the log of a fork: what is in it never happened. */
  readonly refusesForks?: boolean | undefined;
  /** The log or history failed: nothing more may be acknowledged, the process has to end. */
  readonly onFault: (fault: Error) => void;
  /** Hears that the audit trail could not be written; it is caught up from the log later. */
  readonly onTrailBehind?: ((error: Error) => void) | undefined;
  /** Whether the disk has no room for more commands. */
  readonly isDiskFull?: (() => boolean) | undefined;
  /** Counts what goes on; called on the hot path. */
  readonly observer?: NodeObserver | undefined;
  /** Lets tests and the dev profile make the log fail. */
  readonly faultInjection?: boolean | undefined;
}

export interface NodeObserver {
  /** A command has been applied; both are the engine's numbers. */
  applied(kind: number, refusal: number): void;
  /** Remembers what each command did to whom, where somebody may ask. */
  readonly lives?: { took(kind: number, outcome: Outcome, engine: Engine): void } | undefined;
  /** What a group of commands did, in order. The buffer is reused afterwards. */
  happened(events: WordBuffer): void;
  /** A group of commands has been synced and applied; called between groups. */
  committed(commands: number, commitMs: number): void;
}

/** Log, engine, feeds, history and audit trail together: a venue without its listeners. */
export interface Node {
  readonly engine: Engine;
  readonly sequencer: Sequencer;
  readonly history: History;
  readonly trail: KeptTrail;
  readonly feeds: Feeds;
  readonly clock: PacedClock;
  readonly virtualClock: VirtualClock | undefined;
  /** Undefined in memory. */
  readonly dataDir: DataDir | undefined;
  readonly recovery: RecoveryReport | undefined;
  /** Of the log, whatever its course. */
  readonly venueId: string;
  /** That began with this start; undefined when the rules are those of before. */
  readonly epoch: BeginEpoch | undefined;
  readonly log: Log;
  /** The same log where several nodes hold it. */
  readonly replicated: ReplicatedLog | undefined;
  /** Lets the log file fail at its next group; undefined in memory. Allowed by `faultInjection` only. */
  readonly injectFault: ((fault: InjectedFault) => void) | undefined;
}

/**
 * Brings a node to the end of its log: newest snapshot, the rest replayed, history caught up, feeds filled. Throws
 * LogDamaged, DataDirLocked and the like with sentences for the operator.
 */
export async function openNode(options: NodeOptions): Promise<Node> {
  const recovered = options.data === IN_MEMORY ? await openInMemory(options) : await openFromLog(options);
  const { engine, history, trail } = recovered;
  const { state } = engine;

  const virtualClock = options.clock === "virtual" ? virtualClockFor(options, state.timeMs) : undefined;
  const below = virtualClock ?? new GuardedClock(options.clockJumpMs, options.onClockJump);
  const { pastMs = 0 } = options;
  const isNew = state.seq === 0;
  const clock = new PacedClock(below, isNew && pastMs > 0 ? beginningOf(below.now() - pastMs, pastMs) : undefined);
  const feeds = await whenNotBusy(() => Feeds.start(state, history, Math.max(clock.now(), state.timeMs)));

  const handlers: SequencerHandlers = {
    onEvents: (events, lastSeq) => {
      feeds.apply(events, 0, events.length);
      history.append(events.written(), lastSeq);
      options.observer?.happened(events);
    },
    onApplied: (kind, outcome) => {
      const { observer } = options;
      observer?.applied(kind, outcome.refusal);
      observer?.lives?.took(kind, outcome, engine);
    },
    ...(options.cluster === undefined ? {} : foreignHandlers(options, engine, trail)),
    onGroup: (commands, commitMs) => {
      history.reach(state.seq);
      options.observer?.committed(commands, commitMs);
    },
    onFault: options.onFault,
    isBehind: () => history.backlogBytes > HISTORY_BACKLOG_BYTES_MAX || options.isDiskFull?.() === true,
  };
  const log = await recovered.openLog(clock);
  const sequencer = new Sequencer(engine, log, handlers);
  const { dataDir, recovery, venueId, replicated } = recovered;
  // Of several nodes the leader begins it, see LeaderEpoch.
  const epoch = replicated === undefined ? await beginEpochWhenDue(engine, sequencer, recovery) : undefined;
  const injectFault = log instanceof FileLog ? (fault: InjectedFault) => log.injectFault(fault) : undefined;
  const views = { history, trail, feeds };
  const own = { dataDir, recovery, venueId, epoch, log, replicated, injectFault };
  return { engine, sequencer, ...views, clock, virtualClock, ...own };
}

/** Another node that writes the history may be behind this one, which has just read its log. */
async function whenNotBusy<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof HistoryBusy) || tries === BUSY_TRIES) throw error;
    }
  }
}

/**
 * What history and audit trail are the views of: a log that was cut back goes another way from there, and what is left of a view of the
 * way before must not be taken for it.
 */
export function courseOf(venueId: string, cuts: number): string {
  return cuts === 0 ? venueId : `${venueId}.${cuts}`;
}

/** A past of a day and more begins with a funding interval: of one that it had only a part of, the rate would be next to nothing. */
function beginningOf(fromMs: number, pastMs: number): number {
  return pastMs < DAY_MS ? fromMs : Math.floor(fromMs / FUNDING_MS) * FUNDING_MS;
}

/** A log that has a time goes on from there. */
function virtualClockFor({ startTimeMs, frozen }: NodeOptions, logMs: number): VirtualClock {
  return new VirtualClock(logMs > 0 ? logMs : (startTimeMs ?? realClock.now()), realClock, frozen ?? false);
}

interface Recovered {
  readonly engine: Engine;
  readonly history: History;
  readonly trail: KeptTrail;
  readonly dataDir: DataDir | undefined;
  readonly recovery: RecoveryReport | undefined;
  readonly venueId: string;
  readonly replicated: ReplicatedLog | undefined;
  openLog(clock: Clock): Promise<Log>;
}

/** What must be seen to where others order commands, too: that this program has their rules, and that their deeds are in the trail. */
function foreignHandlers(
  { onFault }: NodeOptions,
  engine: Engine,
  trail: KeptTrail,
): Pick<SequencerHandlers, "beforeForeign" | "onForeign"> {
  let after: StateMark | undefined;
  return {
    beforeForeign: (records, firstSeq) => {
      const epoch = epochIn(records);
      if (epoch === undefined) return;
      refuseNewerRules(epoch, firstSeq);
      refuseOtherState(engine, epoch.before, firstSeq);
      after = epoch.after;
    },
    onForeign: (records, at, outcome, seq, timeMs) => {
      if (isJson(records, at)) trail.applied(decodeCommand(records, at), outcome, seq, timeMs);
      if (after === undefined) return;
      const mark = after;
      after = undefined;
      try {
        refuseOtherState(engine, mark, seq);
      } catch (error) {
        onFault(error as Error);
      }
    },
  };
}

async function openInMemory({ onFault }: NodeOptions): Promise<Recovered> {
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

async function openFromLog(options: NodeOptions): Promise<Recovered> {
  const { data, faultInjection } = options;
  const dataDir = openDataDir(data);
  let history: History | undefined;
  let trail: KeptTrail | undefined;
  let replicated: ReplicatedLog | undefined;
  try {
    const { cluster, onClusterNote = () => {} } = options;
    if (cluster !== undefined) {
      // Who is alone need not load the packages for it.
      const { ReplicatedLog: Replicated } = await import("../cluster/replicated-log.ts");
      replicated = await Replicated.open({
        ...{ dataDir, ...cluster, tls: tlsOf(cluster), rules: RULES_VERSION, onNote: onClusterNote },
        isHistoryShared: options.history !== undefined,
      });
    }
    const agreed = replicated && { checked: replicated.checked, toSeq: replicated.checked.end.lastSeq };
    const machine = new EngineMachine(
      (events) => history?.append(events.written(), machine.seq),
      undefined,
      (command, outcome, seq, timeMs) => trail?.applied(command, outcome, seq, timeMs),
    );
    const recovery = await recover(dataDir, machine, {
      // A history that lags, or is new, needs the events of everything it has not seen; a trail that lags, what came of it.
      prepare: async ({ venueId: id, cuts, forkOf, start, end }) => {
        if (options.refusesForks && forkOf !== undefined) throw new ForkInProduction(dataDir.path, forkOf);
        const venueId = courseOf(id, cuts);
        history = await openHistory(options, dataDir.path, venueId, end.lastSeq);
        trail = new KeptTrail(join(dataDir.path, "audit-trail.sqlite"), options.onTrailBehind);
        // A trail that has seen nothing is content with what the log says: a start must not take longer for it.
        const seen = trail.beginCatchUp(venueId, end.lastSeq) ?? end.lastSeq;
        return Math.min(history.appliedSeq, Math.max(seen, start.lastSeq));
      },
      onBatch: () => history?.room(),
      ...agreed,
    });
    machine.flush();
    if (options.clock === "real") refuseLogAhead(machine.engine.state.timeMs, options.clockJumpMs);
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
        return await openFileLog(dataDir, {
          end: recovery.end,
          endTimeMs,
          clock,
          faultInjection: faultInjection ?? false,
        });
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
async function openHistory(options: NodeOptions, dir: string, venueId: string, logSeq: number): Promise<History> {
  const { history: address, onHistory, onFault, refusesLostTail } = options;
  const path = join(dir, "history.sqlite");
  if (address !== undefined) {
    const database = { address, refusesLostTail, onStanding: onHistory, tellPast: pastOf(dir) };
    return await History.open({ path, database, venueId, logSeq, onFault });
  }
  if (refusesLostTail) await refuseLostTail(dir, path, venueId, logSeq);
  // What a user traded is nobody else's business; the database takes over the mode of its file.
  createPrivateFile(path);
  const onStanding = onHistory ?? (() => {});
  return await History.open({ path, venueId, logSeq, onFault, recovery: { tellPast: pastOf(dir), onStanding } });
}

/** A fork was to be taken for the venue that it was made of, or for any that people rely on. */
class ForkInProduction extends DataFolderError {
  constructor(dir: string, forkOf: string) {
    const [venueId = "", seq = ""] = forkOf.split(" ");
    super(
      `The production profile does not start on a fork: ${dir} was made out of the log of the venue ${venueId} at seq ${seq}. ` +
        "Start it in the dev profile, or restore a backup of that venue.",
    );
  }
}

/** Where the witness of the log is gone with its end, history still knows of it: it hears of a command when that is durable. */
async function refuseLostTail(dir: string, history: string, venueId: string, lastSeq: number): Promise<void> {
  const seq = await seqOfHistory(history, venueId);
  if (seq <= lastSeq) return;
  const what =
    `its history goes to seq ${seq}, but the log ends at seq ${lastSeq}, so commands that were acknowledged are missing. Put the log back ` +
    "with its log.sqlite-wal, or restore a backup into another directory with bourse restore; to go on without what is missing, " +
    "move history.sqlite away";
  throw new LogDamaged(what, { file: logPaths(dir).log, lastSoundSeq: lastSeq });
}
