/** Commands by which the program records facts about chains, payments aside. */
import { type Answer, accepted, refused } from "../answer.ts";
import type { State } from "../state.ts";
import { chainBook, findChainBook, unsweptKey } from "./chain-book.ts";
import type { ForgetUnswept, KeepChainSeed, NoteChain, NoteUnswept, ResealChainSeeds } from "./command-schemas.ts";

/** A chain's name, as listings have it. */
const CHAIN_CHARS_MAX = 32;

export function keepChainSeed(state: State, { chain, seedCipher }: KeepChainSeed): Answer {
  const fault = faultOfName(chain);
  if (fault !== undefined) return fault;
  if (seedCipher === "") return refused("invalid_command", "seedCipher must not be empty.");
  if ((findChainBook(state, chain)?.seedCipher ?? "") !== "") {
    return refused("seed_kept", `The keys of ${chain} follow from a seed that is kept already.`);
  }
  chainBook(state, chain).seedCipher = seedCipher;
  return accepted({});
}

export function resealChainSeeds(state: State, { seeds }: ResealChainSeeds): Answer {
  const unknown = seeds.find(({ chain }) => (findChainBook(state, chain)?.seedCipher ?? "") === "");
  if (unknown !== undefined) return refused("invalid_command", `No seed is kept of ${unknown.chain}.`);
  if (seeds.some(({ seedCipher }) => seedCipher === "")) return refused("invalid_command", "A seed is never empty.");
  for (const { chain, seedCipher } of seeds) chainBook(state, chain).seedCipher = seedCipher;
  return accepted({ seeds: seeds.length });
}

export function noteChain(state: State, { chain, height, hash }: NoteChain): Answer {
  const fault = faultOfName(chain);
  if (fault !== undefined) return fault;
  if (height < 0) return refused("invalid_command", "height must be 0 or more.");
  const book = chainBook(state, chain);
  book.height = height;
  book.hash = hash;
  return accepted({});
}

export function noteUnswept(state: State, { chain, address, ccy, userId, renewals, height }: NoteUnswept): Answer {
  const fault = faultOfName(chain);
  if (fault !== undefined) return fault;
  if (!state.assetByCcy.has(ccy)) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
  if (!state.users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  chainBook(state, chain).unswept.set(unsweptKey(address, ccy), { address, ccy, userId, renewals, height });
  return accepted({});
}

export function forgetUnswept(state: State, { chain, address, ccy, height }: ForgetUnswept): Answer {
  const unswept = findChainBook(state, chain)?.unswept;
  const key = unsweptKey(address, ccy);
  if ((unswept?.get(key)?.height ?? Infinity) <= height) unswept?.delete(key);
  return accepted({});
}

function faultOfName(chain: string): Answer | undefined {
  if (chain !== "" && chain.length <= CHAIN_CHARS_MAX) return undefined;
  return refused("invalid_command", `chain must be a name of 1 to ${CHAIN_CHARS_MAX} characters.`);
}
