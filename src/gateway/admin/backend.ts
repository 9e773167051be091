import type { Command } from "../../engine/command.ts";
import type { Engine, Outcome } from "../../engine/engine.ts";
import type { Role } from "../../engine/operators/command-schemas.ts";
import type { State } from "../../engine/state.ts";
import type { History } from "../../history/history.ts";
import type { SecretVault } from "../auth/secret-vault.ts";
import type { ChainAddresses } from "../backend.ts";
import type { LifecycleTrace } from "../explain/lifecycle-trace.ts";
import type { RequestMemory } from "../explain/request-memory.ts";
import type { Faults } from "../faults/faults.ts";

/** Who asks: an operator by name, with what the role lets him do. */
export interface Asker {
  readonly name: string;
  readonly role: Role;
}

/** The token of the operator root, a file of the data directory. */
export interface RootToken {
  readonly current: string;
  /** Makes another one, which counts from now on, and gives it. */
  rotate(): string;
}

/** The venue as its operators' interface sees it. */
export interface AdminVenue {
  /** Live state, to be read only. */
  readonly state: State;
  /** Seals the secrets of new keys before they enter the log. */
  readonly vault: SecretVault;
  /** The virtual clock; undefined when the venue runs on the machine's. */
  readonly clock: AdminClock | undefined;
  /** Brings what moves the markets up to the clock, once that was moved. */
  liveOn?(): void;
  /**
   * Does `change` to the clock, and settles when what moves the markets has lived through all that time; absent while
   * nothing does.
   */
  readonly passTime?: ((change: () => void) => Promise<void>) | undefined;
  /** As the API's backend: false, and nothing done, when the venue is stopping. */
  submit(command: Command, applied: (outcome: Outcome, engine: Engine) => void): boolean;
  status(): AdminStatus;
  /** Holds the whole state against the invariants, as it is at one instant. Rejects when that cannot be done. */
  audit(): Promise<AdminAudit>;
  /**
   * Makes the log fail at its next group, as a broken disk would: the venue then stops with an error. Undefined outside
   * the dev profile and where nothing is written.
   */
  readonly injectFault: ((fault: LogFaultKind) => void) | undefined;
  /** Injected faults; undefined outside the dev profile. */
  readonly faults?: Faults | undefined;
  /** The outcomes of the latest requests; undefined outside the dev profile. */
  readonly requests?: Pick<RequestMemory, "find" | "reasonOf" | "refusals" | "refusalsAfter"> | undefined;
  /**
   * The traces of how orders, stop orders and positions came to be what they are; undefined outside the dev profile.
   */
  readonly lifecycleTrace?: LifecycleTrace | undefined;
  /** The commands of operators and their outcomes. */
  readonly trail: AuditTrail;
  /** The history of the venue: everything that has ended. */
  readonly history: History;
  /** Gives and checks addresses of chains; undefined where money moves on no chain. */
  readonly addresses?: ChainAddresses | undefined;
  readonly rootToken: RootToken;
  /**
   * Whether anybody who knows the seed can work that token out, so that the console need not ask for it; never, unless
   * given.
   */
  isRootOpen?(): boolean;
  /** Undefined where nothing is written. */
  readonly backups: AdminBackups | undefined;
  /** Undefined outside the dev profile. */
  readonly snapshots?: AdminSnapshots | undefined;
  /** The scenarios that can be played on the venue; undefined outside the dev profile. */
  readonly scenarios?: AdminScenarios | undefined;
  /** Undefined where money moves on no chain. */
  readonly chains?: AdminChains | undefined;
  /** The nodes that agree on the log; undefined where this process has it alone. */
  readonly cluster?: AdminCluster | undefined;
  /** The venue's figures over time, and its alerts. */
  readonly monitor: AdminMonitor;
  /** The latest lines that this process wrote to its log. */
  readonly log: AdminLog;
  /** All figures in the text form that Prometheus reads. */
  metrics(): string;
}

