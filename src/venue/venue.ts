import { join } from "node:path";
import type { Logger } from "pino";
import { risksOf } from "../chains/risks.ts";
import type { Command } from "../engine/command.ts";
import { callBounds } from "../engine/operators/four-eyes.ts";
import type { AdminVenue } from "../gateway/admin/backend.ts";
import { createAdminServer } from "../gateway/admin/server.ts";
import { type Chance, SeededChance } from "../gateway/auth/chance.ts";
import { engineKeys } from "../gateway/auth/engine-keys.ts";
import { Failures } from "../gateway/auth/failures.ts";
import { allSealed } from "../gateway/auth/sealed.ts";
import { SecretVault } from "../gateway/auth/secret-vault.ts";
import { Tickets } from "../gateway/auth/tickets.ts";
import { WebSessions } from "../gateway/auth/web-sessions.ts";
import type { Backend } from "../gateway/backend.ts";
import { loadContract } from "../gateway/current/contract.ts";
import { Faults } from "../gateway/faults/faults.ts";
import { createGateway } from "../gateway/gateway.ts";
import { type RateFigures, rateFigures } from "../gateway/limits/figures.ts";
import { limitsByWindow } from "../gateway/limits/long-cycle.ts";
import { RateLimits } from "../gateway/limits/rate-limits.ts";
import { SharedQuotas } from "../gateway/limits/shared/shared-quotas.ts";
import { consolePages } from "../gateway/pages/console.ts";
import { landingPage } from "../gateway/pages/landing.ts";
import { terminalPages } from "../gateway/pages/terminal.ts";
import { currentHandlers, figuresOf, legacyHandlers, REFUSAL_ROWS } from "../gateway/parts.ts";
import { Lives } from "../gateway/reasons/lives.ts";
import { RequestMemory } from "../gateway/reasons/request-memory.ts";
import { Attempts } from "../gateway/web/attempts.ts";
import { WEB_CALLS } from "../gateway/web/calls.ts";
import { Mails } from "../gateway/web/mails.ts";
import { Passwords } from "../gateway/web/passwords.ts";
import { webSurface } from "../gateway/web/surface.ts";
import { DataDirLocked } from "../log/errors.ts";
import { SIMULATED_TRADERS } from "../market/dev-markets.ts";
import { SetUpAuthority } from "./authority.ts";
import { Backups } from "./backup/backups.ts";
import { lockOf } from "./backup/lock-files.ts";
import { VenueChains } from "./chains.ts";
import { claimFolder } from "./data-folder.ts";
import { makeDevVenue } from "./dev.ts";
import { DiskGuard } from "./disk-guard.ts";
import { type DiskBounds, MIB, refuseFullDisk } from "./disk-watch.ts";
import { Door } from "./door.ts";
import { chanceFor } from "./fixed-world.ts";
import { Guardian } from "./guardian.ts";
import { clusterOf, LeaderDuties } from "./leader-duties.ts";
import { listenLocally } from "./local-admin.ts";
import { LogTail } from "./log-tail.ts";
import { hashOf } from "./machine.ts";
import { mailerOf } from "./mail.ts";
import { Monitor } from "./monitor/monitor.ts";
import { type Node, openNode } from "./node.ts";
import { type DevAccount, newAdminToken, OperatorFiles } from "./operator-files.ts";
import { Rewind } from "./rewind.ts";
import { Scenarios } from "./scenarios.ts";
import { vaultFromElsewhere } from "./sealing-key.ts";
import type { Applied } from "./sequencer.ts";
import { IN_MEMORY, type Settings } from "./settings.ts";
import { Snapshots } from "./snapshots.ts";
import { StoreGuard } from "./store-guard.ts";
import { VenueMetrics } from "./venue-metrics.ts";
import { versionOf } from "./version.ts";

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

