/**
 * Opens the EVM chain that a name stands for. What it needs is loaded when there is one, and not before: it is large.
 */
import { depthOf, termsOn } from "../engine/payments/chain-terms.ts";
import type { Chain } from "./chain.ts";
import type { EvmOptions } from "./chain-terms.ts";
import type { PaymentBook } from "./payment-book.ts";
import type { VenueLink } from "./venue-link.ts";

export interface OpenOptions {
  readonly venue: VenueLink;
  readonly book: PaymentBook;
  readonly log: { warn(details: object, message: string): void };
}

/** Keeps a chain's seed safe: anyone who has it has the money. */
export interface SeedSafe {
  seal(chain: string, seed: string): string;
  unseal(chain: string, sealed: string): string;
}

/**
 * The keys follow from the seed that the log keeps; a chain that has none gets one, which is in the log before the
 * first address is.
 */
export async function openEvmChain(
  { venue, book, log }: OpenOptions,
  terms: EvmOptions,
  safe: SeedSafe,
): Promise<Chain> {
  const [{ EvmChain }, { newSeed }] = await Promise.all([import("./evm/evm-chain.ts"), import("./evm/keys.ts")]);
  const { chain } = book;
  if ((book.known?.seedCipher ?? "") === "") {
    await venue.enter([{ kind: "keep_chain_seed", chain, seedCipher: safe.seal(chain, newSeed()) }]);
  }
  return new EvmChain({
    terms,
    state: venue.state,
    book,
    seed: safe.unseal(chain, book.known?.seedCipher ?? ""),
    now: () => venue.now(),
    safeConfirmations: safeConfirmations(venue, chain),
    depth: () => depthOf(venue.state, chain),
    log,
  });
}

/** Returns the confirmations after which the chain credits a payment in a currency. */
export function safeConfirmations({ state }: VenueLink, chain: string): (ccy: string) => number {
  return (ccy) => {
    const asset = state.assetByCcy.get(ccy);
    return (asset && termsOn(asset, chain)?.safe) ?? depthOf(state, chain);
  };
}
