/**
 * All that is sealed with the key file: secrets of API keys, seeds that keys of chains follow from, what people sign in
 * with.
 */
import { chainBooks } from "../../engine/chains/chain-book.ts";
import { identities } from "../../engine/identity/identities.ts";
import type { State } from "../../engine/state.ts";

/** A sealed secret, under the name that it was sealed for. */
export interface Sealed {
  readonly accessId: string;
  readonly secretCipher: string;
}

/** The name that a chain's seed is sealed for; no access id has a space, here as below. */
export function seedName(chain: string): string {
  return `chain ${chain}`;
}

/** Returns the name under which a password's hash is sealed. */
export function passwordName(email: string): string {
  return `password of ${email}`;
}

/** Returns the name under which an authenticator's secret is sealed. */
export function totpName(userId: number): string {
  return `authenticator of ${userId}`;
}

/** Returns the sealed secrets that people sign in with: hashes of passwords and secrets of authenticators. */
export function sealedIdentities(
  state: State,
): (Sealed & { readonly userId: number; readonly what: "password" | "totp" })[] {
  return [...identities.of(state).byUser.values()].flatMap(({ userId, email, passwordCipher, totpCipher }) => [
    ...(passwordCipher === ""
      ? []
      : [{ userId, what: "password", accessId: passwordName(email), secretCipher: passwordCipher } as const]),
    ...(totpCipher === ""
      ? []
      : [{ userId, what: "totp", accessId: totpName(userId), secretCipher: totpCipher } as const]),
  ]);
}

export function sealedSeeds(state: State): (Sealed & { readonly chain: string })[] {
  return [...chainBooks.of(state)].flatMap(([chain, { seedCipher }]) =>
    seedCipher === "" ? [] : [{ chain, accessId: seedName(chain), secretCipher: seedCipher }],
  );
}

/** Everything; the oldest API key first. */
export function allSealed(state: State): readonly Sealed[] {
  return [...state.keys.values(), ...sealedSeeds(state), ...sealedIdentities(state)];
}
