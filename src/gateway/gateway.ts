/** The venue's public port in one piece: contract, keys, handlers, sockets and documents behind one listener. */
import type { Failures } from "./auth/failures.ts";
import type { KeyDirectory } from "./auth/key-directory.ts";
import { KeyRing } from "./auth/key-ring.ts";
import type { SecretVault } from "./auth/secret-vault.ts";
import type { WebSessions } from "./auth/web-sessions.ts";
import { currentSurface, type Handlers, messageCalls, servedEndpoints } from "./current/api.ts";
import { Authenticator } from "./current/authenticate.ts";
import { LIVE_TEXTS } from "./current/compat/live-refusals.ts";
import { type Contract, loadContract } from "./current/contract.ts";
import { openApiDocument } from "./current/openapi.ts";
import { currentQuotas } from "./current/quotas.ts";
import { queryOnlyMethods, strictContract } from "./current/strict.ts";
import { legacySocketsPage } from "./docs/legacy-sockets-page.ts";
import { socketsPage } from "./docs/sockets-page.ts";
import { documentRoutes, legacyDocumentRoutes, type SampleAccount } from "./documents.ts";
import { EnvelopeRenderer } from "./envelope/renderer.ts";
import type { Faults } from "./faults/faults.ts";
import type { HttpLimits } from "./http/limits.ts";
import type { OwnNames } from "./http/own-host.ts";
import type { ProxyOptions } from "./http/proxies.ts";
import type { ReadBarrier } from "./http/read-barrier.ts";
import type { RequestObserver } from "./http/request-observer.ts";
import { type Routes, routerOf, type Surface } from "./http/router.ts";
import { type GatewayLog, HttpServer, type OnAnswer } from "./http/server.ts";
import { LegacySocketAuthenticator } from "./legacy/authenticate.ts";
import type { LegacyHandlers } from "./legacy/call.ts";
import { loadLegacyContract } from "./legacy/contract.ts";
import { loadLegacySocketContract } from "./legacy/sockets/contract.ts";
import { legacySurface } from "./legacy/surface.ts";
import type { RateLimits } from "./limits/rate-limits.ts";
import { missingPage } from "./pages/missing.ts";
import { CHANNELS, REFUSAL_ROWS } from "./parts.ts";
import { openSockets, type SocketOptions } from "./sockets.ts";
import { loadSocketContract } from "./ws/contract.ts";
import { kindsOf } from "./ws/hubs.ts";
import type { SocketObserver } from "./ws/socket-observer.ts";

export interface GatewayOptions {
  readonly handlers: Handlers;
  /** The options of the sockets; without them there are no sockets. */
  readonly sockets?: SocketOptions;
  readonly directory: KeyDirectory;
  readonly vault: SecretVault;
  readonly log: GatewayLog;
  /** The venue's clock, ms; signed timestamps are held against it. */
  readonly now: () => number;
  /** The clock of the machine where that of the venue is another one: signed timestamps may be right by either. */
  readonly machineNow?: (() => number) | undefined;
  /** The SVC of the signature headers `X-SVC-KEY` and so on; several are accepted side by side. */
  readonly serviceNames: readonly string[];
  /**
   * Concessions to existing clients, see docs/reference/compat.md: the plain-hash signature, answers and refusals as
   * they know them.
   */
  readonly compat: boolean;
  /** Whether what the live venue is known to refuse is refused here; see contract/strict.json. */
  readonly strict?: boolean;
  /** Development only: a refused signature is answered with the text that should have been signed. */
  readonly explainSignatures: boolean;
  /** The endpoints of the legacy generation; without it there is none. */
  readonly legacy?: LegacyHandlers | undefined;
  /** Of people who have signed in from a page; without, only keys sign. */
  readonly sessions?: WebSessions | undefined;
  /** Further generations of the API. */
  readonly surfaces?: readonly Surface[];
  /** Other routes that the port serves, such as the landing page. */
  readonly pages?: Routes;
  readonly contract?: Contract;
  readonly limits?: Partial<HttpLimits>;
  /** Whose word is taken for who a client is; nobody's unless given. */
  readonly proxies?: ProxyOptions;
  /** Given, only who asks for this machine's addresses or these names is served; see HttpServerOptions. */
  readonly ownNames?: OwnNames | undefined;
  /** The barrier that signed requests wait for, where several nodes serve. */
  readonly readBarrier?: ReadBarrier | undefined;
  /** See HttpServerOptions. */
  readonly trouble?: (() => string | undefined) | undefined;
  /** Accounts whose keys everybody knows, with their secrets: the pages show them. */
  readonly sampleAccounts?: readonly SampleAccount[] | undefined;
  /** How much addresses and accounts may ask for; without, as much as they like. */
  readonly rateLimits?: RateLimits | undefined;
  /** Slows down who fails to prove who he is; without, nobody is. */
  readonly failures?: Failures | undefined;
  /** Slows down addresses whose bodies were cut for want of room; without, none is. */
  readonly stalls?: Failures | undefined;
  /** Counts answers, see HttpServerOptions. */
  readonly onAnswer?: OnAnswer;
  readonly observer?: RequestObserver | undefined;
  /** Hears of what is refused over sockets, in the dev profile. */
  readonly socketObserver?: SocketObserver | undefined;
  /** Faults that are injected on purpose, in the dev profile. */
  readonly faults?: Faults | undefined;
}