/** Time passes in the engine at least this often, whoever else is quiet. */
const TICK_MS = 1_000;
/** A command's text has a bound; the whole list of breaches is in the log file of the process. */
const REASON_CHARS_MAX = 1_000;
/** Requests that still run when the venue stops have this long. */
const DRAIN_MS = 5_000;
/** The operator's interface says that the venue stops until the API has drained, and then ends, too. */
const ADMIN_DRAIN_MS = 2_000;
/** Longer than wrong signatures wait: each connection that comes again costs what an honest request costs, and more. */
const STALL_WAIT_MAX_MS = 8_000;

/**
 * Starts a venue: its ports, then recovery, then the listeners, which serve when all is ready. `onFault` hears when the log
 * or history failed while it ran: nothing more is acknowledged from then on, and the process has to end with an error. A
 * start that fails closes what it opened and takes back what it made.
 */
export async function startVenue(
  settings: Settings,
  processLog: Logger,
  onFault: (fault: Error) => void,
): Promise<Venue> {
  const logTail = new LogTail();
  const log = logTail.over(processLog);
  const claim = settings.data === IN_MEMORY ? undefined : claimFolder(settings.data, settings.profile, settings.config);
  if (settings.data !== IN_MEMORY) refuseFullDisk(settings.data, diskBoundsOf(settings));
  for (const note of claim?.notes ?? []) log.warn(note);
  const opened = new AsyncDisposableStack();
  try {
    return await assemble(settings, { log, logTail }, onFault, opened);
  } catch (error) {
    // What went wrong first is what the operator must hear of.
    await opened.disposeAsync().catch((cause: unknown) => log.warn({ err: cause }, "not all could be closed"));
    if (!(error instanceof DataDirLocked)) claim?.undo();
    throw error;
  }
}

