/**
 * Unsealed secrets of the keys in use, ready for signing. Bounded: two generations of at most `KEYS_MAX` each; when the
 * young one is full it becomes the old one, and what is not used until the next turn is forgotten. A hit costs one
 * look-up.
 */
import type { ApiKey } from "./key-directory.ts";
import type { SecretVault } from "./secret-vault.ts";
import { type SigningKey, signingKeyOf } from "./signature.ts";

/** About 300 bytes each; more active keys than this only cost an unsealing (10 µs) now and then. */
const KEYS_MAX = 5_000;

interface Entry {
  /** Tells a key that was made anew under the same access id. */
  readonly secretCipher: string;
  readonly signingKey: SigningKey;
}

export class KeyRing {
  readonly #vault: SecretVault;
  readonly #keysMax: number;
  #young = new Map<string, Entry>();
  #old = new Map<string, Entry>();

  constructor(vault: SecretVault, keysMax = KEYS_MAX) {
    this.#vault = vault;
    this.#keysMax = keysMax;
  }

  /** How many secrets are held in the clear. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Throws SecretVaultError when the secret cannot be unsealed. */
  signingKeyOf(key: ApiKey): SigningKey {
    const young = this.#young.get(key.accessId);
    if (young?.secretCipher === key.secretCipher) return young.signingKey;
    const old = this.#old.get(key.accessId);
    const entry = old?.secretCipher === key.secretCipher ? old : this.#unseal(key);
    this.#old.delete(key.accessId);
    if (this.#young.size >= this.#keysMax) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key.accessId, entry);
    return entry.signingKey;
  }

  #unseal(key: ApiKey): Entry {
    const secret = this.#vault.unseal(key.accessId, key.secretCipher);
    return { secretCipher: key.secretCipher, signingKey: signingKeyOf(secret) };
  }
}
