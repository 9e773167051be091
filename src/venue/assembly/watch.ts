import { callBounds } from "../../engine/operators/four-eyes.ts";
import { Failures } from "../../gateway/auth/failures.ts";
import type { Backend } from "../../gateway/backend.ts";
import { loadContract } from "../../gateway/current/contract.ts";
import { LifecycleTrace } from "../../gateway/explain/lifecycle-trace.ts";
import { RequestMemory } from "../../gateway/explain/request-memory.ts";
import { type RateFigures, rateFigures } from "../../gateway/limits/figures.ts";
import { limitsByWindow } from "../../gateway/limits/long-cycle.ts";
import { RateLimits } from "../../gateway/limits/rate-limits.ts";
import { SharedQuotas } from "../../gateway/limits/shared/shared-quotas.ts";
import { figuresOf, REFUSAL_ROWS } from "../../gateway/parts.ts";
import { VenueChains } from "../chains.ts";
import { DiskGuard } from "../disk-guard.ts";
import { type DiskBounds, MIB } from "../disk-watch.ts";
import { type Lab, labOf } from "../lab.ts";
import { LiabilityCounter } from "../liabilities/liability-counter.ts";
import { Monitor } from "../monitor/monitor.ts";
import type { Settings } from "../settings.ts";
import { StoreGuard } from "../store-guard.ts";
import { VenueMetrics } from "../venue-metrics.ts";
import { versionOf } from "../version.ts";
import type { Node } from "./node.ts";
import type { World } from "./world.ts";

/** Longer than wrong signatures wait: each connection that comes again costs what an honest request costs, and more. */
const STALL_WAIT_MAX_MS = 8_000;

/** A node with what watches over it, and what its listeners read. Nothing of it acts before upkeep starts it. */
export interface WatchedNode extends Node {
  /** Everything that handlers read, and the one way in which they change anything. */
  readonly backend: Backend;
  readonly chains: VenueChains;
  /** Undefined in memory. */
  readonly disk: DiskGuard | undefined;
  /** Undefined of one node. */
  readonly store: StoreGuard | undefined;
  readonly limits: RateLimits | undefined;
  readonly failures: FailedProofs;
  readonly figures: VenueMetrics;
  readonly monitor: Monitor;
  /** Makes and publishes the trees of what the venue owes. */
  readonly liabilities: LiabilityCounter;
  /** The latest requests, and what became of them. */
  readonly requests: RequestMemory;
  /** How orders and positions came to be what they are; undefined outside the dev profile. */
  readonly lifecycleTrace: LifecycleTrace | undefined;
  /** The parts that only the dev profile has; undefined outside of it. */
  readonly lab: Lab | undefined;
}

/** Who fails to prove who he is, and whose bodies were cut. */
interface FailedProofs {
  readonly signatures: Failures;
  readonly tokens: Failures;
  readonly stalls: Failures;
}

/** Gives a node its limits, its figures and its guards. */
export async function watched(settings: Settings, node: Node, world: World): Promise<WatchedNode> {
  const { opened, log } = world;
  const { engine, sequencer, feeds, dataDir } = node;
  const { state } = engine;
  const now = () => sequencer.now();
  const lab = await labOf(settings);
  const failures = failedProofs(world);
  const { disk, store } = guardsOf(settings, node, world);
  const chains = chainsOf(settings, node, { lab, log });
  // Until the figures are made, trips to the server of quotas are counted nowhere.
  let figures: VenueMetrics | undefined;
  const limits = await limitsOf(settings, node, world, (ms) => figures?.quotaTrip(ms));
  const made = figuresFor(settings, node, { world, disk, store, chains, limits, failures });
  figures = made;
  const monitor = new Monitor({ figures: made, sources: { state, feeds, now }, folder: dataDir?.path, log });
  opened.defer(() => made.close());
  const figuresBehind = figuresOf(state);
  const lifecycleTrace =
    lab && new LifecycleTrace((userId) => isSimulated(lab, state.users.get(userId)?.name), figuresBehind);
  const liabilities = liabilitiesOf(settings, node, log);
  opened.defer(() => liabilities.stop());
  node.observe({
    applied: (kind, outcome) => {
      made.applied(kind, outcome.refusal);
      liabilities.applied(kind);
      lifecycleTrace?.took(kind, outcome, engine);
    },
    happened: (events) => limits?.apply(events),
    committed: (commands, commitMs) => made.committed(commands, commitMs),
    isFull: () => disk?.level === "full" || world.isFull?.() === true,
  });
  return {
    ...node,
    ...{ chains, disk, store, limits, failures, figures: made, monitor, lifecycleTrace, lab, liabilities },
    backend: backendOf(settings, node, { figuresOf: figuresBehind, addresses: world.addresses ?? chains, liabilities }),
    requests: new RequestMemory({ rows: REFUSAL_ROWS, tells: lab !== undefined, now }),
  };
}

function isSimulated({ SIMULATED_TRADERS }: Lab, name = ""): boolean {
  return SIMULATED_TRADERS.has(name);
}

