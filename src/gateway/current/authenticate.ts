/**
 * Who makes a signed request, and whether they may. The checks and their order are the contract's: key, form of the
 * signature, timestamp, signature, address, account, permissions. The request is taken exactly as it was received.
 */
import { timingSafeEqual } from "node:crypto";
import { addressRefused, barredNow, keyRefused, lackOf, type Needs, renewed } from "../auth/access.ts";
import { allowsIp } from "../auth/ip-whitelist.ts";
import type { ApiKey, KeyDirectory } from "../auth/key-directory.ts";
import type { KeyRing } from "../auth/key-ring.ts";
import type { Login } from "../auth/login.ts";
import {
  decodedTarget,
  hmacHex,
  plainHashHex,
  type SignedRequest,
  type SigningKey,
  signedTextOf,
  signingKeyOf,
} from "../auth/signature.ts";
import { SigningTime } from "../auth/signing-time.ts";
import { isSessionOf, type WebSessions } from "../auth/web-sessions.ts";
import { asKey } from "../http/plain/header-names.ts";
import type { RequestContext } from "../http/request-context.ts";
import { Refused, type WireRefusal } from "../refused.ts";
import { numberOfDigits, numberOfPlainDigits } from "../request/digits.ts";
import { boundOf } from "../request/rules.ts";
import type { Contract, Endpoint } from "./contract.ts";

export interface AuthenticatorOptions {
  readonly contract: Contract;
  readonly directory: KeyDirectory;
  readonly keyRing: KeyRing;
  /** The clock of a machine whose venue runs on another one, see SigningTime. */
  readonly machineNow?: (() => number) | undefined;
  /** The SVC in `X-SVC-KEY`; several are accepted side by side. */
  readonly serviceNames: readonly string[];
  /** Accept the older plain-hash form of the signature too (`compat`). */
  readonly acceptPlainHash: boolean;
  /** Say in a signature refusal which text should have been signed (development only). */
  readonly explainSignatures: boolean;
  /** Of people who have signed in from a page; without, there are none. */
  readonly sessions?: WebSessions | undefined;
}

/** The parts of a request that authentication looks at. */
export type RequestSigned = Pick<RequestContext, "method" | "target" | "body" | "remoteAddress" | "header">;

interface HeaderNames {
  readonly key: string;
  readonly sign: string;
  readonly timestamp: string;
  readonly windowTime: string;
}

/** Longer texts are cut in an explanation. */
const EXPLAINED_CHARS_MAX = 4_096;