/** `opened` closes, in the opposite order, what was opened here. */
async function assemble(
  settings: Settings,
  { log, logTail }: { readonly log: Logger; readonly logTail: LogTail },
  onFault: (fault: Error) => void,
  opened: AsyncDisposableStack,
): Promise<Venue> {
  const startedAtMs = Date.now();
  const startedMs = performance.now();
  const risks = risksOf(settings.chains);
  for (const risk of risks) log.warn({ risk }, "the settings put money at risk");
  // What is wrong with it is told before this node waits for others.
  const { data, secretKey } = settings;
  const sharedVault = data === IN_MEMORY ? undefined : vaultFromElsewhere(secretKey);
  const lock = data === IN_MEMORY ? undefined : lockOf(settings.backup);
  const version = versionOf();
  const doors = await openDoors(settings, opened);
  let metrics: VenueMetrics | undefined;
  let disk: DiskGuard | undefined;
  let storeGuard: StoreGuard | undefined;
  let snapshots: Snapshots | undefined;
  let rateLimits: RateLimits | undefined;
  let chains: VenueChains | undefined;
  let nameOf: (userId: number) => string | undefined = () => undefined;
  let figuresFor: ReturnType<typeof figuresOf> = () => undefined;
  const lives =
    settings.profile === "dev"
      ? new Lives(
          (userId) => SIMULATED_TRADERS.has(nameOf(userId) ?? ""),
          (command, refusal) => figuresFor(command, refusal),
        )
      : undefined;
  const node = await openNode({
    data: settings.data,
    history: settings.history,
    // Settings of several nodes need a key that all of them have.
    cluster: settings.cluster && { ...settings.cluster, version, secret: (sharedVault as SecretVault).secret },
    onClusterNote: (text) => log.info(text),
    onHistory: (standing, note) => (standing === "away" ? log.warn(note) : log.info(note)),
    clock: settings.clock,
    startTimeMs: settings.startTimeMs,
    frozen: settings.frozen,
    pastMs: settings.makers ? settings.pastMs : 0,
    clockJumpMs: settings.clockJumpMs,
    onClockJump: (aheadMs) => tellOfJump(aheadMs, log),
    refusesLostTail: settings.profile === "production",
    refusesForks: settings.profile === "production",
    faultInjection: settings.profile === "dev",
    onFault,
    onTrailBehind: (err) => log.error({ err }, "the audit trail cannot be written, and is caught up later"),
    isDiskFull: () => disk?.level === "full",
    observer: {
      lives,
      applied: (kind, refusal) => metrics?.applied(kind, refusal),
      happened: (events) => rateLimits?.apply(events),
      committed: (commands, commitMs) => {
        metrics?.committed(commands, commitMs);
        snapshots?.takeWhenDue();
      },
    },
  });
  opened.defer(() => node.dataDir?.release());
  const files = new OperatorFiles(node.dataDir?.path ?? IN_MEMORY);
  opened.defer(() => files.close());
  opened.defer(() => node.history.close());
  opened.defer(() => node.trail.close(node.engine.state.seq));
  opened.defer(() => node.log.close());
  logRecovery(node, log);
  const { engine, sequencer, history, trail, feeds, dataDir } = node;
  const { state } = engine;
  nameOf = (userId) => state.users.get(userId)?.name;
  figuresFor = figuresOf(state);
  const contract = loadContract();
  const failedSignatures = new Failures({ what: "signatures", log });
  const failedTokens = new Failures({ what: "tokens of operators", log });
  const stalls = new Failures({ what: "bodies that were to come whole in time", log, waitMaxMs: STALL_WAIT_MAX_MS });
  // Clients live on the machine, whatever time the venue makes of it.
  const machineNow = node.virtualClock && (() => Date.now());
  if (settings.limits) {
    const rates = rateFigures(contract, settings.rates);
    const others =
      settings.quotas === undefined
        ? undefined
        : await shareQuotas(settings.quotas, rates, log, opened, (ms) => metrics?.quotaTrip(ms));
    rateLimits = new RateLimits(rates, state, machineNow, others);
  }
  const figures = new VenueMetrics({
    state,
    version,
    profile: settings.profile,
    startedAtMs,
    replayed: node.recovery?.replayedCommands ?? 0,
    folder: dataDir?.path,
    history,
    rateCounts: () => rateLimits?.counts,
    disk: () => disk,
    cluster: () =>
      node.replicated && {
        isLeading: node.replicated.isLeading,
        progress: node.replicated.progress,
        store: storeGuard?.standing,
      },
    trail,
    chains: {
      list: () => chains?.list() ?? [],
      get held() {
        return chains?.held ?? [];
      },
    },
    failedProofs: () => ({ signature: failedSignatures.total, token: failedTokens.total }),
  });
  metrics = figures;
  opened.defer(() => figures.close());
  const monitor = new Monitor({
    figures,
    sources: { state, feeds, now: () => sequencer.now() },
    folder: dataDir?.path,
    log,
  });
  if (dataDir !== undefined) {
    const onFailed = (failure: Error) =>
      log.error({ err: failure }, "a snapshot could not be written; the log holds everything");
    const { snapshotEvery: every } = settings;
    const taken = new Snapshots(
      { engine, history, trail, dataDir, every, onFailed },
      node.recovery?.snapshot?.seq ?? 0,
    );
    snapshots = taken;
    opened.defer(() => taken.close());
    // What the rules before this epoch came to is kept, so that no start needs them again.
    if (node.epoch !== undefined) await taken.seal();
  }
  opened.defer(() => closeSequencer(node));
  // Of several nodes the leader alone lets time pass, watches chains and moves the simulated market.
  const { replicated } = node;
  const isOnDuty = () => replicated === undefined || replicated.isLeading;
  const duties =
    replicated &&
    new LeaderDuties({
      ...{ node, log: replicated, onFault },
      begin: async () => {
        dev?.renew();
        await ofChains.pause();
        await ofChains.start();
      },
      end: async () => {
        dev?.stop();
        await ofChains.pause();
      },
    });
  replicated?.describeBy(() => ({
    url: urlOf(doors.api),
    adminUrl: urlOf(doors.admin),
    seq: state.seq,
    stateHash: hashOf(engine),
    version,
  }));
  opened.defer(() => duties?.stop());
  await duties?.rules();

  files.refuseSampleSecrets(settings.profile);
  const [oldestKey] = allSealed(state);
  // What is made after a later start must not be what was made before it.
  const drawnBy = settings.cluster === undefined ? "" : ` at ${settings.cluster.node}`;
  const chance = chanceFor(settings, `from command ${state.seq}${drawnBy}`);
  const { recovery } = node;
  // A fork begins behind a command of another log, and has none of its own yet.
  const isFirstStart = recovery === undefined || recovery.end.lastSeq === recovery.start.lastSeq;
  const vault = sharedVault ?? vaultOf(node, oldestKey === undefined, chance);
  // A rotation that was interrupted after its last secret: what only opens is needed no more.
  if (vault.isRotating && allSealed(state).every((one) => vault.opensWithNewest(one))) vault.retire();
  if (oldestKey !== undefined && !vault.opens(oldestKey)) {
    log.error(
      "the key file is not the one that older API keys were sealed with: whoever has one of them cannot sign in",
    );
  }
  const requests = new RequestMemory({
    rows: REFUSAL_ROWS,
    tells: settings.profile === "dev",
    now: () => sequencer.now(),
  });
  const backend: Backend = {
    state,
    figuresOf: figuresFor,
    history,
    feeds,
    vault,
    get isBusy() {
      return sequencer.isBusy || replicated?.isStuck === true;
    },
    now: () => sequencer.now(),
    timeStands: node.virtualClock && (() => node.clock.isHeld || node.virtualClock?.state.frozen === true),
    submit: (command, applied) => sequencer.submit(command, applied),
    get addresses() {
      return chains;
    },
    get reviewBounds() {
      return [settings.withdrawReview, callBounds(state)];
    },
  };
  const faults =
    settings.profile === "dev"
      ? new Faults({
          chanceOf: (faultId) => new SeededChance(settings.seed, `fault ${faultId}`),
          note: (text) => void sequencer.submit({ kind: "note", actor: "faults", text }),
          now: () => sequencer.now(),
        })
      : undefined;
  opened.defer(() => faults?.close());
  const scenarios = settings.profile === "dev" ? new Scenarios({ admin: () => admin, log }) : undefined;
  const isHeld = (market: string) => scenarios?.makesPricesOf(market) === true;
  const dev =
    settings.profile === "dev" ? await makeDevVenue({ node, vault, files, settings, faults, isHeld, log }) : undefined;
  const ofChains = new VenueChains({
    ...{ sequencer, state, vault, log },
    terms: settings.chains,
    simulates: settings.simulatedChains,
    seed: settings.seed,
    elsewhere: settings.custodyElsewhere,
    haltsOnShortfall: settings.onShortfall === "halt",
    isOnDuty,
  });
  chains = ofChains;
  opened.defer(() => ofChains.stop());
  await ofChains.start();

  /** As submit, of what operators and the venue itself do: it is noted in the trail. */
  const submitDeed = (command: Command, applied?: Applied): boolean =>
    sequencer.submit(command, (outcome, its) => {
      trail.applied(command, outcome, state.seq, state.timeMs);
      applied?.(outcome, its);
    });
  const tokenChance = () => chanceFor(settings, "the operator's token");
  let rootToken = files.adminToken(tokenChance());

  const guardian = new Guardian({
    state,
    onChecked: (breaches, heldUpMs) => figures.checked(breaches.length, heldUpMs),
    onFailed: (error) =>
      log.error({ reason: error.message }, "a copy of the state could not be held against the invariants"),
    onBreach: (breaches) => {
      log.fatal({ breaches }, "an invariant is broken: from now on the venue takes cancels only");
      const reason = breaches.join(" ").slice(0, REASON_CHARS_MAX);
      submitDeed({ kind: "set_cancel_only", actor: "guardian", cancelOnly: true, reason });
    },
  });
  if (dataDir !== undefined) {
    const { path: folder } = dataDir;
    const guard = new DiskGuard({
      ...{ folder, state, trail, isOnDuty, log, bounds: diskBoundsOf(settings) },
      submit: submitDeed,
      onRoom: () => trail.mend(folder, state.seq),
    });
    disk = guard;
    opened.defer(() => guard.stop());
    guard.start();
  }
  if (replicated !== undefined) {
    const guard = new StoreGuard({ ...{ store: replicated, state, trail, isOnDuty, log }, submit: submitDeed });
    storeGuard = guard;
    opened.defer(() => guard.stop());
    guard.start();
  }
  const backups =
    dataDir &&
    new Backups(dataDir.path, settings.backups ?? join(dataDir.path, "backups"), version, {
      lock,
      withSecrets: settings.backup.withSecrets || lock !== undefined,
    });
  let rewind: Rewind | undefined;
  const admin: AdminVenue = {
    state,
    vault,
    clock: node.virtualClock,
    liveOn: () => dev?.catchUp(),
    get passTime() {
      return dev?.pass;
    },
    submit: submitDeed,
    trail,
    history,
    rootToken: {
      get current() {
        return rootToken;
      },
      rotate: () => (rootToken = files.rotateAdminToken()),
    },
    isRootOpen: () => settings.accounts === "fixed" && rootToken === newAdminToken(tokenChance()),
    status: () => ({
      seq: state.seq,
      timeMs: sequencer.now(),
      // Of the whole state: only whoever asks for it pays for it.
      get stateHash() {
        return hashOf(engine);
      },
      version,
      profile: settings.profile,
      url: urlOf(doors.api),
      uptimeMs: Math.round(performance.now() - startedMs),
      quotas: rateLimits?.standing ?? "off",
      hasMakers: dev?.pass !== undefined,
      risks,
      storage: {
        disk: disk?.level ?? "ample",
        freeBytes: disk?.free,
        history: history.standing,
        isTrailBehind: trail.isBehind,
      },
    }),
    audit: () => guardian.audit(),
    injectFault: settings.profile === "dev" ? node.injectFault : undefined,
    faults,
    requests,
    lives,
    backups,
    cluster: replicated && clusterOf(replicated),
    monitor,
    log: logTail,
    metrics: () => figures.text(),
    scenarios,
    chains,
    addresses: chains,
    get snapshots() {
      return rewind;
    },
  };
  const sessions = new WebSessions({ backend, origin: settings.webOrigin });
  const attempts = new Attempts();
  const mailer = mailerOf(settings, files.folder);
  opened.defer(() => mailer?.close());
  const mails = mailer && new Mails({ mailer, attempts, log });
  opened.defer(() => mails?.close());
  const passwords = new Passwords();
  opened.defer(() => passwords.close());
  const tickets = new Tickets(vault);
  const web = webSurface({
    venue: {
      ...{ backend, sessions, vault, attempts, origin: settings.webOrigin, profile: settings.profile },
      signUp: settings.signUp,
      demoAccounts: dev?.accounts.map(({ name }) => name) ?? [],
      clock: admin.clock,
      get sandbox() {
        return admin.isRootOpen?.() === true ? admin : undefined;
      },
      passwords,
      tickets,
      mails,
      showsLinks: settings.profile === "dev" && settings.smtp === undefined,
      machineNow: Date.now,
    },
    readBarrier: replicated && (() => replicated.readBarrier()),
    calls: WEB_CALLS,
    rows: REFUSAL_ROWS,
    host: settings.host,
  });
  // Keys that were drawn are shown to whoever started the venue, and to nobody who merely asks for a page.
  const sampleAccounts = settings.accounts === "fixed" ? (dev?.accounts ?? []) : [];
  const gateway = createGateway({
    sessions,
    surfaces: [web],
    contract,
    handlers: currentHandlers(backend, settings.compat),
    legacy: settings.legacy ? legacyHandlers(backend) : undefined,
    sockets: { backend, onEvent: (event) => figures.socket(event) },
    directory: engineKeys(state),
    vault,
    log,
    now: backend.now,
    machineNow,
    serviceNames: settings.serviceNames,
    compat: settings.compat,
    strict: settings.strict,
    explainSignatures: settings.profile === "dev",
    rateLimits,
    readBarrier: replicated && (() => replicated.readBarrier()),
    trouble: replicated && (() => replicated.trouble),
    failures: settings.limits ? failedSignatures : undefined,
    stalls: settings.limits ? stalls : undefined,
    pages: new Map([
      ...terminalPages(),
      ...landingPage({
        ...{ version, profile: settings.profile, service: settings.serviceNames[0], sampleAccounts },
        consoleUrl: urlOf(doors.admin),
      }),
    ]),
    limits: { connectionsPerAddressMax: settings.connectionsPerAddress },
    proxies: settings.proxies,
    ownNames: settings.accounts === "fixed" ? ownNamesOf(settings) : undefined,
    sampleAccounts,
    onAnswer: (status, code, route, ms) => figures.answered(status, code, route, ms),
    witness: requests.witness(chanceFor(settings, "names of requests")),
    socketWitness:
      settings.profile === "dev"
        ? requests.socketWitness(chanceFor(settings, "names of requests over sockets"))
        : undefined,
    faults,
  });
  // What other nodes hold, too, cannot be taken back.
  if (dev !== undefined && replicated === undefined) {
    rewind = new Rewind({
      ...{ node, dev, gateway, rateLimits, faults, snapshots, chance, log, onFault },
      folder: files.folder,
      chains: ofChains,
      hasOutsideChains: settings.chains.size > 0,
      isBackingUp: () => backups?.isUnderWay === true,
      beforeGoingBack: () => scenarios?.end(),
    });
  }
  const adminOptions = {
    backend: admin,
    host: settings.adminHost,
    log,
    failures: failedTokens,
    tickets,
    pages: consolePages(),
    // Its paths name users and keys; as one route they cannot become many.
    onAnswer: (status: number, code: number, route: string | undefined, ms: number) =>
      figures.answered(status, code, route && "/admin", ms),
  };
  const witness = (listener: string) => requests.witness(chanceFor(settings, `names of requests of ${listener}`));
  const adminServer = createAdminServer({
    ...adminOptions,
    proxies: settings.proxies,
    witness: witness("operators"),
  });
  const localAdminServer = createAdminServer({ ...adminOptions, witness: witness("local operators") });

  await gateway.listen(settings.host, settings.port, doors.api.handOver());
  opened.defer(async () => {
    adminServer.turnAway();
    localAdminServer.turnAway();
    await gateway.drain(DRAIN_MS);
    await Promise.all([adminServer, localAdminServer].map((server) => server.drain(ADMIN_DRAIN_MS)));
    for (const failures of [failedTokens, failedSignatures, stalls]) failures.close();
  });
  await adminServer.listen(settings.adminHost, settings.adminPort, doors.admin.handOver());
  await listenLocally(localAdminServer, files.folder, log);
  const adminUrl = urlOf(doors.admin);
  files.writeAdminUrl(adminUrl);
  if (dataDir === undefined)
    log.info({ folder: files.folder }, "the admin token is in this folder while the venue runs");
  const authority = new SetUpAuthority({
    ...{ state, settings, log },
    submit: (command) =>
      new Promise((resolve) => {
        if (!submitDeed(command, () => resolve())) resolve();
      }),
  });
  // Where time stands, nothing falls due, and nothing needs to stand in the log.
  const ticking = setInterval(() => {
    // Several nodes begin new rules only when all of them have those.
    if (isOnDuty()) void authority.keep();
    // What lives through a stretch of time brings its own commands.
    if (disk?.level === "full") return;
    if (isOnDuty() && !node.clock.isHeld && sequencer.now() > state.timeMs) sequencer.submit({ kind: "tick" });
  }, TICK_MS);
  guardian.start();
  monitor.start();
  opened.defer(() => monitor.stop());
  if (replicated === undefined) dev?.start();
  else duties?.start();
  // The first who asks finds the market that everybody finds.
  await sequencer.ask({ kind: "tick" }, () => {});
  opened.defer(() => {
    clearInterval(ticking);
    guardian.stop();
    dev?.stop();
  });
  // It takes back what it has in the books by the doors, which are open until then.
  opened.defer(() => scenarios?.end());
  await authority.keep();
  if (isFirstStart && history.goesBack) await rewind?.takeStart();
  adminServer.open();
  localAdminServer.open();
  gateway.open();

  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= opened.disposeAsync());
  const replayed = node.recovery?.replayedCommands ?? 0;
  return { url: urlOf(doors.api), adminUrl, adminToken: rootToken, devAccounts: dev?.accounts ?? [], replayed, stop };
}

