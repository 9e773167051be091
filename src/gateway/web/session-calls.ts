/** Who is signed in, and the ways in and out that need no password. */

import type { BeginSession } from "../../engine/identity/command-schemas.ts";
import type { Identity, Session } from "../../engine/identity/identities.ts";
import { CONFIRMED_MS, identities, mayWithdraw } from "../../engine/identity/identities.ts";
import { required, text, whole } from "../admin/field.ts";
import { csrfOf, newToken, tokenHashOf } from "../auth/web-sessions.ts";
import { Refused } from "../refused.ts";
import { type Asker, submit, type WebAnswer, type WebCall, type WebVenue, webCall } from "./call.ts";

/** Returns the answer of `GET /web/session` to the holder of this token. */
export function sessionData(venue: WebVenue, session: Session | undefined, token: string | undefined): object {
  const { profile, signUp, demoAccounts, sandbox } = venue;
  const isSignedIn = session !== undefined && token !== undefined;
  return {
    profile,
    sign_up: signUp,
    demo_accounts: demoAccounts,
    test_money: sandbox !== undefined,
    csrf: isSignedIn ? csrfOf(token) : null,
    user: isSignedIn ? userOf(venue, session) : null,
  };
}

function userOf({ backend }: WebVenue, session: Session): object {
  const { state } = backend;
  const { userId, sessionId, by, confirmedAt } = session;
  const identity: Identity | undefined = identities.of(state).byUser.get(userId);
  return {
    user_id: userId,
    name: state.users.names[userId],
    email: identity?.email ?? null,
    is_sub: state.users.mainUserId(userId) !== 0,
    totp: identity !== undefined && identity.totpCipher !== "",
    passkeys: identity?.passkeys.length ?? 0,
    recovery_codes: identity?.recoveryHashes.length ?? 0,
    session_id: sessionId,
    by,
    confirmed_until: confirmedAt + CONFIRMED_MS,
    can_withdraw: mayWithdraw(state, session, backend.now()),
    withdraw_from: identity?.withdrawFrom ?? 0,
  };
}

const show = webCall({
  method: "GET",
  path: "/web/session",
  needs: "nobody",
  fields: {},
  serve: (venue, { session, token }) => ({ data: sessionData(venue, session, token) }),
});

type Beginning = Omit<BeginSession, "kind" | "tokenHash" | "address" | "agent" | "endsSessionId" | "actor">;

/** Begins a session of its own, whatever session the request came with: that one ends. */
export async function begin(
  venue: WebVenue,
  { address, agent, session }: Asker,
  how: Beginning,
): Promise<WebAnswer | Refused> {
  const { backend, vault } = venue;
  const token = newToken(vault);
  const tokenHash = tokenHashOf(token);
  const ends = session === undefined ? {} : { endsSessionId: session.sessionId };
  const begun = await submit(backend, { kind: "begin_session", ...how, tokenHash, ...ends, address, agent });
  if (begun instanceof Refused) return begun;
  const made = identities.of(backend.state).withTokenHash(tokenHash);
  return { data: sessionData(venue, made, token), cookie: token };
}

export const demo = webCall({
  method: "POST",
  path: "/web/demo",
  needs: "nobody",
  fields: { account: required(text("NAME", 1, 64), "a sample account") },
  serve(venue, asker, { account }) {
    const userId = venue.backend.state.users.byName.get(account);
    if (!venue.demoAccounts.includes(account) || userId === undefined) {
      return new Refused("credentials_wrong", "There is no sample account of that name.");
    }
    return begin(venue, asker, { userId, by: "demo" });
  },
});

export const signOut = webCall({
  method: "POST",
  path: "/web/sign-out",
  needs: "session",
  fields: {},
  async serve({ backend }, { session: { userId, sessionId } }) {
    const ended = await submit(backend, { kind: "end_session", userId, sessionId });
    return ended instanceof Refused ? ended : { data: {}, cookie: null };
  },
});

const list = webCall({
  method: "GET",
  path: "/web/sessions",
  needs: "session",
  fields: {},
  serve({ backend }, { session: own }) {
    const rows = [...identities.of(backend.state).sessionsOf(own.userId).values()];
    const sessions = rows.toReversed().map(({ sessionId, by, createdAt, seenAt, address, agent }) => ({
      session_id: sessionId,
      is_current: sessionId === own.sessionId,
      by,
      created_at: createdAt,
      seen_at: seenAt,
      address,
      agent,
    }));
    return { data: { sessions } };
  },
});

const endOthers = webCall({
  method: "DELETE",
  path: "/web/sessions",
  needs: "session",
  fields: {},
  async serve({ backend }, { session: { userId, sessionId: keepSessionId } }) {
    const ended = await submit(backend, { kind: "end_other_sessions", userId, keepSessionId });
    return ended instanceof Refused ? ended : { data: ended.result as object };
  },
});

const endOne = webCall({
  method: "DELETE",
  path: "/web/sessions/{session_id}",
  needs: "session",
  fields: { session_id: required(whole("ID", 1, Number.MAX_SAFE_INTEGER), "a session of the account") },
  async serve({ backend }, { session }, { session_id: sessionId }) {
    const ended = await submit(backend, { kind: "end_session", userId: session.userId, sessionId });
    if (ended instanceof Refused) return ended;
    return { data: {}, ...(sessionId === session.sessionId ? { cookie: null } : {}) };
  },
});

export const SESSION_CALLS: readonly WebCall[] = [show, demo, signOut, list, endOthers, endOne];
