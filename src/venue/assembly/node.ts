import type { Logger } from "pino";
import { type BeginEpoch, type Command, decodeCommand, isJson, type StateMark } from "../../engine/command.ts";
import type { Outcome } from "../../engine/engine.ts";
import type { WordBuffer } from "../../engine/words.ts";
import { Feeds } from "../../feeds/feeds.ts";
import type { Chance } from "../../gateway/auth/chance.ts";
import type { SecretVault } from "../../gateway/auth/secret-vault.ts";
import { HistoryBusy } from "../../history/fault.ts";
import { FileLog } from "../../log/file-log.ts";
import type { Log } from "../../log/log.ts";
import type { InjectedFault } from "../../log/log-writer.ts";
import { type Clock, GuardedClock, realClock, VirtualClock } from "../clock.ts";
import { beginEpochWhenDue, refuseNewerRules, refuseOtherState } from "../epoch.ts";
import { chanceFor } from "../fixed-world.ts";
import { LeaderDuties } from "../leader-duties.ts";
import { epochIn, hashOf } from "../machine.ts";
import { PacedClock } from "../paced-clock.ts";
import { type Applied, Sequencer, type SequencerHandlers } from "../sequencer.ts";
import type { Settings } from "../settings.ts";
import { Snapshots } from "../snapshots.ts";
import { openVault } from "../vault.ts";
import { versionOf } from "../version.ts";
import type { Storage } from "./storage.ts";
import type { World } from "./world.ts";

/** History may be this far behind the engine before the venue says that it is busy. */
const HISTORY_BACKLOG_BYTES_MAX = 256 * 1024 * 1024;

/** Each of them waits a few seconds. */
const BUSY_TRIES = 20;

const DAY_MS = 86_400_000;
/** Fundings are collected at multiples of this. */
const FUNDING_MS = 28_800_000;
/** A close waits at most this long for what is under way between several nodes. */
const CLOSE_MS = 5_000;

/** Hears what goes on; called on the hot path. */
export interface NodeObserver {
  /** A command has been applied; both are the engine's numbers. */
  applied(kind: number, outcome: Outcome): void;
  /** The events of a group of commands, in order. The buffer is reused afterwards. */
  happened(events: WordBuffer): void;
  /** A group of commands has been synced and applied; called between groups. */
  committed(commands: number, commitMs: number): void;
  /** Whether there is no room for more commands. */
  isFull(): boolean;
}

/** Storage, sequencer and feeds together: a venue without its listeners. */
export interface Node extends Storage {
  readonly sequencer: Sequencer;
  readonly feeds: Feeds;
  readonly clock: PacedClock;
  readonly virtualClock: VirtualClock | undefined;
  /** That began with this start; undefined when the rules are those of before. */
  readonly epoch: BeginEpoch | undefined;
  readonly log: Log;
  /** Makes the log file fail at its next group; undefined in memory and outside the dev profile. */
  readonly injectFault: ((fault: InjectedFault) => void) | undefined;
  /** The work that only the leader of several nodes does; undefined of one node. */
  readonly duties: LeaderDuties | undefined;
  /** Whether this node lets time pass, watches chains and moves the simulated market: of several the leader does. */
  isOnDuty(): boolean;
  readonly vault: SecretVault;
  /** Where the vault's keys come from. */
  readonly chance: Chance;
  /** Undefined in memory. */
  readonly snapshots: Snapshots | undefined;
  /** Gives the node its one observer. */
  observe(observer: NodeObserver): void;
  /** As the sequencer's, of what operators and the venue itself do: it is noted in the trail. */
  submitAction(command: Command, applied?: Applied): boolean;
}

/** Opens the log for new commands, fills the feeds, and waits until there are rules to go by. */
export async function openNode(settings: Settings, storage: Storage, world: World): Promise<Node> {
  const { engine, history, trail, replicated } = storage;
  const { state } = engine;
  const { log: ownLog, opened } = world;
  const isNew = state.seq === 0;
  const virtualClock =
    world.clock === undefined && settings.clock === "virtual" ? virtualClockFor(settings, state.timeMs) : undefined;
  const clock = pacedClock(world.clock ?? virtualClock ?? guardedClock(settings, ownLog), isNew, settings);
  const feeds = await whenNotBusy(() => Feeds.start(state, history, Math.max(clock.now(), state.timeMs)));
  const log = await storage.openLog(clock);
  opened.defer(() => log.close());
  const snapshots = snapshotsOf(settings, storage, ownLog);
  opened.defer(() => snapshots?.close());
  const observed: Observed = { by: undefined };
  const sequencer = new Sequencer(engine, log, handlersOf(storage, { feeds, snapshots, observed, world }));
  opened.defer(() => closeSequencer(sequencer, storage));
  // Of several nodes the leader begins it, see LeaderDuties.
  const epoch = replicated === undefined ? await beginEpochWhenDue(engine, sequencer, storage.recovery) : undefined;
  if (epoch !== undefined) {
    tellEpoch(epoch, state.seq, ownLog);
    // What the rules before this epoch came to is kept, so that no start needs them again.
    await snapshots?.seal();
  }
  const duties = replicated && new LeaderDuties({ node: storage, log: replicated, onFault: world.onFault });
  const version = versionOf();
  replicated?.describeBy(() => ({
    version,
    url: world.urls.api,
    adminUrl: world.urls.admin,
    seq: state.seq,
    stateHash: hashOf(engine),
  }));
  opened.defer(() => duties?.stop());
  await duties?.rules();
  // What is made after a later start must not be what was made before it.
  const drawnBy = settings.cluster === undefined ? "" : ` at ${settings.cluster.node}`;
  const chance = chanceFor(settings, `from command ${state.seq}${drawnBy}`);
  return {
    ...storage,
    ...{ sequencer, feeds, clock, virtualClock, epoch, log, duties, chance, snapshots },
    injectFault: log instanceof FileLog && settings.profile === "dev" ? (fault) => log.injectFault(fault) : undefined,
    isOnDuty: () => replicated === undefined || replicated.isLeading,
    vault: openVault(storage, chance, ownLog),
    observe: (observer) => {
      observed.by = observer;
    },
    submitAction: (command, applied) =>
      sequencer.submit(command, (outcome, its) => {
        trail.applied(command, outcome, state.seq, state.timeMs);
        applied?.(outcome, its);
      }),
  };
}

