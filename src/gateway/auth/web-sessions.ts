/**
 * Sessions of people who have signed in from a page: a cookie that no script can read, and a word in a header that no
 * other page can send. Anyone who has both does what an API key of the account could. docs/reference/web-sessions.md is
 * the agreement.
 */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { endOf, hasEnded, identities, mayWithdraw, type Session } from "../../engine/identity/identities.ts";
import type { State } from "../../engine/state.ts";
import type { Backend } from "../backend.ts";
import { Refused } from "../refused.ts";
import type { ApiKey, Permission } from "./key-directory.ts";
import { type Asking, isFromOwnPage } from "./own-page.ts";

export const SESSION_COOKIE = "bourse_session";
/** Of the browser that somebody has asked for an account with. */
export const SIGN_UP_COOKIE = "bourse_sign_up";
export const CSRF_HEADER = "x-bourse-csrf";

/** 256 random bits in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const TOKEN_BYTES = 32;
/** A session's use is noted in the log no more often than this: exact enough for a life of a day. */
const TOUCH_EVERY_MS = 300_000;

export interface WebSessionsOptions {
  readonly backend: Pick<Backend, "state" | "submit" | "isBusy">;
  /** Where the venue's page stands, such as `https://trade.example.com`; undefined: at whatever host is asked. */
  readonly origin?: string | undefined;
}

export class WebSessions {
  readonly #state: State;
  readonly #options: WebSessionsOptions;
  /** Sessions whose use is being noted. */
  readonly #touching = new Set<number>();

  constructor(options: WebSessionsOptions) {
    this.#options = options;
    this.#state = options.backend.state;
  }

  /** The session whose cookie comes with a request; undefined when there is none, or it has ended. */
  sessionOf(request: Asking, nowMs: number): Session | undefined {
    const token = this.tokenIn(request);
    return token === undefined ? undefined : this.#behind(token, nowMs);
  }

  /** Why a request with a session's cookie may change nothing; undefined when it may. */
  refuseForeign(request: Asking): Refused | undefined {
    if (!this.isFromOwnPage(request)) return FOREIGN;
    const token = this.tokenIn(request);
    return token !== undefined && isCsrfOf(token, request.header(CSRF_HEADER)) ? undefined : MISMATCH;
  }

  /** Returns the key that stands for an API key in a signed request that carries cookie and header. */
  keyOf(request: Asking, nowMs: number): ApiKey | Refused {
    const session = this.sessionOf(request, nowMs);
    if (session === undefined) return UNKNOWN;
    const refused = this.refuseForeign(request);
    if (refused !== undefined) return refused;
    this.touch(session, nowMs);
    return this.#keyFor(session, nowMs);
  }

  /** As `keyOf`, of a socket: `token` came with its handshake, `csrf` with the request to log in. */
  keyBehind(token: string | undefined, csrf: string, nowMs: number): ApiKey | Refused {
    const session = token === undefined ? undefined : this.#behind(token, nowMs);
    if (token === undefined || session === undefined) return UNKNOWN;
    if (!isCsrfOf(token, csrf)) return MISMATCH;
    this.touch(session, nowMs);
    return this.#keyFor(session, nowMs);
  }

  /** The cookie of a handshake, when the venue's own page asks; no other may use it. */
  tokenOfHandshake(request: Asking): string | undefined {
    return this.isFromOwnPage(request) ? this.tokenIn(request) : undefined;
  }

  /** The token in a cookie of a request, under the name that it has there. */
  tokenIn(request: Asking, name = SESSION_COOKIE): string | undefined {
    return tokenIn(request, name, this.isHttps(request));
  }

  /** Whether the browser is known to speak TLS: web-origin says so, or a trusted proxy. */
  isHttps(request: Asking): boolean {
    return this.#options.origin?.startsWith("https:") === true || request.isOverTls === true;
  }

