/**
 * The operator's interface: a listener of its own, where every call carries the token of the data directory. Same envelope
 * as the API; without the right token HTTP 401 and code 4005.
 */
import type { Failures } from "../auth/failures.ts";
import { successText } from "../current/envelope.ts";
import { CurrentVoice, type Statuses } from "../current/voice.ts";
import type { Exchange } from "../http/exchange.ts";
import { type GatewayLog, HttpServer, type OnAnswer, type Service } from "../http/server.ts";
import { type Surface, siteOf } from "../http/site.ts";
import { ADMIN_CALLS, REFUSAL_ROWS } from "../parts.ts";
import { Refused } from "../refused.ts";
import { parseJsonBody } from "../request/json-body.ts";
import { readPairs } from "../request/pairs.ts";
import type { AdminVenue } from "./backend.ts";
import { type AdminAnswer, type AdminCall, FIELD_IN_PATH, mayCall } from "./call.ts";
import { type Names, readValues, unknownNames } from "./field.ts";
import { type Guard, type OperatorService, operatorGuard } from "./operator-guard.ts";

/** A few tools and a scraper; also what bounds the commands that an operator's side can have under way. */
const CONNECTIONS_MAX = 256;

/** A connection that has not shown the token is cut after this, and before it when the place is needed. */
const GUEST_MS = 3_000;

export interface AdminServerOptions {
  readonly backend: AdminVenue;
  /** The name by which the listener may be asked, besides addresses and localhost. */
  readonly host?: string;
  readonly log: GatewayLog;
  readonly failures: Failures;
  /** Counts answers, see HttpServerOptions. */
  readonly onAnswer?: OnAnswer;
}

/** The listener, not listening yet. */
export function createAdminServer({ backend, log, onAnswer, host, failures }: AdminServerOptions): HttpServer {
  const site = siteOf([adminSurface(backend, operatorGuard({ venue: backend, host, failures }))]);
  const limits = { connectionsMax: CONNECTIONS_MAX, guestMs: GUEST_MS };
  return new HttpServer({ site, log, limits, ...(onAnswer === undefined ? {} : { onAnswer }) });
}

/** The operator's surface: every call, and `/metrics`, which answers text. */
function adminSurface(backend: AdminVenue, guard: Guard): Surface {
  const paths = new Map<string, Map<string, Service>>();
  const enter = (path: string, method: string, service: OperatorService) => {
    const methods = paths.get(path) ?? new Map<string, Service>();
    paths.set(path, methods.set(method, guard(service)));
  };
  for (const call of ADMIN_CALLS) enter(patternOf(call), call.method, serviceOf(backend, call));
  enter("/metrics", "GET", (exchange) => exchange.answerContent(METRICS_HEADERS, backend.metrics()));
  return { base: "", voice: new CurrentVoice(REFUSAL_ROWS, STATUSES), routes: paths };
}

const STATUSES: Statuses = { access_id_missing: 401, access_id_unknown: 401 };

const METRICS_HEADERS = ["Content-Type", "text/plain; version=0.0.4; charset=utf-8", "Cache-Control", "no-store"];

function serviceOf(backend: AdminVenue, call: AdminCall): OperatorService {
  const { users } = backend.state;
  const names: Names = { userIdOf: (name) => users.byName.get(name) };
  return (exchange, asker) => {
    const body = bodyOf(call, exchange);
    const values = body instanceof Refused ? body : readValues(call.fields, body, names);
    if (values instanceof Refused) {
      exchange.refuse(values);
      return;
    }
    if (!mayCall(asker, call, values)) {
      exchange.refuse(
        new Refused("permission_missing", `The role ${asker.role} of ${asker.name} does not allow this.`),
      );
      return;
    }
    const ignored = unknownNames(call.fields, body as Record<string, unknown>);
    const answer = (answered: AdminAnswer) => {
      if (answered instanceof Refused) exchange.refuse(answered);
      // A misspelt field would otherwise look as if it had been taken.
      else exchange.answerUncached(successText(ignored.length === 0 ? answered : { ...answered, ignored }));
    };
    const answered = call.serve({ ...backend, operator: asker }, values as never);
    if (answered instanceof Promise) answered.then(answer).catch((error: unknown) => exchange.fail(error));
    else answer(answered);
  };
}

/** The fields of the body, or of the query where there is none, and the one that stands in the path. */
function bodyOf(call: AdminCall, exchange: Exchange): Record<string, unknown> | Refused {
  const body = call.method === "POST" ? parseJsonBody(exchange.body) : queryOf(call, exchange.query);
  return body instanceof Refused ? body : { ...body, ...exchange.pathParameters };
}

/** A query has only texts. Names that no field has are passed over, so that none of them can reach a prototype. */
function queryOf({ fields }: AdminCall, query: string): Record<string, unknown> | Refused {
  const values: Record<string, unknown> = {};
  const malformed = readPairs(query, (name, value) => {
    if (!Object.hasOwn(fields, name)) return;
    const isFlag = fields[name]?.form.shape === "flag" && (value === "true" || value === "false");
    values[name] = isFlag ? value === "true" : value;
  });
  return malformed ?? values;
}

/** `/admin/users/USER_ID` → `/admin/users/{user_id}`, by the name of the first field. */
function patternOf({ path, fields }: AdminCall): string {
  return path.replace(FIELD_IN_PATH, () => `{${Object.keys(fields)[0]}}`);
}
