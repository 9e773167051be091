/**
 * A world that is the same at every start: ids, keys and tokens follow from the seed, so that a test suite can write
 * them down. Anyone who knows the seed knows them all, which is why `accounts` is `fixed` on a machine's own addresses
 * only. Source: design 11.
 */
import { type Chance, REAL_CHANCE, SeededChance } from "../gateway/auth/chance.ts";
import type { Settings } from "./settings.ts";

/** Where what must not be guessed comes from; in a fixed world each purpose has its own row of bytes. */
export function chanceFor({ accounts, seed }: Pick<Settings, "accounts" | "seed">, purpose: string): Chance {
  return accounts === "fixed" ? new SeededChance(seed, purpose) : REAL_CHANCE;
}
