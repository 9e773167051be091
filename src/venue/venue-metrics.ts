/**
 * The metrics of a venue; docs/reference/metrics.md explains each figure. Times are in seconds, as Prometheus wants.
 */
import { KIND } from "../engine/command.ts";
import { REFUSAL_MAX, refusalOf } from "../engine/refusal.ts";
import type { State } from "../engine/state.ts";
import type { RateCounts } from "../gateway/limits/rate-limits.ts";
import { GATEWAY_ROWS } from "../gateway/refusal-rows.ts";
import type { SocketEvent } from "../gateway/ws/connection.ts";
import type { History } from "../history/history.ts";
import type { HistoryStatus } from "../history/protocol.ts";
import { type ChainSource, registerChainFigures } from "./chain-figures.ts";
import { type ClusterSource, registerClusterFigures } from "./cluster-figures.ts";
import type { DiskLevel } from "./disk-watch.ts";
import { LoopDelay } from "./loop-delay.ts";
import { type FigureSample, type Histogram, type Histograms, type Labels, MetricsRegistry } from "./metrics.ts";
import { registerQuotaFigures } from "./quota-figures.ts";
import { registerStateFigures } from "./state-figures.ts";
import { filesOf, snapshotAgeSeconds } from "./storage-figures.ts";

/** Sources of figures that are looked at when somebody asks, and cost nothing until then. */
export interface MetricsSources {
  readonly state: State;
  readonly version: string;
  readonly profile: string;
  /** When this process began to start, ms. */
  readonly startedAtMs: number;
  /** Commands that the start had to apply again. */
  readonly replayed: number;
  /** The data directory; undefined in memory. */
  readonly folder: string | undefined;
  readonly history: Pick<History, "backlogBytes" | "committedSeq" | "status">;
  /** Undefined while nothing is kept. */
  disk?(): { readonly free: number; readonly level: DiskLevel } | undefined;
  readonly trail?: { readonly isBehind: boolean } | undefined;
  /** Undefined when the venue has no rate limits. */
  rateCounts(): RateCounts | undefined;
  /** Undefined where money moves on no chain. */
  readonly chains?: ChainSource | undefined;
  /** Undefined of a venue of one process. */
  cluster?(): ClusterSource | undefined;
  /** Proofs of identity that failed since the start, by what was to prove it. */
  failedProofs(): Readonly<Record<string, number>>;
}

const COMMIT_BOUNDS = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1];
const GROUP_BOUNDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 4_096];
const CHECK_BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const HTTP_BOUNDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5];

/** From here on a status, and this code, say that the venue failed, not that it refused. */
const FAILED_STATUS = 500;
const INTERNAL_ERROR = GATEWAY_ROWS.internal_error.v2;

const STANDINGS: readonly HistoryStatus[] = ["writing", "waiting", "away", "catching_up"];

const DISK_LEVELS: readonly DiskLevel[] = ["ample", "low", "full"];

const KINDS = 256;
/** Accepted, and every refusal. */
const OUTCOMES = REFUSAL_MAX + 1;
const KIND_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(KIND).map(([name, number]) => [number, name === "json" ? "administrative" : name]),
);

export class VenueMetrics {
  readonly #registry = new MetricsRegistry();
  /** Commands by kind and by refusal, 0 for accepted: kind * refusals + refusal. */
  readonly #commands = new Float64Array(KINDS * OUTCOMES);
  /** HTTP answers by envelope code and by what was not 200. */
  readonly #answers = new Map<number, number>();
  readonly #commit: Histogram;
  readonly #group: Histogram;
  readonly #check: Histogram;
  readonly #http: Histograms;
  readonly #quotaTrip: Histogram;
  readonly #loop = new LoopDelay();
  #breaches = 0;
  readonly #sockets = new Map<SocketEvent, number>();

