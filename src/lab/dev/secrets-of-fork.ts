/**
 * Takes out of a fork what it must not keep of the venue that it comes from: everything that gives access there, or
 * moves money outside of it.
 */
import { chainBooks } from "../../engine/chains/chain-book.ts";
import { Identities, identities } from "../../engine/identity/identities.ts";
import type { State } from "../../engine/state.ts";
import { REAL_CHANCE } from "../../gateway/auth/chance.ts";
import { SecretVault } from "../../gateway/auth/secret-vault.ts";

/** A key that took the place of one whose secret could not be read. */
export interface FreshKey {
  readonly userId: number;
  readonly name: string;
  readonly accessId: string;
  readonly secret: string;
}

/** Gives every key that `vault` cannot open another access id and secret; all else about it, and its place, stay. */
export function replaceKeys(state: State, vault: SecretVault): FreshKey[] {
  const keys = [...state.keys.values()];
  const isLost = (key: (typeof keys)[number]) => !vault.opens(key);
  if (!keys.some(isLost)) return [];
  const fresh: FreshKey[] = [];
  for (const { accessId } of keys) state.keys.delete(accessId);
  for (const key of keys) {
    if (isLost(key)) {
      const { accessId, secret } = SecretVault.keyPair(REAL_CHANCE);
      state.keys.set(accessId, { ...key, accessId, secretCipher: vault.seal(accessId, secret) });
      fresh.push({ userId: key.userId, name: state.users.names[key.userId] ?? "", accessId, secret });
    } else state.keys.set(key.accessId, key);
  }
  return fresh;
}

/**
 * Takes out what operators and people sign in with, and the keys of hot wallets with all that they signed. Gives what
 * it was, as sentences.
 */
export function takeOutSecrets(state: State): string[] {
  const { operators } = state;
  const notes: string[] = [];
  const named = [...operators.byName.values()];
  for (const operator of named) operators.leave(operator);
  if (named.length > 0) notes.push(`Operators taken out: ${named.map(({ name }) => name).join(", ")}.`);
  // They wait for operators that there are no more, and some hold a token's hash.
  if (operators.approvals.size > 0) notes.push(`Approvals that waited, taken out: ${operators.approvals.size}.`);
  operators.approvals.clear();
  // Root alone is left, and lets others in.
  operators.isDual = false;
  const people = identities.of(state);
  if (people.byUser.size + people.sessions.size > 0) {
    notes.push(`E-mail addresses with all that people signed in with, taken out: ${people.byUser.size}.`);
    state.slots.set(identities, new Identities());
  }
  const books = chainBooks.of(state);
  for (const [chain, { seedCipher, payments }] of books) {
    if (seedCipher === "") continue;
    books.delete(chain);
    notes.push(`The keys of ${chain} and ${payments.size} signed payments were taken out.`);
  }
  return notes;
}
