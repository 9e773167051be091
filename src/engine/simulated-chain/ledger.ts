/**
 * A simulated chain: what stands in its blocks, and what each address holds by it. Blocks come with the venue's time
 * and hold nothing but their transactions, so a year of empty ones costs no memory: a block's height says when it came,
 * its hash is drawn from the chain's seed, its height and the reorganisation that it came with.
 */
import { Slot } from "../slot.ts";
import type { State } from "../state.ts";

/** A transaction that is in a block, or will be in the next. */
export interface SimulatedTransaction {
  readonly txId: string;
  /** Empty: somebody outside, with all the money there is. */
  readonly fromAddress: string;
  /** Of the sender; -1 of outside. */
  readonly nonce: number;
  readonly toAddress: string;
  readonly memo: string;
  readonly ccy: string;
  /** Units of the asset; the fee is the sender's besides. */
  readonly amount: bigint;
  readonly fee: bigint;
  readonly height: number;
}

/** From a height on the blocks are others than before. */
export interface Fork {
  readonly from: number;
  readonly number: number;
}

export interface SimulatedChain {
  readonly seed: number;
  readonly startMs: number;
  readonly blockMs: number;
  /** Blocks that came before their time. */
  extra: number;
  /** Transactions from outside so far. */
  count: number;
  forks: number;
  /** The last ones, in order. */
  readonly lastForks: Fork[];
  /** By height, and at one height in the order in which they came. */
  readonly transactions: SimulatedTransaction[];
  readonly byId: Map<string, SimulatedTransaction>;
  /** Ids by sender and nonce, of all senders but the outside. */
  readonly byNonce: Map<string, string>;
  /** By address and currency. */
  readonly balances: Map<string, bigint>;
}

/** By the chain's name. */
export const simulatedChains = new Slot<Map<string, SimulatedChain>>(() => new Map());

export function newSimulatedChain(seed: number, startMs: number, blockMs: number): SimulatedChain {
  return {
    seed,
    startMs,
    blockMs,
    extra: 0,
    count: 0,
    forks: 0,
    lastForks: [],
    transactions: [],
    byId: new Map(),
    byNonce: new Map(),
    balances: new Map(),
  };
}

/** How many blocks stand above the first at a time. */
export function heightAt({ startMs, blockMs, extra }: SimulatedChain, timeMs: number): number {
  return extra + Math.floor(Math.max(timeMs - startMs, 0) / blockMs);
}

/** 64 hexadecimal digits. */
export function blockHash({ seed, lastForks }: SimulatedChain, height: number): string {
  const fork = lastForks.findLast(({ from }) => from <= height);
  return drawnDigits(seed, 1, height, fork?.number ?? 0);
}

export function balanceOn({ balances }: SimulatedChain, address: string, ccy: string): bigint {
  return balances.get(`${address} ${ccy}`) ?? 0n;
}

/** Transactions in the blocks of these heights, in order. */
export function transactionsBetween(chain: SimulatedChain, from: number, to: number): SimulatedTransaction[] {
  const { transactions } = chain;
  let [low, high] = [0, transactions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((transactions[middle] as SimulatedTransaction).height < from) low = middle + 1;
    else high = middle;
  }
  const found: SimulatedTransaction[] = [];
  for (; low < transactions.length && (transactions[low] as SimulatedTransaction).height <= to; low++) {
    found.push(transactions[low] as SimulatedTransaction);
  }
  return found;
}

/** Takes a transaction up, with what it moves. */
export function enter(chain: SimulatedChain, transaction: SimulatedTransaction): void {
  chain.transactions.push(transaction);
  index(chain, transaction);
  move(chain, transaction, 1n);
}

/** As `enter`, of what a snapshot holds: its balances are there already. */
export function index(chain: SimulatedChain, transaction: SimulatedTransaction): void {
  const { txId, fromAddress, nonce } = transaction;
  chain.byId.set(txId, transaction);
  if (fromAddress !== "") chain.byNonce.set(`${fromAddress} ${nonce}`, txId);
}

/** Forgets transactions, and takes back what they moved. */
export function forget(chain: SimulatedChain, dropped: ReadonlySet<string>): void {
  for (const txId of dropped) {
    const transaction = chain.byId.get(txId);
    if (transaction === undefined) continue;
    unindex(chain, transaction);
    move(chain, transaction, -1n);
  }
  const left = chain.transactions.filter(({ txId }) => !dropped.has(txId));
  chain.transactions.splice(0, chain.transactions.length, ...left);
}

/** Forgets the oldest transactions beyond so many; what they moved stays moved. */
export function prune(chain: SimulatedChain, max: number): void {
  for (const old of chain.transactions.splice(0, Math.max(chain.transactions.length - max, 0))) unindex(chain, old);
}

function unindex({ byId, byNonce }: SimulatedChain, { txId, fromAddress, nonce }: SimulatedTransaction): void {
  byId.delete(txId);
  byNonce.delete(`${fromAddress} ${nonce}`);
}

function move({ balances }: SimulatedChain, transaction: SimulatedTransaction, sign: bigint): void {
  const { fromAddress, toAddress, ccy, amount, fee } = transaction;
  add(balances, `${toAddress} ${ccy}`, sign * amount);
  if (fromAddress !== "") add(balances, `${fromAddress} ${ccy}`, -sign * (amount + fee));
}

function add(balances: Map<string, bigint>, key: string, more: bigint): void {
  const held = (balances.get(key) ?? 0n) + more;
  if (held === 0n) balances.delete(key);
  else balances.set(key, held);
}

/**
 * Digits that follow from whole numbers, and look like a hash. Nobody is kept from anything by them: they are names.
 */
export function drawnDigits(...from: readonly number[]): string {
  let state = 0x9e3779b9;
  for (const number of from) {
    state = mixed(state ^ (number | 0));
    state = mixed(state ^ Math.floor(number / 2 ** 32));
  }
  let digits = "";
  for (let word = 0; word < 8; word++) {
    state = mixed(state + 0x6d2b79f5 + word);
    digits += (state >>> 0).toString(16).padStart(8, "0");
  }
  return digits;
}

/** A step of a mixing function of 32 bits; no two words come to the same. */
function mixed(word: number): number {
  let mix = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return mix ^ (mix >>> 16);
}

export function findSimulatedChain(state: State, chain: string): SimulatedChain | undefined {
  return simulatedChains.of(state).get(chain);
}
