/** Passkeys (WebAuthn): made and used by a person's own device; the venue has public keys and nothing that could be stolen. */
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
import { PASSKEY_NAME_CHARS_MAX } from "../../engine/identity/commands.ts";
import type { Shown } from "../../engine/identity/forms.ts";
import { type Identity, identities, type Passkey } from "../../engine/identity/identities.ts";
import { type Form, required, text, whole } from "../admin/field.ts";
import { invalidParameter, Refused } from "../refused.ts";
import { isObject, WRONG } from "../request/value.ts";
import { type Asker, submit, type WebCall, type WebVenue, webCall } from "./call.ts";
import { begin, sessionData } from "./session-calls.ts";
import { TICKET_CHARS_MAX } from "./tickets.ts";
import { changeable } from "./totp-calls.ts";

const RP_NAME = "bourse";
const CHALLENGE_BYTES = 32;
const TRANSPORTS_MAX = 8;

const credential: Form<Record<string, unknown>> = {
  shape: "record",
  values: "JSON",
  expected: "the credential as the browser's toJSON gives it",
  check: (raw) => (isObject(raw) ? raw : WRONG),
};
const ticket = required(text("TICKET", 1, TICKET_CHARS_MAX), "as it was given");
const response = required(credential, "what the browser answered");

const NOT_VERIFIED = new Refused("second_factor_wrong", "The passkey does not belong to this account or this page.");
const NO_NAME = invalidParameter(
  "passkeys need a page at a name, not at an address: open it at localhost, or at the host of web-origin.",
);

const list = webCall({
  method: "GET",
  path: "/web/passkeys",
  needs: "session",
  fields: {},
  serve: (venue, { session }) => ({ data: rowsOf(venue, session.userId) }),
});

