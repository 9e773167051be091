import type { AdminBackend } from "../../admin/backend.ts";
import { type AdminAnswer, type AdminCall, call, execute } from "../../admin/call.ts";
import { type Sealed, sealedIdentities, sealedSeeds } from "../../auth/sealed.ts";
import type { SecretVault } from "../../auth/secret-vault.ts";
import { invalidParameter, Refused } from "../../refused.ts";

const SHARED =
  "the key comes from the setting secret-key, a credential or the environment, where this process cannot " +
  "replace it; put it into secret.key of the data directory, start without those (of several nodes one alone, " +
  "without log), rotate, and put the new one where the key was.";

/** Secrets that one command seals anew. */
const BATCH = 100;

const rotate = call({
  method: "POST",
  path: "/admin/secret-key",
  verbs: {
    "secret-key rotate":
      "Put a new key in the place of the one that API secrets are sealed with, and seal them all anew.",
  },
  fields: {},
  async serve(backend) {
    const { vault, state } = backend;
    if (vault.isShared) return invalidParameter(SHARED);
    // What an interrupted rotation has left over is sealed with the newest key, too.
    vault.rotate();
    for (;;) {
      const left = [...state.keys.values()].filter((key) => isOld(vault, key));
      if (left.length === 0) break;
      const answer = await resealed(backend, left.slice(0, BATCH));
      if (answer instanceof Refused) return answer;
    }
    const seeds = sealedSeeds(state).filter((seed) => isOld(vault, seed));
    const answer = seeds.length === 0 ? undefined : await resealedSeeds(backend, seeds);
    if (answer instanceof Refused) return answer;
    const people = sealedIdentities(state).filter((one) => isOld(vault, one));
    for (let at = 0; at < people.length; at += BATCH) {
      const taken = await resealedIdentities(backend, people.slice(at, at + BATCH));
      if (taken instanceof Refused) return taken;
    }
    vault.retire();
    return { api_keys: state.keys.size };
  },
});

function isOld(vault: SecretVault, one: Sealed): boolean {
  return !vault.opensWithNewest(one) && vault.opens(one);
}

function resealedIdentities(backend: AdminBackend, people: ReturnType<typeof sealedIdentities>): Promise<AdminAnswer> {
  const { vault } = backend;
  const ciphers = people.map(({ userId, what, accessId, secretCipher }) => {
    const cipher = vault.seal(accessId, vault.unseal(accessId, secretCipher));
    return what === "password" ? { userId, passwordCipher: cipher } : { userId, totpCipher: cipher };
  });
  return execute(backend, { kind: "reseal_identities", ciphers }, (result) => result as object);
}

function resealedSeeds(backend: AdminBackend, seeds: ReturnType<typeof sealedSeeds>): Promise<AdminAnswer> {
  const { vault } = backend;
  const anew = seeds.map(({ chain, accessId, secretCipher }) => ({
    chain,
    seedCipher: vault.seal(accessId, vault.unseal(accessId, secretCipher)),
  }));
  return execute(backend, { kind: "reseal_chain_seeds", seeds: anew }, (result) => result as object);
}

function resealed(
  backend: AdminBackend,
  keys: readonly { accessId: string; secretCipher: string }[],
): Promise<AdminAnswer> {
  const { vault } = backend;
  const ciphers = keys.map(({ accessId, secretCipher }) => ({
    accessId,
    secretCipher: vault.seal(accessId, vault.unseal(accessId, secretCipher)),
  }));
  return execute(backend, { kind: "reseal_api_keys", ciphers }, (result) => result as object);
}

export const SECRET_KEY_CALLS: readonly AdminCall[] = [rotate];
