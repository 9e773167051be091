import type { Chain } from "../../chains/chain.ts";
import { type OpenOptions, safeConfirmations } from "../../chains/open.ts";
import { SimulatedChain } from "./simulated-chain.ts";

/** Venue time from one block of a simulated chain to the next. */
const BLOCK_MS = 5_000;

/** Begins the chain where nobody has yet. */
export async function openSimulatedChain({ venue, book }: OpenOptions, seed: number): Promise<Chain> {
  const chain = new SimulatedChain({
    venue,
    book,
    seed,
    blockMs: BLOCK_MS,
    safeConfirmations: safeConfirmations(venue, book.chain),
  });
  await chain.start();
  return chain;
}
