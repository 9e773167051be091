/** Passkeys (WebAuthn), no matter who owns them: what a device is asked, and whether it has answered. */
import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeAttestationObject } from "@simplewebauthn/server/helpers";
import type { Passkey } from "../../engine/identity/passkeys.ts";
import { invalidParameter, Refused } from "../refused.ts";

const RP_NAME = "bourse";
const CHALLENGE_BYTES = 32;
const TRANSPORTS_MAX = 8;

export const NOT_VERIFIED = new Refused(
  "second_factor_wrong",
  "The passkey does not belong to this account or this page.",
);
export const NO_NAME = invalidParameter(
  "passkeys need a page at a name, not at an address: open it at localhost, or at the name that web-origin or " +
    "admin-host sets.",
);

interface Owner {
  /** Shown by the device. */
  readonly name: string;
  /** By which the device tells owners apart. */
  readonly id: string;
  readonly passkeys: readonly Passkey[];
}

/**
 * Returns the options from which a device makes a passkey, with their challenge; keep the challenge until the device
 * has answered.
 */
export async function askForRegistration(rpID: string, { name, id, passkeys }: Owner) {
  const challenge = randomBytes(CHALLENGE_BYTES);
  const options = await generateRegistrationOptions({
    rpName: RP_NAME,
    rpID,
    userName: name,
    userDisplayName: name,
    userID: Uint8Array.from(Buffer.from(id)),
    challenge: Uint8Array.from(challenge),
    attestationType: "none",
    excludeCredentials: passkeys.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { options, challenge: challenge.toString("base64url") };
}

/** Returns the options that any passkey of this page is asked to sign, with their challenge. */
export async function askForPasskey(rpID: string) {
  const challenge = randomBytes(CHALLENGE_BYTES);
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: Uint8Array.from(challenge),
    userVerification: "required",
  });
  return { options, challenge: challenge.toString("base64url") };
}

/** Which passkey has answered, by what it says; nothing is proved by that. */
export function credentialIdOf(response: object): string {
  return String((response as { readonly id?: unknown }).id);
}

/** The name that passkeys of this page are for; undefined where it stands at an address. */
export function relyingPartyOf(origin: string): string | undefined {
  const { hostname } = new URL(origin);
  return isIP(hostname.replace(/^\[(.*)\]$/, "$1")) === 0 ? hostname : undefined;
}

interface Made {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** Returns the passkey that a device has made; undefined when it is not for this page, or is nonsense. */
export async function registered(
  raw: object,
  challenge: string,
  origin: string,
  rpID: string,
): Promise<Made | undefined> {
  const given = raw as unknown as RegistrationResponseJSON;
  try {
    // No attestation was asked for, and to check one, the certificates in it would be looked up wherever they say.
    const { attestationObject } = given.response;
    const statement = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, "base64url"))).get(
      "attStmt",
    );
    if (statement.get("x5c") !== undefined) return undefined;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: given,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    });
    if (!verified || registrationInfo === undefined) return undefined;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString("base64url"),
      counter,
      transports: transports.filter((each) => /^[a-z-]{1,16}$/.test(each)).slice(0, TRANSPORTS_MAX),
    };
  } catch {
    return undefined;
  }
}

/** The counter of an answer to a challenge; undefined when the passkey has not given it. */
export async function answeredWith(
  raw: object,
  { credentialId, publicKey, counter }: Passkey,
  challenge: string,
  origin: string,
  rpID: string,
): Promise<number | undefined> {
  const given = raw as unknown as AuthenticationResponseJSON;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: given,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential: { id: credentialId, publicKey: Uint8Array.from(Buffer.from(publicKey, "base64url")), counter },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