function diskBoundsOf({ diskLow, diskMin }: Settings): DiskBounds {
  return { low: diskLow * MIB, min: diskMin * MIB };
}

/** Of this venue's own key. */
function vaultOf({ dataDir }: Node, isNew: boolean, chance: Chance): SecretVault {
  return dataDir === undefined ? SecretVault.inMemory(chance) : SecretVault.open(dataDir.path, isNew, chance);
}

/** Of several nodes another one leads from now on; what is under way is waited for, but not for ever: a quorum may be away. */
async function closeSequencer({ sequencer, replicated }: Node): Promise<void> {
  replicated?.leave();
  const closed = sequencer.close();
  if (replicated === undefined) return await closed;
  let late: NodeJS.Timeout | undefined;
  await Promise.race([closed, new Promise((resolve) => (late = setTimeout(resolve, DRAIN_MS)))]);
  clearTimeout(late);
}

/** With all nodes that name the server at `url`; waits a little for it, and goes on without. */
async function shareQuotas(
  url: string,
  { long }: RateFigures,
  log: Logger,
  opened: AsyncDisposableStack,
  onTrip: (ms: number) => void,
): Promise<SharedQuotas> {
  // Who shares none need not load the package for it.
  const { quotaServerAt } = await import("./quota-server.ts");
  const server = quotaServerAt(url);
  const shared = await SharedQuotas.open({ server, log, longLimits: limitsByWindow(long), onTrip });
  opened.defer(() => shared.close());
  return shared;
}