export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #headerNames: readonly HeaderNames[];
  readonly #windowMs: number;
  readonly #windowMaxMs: number;
  readonly #aheadMaxMs: number;
  readonly #signingTime: SigningTime;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#headerNames = options.serviceNames.map(headerNamesOf);
    const limit = (name: string) => boundOf(options.contract, name) as number;
    this.#windowMs = limit("request_window_ms");
    this.#windowMaxMs = limit("request_window_max_ms");
    this.#aheadMaxMs = limit("request_ahead_max_ms");
    this.#signingTime = new SigningTime(options.machineNow);
  }

  /** The caller's key, or the refusal. */
  authenticate(context: RequestSigned, endpoint: Endpoint, nowMs: number): ApiKey | Refused {
    const names = this.#headerNamesIn(context);
    if (names === undefined && this.#options.sessions !== undefined && isSessionOf(context)) {
      return this.#bySession(this.#options.sessions, context, endpoint, nowMs);
    }
    const key = this.#readHead(context, names, nowMs);
    if (key instanceof Refused) return key;
    const request = signedRequestOf(context, context.header((names as HeaderNames).timestamp) as string);
    if (!this.#verify(key, request)) return this.#mismatch(request);
    if (!allowsIp(key.ipWhitelist, context.remoteAddress)) {
      return addressRefused(context.remoteAddress);
    }
    return this.refusedFor(key, endpoint, nowMs) ?? key;
  }

  /** Why a key whose holder is known may not call an endpoint now. */
  refusedFor(key: ApiKey, endpoint: Endpoint, nowMs: number): Refused | undefined {
    return this.lackOf(key, needsOf(endpoint), nowMs);
  }

  lackOf(key: ApiKey, needs: Needs, nowMs: number): Refused | undefined {
    const barred = this.barredNow(key, nowMs) ?? lackOf(this.#options.directory, key, needs);
    return barred === undefined ? undefined : keyRefused(barred, key, needs);
  }

  /** A session does what a key may that trades; for more it is confirmed. */
  #bySession(sessions: WebSessions, context: RequestSigned, endpoint: Endpoint, nowMs: number): ApiKey | Refused {
    const key = sessions.keyOf(context, nowMs);
    if (key instanceof Refused) return key;
    const barred = this.#checkAccount(key, endpoint, nowMs);
    if (barred === undefined) return key;
    return new Refused(barred === "permission_missing" ? "confirmation_needed" : barred);
  }

  /**
   * The key that stands for a session on a socket, or the refusal; `token` is the cookie that came with the handshake.
   */
  loginBySession(token: string | undefined, csrf: string, nowMs: number): ApiKey | Refused {
    const key = this.#options.sessions?.keyBehind(token, csrf, nowMs) ?? new Refused("session_unknown");
    if (key instanceof Refused) return key;
    const barred = this.barredNow(key, nowMs);
    return barred === undefined ? key : keyRefused(barred, key);
  }

  /** Which key a request claims to come from, as it says. */
  claimOf(context: RequestSigned): string {
    const names = this.#headerNamesIn(context);
    return names === undefined ? "" : (context.header(names.key) as string);
  }

  /**
   * Returns why a request is refused by its head alone; undefined when its head is right. A barred key is refused
   * before its signature is checked, because the signature covers the body: a caller who knows an access id may learn
   * that its key is barred, and costs the venue no body.
   */
  screen(context: RequestSigned, nowMs: number): Refused | undefined {
    const names = this.#headerNamesIn(context);
    const { sessions } = this.#options;
    const isSession = names === undefined && sessions !== undefined && isSessionOf(context);
    const key = isSession ? sessions.keyOf(context, nowMs) : this.#readHead(context, names, nowMs);
    if (key instanceof Refused) return key;
    const barred = this.barredNow(key, nowMs);
    return barred === undefined ? undefined : keyRefused(barred, key);
  }

  /** The key that a head names, when nothing is wrong with the head; its signature has then been taken. */
  #readHead(context: RequestSigned, names: HeaderNames | undefined, nowMs: number): ApiKey | Refused {
    if (names === undefined) return new Refused("access_id_missing");
    const key = this.#options.directory.find(context.header(names.key) as string);
    if (key === undefined) {
      spendTimeOfSignature(context);
      return new Refused("access_id_unknown");
    }
    if (!takeSignature(context.header(names.sign))) return new Refused("signature_header_invalid");
    const late = this.#checkTimestamp(context.header(names.timestamp), context.header(names.windowTime), nowMs);
    return late ?? key;
  }

  /**
   * The key behind a login on a socket, or the refusal. What is signed is the timestamp alone; it may be as far from
   * the venue's time, either way, as `windowMs` says.
   */
  login({ accessId, signature, timestamp, remoteAddress }: Login, windowMs: number, nowMs: number): ApiKey | Refused {
    const request = { method: "", target: "", body: NO_BODY, timestamp: String(timestamp) };
    const key = this.#options.directory.find(accessId);
    if (key === undefined) {
      hmacHex(NOBODY, request);
      return new Refused("access_id_unknown");
    }
    if (!takeSignature(signature)) return new Refused("signature_header_invalid");
    if (Math.abs(this.#signingTime.ageOf(timestamp, nowMs)) > windowMs) {
      return this.#signingTime.refused("request_expired", timestamp, nowMs);
    }
    if (!this.#holds(this.#options.keyRing.signingKeyOf(key), request)) return this.#mismatch(request);
    if (!allowsIp(key.ipWhitelist, remoteAddress)) return addressRefused(remoteAddress);
    const barred = this.barredNow(key, nowMs);
    return barred === undefined ? key : keyRefused(barred, key);
  }

  /** The venue's time up to which a login is taken; `nowMs` as it was taken at. */
  goodUntil(timestamp: number, windowMs: number, nowMs: number): number {
    return this.#signingTime.goodUntil(timestamp, windowMs, nowMs);
  }

  /** Returns why a key must not be used now, for any purpose; undefined when nothing bars it. */
  barredNow(key: ApiKey, nowMs: number): WireRefusal | undefined {
    return barredNow(this.#options.directory, key, nowMs);
  }

  /** Whether a key is that of a sub-account which was not granted `subPermission`. */
  lacks(key: ApiKey, subPermission: string): boolean {
    return lackOf(this.#options.directory, key, { subPermission }) !== undefined;
  }

  /** A key as it stands now, after a change of it; undefined when it may no longer be used from this address. */
  renewed(key: ApiKey, remoteAddress: string): ApiKey | undefined {
    return renewed(this.#options.directory, key, remoteAddress);
  }

  /** The headers of the first service name whose key header is there. */
  #headerNamesIn(context: RequestSigned): HeaderNames | undefined {
    for (const names of this.#headerNames) if (context.header(names.key)) return names;
    return undefined;
  }

  #checkTimestamp(timestamp: string | undefined, windowTime: string | undefined, nowMs: number): Refused | undefined {
    const signedMs = timestamp === undefined ? -1 : numberOfPlainDigits(timestamp, TIMESTAMP_DIGITS);
    if (signedMs < 0) return new Refused("timestamp_invalid");
    const signingTime = this.#signingTime;
    const ageMs = signingTime.ageOf(signedMs, nowMs);
    if (ageMs > this.#windowMaxMs) return signingTime.refused("signature_expired", signedMs, nowMs);
    let windowMs = this.#windowMs;
    if (windowTime !== undefined) {
      const askedMs = numberOfDigits(windowTime, TIMESTAMP_DIGITS);
      if (askedMs < 1) {
        const message = "The header with the window of time must hold whole milliseconds, from 1.";
        return new Refused("request_expired", message);
      }
      windowMs = Math.min(askedMs, this.#windowMaxMs);
    }
    const isWithin = ageMs <= windowMs && -ageMs <= this.#aheadMaxMs;
    return isWithin ? undefined : signingTime.refused("request_expired", signedMs, nowMs);
  }

  /**
   * Compares with the signature that was taken. Some clients sign the query encoded, others decoded. Both cover the
   * same request.
   */
  #verify(key: ApiKey, request: SignedRequest): boolean {
    const signingKey = this.#options.keyRing.signingKeyOf(key);
    if (this.#holds(signingKey, request)) return true;
    const target = decodedTarget(request.target);
    return target !== undefined && this.#holds(signingKey, { ...request, target });
  }

  /** Whether the signature that was taken is that of this text; some clients hash the secret in plainly, and shout. */
  #holds(signingKey: SigningKey, request: SignedRequest): boolean {
    if (isTaken(hmacHex(signingKey, request))) return true;
    if (!this.#options.acceptPlainHash) return false;
    const plain = plainHashHex(signingKey, request);
    return isTaken(plain) || isTaken(plain.toUpperCase());
  }

  #mismatch(request: SignedRequest): Refused {
    if (!this.#options.explainSignatures) return new Refused("signature_mismatch");
    const text = signedTextOf(request);
    const shown = text.length > EXPLAINED_CHARS_MAX ? `${text.slice(0, EXPLAINED_CHARS_MAX)}… (cut)` : text;
    return new Refused(
      "signature_mismatch",
      `The signature does not match the request. It must be the HMAC-SHA256, keyed with the secret, of: ${shown}`,
    );
  }

  #checkAccount(key: ApiKey, endpoint: Endpoint, nowMs: number): WireRefusal | undefined {
    return this.barredNow(key, nowMs) ?? lackOf(this.#options.directory, key, needsOf(endpoint));
  }
}

function headerNamesOf(service: string): HeaderNames {
  const prefix = `x-${service.toLowerCase()}-`;
  return {
    key: asKey(`${prefix}key`),
    sign: asKey(`${prefix}sign`),
    timestamp: asKey(`${prefix}timestamp`),
    windowTime: asKey(`${prefix}windowtime`),
  };
}

function needsOf({ permission, callers, sub_permission: subPermission }: Endpoint): Needs {
  return { permission, callers, subPermission };
}

function signedRequestOf(context: RequestSigned, timestamp: string): SignedRequest {
  return { method: context.method, target: context.target, body: context.body, timestamp };
}

const NO_BODY = Buffer.alloc(0);
const NOBODY = signingKeyOf("nobody signs with this");

/** An unknown access id takes as long as a known one with a wrong signature. */
function spendTimeOfSignature(context: RequestSigned): void {
  hmacHex(NOBODY, signedRequestOf(context, "1750000000000"));
}

/**
 * Milliseconds, written in one way: the timestamp is signed right behind the query, so a zero in front of it could be
 * the last digit of that query.
 */
const TIMESTAMP_DIGITS = 15;

const SIGNATURE_CHARS = 64;

/**
 * The signature of the request that is being authenticated, which happens in one go, and the one it is held against.
 */
const taken = Buffer.alloc(SIGNATURE_CHARS);
const computed = Buffer.alloc(SIGNATURE_CHARS);

/** Takes the signature; false when it is no hexadecimal of that length. */
function takeSignature(text: string | undefined): boolean {
  if (text?.length !== SIGNATURE_CHARS || taken.write(text, "utf8") !== SIGNATURE_CHARS) return false;
  for (let at = 0; at < SIGNATURE_CHARS; at++) if (!isHexadecimal(taken[at] as number)) return false;
  return true;
}

function isHexadecimal(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46);
}

/**
 * Compares with the signature taken, without telling by its time where they differ. As text, so that there is one way
 * to write a signature: in lower case.
 */
function isTaken(hex: string): boolean {
  computed.write(hex, "latin1");
  return timingSafeEqual(computed, taken);
}
