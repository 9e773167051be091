/**
 * Passkeys (WebAuthn): made and used by a person's own device; the venue has public keys and nothing that could be
 * stolen.
 */
import type { Shown } from "../../engine/identity/command-schemas.ts";
import { type Identity, identities } from "../../engine/identity/identities.ts";
import { required, whole } from "../admin/field.ts";
import { ANSWERED, MADE } from "../admin/passkey-fields.ts";
import {
  answeredWith,
  askForPasskey,
  askForRegistration,
  credentialIdOf,
  NO_NAME,
  NOT_VERIFIED,
  registered,
  relyingPartyOf,
} from "../auth/passkeys.ts";
import { Refused } from "../refused.ts";
import { type Asker, submit, type WebCall, type WebVenue, webCall } from "./call.ts";
import { begin, sessionData } from "./session-calls.ts";
import { changeable } from "./totp-calls.ts";

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
    const rpID = relyingPartyOf(asker.origin);
    if (rpID === undefined) return NO_NAME;
    const identity = changeable(venue, asker);
    if (identity instanceof Refused) return identity;
    const { userId, email, passkeys } = identity;
    const owner = { name: email, id: `user ${userId}`, passkeys };
    const { options, challenge } = await askForRegistration(rpID, owner);
    return { data: { options, ticket: venue.tickets.issue("passkey registration", { userId, challenge }) } };
  },
});

const add = webCall({
  method: "POST",
  path: "/web/passkeys",
  needs: "confirmed",
  fields: MADE,
  async serve(venue, asker, values) {
    const rpID = relyingPartyOf(asker.origin);
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
    const rpID = relyingPartyOf(asker.origin);
    if (rpID === undefined) return NO_NAME;
    const { options, challenge } = await askForPasskey(rpID);
    return { data: { options, ticket: venue.tickets.issue("passkey authentication", { challenge }) } };
  },
});

const signIn = webCall({
  method: "POST",
  path: "/web/passkeys/sign-in",
  needs: "nobody",
  fields: ANSWERED,
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
  fields: ANSWERED,
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
  const rpID = relyingPartyOf(asker.origin);
  if (rpID === undefined) return NO_NAME;
  const asked = tickets.read<{ challenge: string }>("passkey authentication", values.ticket);
  if (asked instanceof Refused) return asked;
  const attempt = attempts.passkey(asker.address);
  if (attempt === undefined) return new Refused("too_many_attempts");
  const id = credentialIdOf(values.response);
  const identity = identities.of(backend.state).withCredential(id);
  const passkey = identity?.passkeys.find(({ credentialId }) => credentialId === id);
  if (identity === undefined || passkey === undefined) return NOT_VERIFIED;
  const counter = await answeredWith(values.response, passkey, asked.challenge, asker.origin, rpID);
  if (counter === undefined) return NOT_VERIFIED;
  attempt.takeBack();
  if (!tickets.use(values.ticket)) return new Refused("link_invalid");
  return { identity, shown: { by: "passkey", credentialId: passkey.credentialId, counter } };
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