interface Doors {
  readonly api: Door;
  readonly admin: Door;
}

async function openDoors(settings: Settings, opened: AsyncDisposableStack): Promise<Doors> {
  const api = await Door.open(settings.host, settings.port, "port", settings.profile === "dev");
  opened.defer(() => api.close());
  const admin = await Door.open(settings.adminHost, settings.adminPort, "admin-port", settings.profile === "dev");
  opened.defer(() => admin.close());
  return { api, admin };
}

/** By which people may ask for the venue, by the operator's word. */
function ownNamesOf({ host, webOrigin }: Settings): string[] {
  return [host, ...(webOrigin === undefined ? [] : [new URL(webOrigin).hostname])];
}

function tellOfJump(aheadMs: number, log: Logger): void {
  if (aheadMs === 0) log.warn("the machine's clock is where it should be again, and is followed");
  else {
    const message =
      "the machine's clock has jumped ahead and is not followed: set it right, or start again to take its time over";
    log.error({ aheadMs }, message);
  }
}

function logRecovery({ recovery, history, epoch, engine }: Node, log: Logger): void {
  if (history.setAside !== undefined) log.warn(history.setAside);
  for (const note of history.notes) log.info(note);
  if (epoch !== undefined) {
    const { rulesVersion, before, after } = epoch;
    const figures = { seq: engine.state.seq, rulesVersion, stateHashBefore: before.hash, stateHashAfter: after.hash };
    log.info(figures, "a new epoch begins: from here on these rules hold");
  }
  if (recovery === undefined) return;
  for (const note of recovery.notes) log.warn(note);
  const { replayedCommands, durationMs, end, snapshot } = recovery;
  const figures = {
    seq: end.lastSeq,
    replayed: replayedCommands,
    snapshotSeq: snapshot?.seq,
    durationMs: Math.round(durationMs),
  };
  log.info(figures, "the log is read and verified");
}

function urlOf({ host, port }: { host: string; port: number }): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
