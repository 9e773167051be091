/**
 * Who may use the operator's listener: anyone who has a token or a session, and asks for a host that no stranger's page
 * can stand for.
 */
import type { Failures } from "../auth/failures.ts";
import { tokenHashOf } from "../auth/web-sessions.ts";
import { isOwnHost } from "../http/own-host.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { Service } from "../http/server.ts";
import { Refused } from "../refused.ts";
import { REFUSED } from "../request/pipeline.ts";
import type { AdminVenue, Asker } from "./backend.ts";
import { operatorBehind } from "./known-operators.ts";
import { isOfConsole, type OperatorSessions } from "./operator-sessions.ts";

const TOKEN_MISSING = new Refused(
  "access_id_missing",
  "The header Authorization must be Bearer and the token of the venue.",
);
const TOKEN_UNKNOWN = new Refused(
  "access_id_unknown",
  "The token in the header Authorization is not that of the venue.",
);
export const OTHER_HOST = new Refused(
  "request_malformed",
  "The Host header must be an IP address, localhost or the name that admin-host sets.",
);
/** RFC 9110, 15.5.20. */
export const MISDIRECTED = 421;

/** The operator who asks; REFUSED when he has been refused. */
export type Guard = (context: RequestContext) => Asker | typeof REFUSED;

/** Passes a request on to a service that answers by itself. */
export function behind(guard: Guard, service: (context: RequestContext, asker: Asker) => void): Service {
  return (context) => {
    const asker = guard(context);
    if (asker !== REFUSED) service(context, asker);
  };
}

export interface OperatorGuardOptions {
  readonly venue: Pick<AdminVenue, "state" | "rootToken">;
  /** The name by which the listener may be asked, besides addresses and localhost. */
  readonly host?: string | undefined;
  readonly sessions: OperatorSessions;
  readonly failures: Failures;
}

/**
 * Admits a request only with the token of an operator, or his session at the console, and vouches for its connection
 * from then on.
 */
export function operatorGuard({ venue, host, sessions, failures }: OperatorGuardOptions): Guard {
  return (context) => {
    if (!isOwnHost(context.header("host"), host)) {
      context.refuseAndClose(MISDIRECTED, OTHER_HOST);
      return REFUSED;
    }
    const sent = /^Bearer +(\S+)$/i.exec(context.header("authorization") ?? "")?.[1];
    if (sent === undefined && !isOfConsole(context)) {
      context.refuseUncounted(TOKEN_MISSING);
      return REFUSED;
    }
    const asker = sent === undefined ? sessions.askerOf(context) : operatorBehind(venue, tokenHashOf(sent));
    if (asker instanceof Refused) {
      context.refuse(asker);
      return REFUSED;
    }
    if (asker === undefined) {
      context.refuseAfter(failures.note("token", context.remoteAddress), TOKEN_UNKNOWN);
      return REFUSED;
    }
    context.connection.vouch();
    return { name: asker.name, role: asker.role };
  };
}
