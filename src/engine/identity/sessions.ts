/** Sessions: how they begin, go on and end. Source: domain 6.8. */
import { type Answer, accepted, refused } from "../answer.ts";
import type { Due } from "../due.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { IDENTITY_RANK } from "./codes.ts";
import type {
  BeginSession,
  ConfirmSession,
  EndOtherSessions,
  EndSession,
  Shown,
  TouchSession,
} from "./command-schemas.ts";
import { hasEnded, type Identity, identities, type Session } from "./identities.ts";
import { isUsedUp } from "./passkeys.ts";

/** Devices of a person, and room for those that were forgotten: what an account makes the venue remember. */
export const SESSIONS_PER_USER_MAX = 20;
const SWEEP_EVERY_MS = 3_600_000;
const HASH = /^[0-9a-f]{64}$/;
const TEXT_CHARS_MAX = 200;

/**
 * Begins a session, in the place of the one that the request came with; the one that was unused for longest makes room.
 */
export function beginSession(state: State, command: BeginSession): Answer {
  const { userId, tokenHash, by, endsSessionId, address, agent } = command;
  const own = identities.of(state);
  if (!state.users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  if (!HASH.test(tokenHash) || own.withTokenHash(tokenHash) !== undefined) {
    return refused("invalid_command", "A session's hash has 64 hexadecimal digits, and is nobody else's.");
  }
  if (address.length > TEXT_CHARS_MAX || agent.length > TEXT_CHARS_MAX) {
    return refused("invalid_command", `address and agent have at most ${TEXT_CHARS_MAX} characters.`);
  }
  const proof = proofOf(state, userId, command);
  if ("refusal" in proof) return proof;

  // Nothing is refused below this line.
  use(state, proof);
  const replaced = endsSessionId === undefined ? undefined : own.sessions.get(endsSessionId);
  if (replaced !== undefined) end(state, replaced);
  makeRoom(state, userId);
  const { timeMs } = state;
  const sessionId = own.nextSessionId++;
  const times = { createdAt: timeMs, seenAt: timeMs, confirmedAt: timeMs, secondAt: proof.isSecond ? timeMs : 0 };
  own.setSession({ sessionId, userId, tokenHash, by, ...times, address, agent });
  if (own.sweepAt === 0) own.sweepAt = timeMs + SWEEP_EVERY_MS;
  state.nextDueMs = Math.min(state.nextDueMs, own.sweepAt);
  emitRareEvent(state, { type: "session_begun", userId, sessionId });
  return accepted({ sessionId });
}

export function confirmSession(state: State, command: ConfirmSession): Answer {
  const { userId, sessionId } = command;
  const session = ownSession(state, userId, sessionId);
  if (session === undefined) return NO_SUCH_SESSION;
  const proof = proofOf(state, userId, command);
  if ("refusal" in proof) return proof;

  // Nothing is refused below this line.
  use(state, proof);
  const { timeMs } = state;
  const secondAt = proof.isSecond ? timeMs : session.secondAt;
  identities.of(state).setSession({ ...session, seenAt: timeMs, confirmedAt: timeMs, secondAt });
  return accepted({ sessionId });
}

export function touchSession(state: State, { sessionId }: TouchSession): Answer {
  const own = identities.of(state);
  const session = own.sessions.get(sessionId);
  if (session === undefined || hasEnded(session, state.timeMs)) return NO_SUCH_SESSION;
  own.setSession({ ...session, seenAt: state.timeMs });
  return accepted({ sessionId });
}

export function endSession(state: State, { userId, sessionId }: EndSession): Answer {
  const session = ownSession(state, userId, sessionId);
  if (session === undefined) return NO_SUCH_SESSION;
  end(state, session);
  return accepted({ sessionId });
}

/** Answers how many there were. */
export function endOtherSessions(state: State, { userId, keepSessionId }: EndOtherSessions): Answer {
  return accepted({ ended: endSessions(state, userId, keepSessionId) });
}

/** Ends the sessions of a user, but for one; gives how many. */
export function endSessions(state: State, userId: number, keepSessionId?: number): number {
  const others = [...identities.of(state).sessionsOf(userId).values()].filter(
    ({ sessionId }) => sessionId !== keepSessionId,
  );
  for (const session of others) end(state, session);
  return others.length;
}

/** Once an hour sessions that have ended of themselves are forgotten; until then they are refused by their times. */
export function sessionsDue(state: State): Due[] {
  const { sweepAt } = identities.of(state);
  if (sweepAt === 0) return [];
  return [{ atMs: sweepAt, rank: IDENTITY_RANK.session_sweep, id: -1, run: () => sweep(state) }];
}

function sweep(state: State): void {
  const own = identities.of(state);
  for (const session of [...own.sessions.values()]) if (hasEnded(session, state.timeMs)) end(state, session);
  own.sweepAt = own.sessions.size === 0 ? 0 : state.timeMs + SWEEP_EVERY_MS;
}

const NO_SUCH_SESSION = refused("session_unknown", "There is no such session, or it has ended.");

function ownSession(state: State, userId: number, sessionId: number): Session | undefined {
  const session = identities.of(state).sessions.get(sessionId);
  return session?.userId === userId && !hasEnded(session, state.timeMs) ? session : undefined;
}

function end(state: State, session: Session): void {
  identities.of(state).deleteSession(session);
  const { userId, sessionId } = session;
  emitRareEvent(state, { type: "session_ended", userId, sessionId });
}

function makeRoom(state: State, userId: number): void {
  const sessions = [...identities.of(state).sessionsOf(userId).values()];
  if (sessions.length < SESSIONS_PER_USER_MAX) return;
  const [oldest] = sessions.sort((one, other) => one.seenAt - other.seenAt || one.sessionId - other.sessionId);
  end(state, oldest as Session);
}

/** The result of a valid proof; `changed` is the identity after the proof has been used up. */
interface Proof {
  readonly isSecond: boolean;
  readonly changed: Identity | undefined;
}

/**
 * Whether what was shown suffices to be taken for the owner: a code of an authenticator counts once and none before it,
 * a recovery code once, a passkey only while its counter rises.
 */
function proofOf(state: State, userId: number, shown: Shown): Proof | Answer {
  const { by, totpStep, recoveryHash, credentialId, counter = 0 } = shown;
  if (by === "demo") return { isSecond: false, changed: undefined };
  const identity = identities.of(state).byUser.get(userId);
  if (identity === undefined) return refused("identity_not_found", "Nobody signs in to this account.");
  if (by === "passkey") {
    const passkey = identity.passkeys.find((one) => one.credentialId === credentialId);
    if (passkey === undefined) return refused("passkey_not_found", "The account has no such passkey.");
    if (isUsedUp(passkey, counter))
      return refused("second_factor_wrong", "The passkey was used before, perhaps by a copy of it.");
    const used = { ...passkey, counter, usedAt: state.timeMs };
    const passkeys = identity.passkeys.map((one) => (one === passkey ? used : one));
    return { isSecond: true, changed: { ...identity, passkeys } };
  }
  if (by !== "password") return refused("invalid_command", "Sessions begin by demo, password or passkey.");
  if (identity.passwordCipher === "") return refused("password_missing", "The account has no password yet.");
  if (totpStep !== undefined) {
    if (identity.totpCipher === "" || totpStep <= identity.totpStep) return USED_CODE;
    return { isSecond: true, changed: { ...identity, totpStep } };
  }
  if (recoveryHash !== undefined) {
    if (!identity.recoveryHashes.includes(recoveryHash)) return USED_CODE;
    const recoveryHashes = identity.recoveryHashes.filter((hash) => hash !== recoveryHash);
    return { isSecond: true, changed: { ...identity, recoveryHashes } };
  }
  if (identity.totpCipher !== "") return refused("second_factor_missing", "A code of the authenticator is needed.");
  return { isSecond: false, changed: undefined };
}

const USED_CODE = refused("second_factor_wrong", "The code is wrong, or has been used.");

function use(state: State, { changed }: Proof): void {
  if (changed !== undefined) identities.of(state).set(changed);
}
