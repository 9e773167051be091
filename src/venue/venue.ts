import type { Logger } from "pino";
import { risksOf } from "../chains/risks.ts";
import { DataDirLocked } from "../log/errors.ts";
import { openGateway } from "./assembly/gateway.ts";
import { openNode } from "./assembly/node.ts";
import { type Operators, openOperators } from "./assembly/operators.ts";
import { openStorage } from "./assembly/storage.ts";
import { openUpkeep } from "./assembly/upkeep.ts";
import { diskBoundsOf, type WatchedNode, watched } from "./assembly/watch.ts";
import { startTime, type World } from "./assembly/world.ts";
import { claimFolder } from "./data-folder.ts";
import { refuseFullDisk } from "./disk-watch.ts";
import { listenLocally } from "./local-admin.ts";
import { LogTail } from "./log-tail.ts";
import type { DevAccount } from "./operator-files.ts";
import { PortReservation } from "./port-reservation.ts";
import { IN_MEMORY, type Settings } from "./settings.ts";

/** A venue that serves. */
export interface Venue {
  /** Where the API listens, as `http://HOST:PORT`. */
  readonly url: string;
  readonly adminUrl: string;
  /** Opens the operator's interface. */
  readonly adminToken: string;
  /** The sample accounts of the dev profile, with their secrets; empty otherwise. */
  readonly devAccounts: readonly DevAccount[];
  /** Commands that were replayed before it served: none after a clean stop. */
  readonly replayed: number;
  /** Finishes what runs, writes a snapshot and closes everything. Calling it again waits for the same. */
  stop(): Promise<void>;
}

/** Requests that still run when the venue stops have this long. */
const DRAIN_MS = 5_000;
/** The operator's interface says that the venue stops until the API has drained, and then ends, too. */
const ADMIN_DRAIN_MS = 2_000;

/**
 * Starts a venue: its ports, then recovery, then the listeners, which serve when all is ready. `onFault` hears when the
 * log or history failed while it ran: nothing more is acknowledged from then on, and the process has to end with an
 * error. A start that fails closes what it opened and takes back what it made.
 */
export async function startVenue(
  settings: Settings,
  processLog: Logger,
  onFault: (fault: Error) => void,
): Promise<Venue> {
  const started = startTime();
  const logTail = new LogTail();
  const log = logTail.over(processLog);
  const claim = settings.data === IN_MEMORY ? undefined : claimFolder(settings.data, settings.profile, settings.config);
  if (settings.data !== IN_MEMORY) refuseFullDisk(settings.data, diskBoundsOf(settings));
  for (const note of claim?.notes ?? []) log.warn(note);
  const opened = new AsyncDisposableStack();
  try {
    return await assemble(settings, { log, logTail, onFault, opened, started });
  } catch (error) {
    // What went wrong first is what the operator must hear of.
    await opened.disposeAsync().catch((cause: unknown) => log.warn({ err: cause }, "not all could be closed"));
    if (!(error instanceof DataDirLocked)) claim?.undo();
    throw error;
  }
}

/**
 * Storage, node, gateway, operators: each is built on those before it. What is opened is closed in the opposite order.
 */
async function assemble(settings: Settings, start: Omit<World, "urls">): Promise<Venue> {
  const { log, opened } = start;
  for (const risk of risksOf(settings.chains)) log.warn({ risk }, "the settings put money at risk");
  const reservations = await reservePorts(settings, opened);
  const world: World = { ...start, urls: { api: urlOf(reservations.api), admin: urlOf(reservations.admin) } };

  const storage = await openStorage(settings, world);
  const node = await watched(settings, await openNode(settings, storage, world), world);
  const scenarios = node.lab && new node.lab.Scenarios({ log });
  const isHeld = (market: string) => scenarios?.makesPricesOf(market) === true;
  const upkeep = await openUpkeep(settings, node, isHeld, world);
  const accounts = upkeep.dev?.accounts ?? [];
  const gateway = openGateway(settings, node, { accounts, faults: upkeep.faults }, world);
  const operators = openOperators(settings, node, { ...upkeep, gateway, scenarios }, world);

  await listen(settings, { reservations, gateway: gateway.server, operators, node }, world);
  await upkeep.start();
  // It takes back what it has in the books by the listeners, which are open until then.
  opened.defer(() => scenarios?.end());
  if (isFirstStart(node) && node.history.goesBack) await operators.rewind?.takeStart();
  for (const server of [operators.server, operators.localServer, gateway.server]) server.open();

  let stopped: Promise<void> | undefined;
  return {
    ...{ url: world.urls.api, adminUrl: world.urls.admin, devAccounts: accounts },
    adminToken: operators.venue.rootToken.current,
    replayed: node.recovery?.replayedCommands ?? 0,
    stop: () => (stopped ??= opened.disposeAsync()),
  };
}

interface Reservations {
  readonly api: PortReservation;
  readonly admin: PortReservation;
}

async function reservePorts(settings: Settings, opened: AsyncDisposableStack): Promise<Reservations> {
  const api = await PortReservation.open(settings.host, settings.port, "port", settings.profile === "dev");
  opened.defer(() => api.close());
  const admin = await PortReservation.open(
    settings.adminHost,
    settings.adminPort,
    "admin-port",
    settings.profile === "dev",
  );
  opened.defer(() => admin.close());
  return { api, admin };
}

interface Listeners {
  readonly reservations: Reservations;
  readonly gateway: Operators["server"];
  readonly operators: Operators;
  readonly node: WatchedNode;
}

/** The listeners take over the ports. They serve when they are opened. */
async function listen(
  settings: Settings,
  { reservations, gateway, operators, node }: Listeners,
  { log, opened, urls }: World,
): Promise<void> {
  const { files } = node;
  const forOperators = [operators.server, operators.localServer];
  await gateway.listen(settings.host, settings.port, reservations.api.handOver());
  opened.defer(async () => {
    for (const server of forOperators) server.turnAway();
    await gateway.drain(DRAIN_MS);
    await Promise.all(forOperators.map((server) => server.drain(ADMIN_DRAIN_MS)));
  });
  await operators.server.listen(settings.adminHost, settings.adminPort, reservations.admin.handOver());
  await listenLocally(operators.localServer, files.folder, log);
  files.writeAdminUrl(urls.admin);
  if (settings.data === IN_MEMORY)
    log.info({ folder: files.folder }, "the admin token is in this folder while the venue runs");
}

/** A fork begins behind a command of another log, and has none of its own yet. */
function isFirstStart({ recovery }: WatchedNode): boolean {
  return recovery === undefined || recovery.end.lastSeq === recovery.start.lastSeq;
}

function urlOf({ host, port }: { host: string; port: number }): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
