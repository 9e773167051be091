/**
 * The operator's interface: a listener of its own, where every call carries the token of the data directory. Same envelope
 * as the API; without the right token HTTP 401 and code 4005.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { ROOT } from "../../engine/operators/commands.ts";
import { successText } from "../current/envelope.ts";
import { CurrentVoice, type Statuses } from "../current/voice.ts";
import type { Exchange } from "../http/exchange.ts";
import { type GatewayLog, HttpServer, type OnAnswer, type Service } from "../http/server.ts";
import { type Surface, siteOf } from "../http/site.ts";
import { ADMIN_CALLS, REFUSAL_ROWS } from "../parts.ts";
import { Refused } from "../refused.ts";
import { parseJsonBody } from "../request/json-body.ts";
import { readPairs } from "../request/pairs.ts";
import type { AdminVenue, Asker } from "./backend.ts";
import { type AdminAnswer, type AdminCall, mayCall } from "./call.ts";
import { type Names, readValues, unknownNames } from "./field.ts";

/** A few tools and a scraper; also what bounds the commands that an operator's side can have under way. */
const CONNECTIONS_MAX = 256;

export interface AdminServerOptions {
  readonly backend: AdminVenue;
  readonly log: GatewayLog;
  /** Counts answers, see HttpServerOptions. */
  readonly onAnswer?: OnAnswer;
}

/** The listener, not listening yet. */
export function createAdminServer({ backend, log, onAnswer }: AdminServerOptions): HttpServer {
  const site = siteOf([adminSurface(backend, operatorGuard(backend))]);
  const limits = { connectionsMax: CONNECTIONS_MAX };
  return new HttpServer({ site, log, limits, ...(onAnswer === undefined ? {} : { onAnswer }) });
}

const TOKEN_MISSING = new Refused(
  "access_id_missing",
  "The header Authorization must be Bearer and the token of the venue.",
);
const TOKEN_UNKNOWN = new Refused(
  "access_id_unknown",
  "The token in the header Authorization is not that of the venue.",
);

/** Serves a request of an operator. */
type OperatorService = (exchange: Exchange, asker: Asker) => void;
type Guard = (service: OperatorService) => Service;

/** Lets a request through to a service only with the token of an operator. */
function operatorGuard({ state, rootToken }: AdminVenue): Guard {
  return (service) => (exchange) => {
    const sent = /^Bearer +(\S+)$/i.exec(exchange.header("authorization") ?? "")?.[1];
    if (sent === undefined) {
      exchange.refuse(TOKEN_MISSING);
      return;
    }
    const hash = digest(sent);
    // Hashes have one length, so the comparison takes the same time whatever was sent; nobody can aim at one by its beginning.
    const isRoot = timingSafeEqual(hash, digest(rootToken.current));
    const asker = isRoot ? ROOT_ASKER : state.operators.byTokenHash.get(hash.toString("hex"));
    if (asker === undefined) exchange.refuse(TOKEN_UNKNOWN);
    else service(exchange, { name: asker.name, role: asker.role });
  };
}

const ROOT_ASKER: Asker = { name: ROOT, role: "admin" };

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
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
  return path.replace(/[A-Z_]+$/, () => `{${Object.keys(fields)[0]}}`);
}
