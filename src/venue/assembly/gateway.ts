import type { AdminVenue } from "../../gateway/admin/backend.ts";
import { engineKeys } from "../../gateway/auth/engine-keys.ts";
import { Tickets } from "../../gateway/auth/tickets.ts";
import { WebSessions } from "../../gateway/auth/web-sessions.ts";
import { createGateway, type GatewayOptions } from "../../gateway/gateway.ts";
import type { Routes, Surface } from "../../gateway/http/router.ts";
import type { HttpServer } from "../../gateway/http/server.ts";
import { landingPage } from "../../gateway/pages/landing.ts";
import { terminalPages } from "../../gateway/pages/terminal.ts";
import { currentHandlers, legacyHandlers, REFUSAL_ROWS } from "../../gateway/parts.ts";
import type { SocketOptions } from "../../gateway/sockets.ts";
import { Attempts } from "../../gateway/web/attempts.ts";
import { WEB_CALLS } from "../../gateway/web/calls.ts";
import { Mails } from "../../gateway/web/mails.ts";
import { Passwords } from "../../gateway/web/passwords.ts";
import { webSurface } from "../../gateway/web/surface.ts";
import type { NodeRun } from "../../gateway/ws/watched-clients.ts";
import { chanceFor } from "../fixed-world.ts";
import { mailerOf } from "../mail.ts";
import type { DevAccount } from "../operator-files.ts";
import type { Settings } from "../settings.ts";
import { versionOf } from "../version.ts";
import type { Upkeep } from "./upkeep.ts";
import type { WatchedNode } from "./watch.ts";
import type { World } from "./world.ts";

/** Of the name of a run. */
const RUN_BYTES = 8;

/** The parts that clients are given beside those of the node. */
export interface ClientSide extends Pick<Upkeep, "faults"> {
  /** The sample accounts of the dev profile. */
  readonly accounts: readonly DevAccount[];
  /** The clock of the sockets, their bounds, and who counts them. */
  readonly sockets?: Partial<SocketOptions>;
  /** In the place of terminal and landing page. */
  readonly pages?: Routes;
  /** Further generations of the API. */
  readonly surfaces?: readonly Surface[];
  /** In the place of the observer that remembers requests, and of that of sockets. */
  readonly observer?: GatewayOptions["observer"];
  readonly socketObserver?: GatewayOptions["socketObserver"];
}

export interface ClientGateway {
  /** Not listening yet. */
  readonly server: HttpServer;
  /**
   * Tickets that passkeys are asked with; shared by all listeners of a venue, so that an answer counts at one of them.
   */
  readonly tickets: Tickets;
  /** Allows pages what operators may do, where anybody could work their token out. */
  openSandbox(venue: AdminVenue): void;
}

