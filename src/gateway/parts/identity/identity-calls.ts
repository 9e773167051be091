/** Calls by which operators see and change how people sign in. Operators can see neither passwords nor codes. */
import { EMAIL_CHARS_MAX } from "../../../engine/identity/commands.ts";
import { hasEnded, type Identity, identities } from "../../../engine/identity/identities.ts";
import type { State } from "../../../engine/state.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { optional, required, text, userId } from "../../admin/field.ts";
import { pageFields, pageOf } from "../../admin/page.ts";
import { Refused } from "../../refused.ts";

const listIdentities = call({
  method: "GET",
  path: "/admin/identities",
  verbs: { "identity list": "Show who signs in to which account, the oldest first." },
  fields: { email: optional(text("EMAIL", 1, EMAIL_CHARS_MAX), "the one with this address"), ...pageFields },
  serve({ state }, values) {
    const own = identities.of(state);
    const wanted = values.email === undefined ? [...own.byUser.values()] : [own.withEmail(values.email.toLowerCase())];
    const found = wanted.filter((one) => one !== undefined);
    return pageOf("identities", found, values, (one) => rowOf(state, one));
  },
});

const showIdentity = call({
  method: "GET",
  path: "/admin/identities/USER_ID",
  verbs: { "identity show": "Show how somebody signs in, and the sessions that go on." },
  fields: { user_id: required(userId, "the user") },
  serve({ state }, { user_id: id }) {
    const own = identities.of(state);
    const identity = own.byUser.get(id);
    if (identity === undefined) return NOBODY;
    const sessions = [...own.sessionsOf(id).values()].filter((session) => !hasEnded(session, state.timeMs));
    return {
      ...rowOf(state, identity),
      sessions: sessions.map(({ sessionId, by, createdAt, seenAt, address, agent }) => ({
        session_id: sessionId,
        by,
        created_at: createdAt,
        seen_at: seenAt,
        address,
        agent,
      })),
    };
  },
});

const invite = call({
  method: "POST",
  path: "/admin/identities",
  verbs: { "identity invite": "Let somebody sign in to an account that is there; he asks for a password by mail." },
  fields: {
    user_id: required(userId, "the account"),
    email: required(text("EMAIL", 1, EMAIL_CHARS_MAX), "the address to sign in with"),
  },
  takesTwo: true,
  serve(backend, { user_id, email }) {
    const command = { kind: "invite_identity", userId: user_id, email: email.toLowerCase() } as const;
    return execute(backend, command, (_, { state }) => rowOf(state, identityOf(state, user_id)));
  },
});

const reset = call({
  method: "POST",
  path: "/admin/identities/USER_ID/reset",
  verbs: { "identity reset": "Take password, codes and passkeys off that somebody has lost, and end the sessions." },
  fields: { user_id: required(userId, "the user") },
  // Anyone who answers the telephone can be talked into it, so helping users is not enough.
  mayBy: () => [],
  serve: (backend, { user_id }) =>
    execute(backend, { kind: "reset_identity", userId: user_id }, (_, { state }) =>
      rowOf(state, identityOf(state, user_id)),
    ),
});

const signOut = call({
  method: "POST",
  path: "/admin/identities/USER_ID/sign-out",
  verbs: { "identity sign-out": "End all sessions of a user." },
  fields: { user_id: required(userId, "the user") },
  mayBy: () => ["support"],
  serve: (backend, { user_id }) =>
    execute(backend, { kind: "end_other_sessions", userId: user_id, keepSessionId: 0 }, (result) => result as object),
});

export const IDENTITY_CALLS: readonly AdminCall[] = [listIdentities, showIdentity, invite, reset, signOut];

const NOBODY = new Refused("identity_not_found", "Nobody signs in to this account.");

function identityOf(state: State, id: number): Identity {
  return identities.of(state).byUser.get(id) as Identity;
}

function rowOf(state: State, identity: Identity): object {
  const { userId: id, email, passwordCipher, totpCipher, recoveryHashes, passkeys, withdrawFrom, createdAt } = identity;
  return {
    user_id: id,
    name: state.users.names[id],
    email,
    has_password: passwordCipher !== "",
    totp: totpCipher !== "",
    recovery_codes: recoveryHashes.length,
    passkeys: passkeys.length,
    withdraw_from: withdrawFrom,
    created_at: createdAt,
  };
}
