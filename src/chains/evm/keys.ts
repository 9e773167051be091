/**
 * The keys of an EVM chain, all from one seed of 24 words by the paths that wallets know (BIP-39, BIP-32): the hot
 * wallet is m/44'/60'/0'/0/0, the address of a user after so many renewals m/44'/60'/1'/USER/RENEWALS.
 */
import {
  english,
  generateMnemonic,
  getAddress,
  type Hex,
  isAddress,
  type LocalAccount,
  mnemonicToAccount,
} from "./viem.ts";

export type Account = LocalAccount;

const WORDS_BITS = 256;
const USERS_KEPT = 1_000;

/** 24 words from 256 random bits. */
export function newSeed(): string {
  return generateMnemonic(english, WORDS_BITS);
}

export class Keys {
  readonly hot: Account;
  readonly #seed: string;
  /** Accounts of users that were asked for, the last ones: making one takes milliseconds. */
  readonly #users = new Map<string, Account>();

  constructor(seed: string) {
    this.#seed = seed;
    this.hot = mnemonicToAccount(seed, { accountIndex: 0 });
  }

  ofUser(userId: number, renewals: number): Account {
    const path = `${userId} ${renewals}`;
    const known = this.#users.get(path);
    if (known !== undefined) return known;
    const made = mnemonicToAccount(this.#seed, { accountIndex: 1, changeIndex: userId, addressIndex: renewals });
    if (this.#users.size >= USERS_KEPT) this.#users.clear();
    this.#users.set(path, made);
    return made;
  }
}

/** The spelling with the checksum of EIP-55; undefined when it is no address, or its checksum is wrong. */
export function normalizedAddress(address: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return undefined;
  const digits = address.slice(2);
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!isPlain && !isAddress(address, { strict: true })) return undefined;
  return getAddress(address as Hex);
}
