/** Who may use the operator's listener: whoever has a token or a session, and asks for a host that no stranger's page can stand for. */
import type { Failures } from "../auth/failures.ts";
import { tokenHashOf } from "../auth/web-sessions.ts";
import type { Exchange } from "../http/exchange.ts";
import { isOwnHost } from "../http/own-host.ts";
import type { Service } from "../http/server.ts";
import { Refused } from "../refused.ts";
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

/** Serves a request of an operator. */
export type OperatorService = (exchange: Exchange, asker: Asker) => void;
export type Guard = (service: OperatorService) => Service;

export interface OperatorGuardOptions {
  readonly venue: Pick<AdminVenue, "state" | "rootToken">;
  /** The name by which the listener may be asked, besides addresses and localhost. */
  readonly host?: string | undefined;
  readonly sessions: OperatorSessions;
  readonly failures: Failures;
}

/** Lets a request through to a service only with the token of an operator, or his session at the console, and vouches for its connection from then on. */
export function operatorGuard({ venue, host, sessions, failures }: OperatorGuardOptions): Guard {
  return (service) => (exchange) => {
    if (!isOwnHost(exchange.header("host"), host)) {
      exchange.refuseAndClose(MISDIRECTED, OTHER_HOST);
      return;
    }
    const sent = /^Bearer +(\S+)$/i.exec(exchange.header("authorization") ?? "")?.[1];
    if (sent === undefined && !isOfConsole(exchange)) {
      exchange.refuseUncounted(TOKEN_MISSING);
      return;
    }
    const asker = sent === undefined ? sessions.askerOf(exchange) : operatorBehind(venue, tokenHashOf(sent));
    if (asker instanceof Refused) {
      exchange.refuse(asker);
      return;
    }
    if (asker === undefined) {
      exchange.refuseAfter(failures.note("token", exchange.remoteAddress), TOKEN_UNKNOWN);
      return;
    }
    exchange.connection.vouch();
    service(exchange, { name: asker.name, role: asker.role });
  };
}
