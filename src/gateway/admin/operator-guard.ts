/** Who may use the operator's listener: whoever has the token, and asks for a host that no stranger's page can stand for. */
import { createHash, timingSafeEqual } from "node:crypto";
import { ROOT } from "../../engine/operators/commands.ts";
import type { Failures } from "../auth/failures.ts";
import type { Exchange } from "../http/exchange.ts";
import { isOwnHost } from "../http/own-host.ts";
import type { Service } from "../http/server.ts";
import { Refused } from "../refused.ts";
import type { AdminVenue, Asker } from "./backend.ts";

const TOKEN_MISSING = new Refused(
  "access_id_missing",
  "The header Authorization must be Bearer and the token of the venue.",
);
const TOKEN_UNKNOWN = new Refused(
  "access_id_unknown",
  "The token in the header Authorization is not that of the venue.",
);
const OTHER_HOST = new Refused(
  "request_malformed",
  "The Host header must be an IP address, localhost or the name that admin-host sets.",
);
/** RFC 9110, 15.5.20. */
const MISDIRECTED = 421;

/** Serves a request of an operator. */
export type OperatorService = (exchange: Exchange, asker: Asker) => void;
export type Guard = (service: OperatorService) => Service;

export interface OperatorGuardOptions {
  readonly venue: Pick<AdminVenue, "state" | "rootToken">;
  /** The name by which the listener may be asked, besides addresses and localhost. */
  readonly host?: string | undefined;
  readonly failures: Failures;
}

/** Lets a request through to a service only with the token of an operator, and vouches for its connection from then on. */
export function operatorGuard({ venue: { state, rootToken }, host, failures }: OperatorGuardOptions): Guard {
  return (service) => (exchange) => {
    if (!isOwnHost(exchange.header("host"), host)) {
      exchange.refuseAndClose(MISDIRECTED, OTHER_HOST);
      return;
    }
    const sent = /^Bearer +(\S+)$/i.exec(exchange.header("authorization") ?? "")?.[1];
    if (sent === undefined) {
      exchange.refuse(TOKEN_MISSING);
      return;
    }
    const hash = digest(sent);
    // Hashes have one length, so the comparison takes the same time whatever was sent; nobody can aim at one by its beginning.
    const isRoot = timingSafeEqual(hash, digest(rootToken.current));
    const asker = isRoot ? ROOT_ASKER : state.operators.byTokenHash.get(hash.toString("hex"));
    if (asker === undefined) {
      exchange.refuseAfter(failures.note("token", exchange.remoteAddress), TOKEN_UNKNOWN);
      return;
    }
    exchange.connection.vouch();
    service(exchange, { name: asker.name, role: asker.role });
  };
}

const ROOT_ASKER: Asker = { name: ROOT, role: "admin" };

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