interface Observed {
  by: NodeObserver | undefined;
}

interface Followers {
  readonly feeds: Feeds;
  readonly snapshots: Snapshots | undefined;
  readonly observed: Observed;
  readonly world: World;
}

function handlersOf(storage: Storage, { feeds, snapshots, observed, world }: Followers): SequencerHandlers {
  const { engine, history, replicated } = storage;
  return {
    onEvents: (events, lastSeq) => {
      feeds.apply(events, 0, events.length);
      history.append(events.written(), lastSeq);
      observed.by?.happened(events);
    },
    onApplied: (kind, outcome) => observed.by?.applied(kind, outcome),
    ...(replicated === undefined ? {} : foreignHandlers(world, storage)),
    onGroup: (commands, commitMs) => {
      history.reach(engine.state.seq);
      observed.by?.committed(commands, commitMs);
      snapshots?.takeWhenDue();
    },
    onFault: world.onFault,
    isBehind: () => history.backlogBytes > HISTORY_BACKLOG_BYTES_MAX || observed.by?.isFull() === true,
  };
}

function snapshotsOf({ snapshotEvery: every }: Settings, storage: Storage, log: Logger): Snapshots | undefined {
  const { engine, history, trail, dataDir, recovery } = storage;
  if (dataDir === undefined) return undefined;
  const onFailed = (failure: Error) =>
    log.error({ err: failure }, "a snapshot could not be written; the log holds everything");
  return new Snapshots({ engine, history, trail, dataDir, every, onFailed }, recovery?.snapshot?.seq ?? 0);
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

/** Held at the beginning of a new venue's past, until somebody has lived through it. */
function pacedClock(below: Clock, isNew: boolean, { makers, pastMs }: Settings): PacedClock {
  const livesPast = isNew && makers && pastMs > 0;
  return new PacedClock(below, livesPast ? beginningOf(below.now() - pastMs, pastMs) : undefined);
}

/**
 * A past of a day and more begins with a funding interval: of one that it had only a part of, the rate would be next to
 * nothing.
 */
function beginningOf(fromMs: number, pastMs: number): number {
  return pastMs < DAY_MS ? fromMs : Math.floor(fromMs / FUNDING_MS) * FUNDING_MS;
}

/** A log that has a time goes on from there. */
function virtualClockFor({ startTimeMs, frozen }: Settings, logMs: number): VirtualClock {
  return new VirtualClock(logMs > 0 ? logMs : (startTimeMs ?? realClock.now()), realClock, frozen);
}

function guardedClock({ clockJumpMs }: Settings, log: Logger): GuardedClock {
  return new GuardedClock(clockJumpMs, (aheadMs) => {
    if (aheadMs === 0) log.warn("the machine's clock is where it should be again, and is followed");
    else if (aheadMs < 0) {
      const message =
        "the machine's clock has fallen back: venue time stands still until it is set right or catches up";
      log.error({ behindMs: -aheadMs }, message);
    } else {
      const message =
        "the machine's clock has jumped ahead and is not followed: set it right, or start again to take its time over";
      log.error({ aheadMs }, message);
    }
  });
}

function tellEpoch({ rulesVersion, before, after }: BeginEpoch, seq: number, log: Logger): void {
  const figures = { seq, rulesVersion, stateHashBefore: before.hash, stateHashAfter: after.hash };
  log.info(figures, "a new epoch begins: from here on these rules hold");
}

/**
 * Of several nodes another one leads from now on; what is under way is waited for, but not for ever: a quorum may be
 * away.
 */
async function closeSequencer(sequencer: Sequencer, { replicated }: Storage): Promise<void> {
  replicated?.leave();
  const closed = sequencer.close();
  if (replicated === undefined) return await closed;
  let late: NodeJS.Timeout | undefined;
  await Promise.race([closed, new Promise((resolve) => (late = setTimeout(resolve, CLOSE_MS)))]);
  clearTimeout(late);
}

/**
 * Returns the handlers of groups that other nodes ordered. They check that this program has the rules and the state of
 * those nodes, and put operators' commands into the trail.
 */
function foreignHandlers(
  { onFault }: World,
  { engine, trail }: Storage,
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
