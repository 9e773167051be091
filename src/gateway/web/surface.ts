/**
 * The surface `/web`: signing in from a page, and what a person administers there. docs/reference/web-sessions.md is
 * the agreement.
 */
import { isFrozen } from "../../engine/accounts/freeze.ts";
import { isConfirmed, type Session } from "../../engine/identity/identities.ts";
import { readValues } from "../admin/field.ts";
import { cookieNameFor, SESSION_COOKIE, SIGN_UP_COOKIE } from "../auth/web-sessions.ts";
import { successText } from "../envelope/envelope.ts";
import { EnvelopeRenderer, type Statuses } from "../envelope/renderer.ts";
import { hostNameOf, isOwnHost } from "../http/own-host.ts";
import { behindBarrier, type ReadBarrier } from "../http/read-barrier.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { Surface } from "../http/router.ts";
import type { Service } from "../http/server.ts";
import type { AllRefusalRows } from "../refusal-rows.ts";
import { Refused } from "../refused.ts";
import { parseJsonBody } from "../request/json-body.ts";
import { pipeline, REFUSED } from "../request/pipeline.ts";
import type { Asker, WebAnswer, WebCall, WebVenue } from "./call.ts";

export interface WebSurfaceOptions {
  /** The barrier that every call waits for, where several nodes serve. */
  readonly readBarrier?: ReadBarrier | undefined;
  readonly venue: WebVenue;
  readonly calls: readonly WebCall[];
  readonly rows: AllRefusalRows;
  /** The name that the API listens at. */
  readonly host: string;
}

const BASE = "/web";
const STATUSES: Statuses = { too_many_attempts: 429 };
const AGENT_CHARS_MAX = 120;
/** A browser forgets a cookie when what it is for is over at the latest: the session, and the link in a mail. */
const SESSION_SECONDS = 30 * 86_400;
const SIGN_UP_SECONDS = 86_400;

/** A refusal by its name, so that a page need not read sentences. */
class WebRenderer extends EnvelopeRenderer {
  protected override dataOf({ refusal }: Refused): string {
    return JSON.stringify({ reason: refusal });
  }
}

export function webSurface(options: WebSurfaceOptions): Surface {
  const routes = new Map<string, Map<string, Service>>();
  for (const call of options.calls) {
    const methods = routes.get(call.path) ?? new Map<string, Service>();
    routes.set(call.path, methods.set(call.method, behindBarrier(serviceOf(call, options), options.readBarrier)));
  }
  return { base: BASE, renderer: new WebRenderer(options.rows, STATUSES), routes };
}

const OTHER_HOST = new Refused(
  "origin_not_allowed",
  "The Host header must be an IP address, localhost, or the name that host or web-origin sets.",
);

/**
 * The order of checks: host, page, session, header, body, fields, confirmation, and then what the call itself refuses.
 */
function serviceOf(call: WebCall, options: WebSurfaceOptions): Service {
  const { venue } = options;
  return pipeline<RequestContext, Visitor, Admitted, Admitted, WebAnswer | Refused>({
    caller: (context) => {
      const visitor = visitorOf(call, options, context);
      if (!(visitor instanceof Refused)) return visitor;
      context.refuse(visitor);
      return REFUSED;
    },
    params: (context, visitor) => admitted(call, options, context, visitor),
    call: (_, __, admitted) => admitted,
    handler: ({ asker, fields }) => call.serve(venue, asker, fields as never),
    answer: (context, said, { asker }) => {
      if (said instanceof Refused) {
        context.refuse(said);
        return;
      }
      const { data, cookie, signUpCookie } = said;
      const session = cookieLine(SESSION_COOKIE, cookie, SESSION_SECONDS, asker);
      context.carry(session + cookieLine(SIGN_UP_COOKIE, signUpCookie, SIGN_UP_SECONDS, asker));
      context.answerUncached(successText(data));
    },
  });
}

/** Whose browser asks; signed in or not. */
interface Visitor {
  readonly session: Session | undefined;
}

/** How the browser speaks to the venue. */
interface Line {
  /** It is known to be over TLS. */
  readonly isHttps: boolean;
  /** Cookies go over TLS alone, or to the machine itself. */
  readonly isSecure: boolean;
}

interface Admitted {
  readonly asker: Asker & Line;
  readonly fields: object;
}

function visitorOf(call: WebCall, { venue, host }: WebSurfaceOptions, context: RequestContext): Visitor | Refused {
  const { sessions, origin, backend, profile } = venue;
  // A sample account asks for no password, so a name that a stranger's page has made lead here must not reach it.
  const ownName = origin === undefined ? undefined : hostNameOf(new URL(origin).host);
  if (profile === "dev" && !isOwnHost(context.header("host"), host, ownName)) return OTHER_HOST;
  if (!sessions.isFromOwnPage(context)) return new Refused("origin_not_allowed");
  const session = sessions.sessionOf(context, context.nowMs);
  if (call.needs !== "nobody") {
    if (session === undefined) return new Refused("session_unknown");
    context.userId = session.userId;
    if (isFrozen(backend.state, session.userId) && call.path !== SIGN_OUT) return new Refused("account_frozen");
    const foreign = call.method === "GET" ? undefined : sessions.refuseForeign(context);
    if (foreign !== undefined) return foreign;
  }
  return { session };
}

function admitted(
  call: WebCall,
  { venue, host }: WebSurfaceOptions,
  context: RequestContext,
  { session }: Visitor,
): Admitted | Refused {
  const { sessions, origin, profile } = venue;
  const { nowMs } = context;
  const body = call.method === "GET" || context.body.length === 0 ? {} : parseJsonBody(context.body);
  if (body instanceof Refused) return body;
  const fields = readValues(call.fields, { ...body, ...context.pathParameters }, NO_NAMES);
  if (fields instanceof Refused) return fields;
  if (call.needs === "confirmed" && session !== undefined && !isConfirmed(session, nowMs)) {
    return new Refused("confirmation_needed");
  }
  if (session !== undefined) sessions.touch(session, nowMs);
  const isHttps = sessions.isHttps(context);
  const isSecure = profile === "production" || isHttps;
  const ownOrigin = origin ?? `${isSecure ? "https" : "http"}://${context.header("host") ?? host}`;
  const agent = (context.header("user-agent") ?? "").replaceAll(/[^\x20-\x7e]/g, "").slice(0, AGENT_CHARS_MAX);
  const asker = {
    address: context.remoteAddress,
    agent,
    origin: ownOrigin,
    session,
    token: sessions.tokenIn(context),
    signUpToken: sessions.tokenIn(context, SIGN_UP_COOKIE),
    isHttps,
    isSecure,
  };
  return { asker, fields };
}

const SIGN_OUT = `${BASE}/sign-out`;
const NO_NAMES = { userIdOf: () => undefined };

/** `value` holds only letters, digits, - and _; null takes the cookie back, undefined leaves it alone. */
function cookieLine(name: string, value: string | null | undefined, seconds: number, line: Line): string {
  if (value === undefined) return "";
  const life = value === null ? 0 : seconds;
  const secure = line.isSecure ? "; Secure" : "";
  return (
    `Set-Cookie: ${cookieNameFor(name, line.isHttps)}=${value ?? ""}; Max-Age=${life}; Path=/; HttpOnly; ` +
    `SameSite=Strict${secure}\r\n`
  );
}
