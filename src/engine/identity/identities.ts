/** Who may sign in as an account, with what, and who has. Source: domain 6.8. */
import { Slot } from "../slot.ts";
import type { State } from "../state.ts";
import type { SignInBy } from "./command-schemas.ts";
import type { Passkey } from "./passkeys.ts";

/** A session that nobody has used for so long has ended, */
export const SESSION_IDLE_MS = 86_400_000;
/** and so has one that is so old, however much it is used. */
export const SESSION_LIFE_MS = 30 * 86_400_000;
/** How long a confirmation counts. */
export const CONFIRMED_MS = 900_000;

/** How people sign in to an account. */
export interface Identity {
  readonly userId: number;
  /** In small letters; unique. */
  readonly email: string;
  /** Opaque to the engine: a hash of the password, sealed. "" while the account has no password. */
  readonly passwordCipher: string;
  /** The sealed secret of an authenticator; "" without one. */
  readonly totpCipher: string;
  /** The last half minute of which a code was taken. */
  readonly totpStep: number;
  /** SHA-256 of recovery codes that have not been used, hexadecimal. */
  readonly recoveryHashes: readonly string[];
  readonly passkeys: readonly Passkey[];
  /** No withdrawals by sessions before this time, ms: a second factor has gone, or the password came over a link. */
  readonly withdrawFrom: number;
  readonly createdAt: number;
}

export interface Session {
  readonly sessionId: number;
  readonly userId: number;
  /** SHA-256 of the cookie, hexadecimal. */
  readonly tokenHash: string;
  readonly by: SignInBy;
  /** ms, like all times here. */
  readonly createdAt: number;
  readonly seenAt: number;
  /** When who sits there last showed who he is, */
  readonly confirmedAt: number;
  /** and when with more than a password; 0 = never. */
  readonly secondAt: number;
  readonly address: string;
  readonly agent: string;
}

const NONE: ReadonlyMap<number, Session> = new Map();

/** Identities and sessions, found by all that they are asked for by. */
export class Identities {
  nextSessionId = 1;
  nextPasskeyId = 1;
  /** When sessions that have ended are looked for; 0 while there are none. */
  sweepAt = 0;
  readonly byUser = new Map<number, Identity>();
  private readonly byEmail = new Map<string, Identity>();
  private readonly byCredential = new Map<string, Identity>();
  /** By session id, oldest first. */
  readonly sessions = new Map<number, Session>();
  private readonly byTokenHash = new Map<string, Session>();
  private readonly ofUsers = new Map<number, Map<number, Session>>();

  /** Enters an identity, or puts a changed one in the place of the one of its user. */
  set(identity: Identity): void {
    for (const { credentialId } of this.byUser.get(identity.userId)?.passkeys ?? [])
      this.byCredential.delete(credentialId);
    this.byUser.set(identity.userId, identity);
    this.byEmail.set(identity.email, identity);
    for (const { credentialId } of identity.passkeys) this.byCredential.set(credentialId, identity);
  }

  /** `email` in small letters. */
  withEmail(email: string): Identity | undefined {
    return this.byEmail.get(email);
  }

  withCredential(credentialId: string): Identity | undefined {
    return this.byCredential.get(credentialId);
  }

  /** Enters a session, or puts a changed one in its place. */
  setSession(session: Session): void {
    this.sessions.set(session.sessionId, session);
    this.byTokenHash.set(session.tokenHash, session);
    const own = this.ofUsers.get(session.userId);
    if (own === undefined) this.ofUsers.set(session.userId, new Map([[session.sessionId, session]]));
    else own.set(session.sessionId, session);
  }

  deleteSession({ sessionId, tokenHash, userId }: Session): void {
    this.sessions.delete(sessionId);
    this.byTokenHash.delete(tokenHash);
    const own = this.ofUsers.get(userId);
    own?.delete(sessionId);
    if (own?.size === 0) this.ofUsers.delete(userId);
  }

  withTokenHash(tokenHash: string): Session | undefined {
    return this.byTokenHash.get(tokenHash);
  }

  /** Those of a user, oldest first, ended ones that were not swept yet among them. */
  sessionsOf(userId: number): ReadonlyMap<number, Session> {
    return this.ofUsers.get(userId) ?? NONE;
  }
}

export const identities = new Slot(() => new Identities());

/** When a session ends, if nobody uses it before, ms. */
export function endOf({ createdAt, seenAt }: Session): number {
  return Math.min(createdAt + SESSION_LIFE_MS, seenAt + SESSION_IDLE_MS);
}

export function hasEnded(session: Session, nowMs: number): boolean {
  return nowMs >= endOf(session);
}

/** Whether signing in to an account takes more than a password. */
export function hasSecondFactor({ totpCipher, passkeys }: Identity): boolean {
  return totpCipher !== "" || passkeys.length > 0;
}

/**
 * Whether a session may withdraw now: who sits there has shown a second factor a short while ago, and none was lost.
 * Sample accounts have no owner whom that would protect.
 */
export function mayWithdraw(state: State, { userId, by, secondAt }: Session, nowMs: number): boolean {
  if (by === "demo") return true;
  const identity = identities.of(state).byUser.get(userId);
  return identity !== undefined && nowMs >= identity.withdrawFrom && isSecondConfirmed({ secondAt }, nowMs);
}

/** Whether who sits there has shown a second factor a short while ago. */
export function isSecondConfirmed({ secondAt }: Pick<Session, "secondAt">, nowMs: number): boolean {
  return secondAt !== 0 && nowMs < secondAt + CONFIRMED_MS;
}

/** Whether who sits there showed who he is a short while ago. */
export function isConfirmed({ by, confirmedAt }: Session, nowMs: number): boolean {
  return by === "demo" || nowMs < confirmedAt + CONFIRMED_MS;
}
