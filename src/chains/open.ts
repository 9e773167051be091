/**
 * Makes the chain that a name stands for. What an EVM chain needs is loaded when there is one, and not before: it is
 * large.
 */
import { depthOf, termsOn } from "../engine/payments/chain-terms.ts";
import type { Chain } from "./chain.ts";
import type { EvmTerms } from "./chain-terms.ts";
import type { PaymentBook } from "./payment-book.ts";
import { SimulatedChain } from "./simulated/simulated-chain.ts";
import type { VenueLink } from "./venue-link.ts";

/** Venue time from one block of a simulated chain to the next. */
const SIMULATED_BLOCK_MS = 5_000;

export interface OpenOptions {
  readonly venue: VenueLink;
  readonly book: PaymentBook;
  readonly log: { warn(details: object, message: string): void };
}

/** Begins the chain where nobody has yet. */
export async function openSimulatedChain({ venue, book }: OpenOptions, seed: number): Promise<Chain> {
  const chain = new SimulatedChain({
    venue,
    book,
    seed,
    blockMs: SIMULATED_BLOCK_MS,
    safeConfirmations: safeConfirmations(venue, book.chain),
  });
  await chain.start();
  return chain;
}

/** Keeps a chain's seed safe: whoever has it has the money. */
export interface SeedSafe {
  seal(chain: string, seed: string): string;
  unseal(chain: string, sealed: string): string;
}

/**
 * The keys follow from the seed that the log keeps; a chain that has none gets one, which is in the log before the
 * first address is.
 */
export async function openEvmChain({ venue, book, log }: OpenOptions, terms: EvmTerms, safe: SeedSafe): Promise<Chain> {
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

function safeConfirmations({ state }: VenueLink, chain: string): (ccy: string) => number {
  return (ccy) => {
    const asset = state.assetByCcy.get(ccy);
    return (asset && termsOn(asset, chain)?.safe) ?? depthOf(state, chain);
  };
}
