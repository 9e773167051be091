import { join } from "node:path";
import { risksOf } from "../../chains/risks.ts";
import type { AdminStatus, AdminVenue } from "../../gateway/admin/backend.ts";
import { type AdminServerOptions, createAdminServer } from "../../gateway/admin/server.ts";
import type { HttpServer } from "../../gateway/http/server.ts";
import { consolePages } from "../../gateway/pages/console.ts";
import { ADMIN_CALLS, REFUSAL_ROWS } from "../../gateway/parts.ts";
import { Backups } from "../backup/backups.ts";
import { chanceFor } from "../fixed-world.ts";
import type { Rewind, Scenarios } from "../lab.ts";
import { clusterOf } from "../leader-duties.ts";
import { hashOf } from "../machine.ts";
import { newAdminToken } from "../operator-files.ts";
import type { Settings } from "../settings.ts";
import { versionOf } from "../version.ts";
import type { ClientGateway } from "./gateway.ts";
import type { Upkeep } from "./upkeep.ts";
import type { WatchedNode } from "./watch.ts";
import type { World } from "./world.ts";

/** The parts that operators work with beside those of the node. */
export interface OperatorSide extends Pick<Upkeep, "faults" | "dev" | "invariantMonitor"> {
  readonly gateway: ClientGateway;
  /** Undefined outside the dev profile. */
  readonly scenarios: Scenarios | undefined;
}

export interface Operators {
  /** The venue as they have it. */
  readonly venue: AdminVenue;
  /** On the port, and on a socket in the data directory; not listening yet. */
  readonly server: HttpServer;
  readonly localServer: HttpServer;
  /** Goes back to snapshots; undefined outside the dev profile and of several nodes. */
  readonly rewind: Rewind | undefined;
}

/** The operators' interface, and the listeners that it is reached by. */
export function openOperators(settings: Settings, node: WatchedNode, side: OperatorSide, world: World): Operators {
  const { requests, figures, failures } = node;
  const { gateway, scenarios } = side;
  const backups = backupsOf(settings, node);
  const rewind = rewindOf(node, side, { settings, backups, world });
  const venue = venueOf(settings, node, { ...side, backups, rewind }, world);
  scenarios?.playOn(venue);
  gateway.openSandbox(venue);
  const options: AdminServerOptions = {
    backend: venue,
    calls: ADMIN_CALLS,
    rows: REFUSAL_ROWS,
    host: settings.adminHost,
    log: world.log,
    failures: failures.tokens,
    tickets: gateway.tickets,
    pages: consolePages(),
    // Its paths name users and keys; as one route they cannot become many.
    onAnswer: (status, code, route, ms) => figures.answered(status, code, route && "/admin", ms),
  };
  const observer = (listener: string) => requests.observer(chanceFor(settings, `names of requests of ${listener}`));
  return {
    venue,
    server: createAdminServer({ ...options, proxies: settings.proxies, observer: observer("operators") }),
    localServer: createAdminServer({ ...options, observer: observer("local operators") }),
    rewind,
  };
}

function backupsOf(settings: Settings, { dataDir, backupLock: lock }: WatchedNode): Backups | undefined {
  if (dataDir === undefined) return undefined;
  return new Backups(dataDir.path, settings.backups ?? join(dataDir.path, "backups"), versionOf(), {
    lock,
    withSecrets: settings.backup.withSecrets || lock !== undefined,
  });
}

interface Going {
  readonly settings: Settings;
  readonly backups: Backups | undefined;
  readonly world: World;
}

function rewindOf(node: WatchedNode, side: OperatorSide, { settings, backups, world }: Going): Rewind | undefined {
  const { dev, faults, scenarios, gateway } = side;
  const { lab } = node;
  // What other nodes hold, too, cannot be taken back.
  if (lab === undefined || dev === undefined || node.replicated !== undefined) return undefined;
  return new lab.Rewind({
    ...{ node, dev, faults, gateway: gateway.server, rateLimits: node.limits, snapshots: node.snapshots },
    ...{ chains: node.chains, chance: node.chance, folder: node.files.folder, log: world.log, onFault: world.onFault },
    hasOutsideChains: settings.chains.size > 0,
    isBackingUp: () => backups?.isUnderWay === true,
    beforeGoingBack: () => scenarios?.end(),
  });
}

interface Governed extends OperatorSide {
  readonly backups: Backups | undefined;
  readonly rewind: Rewind | undefined;
}

function venueOf(
  settings: Settings,
  node: WatchedNode,
  { faults, dev, invariantMonitor, scenarios, backups, rewind }: Governed,
  world: World,
): AdminVenue {
  const { files, chains, replicated, figures, monitor, requests, lifecycleTrace, backend } = node;
  const tokenChance = () => chanceFor(settings, "the operator's token");
  let rootToken = files.adminToken(tokenChance());
  return {
    ...{ state: backend.state, vault: node.vault, clock: node.virtualClock, trail: node.trail, history: node.history },
    ...{ faults, requests, lifecycleTrace, backups, monitor, scenarios, chains, addresses: backend.addresses },
    liveOn: () => dev?.catchUp(),
    get passTime() {
      return dev?.pass;
    },
    submit: node.submitAction,
    rootToken: {
      get current() {
        return rootToken;
      },
      rotate: () => (rootToken = files.rotateAdminToken()),
    },
    isRootOpen: () => settings.accounts === "fixed" && rootToken === newAdminToken(tokenChance()),
    status: statusOf(settings, node, dev, world),
    audit: () => invariantMonitor.audit(),
    injectFault: node.injectFault,
    cluster: replicated && clusterOf(replicated),
    log: world.logTail,
    metrics: () => figures.text(),
    snapshots: rewind,
  };
}

function statusOf(
  { profile, chains }: Settings,
  node: WatchedNode,
  dev: OperatorSide["dev"],
  { urls, started }: World,
): () => AdminStatus {
  const { engine, sequencer, limits, disk, history, trail } = node;
  const risks = risksOf(chains);
  const version = versionOf();
  return () => ({
    seq: engine.state.seq,
    timeMs: sequencer.now(),
    // Of the whole state: only those who ask for it pay for it.
    get stateHash() {
      return hashOf(engine);
    },
    version,
    profile,
    url: urls.api,
    uptimeMs: Math.round(performance.now() - started.evenMs),
    quotas: limits?.standing ?? "off",
    hasMakers: dev?.pass !== undefined,
    risks,
    storage: {
      disk: disk?.level ?? "ample",
      freeBytes: disk?.free,
      history: history.status,
      isTrailBehind: trail.isBehind,
    },
  });
}
