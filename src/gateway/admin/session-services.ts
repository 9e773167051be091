/** Signing in to the console, and out of it: what stands at `/admin/session`. */
import { isInForce } from "../../engine/operators/authority.ts";
import { callBounds } from "../../engine/operators/four-eyes.ts";
import type { Failures } from "../auth/failures.ts";
import { isFromOwnPage } from "../auth/own-page.ts";
import { cookieNameFor, tokenHashOf } from "../auth/web-sessions.ts";
import { successText } from "../envelope/envelope.ts";
import { isOwnHost } from "../http/own-host.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { Methods, Service } from "../http/server.ts";
import { invalidParameter, Refused } from "../refused.ts";
import { parseJsonBody } from "../request/json-body.ts";
import type { AdminVenue } from "./backend.ts";
import { flag, optional, readValues, text } from "./field.ts";
import { operatorBehind } from "./known-operators.ts";
import { MISDIRECTED, OTHER_HOST } from "./operator-guard.ts";
import { isHttps, OPERATOR_COOKIE, type OperatorSessions, type SignedInOperator } from "./operator-sessions.ts";

export interface SessionServiceOptions {
  readonly venue: AdminVenue;
  readonly sessions: OperatorSessions;
  readonly failures: Failures;
  /** The name by which the listener may be asked, besides addresses and localhost. */
  readonly host: string | undefined;
}

const FIELDS = {
  token: optional(text("TOKEN", 1, 256), "the operator's token"),
  one_click: optional(flag, "true signs in as root without one, where anybody on the machine could work the token out"),
};
const NO_NAMES = { userIdOf: () => undefined };
const TOKEN_UNKNOWN = new Refused("access_id_unknown", "No operator has this token.");
const FOREIGN = new Refused("origin_not_allowed");

export function sessionServices({ venue, sessions, failures, host }: SessionServiceOptions): Methods {
  const signIn = (context: RequestContext) => {
    const body = parseJsonBody(context.body);
    const values = body instanceof Refused ? body : readValues(FIELDS, body, NO_NAMES);
    if (values instanceof Refused) {
      context.refuse(values);
      return;
    }
    const isOneClick = values.one_click === true && venue.isRootOpen?.() === true;
    const token = isOneClick ? venue.rootToken.current : values.token;
    if (token === undefined) {
      context.refuse(invalidParameter("token is required."));
      return;
    }
    const tokenHash = tokenHashOf(token);
    if (operatorBehind(venue, tokenHash) === undefined) {
      context.refuseAfter(failures.note("token", context.remoteAddress), TOKEN_UNKNOWN);
      return;
    }
    beginSession({ venue, sessions }, context, tokenHash);
  };
  const signOut = (context: RequestContext) => {
    const asker = sessions.askerOf(context);
    if (asker instanceof Refused) {
      context.refuse(asker);
      return;
    }
    sessions.end(context);
    answer(venue, context, undefined, null);
  };
  const own = ownPage(host);
  return new Map([
    ["GET", own((context) => answer(venue, context, sessions.operatorOf(context)))],
    ["POST", own(signIn)],
    ["DELETE", own(signOut)],
  ]);
}

/** Nobody's page but that of this listener learns or changes anything here. */
export function ownPage(host: string | undefined): (service: Service) => Service {
  return (service) => (context) => {
    if (!isOwnHost(context.header("host"), host)) context.refuseAndClose(MISDIRECTED, OTHER_HOST);
    else if (!isFromOwnPage(context)) context.refuse(FOREIGN);
    else service(context);
  };
}

/** Signs in who has proved to have this token, or a passkey in its place, and answers. */
export function beginSession(
  { venue, sessions }: Pick<SessionServiceOptions, "venue" | "sessions">,
  context: RequestContext,
  tokenHash: string,
  credentialId?: string,
): void {
  sessions.end(context);
  context.connection.vouch();
  const cookie = sessions.begin(tokenHash, credentialId);
  answer(venue, context, sessions.behind(cookie), cookie);
}

/** Tells who is signed in, with the cookie that goes along: a new one's value, null to take it back. */
function answer(
  venue: AdminVenue,
  context: RequestContext,
  operator: SignedInOperator | undefined,
  cookie?: string | null,
): void {
  if (cookie !== undefined) context.carry(cookieLine(cookie, context));
  context.answerUncached(successText(dataOf(venue, operator)));
}

function dataOf(venue: AdminVenue, operator: SignedInOperator | undefined): object {
  // Whose state hash nobody asks for here, and nobody waits for.
  const status = venue.status();
  const { clock } = venue;
  return {
    profile: status.profile,
    version: operator === undefined ? null : status.version,
    one_click: venue.isRootOpen?.() === true,
    csrf: operator?.csrf ?? null,
    ends_in_ms: operator === undefined ? null : Math.round(operator.leftMs),
    operator: operator === undefined ? null : { name: operator.name, role: operator.role },
    time_ms: operator === undefined ? null : status.timeMs,
    uptime_ms: operator === undefined ? null : status.uptimeMs,
    clock:
      operator === undefined ? null : ((clock && { frozen: clock.state.frozen, speed: clock.state.speed }) ?? null),
    four_eyes: operator === undefined ? {} : Object.fromEntries(callBounds(venue.state)),
    changes_take_two: operator !== undefined && isInForce(venue.state),
  };
}

/**
 * Without TLS only what lies below `/admin` is sent the cookie: cookies know no ports, and the API's listener may be at
 * the same host. With it a name of its own is the rule, and the beginning of the cookie's name, which goes with no
 * other path.
 */
function cookieLine(value: string | null, context: RequestContext): string {
  const name = cookieNameFor(OPERATOR_COOKIE, isHttps(context));
  const place = isHttps(context) ? "Path=/; Secure" : "Path=/admin";
  const gone = value === null ? "; Max-Age=0" : "";
  return `Set-Cookie: ${name}=${value ?? ""}${gone}; ${place}; HttpOnly; SameSite=Strict\r\n`;
}
