/** What the settings of a chain must be, whether they come with the listing of an asset or later. */
import type { AssetChain } from "../listing/forms.ts";
import { ADDRESS_CHARS_MAX } from "./addresses.ts";
import { termsOf } from "./chain-terms.ts";

/** Chains of one asset. */
const CHAINS_MAX = 32;
export const CHAIN_NAME = /^[A-Za-z0-9_-]{1,32}$/;

/** The sentence for settings of one chain that cannot be, of an asset of this scale. */
export function chainFault(settings: AssetChain, scale: number): string | undefined {
  if (!CHAIN_NAME.test(settings.chain)) return "The name of a chain has 1 to 32 letters, digits, _ and -.";
  if (termsOf(settings, scale) === undefined || settings.identity.length > ADDRESS_CHARS_MAX) {
    return `Amounts of a chain are decimals with at most ${scale} decimals, deflation_rate is from 0 to below 1, numbers are not below 0.`;
  }
  return undefined;
}

/** The sentence for chains that an asset cannot have together. */
export function chainsFault(chains: readonly AssetChain[]): string | undefined {
  if (chains.length > CHAINS_MAX) return `An asset moves on at most ${CHAINS_MAX} chains.`;
  const names = new Set(chains.map(({ chain }) => chain));
  return names.size < chains.length ? "Each chain of an asset has a name of its own." : undefined;
}