/** The listener, not listening yet: `listen`, then `open` when the venue is ready, `drain` to stop. */
export function createGateway(options: GatewayOptions): HttpServer {
  const { handlers, compat, strict = false, now, serviceNames, rateLimits, failures } = options;
  const { contract: given = loadContract() } = options;
  const contract = strict ? strictContract(given) : given;
  const { directory, machineNow, faults } = options;
  const keyRing = new KeyRing(options.vault);
  const authenticator = new Authenticator({
    contract,
    directory,
    keyRing,
    machineNow,
    serviceNames,
    acceptPlainHash: compat,
    explainSignatures: options.explainSignatures,
    sessions: options.sessions,
  });
  const renderer = new EnvelopeRenderer(REFUSAL_ROWS, {}, compat ? LIVE_TEXTS : {});
  const quotaOf = rateLimits === undefined ? undefined : currentQuotas(contract, rateLimits);
  const { readBarrier } = options;
  const ofCurrent = { contract, handlers, authenticator, renderer, quotaOf, failures, compat, faults, readBarrier };
  const current = currentSurface(ofCurrent);
  const legacyContract = (area: "spot" | "futures") =>
    strict ? strictContract(loadLegacyContract(area, contract)) : loadLegacyContract(area, contract);
  const legacy = (["spot", "futures"] as const).flatMap((area) =>
    options.legacy === undefined
      ? []
      : legacySurface({
          area,
          contract: legacyContract(area),
          handlers: options.legacy,
          rows: REFUSAL_ROWS,
          directory,
          keyRing,
          machineNow,
          limits: rateLimits,
          failures,
          faults,
          readBarrier,
          compat,
          queryOnly: strict ? queryOnlyMethods() : NO_METHODS,
        }),
  );
  const socketContract = loadSocketContract(contract);
  const legacySockets =
    options.legacy === undefined
      ? undefined
      : {
          contract: loadLegacySocketContract(socketContract, loadLegacyContract("spot", contract)),
          authenticator: new LegacySocketAuthenticator({ directory, keyRing, machineNow }),
        };
  const document = openApiDocument(contract, servedEndpoints(contract, handlers), serviceNames[0] as string);
  const pages = [
    documentRoutes(
      document,
      {
        "/docs/sockets": () => socketsPage(socketContract, kindsOf(CHANNELS), legacySockets !== undefined),
        ...(legacySockets === undefined
          ? {}
          : { "/docs/legacy-sockets": () => legacySocketsPage(legacySockets.contract) }),
      },
      options.sampleAccounts,
    ),
    options.pages ?? NO_PAGES,
  ];
  const admit = rateLimits && ((address: string, nowMs = now()) => rateLimits.admit(address, nowMs));
  const sockets =
    options.sockets === undefined || admit === undefined ? options.sockets : { admit, ...options.sockets };
  const admitFigures = rateLimits && { per: "address", limit: rateLimits.figures.ipPerSecond, seconds: 1 };
  const upgrades =
    sockets === undefined
      ? undefined
      : openSockets({
          ...options,
          asOverHttp: { endpoints: messageCalls(ofCurrent), renderer },
          ...{ sockets, contract: socketContract, authenticator, legacy: legacySockets, admitFigures },
        });
  if (upgrades !== undefined) options.faults?.attach(() => upgrades.connections);
  return new HttpServer({
    ...(upgrades === undefined ? {} : { upgrades }),
    router: routerOf([
      current,
      ...legacy,
      ...(options.surfaces ?? []),
      ...pages.map((routes) => ({ base: "", renderer, routes })),
      ...(options.legacy === undefined
        ? []
        : [{ base: "", renderer, routes: legacyDocumentRoutes(contract, options.legacy) }]),
    ]),
    log: options.log,
    now,
    admit,
    ownNames: options.ownNames,
    missingPage,
    stalls: options.stalls,
    observer: options.observer,
    admitFigures,
    trouble: options.trouble,
    ...(options.proxies === undefined ? {} : { proxies: options.proxies }),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.onAnswer === undefined ? {} : { onAnswer: options.onAnswer }),
  });
}

const NO_METHODS: ReadonlySet<string> = new Set();
const NO_PAGES: Routes = new Map();