/** The venue, and who asks. */
export interface AdminBackend extends AdminVenue {
  readonly operator: Asker;
}

export interface AdminMonitor {
  /**
   * Averages by step of an hour, a day or a week, the last step ending at `endedAt`; null where nothing was sampled.
   * Times of the machine, ms.
   */
  series(span: "hour" | "day" | "week"): {
    readonly stepMs: number;
    readonly endedAt: number;
    readonly figures: readonly {
      readonly name: string;
      readonly words: string;
      readonly unit: string;
      readonly values: readonly (number | null)[];
    }[];
    /** Refused requests a second, by envelope code. */
    readonly refusals: readonly { readonly code: string; readonly values: readonly (number | null)[] }[];
  };
  /** Those that fire first, each newest first. */
  alerts(): readonly MonitorAlert[];
  /** Undefined when there is no such alert. */
  acknowledge(alertId: number, by: string, note: string): MonitorAlert | undefined;
}

export type LogLevelName = "trace" | "debug" | "info" | "warn" | "error" | "fatal";

/** A line of the process's log, without what lets somebody in. */
export interface LogLine {
  /** Counted from the start of the process. */
  readonly lineId: number;
  /** By the machine's clock, ms. */
  readonly timeMs: number;
  readonly level: LogLevelName;
  readonly message: string;
  /** The fields beside the message, as JSON; empty when there are none. */
  readonly details: string;
}

export interface AdminLog {
  /** A bounded number of lines, newest first. */
  newest(): Iterable<LogLine>;
}

export interface MonitorAlert {
  readonly alertId: number;
  readonly name: string;
  readonly severity: "page" | "ticket";
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly action: string;
  readonly beganAt: number;
  readonly endedAt?: number;
  readonly acknowledged?: { readonly by: string; readonly at: number; readonly note: string };
}

/** A command that an operator gave, accepted or not, with its outcome. */
export interface Action {
  readonly seq: number;
  readonly timeMs: number;
  readonly actor: string;
  /** Kind of the command, such as `deposit`. */
  readonly action: string;
  /** The command's own fields; what is sealed in the log is left out. */
  readonly details: Readonly<Record<string, unknown>>;
  /**
   * `accepted`, `pending` (waits for consent), `repeated` (done before under its reference), or the name of the
   * refusal; undefined when the venue stopped before it could note it.
   */
  readonly outcome: string | undefined;
  /** The result of the command, such as an id. */
  readonly result: unknown;
}