  /** Whether a browser says that the venue's own page asks. */
  isFromOwnPage(request: Asking): boolean {
    return isFromOwnPage(request, this.#options.origin);
  }

  /** Notes that a session is in use. */
  touch({ sessionId, seenAt }: Session, nowMs: number): void {
    const { backend } = this.#options;
    if (nowMs - seenAt < TOUCH_EVERY_MS || this.#touching.has(sessionId) || backend.isBusy) return;
    const forget = () => this.#touching.delete(sessionId);
    this.#touching.add(sessionId);
    if (!backend.submit({ kind: "touch_session", sessionId }, forget)) forget();
  }

  #behind(token: string, nowMs: number): Session | undefined {
    const session = identities.of(this.#state).withTokenHash(tokenHashOf(token));
    return session === undefined || hasEnded(session, nowMs) ? undefined : session;
  }

  #keyFor(session: Session, nowMs: number): ApiKey {
    const permissions = mayWithdraw(this.#state, session, nowMs) ? ALL_PERMISSIONS : TRADING;
    const { userId, sessionId } = session;
    const expiredAt = endOf(session);
    return { accessId: sessionAccessId(sessionId), userId, secretCipher: "", permissions, ipWhitelist: [], expiredAt };
  }
}

const TRADING: readonly Permission[] = ["read", "trade"];
const ALL_PERMISSIONS: readonly Permission[] = ["read", "trade", "withdraw"];

const UNKNOWN = new Refused("session_unknown");
const MISMATCH = new Refused("csrf_mismatch");
const FOREIGN = new Refused("origin_not_allowed");

/** Returns the text that stands for a session where a key has its access id; no access id has a space. */
export function sessionAccessId(sessionId: number): string {
  return `session ${sessionId}`;
}

/** Whether a request comes with the cookie of a session, good or not. */
export function isSessionOf(request: Asking): boolean {
  return request.header("cookie")?.includes(`${SESSION_COOKIE}=`) === true;
}

/**
 * A new cookie's value; from the vault where its hash goes to the log, so that it follows from the seed in a fixed
 * world.
 */
export function newToken(vault?: { newToken(): string }): string {
  const bytes = vault === undefined ? randomBytes(TOKEN_BYTES) : Buffer.from(vault.newToken(), "hex");
  return bytes.toString("base64url");
}

/** The word that goes with a cookie: anyone who has the cookie can work it out, no page of another origin can. */
export function csrfOf(token: string): string {
  return hash("sha256", `csrf ${token}`, "base64url");
}

/**
 * The name of a cookie that is set over TLS. Browsers take one with this beginning from the host itself alone and over
 * TLS alone, so that neither a neighbouring host nor a connection without TLS can plant it (RFC 6265bis, 4.1.3.2).
 */
export function cookieNameFor(name: string, isHttps: boolean): string {
  return isHttps ? `__Host-${name}` : name;
}

/**
 * The token in a request's cookie. The name that is used without TLS counts only where the browser is not known to
 * speak it.
 */
export function tokenIn(request: Asking, name: string, isHttps: boolean): string | undefined {
  return tokenNamed(request, cookieNameFor(name, true)) ?? (isHttps ? undefined : tokenNamed(request, name));
}

/** Two cookies of the name are none: one may have been put there by a neighbouring host. */
function tokenNamed(request: Asking, name: string): string | undefined {
  const cookies = (request.header("cookie") ?? "").split(";").map((pair) => pair.trim());
  const named = cookies.filter((pair) => pair.startsWith(`${name}=`));
  const token = named[0]?.slice(name.length + 1);
  return named.length === 1 && token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** Whether what was sent is the word that goes with a cookie. */
export function isCsrfOf(token: string, sent: string | undefined): boolean {
  const own = Buffer.from(csrfOf(token));
  const other = Buffer.from(sent ?? "");
  return own.length === other.length && timingSafeEqual(own, other);
}

/** Returns the form in which a token is kept: SHA-256, hexadecimal. */
export function tokenHashOf(token: string): string {
  return hash("sha256", token, "hex");
}