  constructor(sources: MetricsSources) {
    const registry = this.#registry;
    const { state, version, profile } = sources;
    registry.read("gauge", "bourse_info", "Version and profile of this process.", () => [[{ version, profile }, 1]]);
    registry.read(
      "gauge",
      "bourse_start_time_seconds",
      "When this process started, in Unix time.",
      () => sources.startedAtMs / 1_000,
    );
    registry.read(
      "gauge",
      "bourse_replayed_commands",
      "Commands that the start had to apply again.",
      () => sources.replayed,
    );
    registry.read("gauge", "bourse_seq", "Sequence number of the last command applied.", () => state.seq);
    registry.read("counter", "bourse_commands_total", "Commands applied since the start, by kind and outcome.", () =>
      this.#commandFigures(),
    );
    this.#group = registry.histogram("bourse_group_commands", "Commands made durable by one sync.", GROUP_BOUNDS);
    this.#commit = registry.histogram("bourse_commit_seconds", "Time to write and sync a group.", COMMIT_BOUNDS);
    registry.read("counter", "bourse_http_answers_total", "HTTP answers by status and envelope code.", () =>
      this.#answerFigures(),
    );
    this.#http = registry.histograms(
      "bourse_http_seconds",
      "Time from the head of a request to its answer, by route and outcome (ok, refused, failed).",
      HTTP_BOUNDS,
    );
    registry.read(
      "gauge",
      "bourse_sockets",
      "Open WebSocket connections.",
      () => this.#socketsThat("opened") - this.#socketsThat("closed"),
    );
    registry.read("counter", "bourse_sockets_cut_total", "WebSocket connections cut by the venue, by reason.", () => [
      [{ reason: "slow" }, this.#socketsThat("cut_slow")],
      [{ reason: "idle" }, this.#socketsThat("cut_idle")],
    ]);
    registry.read(
      "counter",
      "bourse_orders_total",
      "Orders accepted in the venue's life.",
      () => state.nextOrderId - 1,
    );
    registry.read("counter", "bourse_deals_total", "Deals in the venue's life.", () => state.nextDealId - 1);
    registry.read("gauge", "bourse_open_orders", "Orders that rest in the books.", () => state.orders.live);
    registry.read("gauge", "bourse_users", "Users.", () => state.users.count - 1);
    registry.read("gauge", "bourse_api_keys", "API keys.", () => state.keys.size);
    registry.read("gauge", "bourse_cancel_only", "1 while only cancels are accepted.", () =>
      state.cancelOnly ? 1 : 0,
    );
    registerStateFigures(registry, state);
    registerChainFigures(registry, state, sources.chains);
    registerClusterFigures(registry, () => sources.cluster?.());
    const { folder } = sources;
    if (folder !== undefined) {
      registry.read("gauge", "bourse_file_bytes", "Size of the files of the data directory, by kind.", () =>
        filesOf(folder),
      );
      registry.read("gauge", "bourse_snapshot_age_seconds", "Time since the newest snapshot was written.", () =>
        snapshotAgeSeconds(folder),
      );
    }
    registry.read("gauge", "bourse_disk_free_bytes", "Free room on the disk of the data directory.", function* () {
      const found = sources.disk?.();
      if (found !== undefined) yield [{}, found.free] as [Labels, number];
    });
    registry.read(
      "gauge",
      "bourse_disk_level",
      "What the room on the disk allows: all (0), only cancels (1), nothing (2).",
      () => DISK_LEVELS.indexOf(sources.disk?.()?.level ?? "ample"),
    );
    registry.read("gauge", "bourse_audit_trail_behind", "Whether the audit trail lacks what the log has (1).", () =>
      sources.trail?.isBehind === true ? 1 : 0,
    );
    registry.read(
      "gauge",
      "bourse_history_backlog_bytes",
      "Events that history has not stored yet.",
      () => sources.history.backlogBytes,
    );
    registry.read(
      "gauge",
      "bourse_history_seq",
      "Sequence number of the last command that history is known to hold.",
      () => sources.history.committedSeq,
    );
    registry.read(
      "gauge",
      "bourse_history_standing",
      "1 for how history stands: writing, waiting for another that writes, away with its database, catching up.",
      () => STANDINGS.map((standing) => [{ standing }, sources.history.status === standing ? 1 : 0]),
    );
    registry.read("counter", "bourse_rate_refusals_total", "Requests refused by rate limits, by limit.", () =>
      Array.from(sources.rateCounts()?.refused ?? [], ([limit, count]) => [{ limit }, count]),
    );
    registry.read("counter", "bourse_failed_proofs_total", "Signatures and tokens that were wrong, by kind.", () =>
      Object.entries(sources.failedProofs()).map(([kind, count]) => [{ kind }, count]),
    );
    registry.read(
      "gauge",
      "bourse_rate_quotas",
      "Quotas in use, of addresses and of accounts by group and by day.",
      () => quotaFigures(sources.rateCounts()),
    );
    this.#quotaTrip = registerQuotaFigures(registry, () => sources.rateCounts()?.shared);
    this.#check = registry.histogram(
      "bourse_invariant_check_seconds",
      "Time for which one check of the state held the venue up.",
      CHECK_BOUNDS,
    );
    registry.read("gauge", "bourse_invariant_breaches", "Breaches that the last check found.", () => this.#breaches);
    registry.read(
      "gauge",
      "bourse_event_loop_delay_seconds",
      "Delay of the event loop over the last half to whole minute.",
      () => this.#loop.figures(),
    );
    registry.read("gauge", "bourse_memory_bytes", "Memory of the process.", () => memoryFigures());
    registry.read("counter", "bourse_cpu_seconds_total", "Processor time of all threads.", () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    });
  }