/** The listener of clients: every generation of the API, sockets, pages and documents. */
export function openGateway(settings: Settings, node: WatchedNode, side: ClientSide, world: World): ClientGateway {
  const { log } = world;
  const { backend, figures, requests, failures, replicated, limits } = node;
  const { accounts, faults, surfaces = [] } = side;
  const isDev = settings.profile === "dev";
  const readBarrier = replicated && (() => replicated.readBarrier());
  const sessions = new WebSessions({ backend, origin: settings.webOrigin });
  const tickets = new Tickets(node.vault, world.machineNow);
  const sandbox: Sandbox = { venue: undefined };
  // Keys that were drawn are shown to the one who started the venue, and to nobody who merely asks for a page.
  const sampleAccounts = settings.accounts === "fixed" ? accounts : [];
  const server = createGateway({
    sessions,
    surfaces: [webOf(settings, node, { sessions, tickets, sandbox, accounts }, world), ...surfaces],
    handlers: currentHandlers(backend, settings.compat),
    legacy: settings.legacy ? legacyHandlers(backend) : undefined,
    sockets: { backend, run: runOf(settings, node), onEvent: (event) => figures.socket(event), ...side.sockets },
    directory: engineKeys(backend.state),
    vault: node.vault,
    log,
    now: backend.now,
    // Clients live on the machine, whatever time the venue makes of it.
    machineNow: node.virtualClock && (() => Date.now()),
    serviceNames: settings.serviceNames,
    compat: settings.compat,
    strict: settings.strict,
    explainSignatures: isDev,
    rateLimits: limits,
    readBarrier,
    trouble: replicated && (() => replicated.trouble),
    failures: settings.limits ? failures.signatures : undefined,
    stalls: settings.limits ? failures.stalls : undefined,
    pages: side.pages ?? pagesOf(settings, sampleAccounts, world),
    limits: { connectionsPerAddressMax: settings.connectionsPerAddress },
    proxies: settings.proxies,
    ownNames: settings.accounts === "fixed" ? ownNamesOf(settings) : undefined,
    sampleAccounts,
    onAnswer: (status, code, route, ms) => figures.answered(status, code, route, ms),
    observer: side.observer ?? requests.observer(chanceFor(settings, "names of requests")),
    socketObserver: isDev
      ? (side.socketObserver ?? requests.socketObserver(chanceFor(settings, "names of requests over sockets")))
      : undefined,
    faults,
  });
  return {
    server,
    tickets,
    openSandbox: (venue) => {
      sandbox.venue = venue;
    },
  };
}

/** Two runs of one of several nodes have different names. */
function runOf(settings: Settings, { engine }: WatchedNode): NodeRun {
  const { cluster } = settings;
  const chance = chanceFor(settings, `name of the run from command ${engine.state.seq}`);
  const name = `${cluster?.node ?? "node"}-${chance.bytes(RUN_BYTES).toString("hex")}`;
  return { name, isOneOfSeveral: cluster !== undefined };
}

interface Sandbox {
  venue: AdminVenue | undefined;
}

interface SignedIn extends Pick<ClientSide, "accounts"> {
  readonly sessions: WebSessions;
  readonly tickets: Tickets;
  readonly sandbox: Sandbox;
}

function webOf(
  settings: Settings,
  node: WatchedNode,
  { sessions, tickets, sandbox, accounts }: SignedIn,
  world: World,
): Surface {
  const { opened, log } = world;
  const { backend, vault, replicated } = node;
  const { profile, signUp, webOrigin: origin } = settings;
  const attempts = new Attempts(world.evenNow);
  const ownMailer = world.mailer === undefined ? mailerOf(settings, node.files.folder) : undefined;
  opened.defer(() => ownMailer?.close());
  const mailer = world.mailer ?? ownMailer;
  const mails = mailer && new Mails({ mailer, attempts, log });
  opened.defer(() => mails?.close());
  const passwords = new Passwords();
  opened.defer(() => passwords.close());
  return webSurface({
    venue: {
      ...{ backend, sessions, vault, attempts, origin, profile, signUp, passwords, tickets, mails },
      demoAccounts: accounts.map(({ name }) => name),
      clock: node.virtualClock,
      get sandbox() {
        const { venue } = sandbox;
        return venue?.isRootOpen?.() === true ? venue : undefined;
      },
      showsLinks: profile === "dev" && settings.smtp === undefined,
      machineNow: world.machineNow ?? Date.now,
    },
    readBarrier: replicated && (() => replicated.readBarrier()),
    calls: WEB_CALLS,
    rows: REFUSAL_ROWS,
    host: settings.host,
  });
}

function pagesOf({ profile, serviceNames: [service] }: Settings, accounts: readonly DevAccount[], { urls }: World) {
  const landing = { version: versionOf(), profile, service, sampleAccounts: accounts, consoleUrl: urls.admin };
  return new Map([...terminalPages(), ...landingPage(landing)]);
}

/** By which people may ask for the venue, by the operator's word. */
function ownNamesOf({ host, webOrigin }: Settings): string[] {
  return [host, ...(webOrigin === undefined ? [] : [new URL(webOrigin).hostname])];
}