const registration = webCall({
  method: "POST",
  path: "/web/passkeys/registration",
  needs: "confirmed",
  fields: {},
  async serve(venue, asker) {
    const rpID = relyingParty(asker);
    if (rpID === undefined) return NO_NAME;
    const identity = changeable(venue, asker);
    if (identity instanceof Refused) return identity;
    const { userId, email, passkeys } = identity;
    const challenge = randomBytes(CHALLENGE_BYTES).toString("base64url");
    const options = await generateRegistrationOptions({
      rpName: RP_NAME,
      rpID,
      userName: email,
      userDisplayName: email,
      userID: Uint8Array.from(Buffer.from(`user ${userId}`)),
      challenge: Uint8Array.from(Buffer.from(challenge, "base64url")),
      attestationType: "none",
      excludeCredentials: passkeys.map(({ credentialId }) => ({ id: credentialId })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    return { data: { options, ticket: venue.tickets.issue("passkey registration", { userId, challenge }) } };
  },
});

const add = webCall({
  method: "POST",
  path: "/web/passkeys",
  needs: "confirmed",
  fields: { ticket, response, name: required(text("NAME", 1, PASSKEY_NAME_CHARS_MAX), "what its owner calls it") },
  async serve(venue, asker, values) {
    const rpID = relyingParty(asker);
    if (rpID === undefined) return NO_NAME;
    const identity = changeable(venue, asker);
    if (identity instanceof Refused) return identity;
    const { userId, email } = identity;
    const asked = venue.tickets.read<{ userId: number; challenge: string }>("passkey registration", values.ticket);
    if (asked instanceof Refused) return asked;
    if (asked.userId !== userId) return new Refused("link_invalid");
    const made = await registered(values.response, asked.challenge, asker.origin, rpID);
    if (made === undefined) return NOT_VERIFIED;
    const added = await submit(venue.backend, { kind: "add_passkey", userId, name: values.name, ...made });
    if (added instanceof Refused) return added;
    venue.mails?.notice(email, `Your account has a new passkey, ${values.name}.`);
    return { data: rowsOf(venue, userId) };
  },
});

const remove = webCall({
  method: "DELETE",
  path: "/web/passkeys/{passkey_id}",
  needs: "confirmed",
  fields: { passkey_id: required(whole("ID", 1, Number.MAX_SAFE_INTEGER), "a passkey of the account") },
  async serve(venue, asker, { passkey_id: passkeyId }) {
    const identity = changeable(venue, asker);
    if (identity instanceof Refused) return identity;
    const { userId, email } = identity;
    const removed = await submit(venue.backend, { kind: "remove_passkey", userId, passkeyId });
    if (removed instanceof Refused) return removed;
    venue.mails?.notice(email, "A passkey of your account has been taken off.");
    return { data: rowsOf(venue, userId) };
  },
});

const authentication = webCall({
  method: "POST",
  path: "/web/passkeys/authentication",
  needs: "nobody",
  fields: {},
  async serve(venue, asker) {
    const rpID = relyingParty(asker);
    if (rpID === undefined) return NO_NAME;
    const challenge = randomBytes(CHALLENGE_BYTES).toString("base64url");
    const options = await generateAuthenticationOptions({
      rpID,
      challenge: Uint8Array.from(Buffer.from(challenge, "base64url")),
      userVerification: "required",
    });
    return { data: { options, ticket: venue.tickets.issue("passkey authentication", { challenge }) } };
  },
});

const signIn = webCall({
  method: "POST",
  path: "/web/passkeys/sign-in",
  needs: "nobody",
  fields: { ticket, response },
  async serve(venue, asker, values) {
    const proved = await authenticated(venue, asker, values);
    if (proved instanceof Refused) return proved;
    return begin(venue, asker, { userId: proved.identity.userId, ...proved.shown });
  },
});

const confirm = webCall({
  method: "POST",
  path: "/web/passkeys/confirm",
  needs: "session",
  fields: { ticket, response },
  async serve(venue, asker, values) {
    const { userId, sessionId } = asker.session;
    const proved = await authenticated(venue, asker, values);
    if (proved instanceof Refused) return proved;
    if (proved.identity.userId !== userId) return NOT_VERIFIED;
    const { backend } = venue;
    const confirmed = await submit(backend, { kind: "confirm_session", userId, sessionId, ...proved.shown });
    if (confirmed instanceof Refused) return confirmed;
    return { data: sessionData(venue, identities.of(backend.state).sessions.get(sessionId), asker.token) };
  },
});

export const PASSKEY_CALLS: readonly WebCall[] = [list, registration, add, remove, authentication, signIn, confirm];

/** The name that passkeys of this page are for; undefined where it stands at an address. */
function relyingParty({ origin }: Asker): string | undefined {
  const { hostname } = new URL(origin);
  return isIP(hostname.replace(/^\[(.*)\]$/, "$1")) === 0 ? hostname : undefined;
}

interface Made {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** What a device has made; undefined when it is not for this page, or is nonsense. */
async function registered(raw: object, challenge: string, origin: string, rpID: string): Promise<Made | undefined> {
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

interface Proved {
  readonly identity: Identity;
  readonly shown: Shown;
}

/** Whose passkey has answered a challenge of this venue, once. */
async function authenticated(
  { tickets, attempts, backend }: WebVenue,
  asker: Asker,
  values: { readonly ticket: string; readonly response: object },
): Promise<Proved | Refused> {
  const rpID = relyingParty(asker);
  if (rpID === undefined) return NO_NAME;
  const asked = tickets.read<{ challenge: string }>("passkey authentication", values.ticket);
  if (asked instanceof Refused) return asked;
  const attempt = attempts.passkey(asker.address);
  if (attempt === undefined) return new Refused("too_many_attempts");
  const given = values.response as unknown as AuthenticationResponseJSON;
  const identity = identities.of(backend.state).withCredential(String(given.id));
  const passkey = identity?.passkeys.find(({ credentialId }) => credentialId === given.id);
  if (identity === undefined || passkey === undefined) return NOT_VERIFIED;
  const counter = await answeredWith(given, passkey, asked.challenge, asker.origin, rpID);
  if (counter === undefined) return NOT_VERIFIED;
  attempt.takeBack();
  if (!tickets.use(values.ticket)) return new Refused("link_invalid");
  return { identity, shown: { by: "passkey", credentialId: passkey.credentialId, counter } };
}

/** The counter of an answer to a challenge; undefined when the passkey has not given it. */
async function answeredWith(
  given: AuthenticationResponseJSON,
  { credentialId, publicKey, counter }: Passkey,
  challenge: string,
  origin: string,
  rpID: string,
): Promise<number | undefined> {
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

function rowsOf({ backend }: WebVenue, userId: number): object {
  const passkeys = identities.of(backend.state).byUser.get(userId)?.passkeys ?? [];
  return {
    passkeys: passkeys.map(({ passkeyId, name, createdAt, usedAt }) => ({
      passkey_id: passkeyId,
      name,
      created_at: createdAt,
      used_at: usedAt,
    })),
  };
}
