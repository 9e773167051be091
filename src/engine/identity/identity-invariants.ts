import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { identities } from "./identities.ts";
import { PASSKEYS_MAX } from "./passkeys.ts";
import { SESSIONS_PER_USER_MAX } from "./sessions.ts";

/**
 * An address leads to one account, a session belongs to a user who is there, and no account has more than its share of
 * them.
 */
export function checkIdentities(state: State, { expect }: Census): void {
  const own = identities.of(state);
  for (const [userId, identity] of own.byUser) {
    const { email, passkeys, totpCipher, recoveryHashes } = identity;
    expect(state.users.has(userId), () => `The identity of user ${userId} is of nobody.`);
    expect(own.withEmail(email) === identity, () => `The e-mail address of user ${userId} leads elsewhere.`);
    expect(passkeys.length <= PASSKEYS_MAX, () => `User ${userId} has ${passkeys.length} passkeys.`);
    expect(
      totpCipher !== "" || recoveryHashes.length === 0,
      () => `User ${userId} has recovery codes and nothing to recover.`,
    );
    for (const { passkeyId, credentialId } of passkeys) {
      const isOwn = own.withCredential(credentialId) === identity && passkeyId < own.nextPasskeyId;
      expect(isOwn, () => `The passkey ${passkeyId} of user ${userId} is another's, too.`);
    }
  }
  for (const session of own.sessions.values()) {
    const { sessionId, userId, tokenHash, createdAt, seenAt, secondAt, confirmedAt } = session;
    expect(state.users.has(userId), () => `The session ${sessionId} is of nobody.`);
    expect(own.withTokenHash(tokenHash) === session, () => `The cookie of session ${sessionId} leads elsewhere.`);
    expect(sessionId < own.nextSessionId, () => `The session ${sessionId} has a number that was not given out.`);
    const isSound = createdAt <= confirmedAt && secondAt <= confirmedAt && confirmedAt <= seenAt;
    expect(isSound && seenAt <= state.timeMs, () => `The times of session ${sessionId} are out of order.`);
    const count = own.sessionsOf(userId).size;
    expect(count <= SESSIONS_PER_USER_MAX, () => `User ${userId} has ${count} sessions.`);
  }
  expect(own.sessions.size === 0 || own.sweepAt > 0, () => "There are sessions that nobody sweeps away.");
}