export interface ActionQuery {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly userId?: number | undefined;
  /** ms, from which on and up to before which. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only what was accepted. */
  readonly accepted?: boolean | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface AuditTrail {
  /** Newest first. */
  list(query: ActionQuery): readonly Action[];
}

export interface AdminBackups {
  /** Where they are put. */
  readonly folder: string;
  /** Makes one of the venue as it stands, which goes on meanwhile; undefined when another is being made. */
  make(nowMs: number): Promise<BackupFile | undefined>;
  /**
   * Reads one of them to its end and holds every byte against its hashes; undefined when another one is being made or
   * verified.
   */
  verify(file: string): Promise<BackupFile | undefined>;
  /** Their own words for why one cannot be verified here; undefined when it can. */
  readonly unreadable: string | undefined;
  /** Returns the backups that are still there, oldest first. */
  list(): readonly { readonly file: string; readonly bytes: number; readonly madeAtMs: number }[];
}

export interface BackupFile {
  readonly file: string;
  readonly bytes: number;
  /** The last command in it, and its time, ISO 8601. */
  readonly seq: number;
  readonly time: string;
}

/** A state of the venue that it can go back to. */
export interface SnapshotRow {
  readonly snapshotId: number;
  /** Empty unless it was given one. */
  readonly name: string;
  readonly seq: number;
  /** The venue's time, ms. */
  readonly timeMs: number;
  readonly stateHash: string;
}

/** The nodes of one venue. */
export interface AdminCluster {
  /** All that belong to it, this one included, in the order of their names; asks the others how they stand now. */
  nodes(): Promise<readonly ClusterNode[]>;
  /** The etcd servers that hold its log, as this node reaches them now. */
  servers(): Promise<readonly ClusterServer[]>;
}

/** An etcd server; of one that does not answer only the address is known. */
export interface ClusterServer {
  readonly host: string;
  readonly isAnswering: boolean;
  readonly isLeader: boolean;
  readonly hasLeader: boolean;
  readonly fileBytes: number;
  readonly usedBytes: number;
  /** Such as NOSPACE. */
  readonly alarms: readonly string[];
  readonly version: string;
}

/** A node; of one that does not answer only the name is known. */
export interface ClusterNode {
  readonly node: string;
  /** Where clients, and where operators, reach it. */
  readonly url: string | undefined;
  readonly adminUrl: string | undefined;
  /** Whether it orders the commands. */
  readonly leads: boolean;
  /** The last command that it has applied, and the hash of the state that this came to. */
  readonly seq: number | undefined;
  readonly stateHash: string | undefined;
  /** How long after the leader put it in order it has applied its last group, ms. */
  readonly lagMs: number | undefined;
}

/** Snapshots of the venue. A call that cannot be carried out returns a sentence with the reason. */
export interface AdminSnapshots {
  /** In the order in which they were taken. */
  list(): readonly SnapshotRow[];
  take(name: string): Promise<SnapshotRow | string>;
  /** Goes back to one, and forgets those that were taken later. */
  revert(snapshotId: number): Promise<SnapshotRow | string>;
  /** Goes back to the first start. */
  reset(): Promise<SnapshotRow | string>;
  remove(snapshotId: number): boolean;
}

/** A scenario file that can be played on the venue. */
export interface ScenarioRow {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** The user whose account it looks at. */
  readonly bot: string;
  /** Whose prices it makes. */
  readonly markets: readonly string[];
  readonly steps: number;
  /** Of the venue's time, ms. */
  readonly longestMs: number;
  /** Why it cannot be played, as a sentence; empty when it can. */
  readonly trouble: string;
}

/** A scenario that plays, or has been played since the venue's start. */
export interface ScenarioRun {
  readonly runId: number;
  readonly scenario: string;
  readonly title: string;
  readonly bot: string;
  /** Who started it, in whose name everything in it is done. */
  readonly actor: string;
  /** The venue's time, ms; undefined while it plays. */
  readonly startedAtMs: number;
  readonly endedAtMs: number | undefined;
  /** `missed`: something expected did not come true. `failed`: it could not be played to its end. */
  readonly status: "playing" | "passed" | "missed" | "failed" | "stopped";
  /** The outcome as a sentence; empty while the scenario plays. */
  readonly sentence: string;
  /** The step that is being played, counted from 1; 0 before the first. */
  readonly step: number;
  readonly steps: readonly string[];
  readonly checks: readonly {
    readonly step: number;
    readonly name: string;
    readonly ok: boolean;
    readonly sentence: string;
  }[];
}

export interface ScenarioSpec {
  readonly scenario: string;
  /** In the place of the file's bot. */
  readonly bot: string | undefined;
  /** Real ms that a bot has between two ticks of a virtual clock. */
  readonly paceMs: number;
}

/** Scenarios played on the venue itself, one at a time. */
export interface AdminScenarios {
  list(): readonly ScenarioRow[];
  /** The newest first; the oldest are forgotten. */
  runs(): readonly ScenarioRun[];
  /** Begins to play in the name of an operator; or says in a sentence why not. */
  start(terms: ScenarioSpec, by: Asker): ScenarioRun | string;
  /** Ends the one that plays; false when that run does not. */
  stop(runId: number): boolean;
}

/** The chains that money moves on. */
export interface AdminChains {
  /**
   * Settles when the venue has seen what stands on the chain by now, and has acted on it; without a name on all
   * simulated ones.
   */
  caughtUp(chain?: string): Promise<void>;
  /**
   * Settles when nobody looks at a simulated chain, and nobody does but for `caughtUp` until the returned function is
   * called: what is seen while time passes would follow from how quick the machine is.
   */
  hold(): Promise<() => void>;
  list(): readonly ChainRow[];
  /** Asks the chains themselves, which may take its time. */
  reconcile(): Promise<Reconciliation>;
}

export interface ChainRow {
  readonly chain: string;
  /** `none`: nothing leads to it, and somebody waits for it. */
  readonly kind: "simulated" | "evm" | "none";
  /** The last block that was read; 0 before the first. */
  readonly height: number;
  /** Payments that are signed and do not stand for good yet. */
  readonly payments: number;
  /** Addresses that are still to be swept. */
  readonly unswept: number;
  /** Where the venue pays from, and takes coins to pay with; empty while that cannot be told. */
  readonly hotAddress: string;
  /** All that keeps it from going on, as sentences; empty when nothing does. */
  readonly trouble: string;
}

/** Custody by the ledger and by the chains, in decimals. */
export interface Reconciliation {
  /** No currency is short of what the ledger says, and every chain could be asked. */
  readonly ok: boolean;
  readonly troubles: readonly string[];
  readonly currencies: readonly {
    readonly ccy: string;
    readonly ledger: string;
    readonly hot: string;
    readonly unswept: string;
    readonly cold: string;
    /** Held outside of all chains, by the settings. */
    readonly elsewhere: string;
    /** The amount in the ledger beyond all of these; 0 when it is covered. */
    readonly missing: string;
  }[];
}

/** The step of storing a group that is made to fail. */
export const LOG_FAULTS = ["write", "sync"] as const;
export type LogFaultKind = (typeof LOG_FAULTS)[number];

export interface AdminStatus {
  /** Last command applied. */
  readonly seq: number;
  /** The venue's time, ms. */
  readonly timeMs: number;
  /** SHA-256 of the state at `seq`, 64 hexadecimal digits. */
  readonly stateHash: string;
  readonly version: string;
  readonly profile: string;
  /** Where the API listens. */
  readonly url: string;
  /**
   * Whose quotas of addresses and accounts hold: none are, those of this process, of all nodes, or of this one while it
   * is apart from the others.
   */
  readonly quotas: "off" | "own" | "shared" | "apart";
  /** ms since this process began to serve, by the machine's clock. */
  readonly uptimeMs: number;
  /** Whether simulated makers move the markets. */
  readonly hasMakers: boolean;
  readonly storage: StorageStatus;
  /** The settings that put money at risk, a sentence each. */
  readonly risks: readonly string[];
}

/** Of this node's disk, and of what is kept beside the log and may lag behind it. */
export interface StorageStatus {
  /** low: the venue takes only cancels; full: nothing. */
  readonly disk: "ample" | "low" | "full";
  /** Undefined: nothing is kept. */
  readonly freeBytes: number | undefined;
  readonly history: string;
  readonly isTrailBehind: boolean;
}

export interface AdminAudit {
  /** The last command of the state that was looked at, and what that state is known by. */
  readonly seq: number;
  readonly stateHash: string;
  readonly ok: boolean;
  /** Sentences that say what does not hold. */
  readonly breaches: readonly string[];
  readonly totals: readonly AssetTotals[];
}

/**
 * The venue's holdings of one asset, as decimals: `custody` is what came in from outside, and equals users and system
 * together.
 */
export interface AssetTotals {
  readonly ccy: string;
  readonly custody: string;
  readonly users: string;
  readonly system: string;
}

/** The part of a virtual clock that an operator works. */
export interface AdminClock {
  readonly state: { readonly timeMs: number; readonly frozen: boolean; readonly speed: number };
  freeze(frozen: boolean): void;
  advance(ms: number): void;
  setSpeed(speed: number): void;
}
