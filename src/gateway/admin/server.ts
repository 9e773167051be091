/**
 * The operator's interface: a listener of its own, where every call carries the token of an operator, or his session at
 * the console. Same envelope as the API; without the right token HTTP 401 and code 4005.
 */
import type { Failures } from "../auth/failures.ts";
import { Tickets } from "../auth/tickets.ts";
import { successText } from "../envelope/envelope.ts";
import { EnvelopeRenderer, type Statuses } from "../envelope/renderer.ts";
import { NO_PROXIES, type ProxyOptions } from "../http/proxies.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { RequestObserver } from "../http/request-observer.ts";
import { type Routes, routerOf, type Surface } from "../http/router.ts";
import { type GatewayLog, HttpServer, type OnAnswer, type Service } from "../http/server.ts";
import type { AllRefusalRows } from "../refusal-rows.ts";
import { invalidParameter, Refused } from "../refused.ts";
import { parseJsonBody } from "../request/json-body.ts";
import { pipeline, type REFUSED } from "../request/pipeline.ts";
import { answerOf, queryOf } from "./answer.ts";
import type { AdminVenue, Asker } from "./backend.ts";
import { type AdminAnswer, type AdminCall, FIELD_IN_PATH } from "./call.ts";
import { describedFor } from "./described.ts";
import { behind, operatorGuard } from "./operator-guard.ts";
import { OperatorSessions } from "./operator-sessions.ts";
import { passkeyServices } from "./passkey-services.ts";
import { ownPage, sessionServices } from "./session-services.ts";

/** A few tools and a scraper; also what bounds the commands that an operator's side can have under way. */
const CONNECTIONS_MAX = 256;

/** A connection that has not shown the token is cut after this, and before it when the place is needed. */
const GUEST_MS = 3_000;

/**
 * A month of a virtual clock is lived in about a minute, a year on a busy machine in a quarter of an hour: until then
 * nothing is answered.
 */
const STALL_MS = 1_800_000;

export interface AdminServerOptions {
  readonly backend: AdminVenue;
  /** The calls that operators may make. */
  readonly calls: readonly AdminCall[];
  /** The codes and messages of refusals. */
  readonly rows: AllRefusalRows;
  /** The name by which the listener may be asked, besides addresses and localhost. */
  readonly host?: string;
  readonly log: GatewayLog;
  /** Proxies with TLS in front of it. */
  readonly proxies?: ProxyOptions;
  readonly failures: Failures;
  /**
   * The tickets with which passkeys are asked for; shared by the listeners of a venue, so that an answer counts at one
   * of them only.
   */
  readonly tickets?: Tickets;
  /** The console, and whatever else is the same for everybody. */
  readonly pages?: Routes | undefined;
  /** Counts answers, see HttpServerOptions. */
  readonly onAnswer?: OnAnswer;
  readonly observer?: RequestObserver | undefined;
}

/** The listener, not listening yet. */
export function createAdminServer(options: AdminServerOptions): HttpServer {
  const { log, onAnswer, observer, proxies = NO_PROXIES } = options;
  const router = routerOf([adminSurface(options)]);
  const limits = { connectionsMax: CONNECTIONS_MAX, guestMs: GUEST_MS, stallTimeoutMs: STALL_MS };
  return new HttpServer({ router, log, limits, proxies, observer, ...(onAnswer === undefined ? {} : { onAnswer }) });
}

/** The operator's surface: every call, figures as text, the console and who sits at it. */
function adminSurface({
  backend,
  calls,
  rows,
  host,
  failures,
  tickets = new Tickets(backend.vault),
  pages = new Map(),
}: AdminServerOptions): Surface {
  const sessions = new OperatorSessions(backend);
  const asker = operatorGuard({ venue: backend, host, failures, sessions });
  const paths = new Map<string, Map<string, Service>>();
  const enter = (path: string, method: string, service: Service) => {
    const methods = paths.get(path) ?? new Map<string, Service>();
    paths.set(path, methods.set(method, service));
  };
  const own = ownPage(host);
  const slowly = (context: RequestContext, refused: Refused) =>
    context.refuseAfter(failures.note("token", context.remoteAddress), refused);
  for (const call of calls) {
    const service = call.isOpen
      ? // For anyone who asks from this listener's own page or from none, and is slowed when he is refused.
        own(serviceOf(backend, call, () => NOBODY, slowly))
      : serviceOf(backend, call, asker);
    enter(patternOf(call), call.method, service);
  }
  // Below /admin, too, as the cookie of the console is sent there only.
  for (const path of ["/metrics", "/admin/metrics"]) {
    enter(
      path,
      "GET",
      behind(asker, (context) => context.answerContent(METRICS_HEADERS, backend.metrics())),
    );
  }
  const described = behind(asker, (context, one) => context.answerUncached(successText(describedFor(one, calls))));
  enter("/admin/calls", "GET", described);
  const signingIn = { venue: backend, sessions, failures, host };
  for (const [path, method, service] of passkeyServices({ ...signingIn, tickets })) enter(path, method, service);
  const session = sessionServices(signingIn);
  const routes = new Map([...pages, ...paths, ["/admin/session", session] as const]);
  return { base: "", renderer: new EnvelopeRenderer(rows, STATUSES), routes };
}

const STATUSES: Statuses = { access_id_missing: 401, access_id_unknown: 401, session_unknown: 401 };

const METRICS_HEADERS = ["Content-Type", "text/plain; version=0.0.4; charset=utf-8", "Cache-Control", "no-store"];

type Fields = Record<string, unknown>;

interface Asked {
  readonly operator: Asker;
  readonly fields: Fields;
}

/** A call of an operator; `asker` says who that is, and `refuse` how he is told what the call has against it. */
function serviceOf(
  backend: AdminVenue,
  call: AdminCall,
  asker: (context: RequestContext) => Asker | typeof REFUSED,
  refuse = (context: RequestContext, refused: Refused) => context.refuse(refused),
): Service {
  return pipeline<RequestContext, Asker, Fields, Asked, AdminAnswer>({
    caller: asker,
    params: (context) => bodyOf(call, context),
    call: (_, operator, fields) => ({ operator, fields }),
    handler: ({ operator, fields }) => answerOf({ ...backend, operator }, call, fields),
    answer: (context, said) => {
      if (said instanceof Refused) refuse(context, said);
      else context.answerUncached(successText(said));
    },
  });
}

const NOBODY: Asker = { name: "nobody", role: "viewer" };

/**
 * The fields of the body, or of the query where there is none, and the one that stands in the path. What stands
 * elsewhere would be lost.
 */
function bodyOf(call: AdminCall, context: RequestContext): Record<string, unknown> | Refused {
  const isPost = call.method === "POST";
  if (isPost && context.query !== "") {
    return invalidParameter(
      "the fields of this call stand in its body, as a JSON object, and not behind a question mark.",
    );
  }
  if (!isPost && context.body.length > 0) {
    const object = parseJsonBody(context.body);
    if (object instanceof Refused) return object;
    if (Object.keys(object).length > 0) {
      return invalidParameter(
        "the fields of this call stand behind a question mark in its address, and not in a body.",
      );
    }
  }
  const body = isPost ? parseJsonBody(context.body) : queryOf(call, context.query);
  return body instanceof Refused ? body : { ...body, ...context.pathParameters };
}

/** `/admin/users/USER_ID` → `/admin/users/{user_id}`, by the name of the first field. */
function patternOf({ path, fields }: AdminCall): string {
  return path.replace(FIELD_IN_PATH, () => `{${Object.keys(fields)[0]}}`);
}
