/** The state of chains, and of the payments that come in and go out over them. Source: domain 7. */
import { Slot } from "../slot.ts";
import type { State } from "../state.ts";
import type { Deposit } from "./deposit.ts";
import { HeightIndex } from "./height-index.ts";
import type { AllowedAddress } from "./withdraw-address.ts";
import type { Withdrawal } from "./withdrawal.ts";

/** An address of a user; it goes on receiving for ever. */
export interface Address {
  readonly userId: number;
  readonly address: string;
  /** Empty where users are told apart by addresses. */
  readonly memo: string;
  readonly createdAt: number;
  /** Whether as much as a deposit must have ever came to it. */
  used: boolean;
}

/** One chain, whichever assets move on it. */
export interface ChainBook {
  readonly name: string;
  /** Height of its last block that has been read; 0 before the first. */
  head: number;
  /**
   * Blocks up to here are deeper than any asset waits for: what was in them has been told once and for all. Never
   * falls.
   */
  buried: number;
  /** By address and memo, see `placeOf`. */
  readonly owners: Map<string, Address>;
  /** Addresses that users share, told apart by memo. */
  readonly shared: Set<string>;
  /** By user id; the last one is shown. */
  readonly ofUsers: Map<number, Address[]>;
  /** Heads at which a deposit, or a withdrawal, moves on. */
  readonly depositHeights: HeightIndex;
  readonly withdrawalHeights: HeightIndex;
}

export interface Payments {
  readonly chains: Map<string, ChainBook>;
  /** Deposits by id, as long as a notice could still concern them, and by `keyOf`. */
  readonly deposits: Map<number, Deposit>;
  readonly depositByKey: Map<string, Deposit>;
  /** Those that have their confirmations and wait for their time, by it and then by id. */
  readonly delayed: Deposit[];
  /** Credited and still to be taken back by their chain: units by user and asset, see `holdingOf`. */
  readonly reversible: Map<string, bigint>;
  /** Who owes for deposits that were taken back, by `holdingOf`; the ledger says how much. */
  readonly debtors: Map<string, { readonly userId: number; readonly assetId: number }>;
  nextWithdrawId: number;
  /** Withdrawals by id, likewise. */
  readonly withdrawals: Map<number, Withdrawal>;
  /** How many of a user's are not over. */
  readonly openOf: Map<number, number>;
  nextAddressId: number;
  /** Where keys may withdraw to, by id and by user. */
  readonly allowed: Map<number, AllowedAddress>;
  readonly allowedOf: Map<number, AllowedAddress[]>;
  /** Units a day by currency, for every user and for single ones. */
  readonly limits: Map<string, bigint>;
  readonly limitsOf: Map<number, Map<string, bigint>>;
  /**
   * Amounts that users have withdrawn on the day of the last withdrawal, counted from 1970 (UTC): units by currency.
   */
  spentDay: number;
  readonly spent: Map<number, Map<string, bigint>>;
  /** References of what networks took, each with the day from which on it may be forgotten. */
  readonly networkReferences: Map<string, number>;
}

export const payments = new Slot<Payments>(() => ({
  chains: new Map(),
  deposits: new Map(),
  depositByKey: new Map(),
  delayed: [],
  reversible: new Map(),
  debtors: new Map(),
  nextWithdrawId: 1,
  withdrawals: new Map(),
  openOf: new Map(),
  nextAddressId: 1,
  allowed: new Map(),
  allowedOf: new Map(),
  limits: new Map(),
  limitsOf: new Map(),
  spentDay: 0,
  spent: new Map(),
  networkReferences: new Map(),
}));

/** A chain's book, made on first use: names come from listed assets only. */
export function chainBook(state: State, name: string): ChainBook {
  const { chains } = payments.of(state);
  const known = chains.get(name);
  if (known !== undefined) return known;
  const made: ChainBook = {
    name,
    head: 0,
    buried: 0,
    owners: new Map(),
    shared: new Set(),
    ofUsers: new Map(),
    depositHeights: new HeightIndex(),
    withdrawalHeights: new HeightIndex(),
  };
  chains.set(name, made);
  return made;
}

/** Height of the last block of a chain that has been read; for readers, which make no book. */
export function headOf(state: State, chain: string): number {
  return payments.of(state).chains.get(chain)?.head ?? 0;
}

/** How many blocks stand on top of it, its own counted; 0 while it is in none. */
export function confirmationsAt(head: number, height: number): number {
  return height === 0 ? 0 : Math.max(0, head - height + 1);
}

/** One name of a user's holding of an asset. */
export function holdingOf(userId: number, assetId: number): string {
  return `${userId} ${assetId}`;
}
