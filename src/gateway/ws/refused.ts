/** Refusals on sockets: a code of the contract, and the reason behind it in the words of the whole gateway. */
import { type Figures, invalidParameter, Refused } from "../refused.ts";
import type { SocketRefusal } from "./errors.ts";
import { LOGINS_PER_KEY_MAX } from "./used-signatures.ts";

/** A class, so that nothing a client sends can look like one. */
export class SocketRefused {
  /** The refusal that the client is told by its code, */
  readonly refusal: SocketRefusal;
  /** the reason, for clients that ask why, */
  readonly behind: Refused;
  /** and the text that continues the contract's message; undefined: none. */
  readonly more: string | undefined;

  constructor(refusal: SocketRefusal, behind: Refused, more?: string) {
    this.refusal = refusal;
    this.behind = behind;
    this.more = more;
  }
}

/** A request that cannot be read. */
export const UNREADABLE = new SocketRefused(
  "invalid_argument",
  new Refused("request_malformed", "A request is JSON with a whole number as its id, a method and params."),
);

/** `what` names the parameter and what was expected, and ends the sentence. */
export function invalidArgument(what: string): SocketRefused {
  return new SocketRefused("invalid_argument", invalidParameter(what));
}

/** A longer name is no method's. */
const METHOD_CHARS_MAX = 60;

export function methodUnavailable(method: string): SocketRefused {
  const message = `There is no method "${shortened(method)}" on this socket.`;
  return new SocketRefused("method_unavailable", new Refused("method_not_allowed", message));
}

/**
 * The name of a method as it may be remembered: a text of its own, which does not hold on to the message that it came
 * in.
 */
export function shortened(method: string): string {
  return Buffer.from(method.slice(0, METHOD_CHARS_MAX)).toString();
}

export const NOT_LOGGED_IN = new SocketRefused(
  "auth_required",
  new Refused("access_id_missing", "Nobody is logged in on this connection: server.sign comes first."),
);

/** Why nobody is logged in any more. */
export function loggedOut(behind: Refused): SocketRefused {
  return new SocketRefused("auth_required", behind);
}

export function loginRefused(behind: Refused): SocketRefused {
  return new SocketRefused("signature_incorrect", behind);
}

export function tooFrequent(message: string, figures: Figures): SocketRefused {
  return new SocketRefused("too_frequent", new Refused("rate_limited", message, undefined, figures));
}

export function failed(): SocketRefused {
  return new SocketRefused("internal_error", new Refused("internal_error"));
}

export function notServed(behind: Refused, more?: string): SocketRefused {
  return new SocketRefused("service_unavailable", behind, more);
}

/** This node cannot prove that it has applied all that was answered. */
export const NOT_CURRENT = notServed(new Refused("busy"));

/** Answers that a connection may be waiting for; more than any program asks for at once. */
export const LATE_ANSWERS_MAX = 8;
export const TOO_MANY_LATE = tooFrequent("There are too many requests on this connection that are not answered yet.", {
  per: "connection",
  unanswered: LATE_ANSWERS_MAX,
});
/** The same of calls as over HTTP, which quotas bound as well: what is in flight when the log takes half a second. */
export const LATE_CALLS_MAX = 64;
export const TOO_MANY_CALLS = tooFrequent("There are too many requests on this connection that are not answered yet.", {
  per: "connection",
  unanswered: LATE_CALLS_MAX,
});
export const TOO_MANY_LOGINS = tooFrequent("There are too many logins with this key.", {
  per: "key",
  limit: LOGINS_PER_KEY_MAX,
});
export const USED_ELSEWHERE = loginRefused(
  new Refused("signature_mismatch", "Another address has used this signature: sign a time of your own."),
);
export const LOGIN_TOO_OLD = new Refused("request_expired", "The login is too old: log in again with server.sign.");
export const KEY_GONE = new Refused("access_id_unknown", "The API key has been deleted.");
