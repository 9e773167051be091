/** The rules of passkeys, no matter who owns them. Source: domain 6.8. */
import { type Answer, refused } from "../answer.ts";

/** A passkey made by a person's device: the venue has its public key and nothing that could be stolen. */
export interface Passkey {
  readonly passkeyId: number;
  /** As WebAuthn gives them, in base64url. */
  readonly credentialId: string;
  readonly publicKey: string;
  /** That of its last use; 0 of those that do not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: number;
  readonly usedAt: number;
}

/** Of one owner. */
export const PASSKEYS_MAX = 20;
export const PASSKEY_NAME_CHARS_MAX = 50;

/** Why no passkey can be as described; undefined when it can. */
export function refusePasskey({
  credentialId,
  publicKey,
  counter,
  name,
}: Pick<Passkey, "credentialId" | "publicKey" | "counter" | "name">): Answer | undefined {
  if (credentialId === "" || publicKey === "" || counter < 0) {
    return refused("invalid_command", "A passkey has an id, a public key and a counter from 0.");
  }
  if (name.length === 0 || name.length > PASSKEY_NAME_CHARS_MAX) {
    return refused("invalid_command", `name must have 1 to ${PASSKEY_NAME_CHARS_MAX} characters.`);
  }
  return undefined;
}

/** Whether an answer with this counter was given before, or by a copy. Those that do not count say 0 each time. */
export function isUsedUp(passkey: Passkey, counter: number): boolean {
  return counter <= passkey.counter && (counter !== 0 || passkey.counter !== 0);
}
