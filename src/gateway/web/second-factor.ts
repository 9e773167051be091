/** Codes of authenticators (RFC 6238) and recovery codes. */
import { createHash, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Identity } from "../../engine/identity/identities.ts";
import { totpName } from "../auth/sealed.ts";
import { Refused } from "../refused.ts";
import type { WebVenue } from "./call.ts";

const ISSUER = "bourse";
const PERIOD_SECONDS = 30;
/** Half minutes before and after that count as well: clocks differ, and people type slowly. */
const WINDOW = 1;
/** 160 bits, as RFC 4226 has it. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 80 bits: more than anybody guesses, so that a plain hash of it is enough. */
const RECOVERY_BYTES = 10;

const WRONG = new Refused("second_factor_wrong");

/** The second factor that a person typed in beside a password. */
export interface Typed {
  readonly totp?: string | undefined;
  readonly recovery_code?: string | undefined;
}

/** The part of a command that says what was shown. */
export interface Shown {
  readonly totpStep?: number;
  readonly recoveryHash?: string;
}

/**
 * Returns the second factor that was shown, verified as far as that is possible without the state; the engine decides
 * whether it was used before. Empty for an identity without an authenticator.
 */
export function shownOf(
  venue: WebVenue,
  identity: Identity,
  { totp, recovery_code: recovery }: Typed,
): Shown | Refused {
  if (identity.totpCipher === "") return {};
  if (totp === undefined && recovery === undefined) return new Refused("second_factor_missing");
  const attempt = venue.attempts.secondFactor(identity.userId);
  if (attempt === undefined) return new Refused("too_many_attempts");
  if (totp === undefined) {
    const recoveryHash = hashOfRecovery(recovery as string);
    if (!identity.recoveryHashes.includes(recoveryHash)) return WRONG;
    attempt.takeBack();
    return { recoveryHash };
  }
  const secret = venue.vault.unseal(totpName(identity.userId), identity.totpCipher);
  const totpStep = stepOf(secret, totp, venue.machineNow());
  if (totpStep === undefined || totpStep <= identity.totpStep) return WRONG;
  attempt.takeBack();
  return { totpStep };
}

export function newTotpSecret(): string {
  return Secret.fromHex(randomBytes(SECRET_BYTES).toString("hex")).base32;
}

/** Returns the text that a QR code for an authenticator holds. */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** The half minute that a code is of, by its number; undefined when it is of none around `nowMs`. */
export function stepOf(secret: string, code: string, nowMs: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: WINDOW });
  return delta === null ? undefined : Math.floor(nowMs / 1_000 / PERIOD_SECONDS) + delta;
}

function totpOf(secret: string, label = ""): TOTP {
  return new TOTP({ issuer: ISSUER, label, period: PERIOD_SECONDS, secret: Secret.fromBase32(secret) });
}

/** Codes to be shown once, and the hashes to be kept. */
export function newRecoveryCodes(): { readonly codes: readonly string[]; readonly hashes: readonly string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const text = Secret.fromHex(randomBytes(RECOVERY_BYTES).toString("hex")).base32.toLowerCase();
    return (text.match(/.{4}/g) as string[]).join("-");
  });
  return { codes, hashes: codes.map(hashOfRecovery) };
}

/** However it is written: with or without hyphens, small or large. */
function hashOfRecovery(code: string): string {
  return createHash("sha256").update(code.replaceAll(/[\s-]/g, "").toLowerCase()).digest("hex");
}
