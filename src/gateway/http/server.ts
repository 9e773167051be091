/**
 * The HTTP listener: keeps the sockets within their bounds, refuses what is no HTTP, collects bodies and hands each
 * complete request to the service that stands at its path. It knows nothing of endpoints, keys or markets.
 *
 * Node parses strictly (RFC 9112): two different lengths, a length beside a chunked body, folded headers and bare line
 * feeds never reach us, so a proxy in front and this server cannot be made to disagree about where a request ends.
 */
import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Server as NetServer, Socket } from "node:net";
import { ownErrors } from "../../net/socket-errors.ts";
import type { Failures } from "../auth/failures.ts";
import { type Figures, malformed, Refused } from "../refused.ts";
import { announcedBehindHead } from "./announced.ts";
import { type Connection, type ConnectionSettings, connectionOf } from "./connection.ts";
import { Connections } from "./connections.ts";
import { faultOf } from "./form.ts";
import { healthAt, type Phase } from "./health.ts";
import { HTTP_LIMITS, type HttpLimits } from "./limits.ts";
import { NodeRequest, NodeResponse } from "./node-request-context.ts";
import { isOwnHost, isOwnOrigin, type OwnNames } from "./own-host.ts";
import { FastPath, type FastPathOptions } from "./plain/fast-path.ts";
import { Reading } from "./plain/reading.ts";
import { NO_PROXIES, type ProxyOptions } from "./proxies.ts";
import { NO_CODE, RequestContext, type RequestHead, type RequestHost } from "./request-context.ts";
import { NamingObserver, type RequestObserver } from "./request-observer.ts";
import type { Route, Router } from "./router.ts";
import { UnfinishedBodies } from "./unfinished-bodies.ts";

/** Answers one request, at once or later. What it throws at once is answered with 4003. */
export interface Service {
  (context: RequestContext): void;
  /**
   * Returns the refusal of a request by its head alone, as far as the service would find nothing else wrong before it;
   * undefined: none.
   */
  readonly screen?: (context: RequestContext) => Refused | undefined;
}

/** The services at one path, by method. */
export type Methods = ReadonlyMap<string, Service>;

/** The part of a pino logger that the gateway uses. */
export interface GatewayLog {
  error(details: object, message: string): void;
}

/** The protocol that takes over connections of this port: WebSocket. */
export interface Upgrades {
  /** Whether something stands at a path that a connection can be upgraded at. */
  claims(path: string): boolean;
  /**
   * Takes a connection over, whose request is well-formed and asks for an upgrade at a path that is claimed, or refuses
   * it.
   */
  accept(request: NodeRequest, path: string, socket: Socket, head: Buffer, connection: Connection): void;
  /** The venue serves. */
  start(): void;
  /**
   * The served venue has ended: every connection is told the reason and closed. None may come in before `beginAnew` and
   * `start`.
   */
  turnOut(reason: string): void;
  /** Forgets all that was known of what was served, which is another one now. */
  beginAnew(): void;
  /** The venue stops: every connection is told so and closed. */
  goAway(): void;
  /** Closes what is still open, without a word. */
  cut(): void;
}

export interface HttpServerOptions {
  readonly router: Router;
  readonly log: GatewayLog;
  readonly limits?: Partial<HttpLimits>;
  readonly upgrades?: Upgrades;
  /** Whose word is taken for who a client is; nobody's unless given. */
  readonly proxies?: ProxyOptions;
  /**
   * Given, the listener serves only who asks for an address, localhost or one of these names, and sockets only to pages
   * of such an origin. For venues whose keys everybody can work out: a page in the browser of who runs one must not use
   * it.
   */
  readonly ownNames?: OwnNames | undefined;
  /** Answers people whose browser asks for a page where nothing stands; programs get the envelope. */
  readonly missingPage?: Service | undefined;
  /** The venue's clock, ms; the machine's unless given. */
  readonly now?: (() => number) | undefined;
  /** Asked for each request that has a service, at the venue's time: false answers it with 429. */
  readonly admit?: ((address: string, nowMs: number) => boolean) | undefined;
  /** The figures of the refusal of requests that are not admitted, for clients that ask why. */
  readonly admitFigures?: Figures | undefined;
  /** Counts bodies that were cut for want of room, and says how long their address waits; without, nobody does. */
  readonly stalls?: Failures | undefined;
  readonly onAnswer?: OnAnswer;
  /**
   * Why nothing can be served at the moment, as a sentence for who asks whether it is ready; undefined: nothing is
   * wrong.
   */
  readonly trouble?: (() => string | undefined) | undefined;
  /** Gives requests their names and hears what became of them; without, they have names and nobody hears. */
  readonly observer?: RequestObserver | undefined;
}

