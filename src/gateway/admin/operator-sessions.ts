/**
 * Sessions of operators who sit at the console. The token is shown once and exchanged for a cookie that no script can
 * read; the browser keeps it nowhere. A session stands for its token and ends with it: when another token takes its
 * place, when the operator is deleted, and with the process, since it is kept in memory only. Operators are few and
 * have their token at hand, so that a log of their sessions, which would have to be kept, restored and guarded, would
 * bring nothing. docs/guides/operators.md, "The console".
 */

import { type Asking, isFromOwnPage } from "../auth/own-page.ts";
import { CSRF_HEADER, csrfOf, isCsrfOf, newToken, tokenHashOf, tokenIn } from "../auth/web-sessions.ts";
import { Refused } from "../refused.ts";
import type { AdminVenue, Asker } from "./backend.ts";
import { operatorBehind } from "./known-operators.ts";

export const OPERATOR_COOKIE = "bourse_operator";

/** Anyone who leaves his desk is signed out after this, */
const IDLE_MS = 30 * 60_000;
/** and everybody after a working day. */
const LIFE_MS = 12 * 3_600_000;
/** Anyone who signed in so long ago at most is taken to be still the one who did. */
const FRESH_MS = 15 * 60_000;
/** So many at once; beyond, the one that was unused for the longest time ends. */
const SESSIONS_MAX = 256;

interface Session {
  readonly tokenHash: string;
  /** The passkey that it was begun by, with which it ends; undefined where the token itself was shown. */
  readonly credentialId: string | undefined;
  readonly beganMs: number;
  seenMs: number;
}

/** An operator at the console. */
export interface SignedInOperator extends Asker {
  /** The word that goes along with every request. */
  readonly csrf: string;
  /** ms that are left until the session ends, if nothing more is asked. */
  readonly leftMs: number;
  /** He has shown a short while ago who he is. */
  readonly isFresh: boolean;
}

export class OperatorSessions {
  readonly #venue: Pick<AdminVenue, "state" | "rootToken">;
  readonly #now: () => number;
  /** By the hash of the cookie, the one that was used last at the end. */
  readonly #sessions = new Map<string, Session>();

  /** `now` gives a time that runs evenly, ms. */
  constructor(venue: Pick<AdminVenue, "state" | "rootToken">, now: () => number = () => performance.now()) {
    this.#venue = venue;
    this.#now = now;
  }

  /**
   * Begins one for anyone who has the token with this hash, or a passkey in its place; gives the value of its cookie.
   */
  begin(tokenHash: string, credentialId?: string): string {
    if (this.#sessions.size >= SESSIONS_MAX) this.#sessions.delete(this.#sessions.keys().next().value as string);
    const cookie = newToken();
    const nowMs = this.#now();
    this.#sessions.set(tokenHashOf(cookie), { tokenHash, credentialId, beganMs: nowMs, seenMs: nowMs });
    return cookie;
  }

  /** Ends the one whose cookie comes with a request, if there is one. */
  end(request: Asking): void {
    const cookie = cookieIn(request);
    if (cookie !== undefined) this.#sessions.delete(tokenHashOf(cookie));
  }

  /** Who is signed in by the cookie of a request, which may be no more than asked; undefined: nobody. */
  operatorOf(request: Asking): SignedInOperator | undefined {
    const cookie = cookieIn(request);
    return cookie === undefined ? undefined : this.behind(cookie);
  }

  /** Who asks for something by cookie and header, from a page of this listener; or why he may not. */
  askerOf(request: Asking): SignedInOperator | Refused {
    if (!isFromOwnPage(request)) return FOREIGN;
    const cookie = cookieIn(request);
    const operator = cookie === undefined ? undefined : this.behind(cookie);
    if (cookie === undefined || operator === undefined) return ENDED;
    return isCsrfOf(cookie, request.header(CSRF_HEADER)) ? operator : MISMATCH;
  }

  /** Who is signed in by this value of the cookie. */
  behind(cookie: string): SignedInOperator | undefined {
    const key = tokenHashOf(cookie);
    const session = this.#sessions.get(key);
    if (session === undefined) return undefined;
    const nowMs = this.#now();
    const { tokenHash, credentialId } = session;
    const isGone = credentialId !== undefined && !hasPasskey(this.#venue, tokenHash, credentialId);
    const operator = isGone ? undefined : operatorBehind(this.#venue, tokenHash);
    const isOver = nowMs - session.seenMs >= IDLE_MS || nowMs - session.beganMs >= LIFE_MS;
    this.#sessions.delete(key);
    if (operator === undefined || isOver) return undefined;
    session.seenMs = nowMs;
    this.#sessions.set(key, session);
    const leftMs = Math.min(IDLE_MS, session.beganMs + LIFE_MS - nowMs);
    return { ...operator, csrf: csrfOf(cookie), leftMs, isFresh: nowMs - session.beganMs < FRESH_MS };
  }
}

function hasPasskey({ state }: Pick<AdminVenue, "state">, tokenHash: string, credentialId: string): boolean {
  const passkeys = state.operators.byTokenHash.get(tokenHash)?.passkeys ?? [];
  return passkeys.some((one) => one.credentialId === credentialId);
}

/** Whether a request comes with such a cookie, good or not. */
export function isOfConsole(request: Asking): boolean {
  return cookieIn(request) !== undefined;
}

/** Whether the browser is known to speak TLS: a trusted proxy says so, or the browser itself. */
export function isHttps(request: Asking): boolean {
  return request.isOverTls === true || request.header("origin")?.startsWith("https:") === true;
}

function cookieIn(request: Asking): string | undefined {
  return tokenIn(request, OPERATOR_COOKIE, isHttps(request));
}

const ENDED = new Refused("session_unknown");
const FOREIGN = new Refused("origin_not_allowed");
const MISMATCH = new Refused("csrf_mismatch");
