/**
 * The venue's record of each chain that it moves money on: the sealed seed of its keys, how far the chain was read,
 * which addresses are still to be swept, and every transaction that was signed and is not final yet. All of it must
 * survive the process: a process that takes over from the log sends the transactions that were signed and signs nothing
 * twice.
 */
import { Slot } from "../slot.ts";
import type { State } from "../state.ts";
import type { Purpose } from "./command-schemas.ts";

/** A signed transaction, as it is broadcast. */
export interface Signed {
  readonly txId: string;
  readonly raw: string;
}

export interface Payment {
  readonly id: string;
  readonly purpose: Purpose;
  readonly fromAddress: string;
  readonly nonce: number;
  readonly ccy: string;
  readonly toAddress: string;
  readonly memo: string;
  /** Whole units, as a decimal. */
  readonly amount: string;
  /** ms of the first and of the last signature. */
  readonly createdAt: number;
  signedAt: number;
  /**
   * The last one is in force; those before it have the same sender and nonce, and may still be the one that comes to
   * stand.
   */
  readonly signed: Signed[];
}

/** An address of a user that holds money, by address and currency. */
export interface Unswept {
  readonly address: string;
  readonly ccy: string;
  readonly userId: number;
  readonly renewals: number;
  /** Of the block that the last of it came with. */
  readonly height: number;
}

export interface ChainBook {
  /** Sealed; empty where the chain needs none. */
  seedCipher: string;
  /** The last block read; 0 and empty before the first. */
  height: number;
  hash: string;
  /** By sender: the first nonce that nothing was signed with. */
  readonly nonces: Map<string, number>;
  /** By id, in the order of their first signature. */
  readonly payments: Map<string, Payment>;
  readonly unswept: Map<string, Unswept>;
}

/** By the chain's name. */
export const chainBooks = new Slot<Map<string, ChainBook>>(() => new Map());

export function newChainBook(): ChainBook {
  return { seedCipher: "", height: 0, hash: "", nonces: new Map(), payments: new Map(), unswept: new Map() };
}

/** Returns the record of a chain; undefined when nothing was ever written of it. */
export function findChainBook(state: State, chain: string): ChainBook | undefined {
  return chainBooks.of(state).get(chain);
}

/** As `findChainBook`, made when it is not there: of a command that is carried out. */
export function chainBook(state: State, chain: string): ChainBook {
  const books = chainBooks.of(state);
  const known = books.get(chain);
  if (known !== undefined) return known;
  const made = newChainBook();
  books.set(chain, made);
  return made;
}

export function unsweptKey(address: string, ccy: string): string {
  return `${address} ${ccy}`;
}