/**
 * Counts answers: the HTTP status, the envelope's code (NO_CODE when the answer is none), the path when something
 * stands at it, and ms from the head of the request to the answer.
 */
export type OnAnswer = (status: number, code: number, pattern: string | undefined, ms: number) => void;

export class HttpServer implements RequestHost {
  readonly #node: Server<typeof NodeRequest, typeof NodeResponse>;
  readonly #router: Router;
  readonly #log: GatewayLog;
  readonly #limits: HttpLimits;
  readonly #terms: ConnectionSettings;
  readonly #connections: Connections;
  readonly #bodies: UnfinishedBodies;
  readonly #upgrades: Upgrades | undefined;
  readonly #admit: ((address: string, nowMs: number) => boolean) | undefined;
  /** The venue's time, ms. */
  readonly now: () => number;
  readonly #trouble: (() => string | undefined) | undefined;
  readonly #tooMany: Refused;
  readonly #onAnswer: OnAnswer | undefined;
  readonly #ownNames: OwnNames | undefined;
  readonly #missingPage: Service | undefined;
  readonly #observer: RequestObserver;
  #phase: Phase = "starting";
  /** A Host header that was found to be ours: nearly all requests have the same. */
  #ownHost: string | undefined;

  constructor(options: HttpServerOptions) {
    this.#router = options.router;
    this.#log = options.log;
    this.#upgrades = options.upgrades;
    this.#admit = options.admit;
    this.now = options.now ?? Date.now;
    this.#tooMany = new Refused("address_rate_limited", undefined, undefined, options.admitFigures);
    this.#onAnswer = options.onAnswer;
    this.#trouble = options.trouble;
    this.#ownNames = options.ownNames;
    this.#missingPage = options.missingPage;
    this.#observer = options.observer ?? new NamingObserver();
    this.#limits = { ...HTTP_LIMITS, ...options.limits };
    const { renderer } = options.router;
    this.#terms = { limits: this.#limits, renderer, proxies: options.proxies ?? NO_PROXIES, observer: this.#observer };
    this.#connections = new Connections(this.#terms, (connection) => connection.fail(408, TOO_LATE));
    const { stalls } = options;
    this.#bodies = new UnfinishedBodies({
      bytesMax: this.#limits.unfinishedBodyBytesMax,
      screen: (context) => this.#screen(context),
      cut: (context) => {
        stalls?.note("body", context.remoteAddress);
        context.refuseAndHangUp(408, NO_ROOM);
      },
      waitOf: (context) => stalls?.waitOf("body", context.remoteAddress) ?? 0,
      hold: (context, waitMs) => context.hangUpAfter(waitMs, 408, NO_ROOM),
    });
    this.#node = this.#createNodeServer();
  }

  get stopping(): boolean {
    return this.#phase === "stopping";
  }

  /**
   * Starts to listen; port 0 takes a free one. Until `open` every request gets 503. `from` is a listener whose place is
   * taken without a gap: the connections that wait there come here, and it must not be closed.
   */
  async listen(host: string, port: number, from?: NetServer): Promise<{ host: string; port: number }> {
    await new Promise<void>((resolve, reject) => {
      this.#node.once("error", reject);
      this.#node.listen(from ?? { host, port }, () => {
        this.#node.off("error", reject);
        resolve();
      });
    });
    // Such as no more file descriptors to accept with: the connections that are open go on.
    this.#node.on("error", (error) => this.#log.error({ err: error }, "the HTTP listener failed to accept"));
    const address = this.#node.address() as AddressInfo;
    return { host: address.address, port: address.port };
  }

  /** Starts to listen at a path, where nothing may be. */
  async listenAt(path: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#node.once("error", reject);
      this.#node.listen({ path }, () => {
        this.#node.off("error", reject);
        resolve();
      });
    });
    this.#node.on("error", (error) => this.#log.error({ err: error }, "the HTTP listener failed to accept"));
  }

  /** From now on requests are served. */
  open(): void {
    this.#phase = "serving";
    this.#upgrades?.start();
  }

  /** Serves nothing and turns sockets out until `openAgain`; `reason` has at most 123 bytes. */
  hold(reason: string): void {
    this.#phase = "starting";
    this.#upgrades?.turnOut(reason);
  }

  /** Serves again what is another venue by now. */
  openAgain(): void {
    this.#upgrades?.beginAnew();
    this.open();
  }

  /** From now on requests are refused, except for health, and connections still taken: `drain` ends it. */
  turnAway(): void {
    this.#phase = "stopping";
  }

  /**
   * Takes no more connections, lets what runs finish, answers 503 to what still comes in on open connections, and
   * resolves when all are closed; after `deadlineMs` those that are left are cut.
   */
  async drain(deadlineMs: number): Promise<void> {
    this.#phase = "stopping";
    const closed = new Promise<void>((resolve) => this.#node.close(() => resolve()));
    this.#connections.endFastPaths();
    this.#upgrades?.goAway();
    const deadline = setTimeout(() => {
      this.#node.closeAllConnections();
      this.#connections.cutFastPaths();
      this.#upgrades?.cut();
    }, deadlineMs);
    await closed;
    clearTimeout(deadline);
    this.#connections.close();
  }

  reportFailure(context: RequestContext, error: unknown): string {
    const reference = randomBytes(6).toString("hex");
    this.#log.error(
      { reference, err: error, method: context.method, path: context.path },
      "a request failed unexpectedly",
    );
    return reference;
  }

  onAnswer(context: RequestContext, status: number, code: number, refused: Refused | undefined): string {
    const ms = performance.now() - context.startMs;
    this.#onAnswer?.(status, code, context.pattern, ms);
    return this.#observer.answered({ context, status, code, ms, refused });
  }

  get bodyBytesMax(): number {
    return this.#limits.bodyBytesMax;
  }

  admits({ remoteAddress, nowMs }: RequestContext): boolean {
    return this.#admit?.(remoteAddress, nowMs) !== false;
  }

  routeOf(path: string): Route {
    return this.#router.at(path);
  }

  /** Returns the service that answers a complete request: health, the service at its path, or a refusal. */
  serviceOf(context: RequestContext): Service {
    if (this.#answerHealth(context)) return ANSWERED;
    const service = this.#admitted(context);
    if (!(service instanceof Refused)) return service;
    const page = this.#missingPage;
    if (service === NOTHING_THERE && page !== undefined && isFromAddressBar(context)) return page;
    return service === this.#tooMany ? () => context.refuseUncounted(service) : () => context.refuse(service);
  }

  /** The service at the path of a request; every one counts against its address, whatever it asks for. */
  #admitted(context: RequestContext): Service | Refused {
    const { methods, pattern } = context.route;
    if (methods !== undefined) context.pattern = pattern;
    if (!context.isCounted && !this.admits(context)) return this.#tooMany;
    context.isCounted = true;
    if (methods === undefined) return NOTHING_THERE;
    return methods.get(context.method) ?? NO_SUCH_METHOD;
  }

  /** Looks at a request whose body is awaited; false when its head was enough to refuse it. */
  #screen(context: RequestContext): boolean {
    context.nowMs = this.now();
    const service = this.#admitted(context);
    const refused = service instanceof Refused ? service : service.screen?.(context);
    // Anyone who asks too much is not listened to for the sake of its answer.
    if (refused === this.#tooMany) context.refuseAndHangUp(context.route.renderer.render(refused).status, refused);
    else if (refused !== undefined) context.refuseEarly(refused);
    return refused === undefined;
  }

  refuseCrumbs(context: RequestContext): void {
    context.refuseAndHangUp(400, CRUMBS);
  }

  bodiesGrew(bytes: number): void {
    this.#bodies.grow(bytes);
  }

  refuseTooLarge(context: RequestContext): void {
    context.refuseAndClose(413, malformed(`The body is larger than ${this.bodyBytesMax} bytes.`));
  }

  #answerHealth(context: RequestContext): boolean {
    const health = context.method === "GET" ? healthAt(context.path, this.#phase, this.#trouble?.()) : undefined;
    if (health === undefined) return false;
    if (context.connection.checkHealth()) context.hangUpUncounted(this.#tooMany);
    else context.answer(health.text, health.status, NO_CODE);
    return true;
  }

  #createNodeServer(): Server<typeof NodeRequest, typeof NodeResponse> {
    const limits = this.#limits;
    const server = createServer({
      IncomingMessage: NodeRequest,
      ServerResponse: NodeResponse,
      maxHeaderSize: limits.headBytesMax,
      headersTimeout: limits.headTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: Math.ceil(Math.min(4_000, limits.headTimeoutMs, limits.requestTimeoutMs) / 4),
      // What is idle is found by a look at all connections; Node makes a timer for each answer.
      keepAliveTimeout: 0,
      insecureHTTPParser: false,
      // Checked here instead, where a second Host header is found too and the answer says what is wrong.
      requireHostHeader: false,
      noDelay: true,
      // Any other request to upgrade is served as if it had not asked, which RFC 9110 allows.
      shouldUpgradeCallback: (request) => this.#shouldUpgrade(request),
    });
    server.timeout = limits.stallTimeoutMs;
    // One more than allowed: some versions of Node refuse what is beyond, others drop it, and then the count shows it.
    server.maxHeadersCount = limits.headersMax + 1;
    // A client may close its sending side behind the request; the answer, which waits for the log, must still reach it.
    (server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
    this.#readPlainly(server);
    server.on("request", (request, response) => this.#receive(request, response, false));
    server.on("checkContinue", (request, response) => this.#receive(request, response, true));
    // RFC 9110 lets a server pass over an expectation that it does not know.
    server.on("checkExpectation", (request, response) => this.#receive(request, response, false));
    // This is no proxy. Without a listener Node would cut the connection without a word.
    server.on("connect", (_request, socket) =>
      connectionOf(socket as Socket, this.#terms).fail(400, malformed(NO_PROXY)),
    );
    server.on("upgrade", (request, socket: Socket, head: Buffer) => {
      const connection = connectionOf(socket, this.#terms);
      if (this.#ownNames !== undefined && !isOwnOrigin(request.headers.origin, this.#ownNames)) {
        connection.fail(403, OTHER_ORIGIN);
        return;
      }
      connection.upgrade();
      this.#upgrades?.accept(request, pathOf(request), socket, head, connection);
    });
    server.on("clientError", (error: NodeJS.ErrnoException, socket) => this.#onClientError(error, socket as Socket));
    return server;
  }

  /** Plain requests are read in a fast path of their own, before Node reads a connection. */
  #readPlainly(server: NetServer): void {
    const { bodyBytesMax, headBytesMax, headersMax, keepAliveTimeoutMs } = this.#limits;
    const readByNode = server.listeners("connection");
    server.removeAllListeners("connection");
    const fastPath: FastPathOptions = {
      bounds: { bodyBytesMax, headBytesMax, headersMax },
      keepAliveMs: keepAliveTimeoutMs,
      begin: (connection, request, body, response) => {
        const context = new RequestContext(this, connection, request, response);
        context.takeWhole(body);
        return this.#begin(context) ? context : undefined;
      },
      handOver: (socket) => {
        connectionOf(socket, this.#terms).readBy(undefined);
        for (const read of readByNode) read.call(server, socket);
      },
    };
    // Who reads it says when.
    (server as { pauseOnConnect?: boolean }).pauseOnConnect = true;
    server.on("connection", (accepted) => {
      ownErrors(accepted);
      const sender = this.#connections.admit(accepted);
      if (sender === undefined) return;
      const reading = new Reading(accepted, sender.share);
      if (reading.socket !== accepted) ownErrors(reading.socket);
      const connection = this.#connections.take(reading.socket, sender);
      connection.readFrom(reading);
      connection.readBy(new FastPath(reading, connection, fastPath));
    });
  }

  /** Answers requests that Node could not read as HTTP or that did not come in time, and destroys broken sockets. */
  #onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
    const status = error.code === undefined ? undefined : STATUS_OF_ERROR[error.code];
    if (status === undefined && !error.code?.startsWith("HPE_")) {
      socket.destroy();
      return;
    }
    const message = MESSAGE_OF_STATUS[status ?? 400] as string;
    connectionOf(socket, this.#terms).fail(status ?? 400, malformed(message));
  }

  /**
   * Whether a request is a sound upgrade to a socket at a claimed path. Any other request is served, and refused, as
   * over HTTP.
   */
  #shouldUpgrade(request: NodeRequest): boolean {
    const { headers, httpVersion } = request;
    if (this.#phase !== "serving" || headers.upgrade?.toLowerCase() !== "websocket") return false;
    // HTTP/1.0 knows no upgrade, and what follows a head with a body is that body, not yet the other protocol (RFC
    // 9110, 7.8).
    const hasBody = (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;
    if (httpVersion === "1.0" || hasBody) return false;
    if (faultOf(request, this.#limits) !== undefined || !this.#isForUs(request)) return false;
    return this.#upgrades?.claims(pathOf(request)) === true;
  }

  #isForUs(request: RequestHead): boolean {
    const host = request.header("host");
    if (this.#ownNames === undefined || (host !== undefined && host === this.#ownHost)) return true;
    const isOurs = isOwnHost(host, ...this.#ownNames);
    if (isOurs) this.#ownHost = host;
    return isOurs;
  }

  /** The head of a request has come; false when it was refused by what holds of all of them. */
  #begin(context: RequestContext): boolean {
    const { connection, request, response } = context;
    connection.hear(response);
    if (this.#phase !== "serving") {
      connection.giveUpAfterAnswer();
      response.shouldKeepAlive = false;
      if (!this.#answerHealth(context)) context.refuseAndClose(503, this.#phase);
      return false;
    }
    const isForUs = this.#isForUs(request);
    if (!isForUs) context.refuseAndClose(MISDIRECTED, OTHER_HOST);
    return isForUs;
  }

  /** `asksFirst`: the client waits with its body until it is told to go on. */
  #receive(request: NodeRequest, response: NodeResponse, asksFirst: boolean): void {
    const connection = connectionOf(request.socket, this.#terms);
    if (connection.givenUp) return;
    response.promiseToStay(this.#limits.keepAliveTimeoutMs);
    const context = new RequestContext(this, connection, request, response);
    const fault = this.#phase === "serving" ? faultOf(request, this.#limits) : undefined;
    if (fault !== undefined) {
      connection.hear(response);
      context.refuseAndClose(fault.status, malformed(fault.message));
      return;
    }
    if (!this.#begin(context)) return;
    const { headers } = request;
    // An offer to speak something else is passed over. Node throws away what came in one piece behind it, and what
    // would then be taken for the next request is the rest of a torn one: so there is no next request.
    if (headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const length = headers["content-length"];
    const isChunked = headers["transfer-encoding"] !== undefined;
    const announced = isChunked ? announcedBehindHead(request) : Number(length ?? 0);
    if (announced > this.bodyBytesMax) {
      this.refuseTooLarge(context);
      return;
    }
    if (asksFirst) {
      if (!this.#screen(context)) return;
      response.writeContinue();
    }
    if (length === undefined && !isChunked) {
      connection.take(context);
    } else {
      request.context = context;
      connection.awaitBody(context);
      this.#bodies.begin(context);
    }
  }
}

/** Only browsers name HTML among what they take, and only where somebody goes to an address. */
function isFromAddressBar(context: RequestContext): boolean {
  const { method } = context;
  return (method === "GET" || method === "HEAD") && /\btext\/html\b/.test(context.header("accept") ?? "");
}

function pathOf(request: NodeRequest): string {
  const [path] = (request.url as string).split("?", 1);
  return path as string;
}

const ANSWERED: Service = () => {};
const NOTHING_THERE = new Refused("path_not_found");
const NO_SUCH_METHOD = new Refused("method_not_allowed");
const TOO_LATE = malformed("The request did not come whole in time.");
const NO_ROOM = malformed(
  "The request did not come whole in time: too many others are coming, and it was among the slowest.",
);
const OTHER_HOST = new Refused(
  "origin_not_allowed",
  "The Host header must be an IP address, localhost, or the name that host or web-origin sets: the keys of this " +
    "venue are known to everybody.",
);
const OTHER_ORIGIN = new Refused(
  "origin_not_allowed",
  "The Origin header must name an IP address, localhost, or the name that host or web-origin sets: the keys of " +
    "this venue are known to everybody.",
);
/** RFC 9110, 15.5.20. */
const MISDIRECTED = 421;
const CRUMBS = malformed("The body comes in pieces that are too small.");
const NO_PROXY = "This is no proxy: the request target must be a path.";

const STATUS_OF_ERROR: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

const MESSAGE_OF_STATUS: Readonly<Record<number, string>> = {
  400: "This is no well-formed HTTP request.",
  408: "The request did not come whole in time.",
  431: "The request line and the headers together are too large.",
};
