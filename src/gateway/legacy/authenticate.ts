/**
 * Who makes a legacy request, and whether they may: access id, time, signature, address, expiry, account, permission,
 * in this order. Source: contract/legacy/README.md, Settled 1.
 *
 * The schemes are weaker than the current one and cannot be mended without breaking those who sign by them: values are
 * joined undecorated, and a plain digest takes the place of an HMAC. A production venue serves them only when its
 * operator says so.
 */
import { hash, timingSafeEqual } from "node:crypto";
import { addressRefused, barredNow, hasRunOut, keyRefused, lackOf, renewed } from "../auth/access.ts";
import { allowsIp } from "../auth/ip-whitelist.ts";
import type { ApiKey, KeyDirectory } from "../auth/key-directory.ts";
import type { KeyRing } from "../auth/key-ring.ts";
import type { Login } from "../auth/login.ts";
import { SigningTime } from "../auth/signing-time.ts";
import type { RequestContext } from "../http/request-context.ts";
import { Refused, type WireRefusal } from "../refused.ts";
import { numberOfDigits } from "../request/digits.ts";
import type { LegacyEndpoint } from "./contract.ts";
import type { Sent } from "./sent.ts";

export interface LegacyAuthOptions {
  readonly directory: KeyDirectory;
  readonly keyRing: KeyRing;
  /** The clock of a machine whose venue runs on another one, see SigningTime. */
  readonly machineNow?: (() => number) | undefined;
}

/** The texts that may have been signed, without the secret. */
type SignedTexts = Pick<Sent, "signedTexts">;

/** The parts of a request that authentication reads beside its parameters. */
export type RequestHead = Pick<RequestContext, "header" | "remoteAddress">;

/** A signature's form, and the parameter that says when it was made. */
interface Scheme {
  readonly digits: number;
  readonly digest: (text: string) => string;
  /** The names that its time may have, the likeliest first. */
  readonly times: readonly string[];
}

const MD5: Scheme = { digits: 32, digest: (text) => hash("md5", text).toUpperCase(), times: ["tonce", "timestamp"] };
const SHA256: Scheme = { digits: 64, digest: (text) => hash("sha256", text).toUpperCase(), times: ["timestamp"] };

/** The schemes of each surface, told apart by the length of the digest. */
export const SCHEMES = { spot: [MD5], futures: [SHA256, MD5] } as const satisfies Record<string, readonly Scheme[]>;

/** How far a request's time may be from the venue's, either way, ms; `windowtime` can only make it less. */
const WINDOW_MS = 60_000;

/** Of a time in ms; more digits are none. */
const TIME_DIGITS = 15;

export class LegacyAuthenticator {
  readonly #options: LegacyAuthOptions;
  readonly #schemes: readonly Scheme[];
  readonly #signingTime: SigningTime;

  constructor(options: LegacyAuthOptions, schemes: readonly Scheme[]) {
    this.#options = options;
    this.#schemes = schemes;
    this.#signingTime = new SigningTime(options.machineNow);
  }

  /** The access id that a request claims; undefined when it names none. */
  claimOf(head: RequestHead, sent: Sent): string | undefined {
    const id = head.header("accessid") ?? sent.values["access_id"];
    return typeof id === "string" && id !== "" ? id : undefined;
  }