function liabilitiesOf({ liabilitiesEveryMs: everyMs }: Settings, node: Node, log: World["log"]): LiabilityCounter {
  const { engine, sequencer, vault, isOnDuty, submitAction } = node;
  return new LiabilityCounter({
    ...{ state: engine.state, everyMs, isOnDuty, log },
    secret: () => vault.secret,
    submit: (command) => void submitAction(command),
    now: () => sequencer.now(),
  });
}

function failedProofs({ log, opened }: World): FailedProofs {
  const failures = {
    signatures: new Failures({ what: "signatures", log }),
    tokens: new Failures({ what: "tokens of operators", log }),
    stalls: new Failures({ what: "bodies that were to come whole in time", log, waitMaxMs: STALL_WAIT_MAX_MS }),
  };
  opened.defer(() => {
    for (const each of Object.values(failures)) each.close();
  });
  return failures;
}

function guardsOf(settings: Settings, node: Node, { log }: World): Pick<WatchedNode, "disk" | "store"> {
  const { dataDir, replicated, trail, engine, isOnDuty, submitAction } = node;
  const { state } = engine;
  const common = { state, trail, isOnDuty, log, submit: submitAction };
  return {
    disk:
      dataDir &&
      new DiskGuard({
        ...{ ...common, folder: dataDir.path, bounds: diskBoundsOf(settings) },
        onRoom: () => trail.mend(dataDir.path, state.seq),
      }),
    store: replicated && new StoreGuard({ ...common, store: replicated }),
  };
}

export function diskBoundsOf({ diskLow, diskMin }: Settings): DiskBounds {
  return { low: diskLow * MIB, min: diskMin * MIB };
}

interface ChainsSide extends Pick<WatchedNode, "lab">, Pick<World, "log"> {}

function chainsOf(
  settings: Settings,
  { sequencer, engine, vault, isOnDuty }: Node,
  { lab, log }: ChainsSide,
): VenueChains {
  return new VenueChains({
    ...{ sequencer, state: engine.state, vault, log, isOnDuty },
    terms: settings.chains,
    openSimulated: settings.simulatedChains ? lab?.openSimulatedChain : undefined,
    seed: settings.seed,
    elsewhere: settings.custodyElsewhere,
    haltsOnShortfall: settings.onShortfall === "halt",
  });
}

async function limitsOf(
  settings: Settings,
  { engine, virtualClock }: Node,
  world: World,
  onTrip: (ms: number) => void,
): Promise<RateLimits | undefined> {
  if (!settings.limits) return undefined;
  const rates = rateFigures(loadContract(), settings.rates);
  const join =
    world.shareQuotas ??
    (settings.quotas === undefined ? undefined : (of: RateFigures) => shareQuotas(settings, of, world, onTrip));
  const others = await join?.(rates);
  if (others !== undefined) world.opened.defer(() => others.close());
  // Clients live on the machine, whatever time the venue makes of it.
  return new RateLimits(rates, engine.state, virtualClock && (() => Date.now()), others);
}

/** With all nodes that name the same server; waits a little for it, and goes on without. */
async function shareQuotas(
  { quotas }: Settings,
  { long }: RateFigures,
  { log }: World,
  onTrip: (ms: number) => void,
): Promise<SharedQuotas> {
  // Who shares none need not load the package for it.
  const { quotaServerAt } = await import("../quota-server.ts");
  const server = quotaServerAt(quotas as string);
  return await SharedQuotas.open({ server, log, longLimits: limitsByWindow(long), onTrip });
}

interface Figured extends Pick<WatchedNode, "disk" | "store" | "chains" | "limits" | "failures"> {
  readonly world: World;
}

function figuresFor({ profile }: Settings, node: Node, figured: Figured): VenueMetrics {
  const { world, disk, store, chains, limits, failures } = figured;
  const { replicated } = node;
  return new VenueMetrics({
    ...{ state: node.engine.state, version: versionOf(), profile, startedAtMs: world.started.wallMs, chains },
    ...{ history: node.history, trail: node.trail, folder: node.dataDir?.path },
    replayed: node.recovery?.replayedCommands ?? 0,
    rateCounts: () => limits?.counts,
    disk: () => disk,
    cluster: () =>
      replicated && {
        isLeading: replicated.isLeading,
        progress: replicated.progress,
        archived: replicated.archived,
        store: store?.standing,
      },
    failedProofs: () => ({ signature: failures.signatures.total, token: failures.tokens.total }),
  });
}

function backendOf(
  settings: Settings,
  node: Node,
  { figuresOf: figures, addresses, liabilities }: Required<Pick<Backend, "figuresOf" | "addresses" | "liabilities">>,
): Backend {
  const { engine, sequencer, history, feeds, vault, clock, virtualClock, replicated } = node;
  const { state } = engine;
  return {
    ...{ state, figuresOf: figures, history, feeds, vault, addresses, liabilities },
    get isBusy() {
      return sequencer.isBusy || replicated?.isStuck === true;
    },
    now: () => sequencer.now(),
    timeStands: virtualClock && (() => clock.isHeld || virtualClock.state.frozen),
    submit: (command, applied) => sequencer.submit(command, applied),
    get reviewBounds() {
      return [settings.withdrawReview, callBounds(state)];
    },
  };
}