  /** A command was applied. `kind` and `refusal` are the engine's numbers. */
  applied(kind: number, refusal: number): void {
    const at = kind * OUTCOMES + refusal;
    this.#commands[at] = (this.#commands[at] as number) + 1;
  }

  /** A group of commands is durable. */
  committed(commands: number, commitMs: number): void {
    this.#group.observe(commands);
    this.#commit.observe(commitMs / 1_000);
  }

  /**
   * A request was answered; `code` is the envelope's, -1 when the answer is none. `route` is what stands at its path,
   * if anything does, and `ms` what it took.
   */
  answered(status: number, code: number, route: string | undefined, ms: number): void {
    const outcome = outcomeOf(status, code);
    const filed = route ?? "none";
    this.#http.of(filed, outcome, () => ({ route: filed, outcome })).observe(ms / 1_000);
    const key = status * 100_000 + code + 1;
    this.#answers.set(key, (this.#answers.get(key) ?? 0) + 1);
  }

  /** Something became of a WebSocket connection. */
  socket(event: SocketEvent): void {
    this.#sockets.set(event, this.#socketsThat(event) + 1);
  }

  /** Quotas were asked of their server. */
  quotaTrip(ms: number): void {
    this.#quotaTrip.observe(ms / 1_000);
  }

  /** The state was held against the invariants. */
  checked(breaches: number, durationMs: number): void {
    this.#breaches = breaches;
    this.#check.observe(durationMs / 1_000);
  }

  text(): string {
    return this.#registry.text();
  }

  samples(name: string): Iterable<FigureSample> {
    return this.#registry.samples(name);
  }

  close(): void {
    this.#loop.close();
  }

  #socketsThat(event: SocketEvent): number {
    return this.#sockets.get(event) ?? 0;
  }

  *#commandFigures(): Generator<[Labels, number]> {
    for (const [number, kind] of KIND_NAMES) {
      for (let refusal = 0; refusal < OUTCOMES; refusal++) {
        const count = this.#commands[number * OUTCOMES + refusal] as number;
        // Accepted ones are always there, so that a graph begins at 0; refusals appear when they happen.
        if (count > 0 || refusal === 0) yield [{ kind, outcome: refusalOf(refusal) ?? "accepted" }, count];
      }
    }
  }

  *#answerFigures(): Generator<[Labels, number]> {
    for (const [key, count] of this.#answers) {
      const code = (key % 100_000) - 1;
      yield [{ status: String(Math.floor(key / 100_000)), code: code < 0 ? "none" : String(code) }, count];
    }
  }
}

function outcomeOf(status: number, code: number): string {
  if (status >= FAILED_STATUS || code === INTERNAL_ERROR) return "failed";
  return code > 0 || status >= 400 ? "refused" : "ok";
}

function* quotaFigures(counts: RateCounts | undefined): Generator<[Labels, number]> {
  if (counts === undefined) return;
  yield [{ of: "address" }, counts.addresses];
  yield [{ of: "account" }, counts.accounts];
  yield [{ of: "main_account" }, counts.longCycle];
}

function memoryUsage(): NodeJS.MemoryUsage | undefined {
  try {
    return process.memoryUsage();
  } catch {
    return undefined;
  }
}

function* memoryFigures(): Generator<[Labels, number]> {
  const memory = memoryUsage();
  // A container without /proc does not say what the process has.
  if (memory === undefined) return;
  const { rss, heapUsed, arrayBuffers, external } = memory;
  yield [{ kind: "resident" }, rss];
  yield [{ kind: "heap" }, heapUsed];
  yield [{ kind: "array_buffers" }, arrayBuffers];
  yield [{ kind: "external" }, external];
}