  /** The caller's key, or the refusal. */
  authenticate(head: RequestHead, sent: Sent, endpoint: LegacyEndpoint, nowMs: number): ApiKey | Refused {
    const { directory } = this.#options;
    const accessId = this.claimOf(head, sent);
    if (accessId === undefined) return new Refused("access_id_missing");
    const given = head.header("authorization") ?? "";
    const scheme = this.#schemes.find(({ digits }) => digits === given.length);
    const key = directory.find(accessId);
    if (key === undefined) {
      // An unknown key costs as much time as a known one with a wrong signature.
      holds(scheme ?? MD5, given, sent, "");
      return new Refused("access_id_unknown");
    }
    const late = this.#lateness(scheme ?? MD5, sent, nowMs);
    if (late !== undefined) return late;
    if (scheme === undefined) return new Refused("signature_mismatch");
    const secret = Buffer.from(this.#options.keyRing.signingKeyOf(key).secret).toString("utf8");
    if (!holds(scheme, given, sent, secret)) return new Refused("signature_mismatch");
    if (!allowsIp(key.ipWhitelist, head.remoteAddress)) return addressRefused(head.remoteAddress);
    if (hasRunOut(key, nowMs)) return keyRefused("key_expired", key);
    if (directory.isFrozen(key.userId)) return keyRefused("account_frozen", key);
    const { permission, callers, sub_permission: subPermission } = endpoint;
    const needs = { permission, callers, subPermission };
    const lack = lackOf(directory, key, needs);
    return lack === undefined ? key : keyRefused(lack, key, needs);
  }

  #lateness({ times }: Scheme, { values }: Sent, nowMs: number): Refused | undefined {
    const time = times.map((name) => values[name]).find((value) => value !== undefined);
    const signedMs = numberOfDigits(String(time), TIME_DIGITS);
    if (signedMs < 0) return new Refused("timestamp_invalid");
    const given = values["windowtime"];
    // Within what is no number nothing is.
    const windowMs = given === undefined ? WINDOW_MS : numberOfDigits(String(given), TIME_DIGITS);
    const signingTime = this.#signingTime;
    const isWithin = Math.abs(signingTime.ageOf(signedMs, nowMs)) <= Math.min(windowMs, WINDOW_MS);
    return isWithin ? undefined : signingTime.refused("request_expired", signedMs, nowMs);
  }
}

/**
 * Who logs in on the sockets, and whether the key still holds. Either digest is taken on either socket; it covers the
 * access id and the time, which each has its own name for. Source: contract/legacy/README.md, Signing.
 */
export class LegacySocketAuthenticator {
  readonly #options: LegacyAuthOptions;
  readonly #signingTime: SigningTime;

  constructor(options: LegacyAuthOptions) {
    this.#options = options;
    this.#signingTime = new SigningTime(options.machineNow);
  }

  /** The key behind a login, or the refusal; its time may be as far from the venue's as `windowMs` says. */
  login({ accessId, signature, timestamp, remoteAddress }: Login, windowMs: number, nowMs: number): ApiKey | Refused {
    const { directory, keyRing } = this.#options;
    const scheme = [MD5, SHA256].find(({ digits }) => digits === signature.length);
    const signed = textSigned(accessId, scheme ?? MD5, timestamp);
    const key = directory.find(accessId);
    if (key === undefined) {
      holds(scheme ?? MD5, signature, signed, "");
      return new Refused("access_id_unknown");
    }
    if (Math.abs(this.#signingTime.ageOf(timestamp, nowMs)) > windowMs) {
      return this.#signingTime.refused("request_expired", timestamp, nowMs);
    }
    const secret = Buffer.from(keyRing.signingKeyOf(key).secret).toString("utf8");
    if (scheme === undefined || !holds(scheme, signature, signed, secret)) return new Refused("signature_mismatch");
    if (!allowsIp(key.ipWhitelist, remoteAddress)) return addressRefused(remoteAddress);
    const barred = this.barredNow(key, nowMs);
    return barred === undefined ? key : keyRefused(barred, key);
  }

  /** The venue's time up to which a login is taken; `nowMs` as it was taken at. */
  goodUntil(timestamp: number, windowMs: number, nowMs: number): number {
    return this.#signingTime.goodUntil(timestamp, windowMs, nowMs);
  }

  barredNow(key: ApiKey, nowMs: number): WireRefusal | undefined {
    return barredNow(this.#options.directory, key, nowMs);
  }

  renewed(key: ApiKey, remoteAddress: string): ApiKey | undefined {
    return renewed(this.#options.directory, key, remoteAddress);
  }
}

/** Returns the text that a login signs, with the likeliest name of the scheme's time. */
function textSigned(accessId: string, { times }: Scheme, timestamp: number): SignedTexts {
  return { signedTexts: () => [`access_id=${accessId}&${times[0]}=${timestamp}`] };
}

/** Whether `given` is the digest of one of the texts that may have been signed; in either case of its letters. */
function holds({ digest, digits }: Scheme, given: string, sent: SignedTexts, secret: string): boolean {
  const taken = Buffer.alloc(digits, " ");
  taken.write(given.toUpperCase(), "latin1");
  let found = false;
  for (const text of sent.signedTexts()) {
    const expected = Buffer.from(digest(`${text}&secret_key=${secret}`), "latin1");
    // All of them are tried, so that time does not tell which one it was.
    found = timingSafeEqual(expected, taken) || found;
  }
  return found;
}
