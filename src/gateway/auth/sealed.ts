/** All that is sealed with the key file: secrets of API keys, and the seeds that keys of chains follow from. */
import { chainBooks } from "../../engine/chains/chain-book.ts";
import type { State } from "../../engine/state.ts";

/** A sealed secret, under the name that it was sealed for. */
export interface Sealed {
  readonly accessId: string;
  readonly secretCipher: string;
}

/** The name that a chain's seed is sealed for; no access id has a space. */
export function seedName(chain: string): string {
  return `chain ${chain}`;
}

export function sealedSeeds(state: State): (Sealed & { readonly chain: string })[] {
  return [...chainBooks.of(state)].flatMap(([chain, { seedCipher }]) =>
    seedCipher === "" ? [] : [{ chain, accessId: seedName(chain), secretCipher: seedCipher }],
  );
}

/** Everything; the oldest API key first. */
export function allSealed(state: State): readonly Sealed[] {
  return [...state.keys.values(), ...sealedSeeds(state)];
}
