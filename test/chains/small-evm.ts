/**
 * An EVM chain in memory, as far as a venue sees one: coins, one token, blocks, reorganisations, and the calls of
 * JSON-RPC that the venue makes. It is the truth that lying nodes are measured by. Nothing here waits.
 */
import { createHash } from "node:crypto";
import {
  decodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
} from "viem";
import { RpcError } from "../../src/chains/evm/json-rpc.ts";
import { TRANSFER_TOPIC } from "../../src/chains/evm/transfer-report.ts";

export const SMALL_CHAIN_ID = 31_337;
export const TOKEN = getAddress(`0x${"70".repeat(20)}`);
export const TOKEN_DECIMALS = 6;
/** Pays what comes from outside, and never runs out. */
export const WORLD = getAddress(`0x${"99".repeat(20)}`);

const PLAIN_GAS = 21_000n;
const TOKEN_GAS = 50_000n;
const BASE_FEE = 1_000_000_000n;
const PRIORITY = 1_000_000_000n;

export interface Transaction {
  readonly hash: string;
  readonly from: string;
  /** The receiver, or the token's contract. */
  readonly to: string;
  readonly value: bigint;
  /** Undefined: a transaction of the world, which has no order. */
  readonly nonce: number | undefined;
  readonly gas: bigint;
  readonly maxFee: bigint;
  readonly token: { readonly to: string; readonly units: bigint } | undefined;
}

export interface Mined {
  readonly transaction: Transaction;
  readonly isSuccess: boolean;
  readonly gasUsed: bigint;
  readonly gasPrice: bigint;
}

interface Accounts {
  readonly coins: Map<string, bigint>;
  readonly tokens: Map<string, bigint>;
  readonly nonces: Map<string, number>;
}

interface Block {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly mined: readonly Mined[];
  /** After it. */
  readonly accounts: Accounts;
}

export class SmallEvm {
  readonly blocks: Block[] = [];
  readonly waiting = new Map<string, Transaction>();
  /** Receivers that no transfer reaches. */
  readonly frozen = new Set<string>();
  /** All that ever moved in a block, as `hash output to units`, also in blocks that are replaced by now. */
  readonly everPaid = new Set<string>();
  #salt = 0;

  constructor() {
    const accounts = { coins: new Map(), tokens: new Map(), nonces: new Map() };
    this.blocks.push({ height: 0, hash: digest("block 0"), parentHash: digest("nothing"), mined: [], accounts });
  }

  get head(): Block {
    return this.blocks.at(-1) as Block;
  }

  /** A payment of the world; the next block takes it up. */
  pay(to: string, value: bigint): string {
    return this.#wait({ ...this.#ofWorld(), to, value, token: undefined });
  }

  payToken(to: string, units: bigint): string {
    return this.#wait({ ...this.#ofWorld(), to: TOKEN, value: 0n, token: { to, units } });
  }

  mine(): void {
    const accounts: Accounts = {
      coins: new Map(this.head.accounts.coins),
      tokens: new Map(this.head.accounts.tokens),
      nonces: new Map(this.head.accounts.nonces),
    };
    const mined: Mined[] = [];
    for (let next = this.#next(accounts); next !== undefined; next = this.#next(accounts)) {
      this.waiting.delete(next.hash);
      mined.push(this.#carryOut(next, accounts));
    }
    const { height, hash: parentHash } = this.head;
    const hash = digest(`block ${height + 1} ${parentHash} ${this.#salt++}`);
    this.blocks.push({ height: height + 1, hash, parentHash, mined, accounts });
  }

  /**
   * Other blocks take the place of the last ones; what stood in them waits again, but for payments of the world that
   * `drops` gives up.
   */
  reorganise(depth: number, drops: (transaction: Transaction) => boolean): void {
    const replaced = this.blocks.splice(Math.max(this.blocks.length - depth, 1));
    for (const { transaction } of replaced.flatMap(({ mined }) => mined)) {
      if (transaction.nonce === undefined && drops(transaction)) continue;
      this.waiting.set(transaction.hash, transaction);
    }
    for (let at = 0; at <= replaced.length; at++) this.mine();
  }

  /** Where a transaction stands now. */
  find(hash: string): { readonly block: Block; readonly mined: Mined } | undefined {
    for (const block of this.blocks) {
      const mined = block.mined.find(({ transaction }) => transaction.hash === hash);
      if (mined !== undefined) return { block, mined };
    }
    return undefined;
  }

  async call(method: string, params: readonly unknown[]): Promise<unknown> {
    switch (method) {
      case "eth_chainId":
        return hex(SMALL_CHAIN_ID);
      case "eth_getBlockByNumber":
        return this.#block(params[0] as string, params[1] as boolean);
      case "eth_getTransactionReceipt":
        return this.#receipt(params[0] as string);
      case "eth_getLogs": {
        const { blockHash } = params[0] as { readonly blockHash: string };
        const block = this.blocks.find(({ hash }) => hash === blockHash);
        if (block === undefined) throw new RpcError("unknown block", -32_000, undefined);
        return logsOf(block);
      }
      case "eth_getTransactionCount":
        return hex(this.#accountsAt(params[1] as string).nonces.get(params[0] as string) ?? 0);
      case "eth_getBalance":
        return hex(this.#accountsAt(params[1] as string).coins.get(params[0] as string) ?? 0n);
      case "eth_call":
        return this.#view(params[0] as { to: string; data: Hex }, params[1] as string);
      case "eth_estimateGas":
        return this.#estimate(params[0] as { to: string; data?: Hex });
      case "eth_maxPriorityFeePerGas":
        return hex(PRIORITY);
      case "eth_sendRawTransaction":
        return await this.#take(params[0] as Hex);
      default:
        throw new RpcError(`the method ${method} does not exist`, -32_601, undefined);
    }
  }

  #ofWorld() {
    const hash = digest(`payment ${this.#salt++}`);
    return { hash, from: WORLD, nonce: undefined, gas: TOKEN_GAS, maxFee: 10n * BASE_FEE };
  }

  #wait(transaction: Transaction): string {
    this.waiting.set(transaction.hash, transaction);
    return transaction.hash;
  }

  /** What the next block takes up next: of one sender and nonce the one that offers most. */
  #next({ coins, nonces }: Accounts): Transaction | undefined {
    let best: Transaction | undefined;
    for (const one of this.waiting.values()) {
      if (one.nonce === undefined) return one;
      if ((nonces.get(one.from) ?? 0) !== one.nonce) continue;
      if ((coins.get(one.from) ?? 0n) < one.value + one.gas * one.maxFee) continue;
      if (best === undefined || best.from !== one.from || one.maxFee > best.maxFee) best = one;
    }
    return best;
  }

  #carryOut(transaction: Transaction, { coins, tokens, nonces }: Accounts): Mined {
    const { from, to, value, nonce, token, hash, gas } = transaction;
    const needed = token === undefined ? PLAIN_GAS : TOKEN_GAS;
    const gasPrice = BASE_FEE + PRIORITY < transaction.maxFee ? BASE_FEE + PRIORITY : transaction.maxFee;
    const gasUsed = needed < gas ? needed : gas;
    if (nonce !== undefined) {
      nonces.set(from, nonce + 1);
      coins.set(from, (coins.get(from) ?? 0n) - gasUsed * gasPrice);
      for (const other of this.waiting.values()) {
        if (other.from === from && other.nonce === nonce) this.waiting.delete(other.hash);
      }
    }
    const receiver = token?.to ?? to;
    const held = token === undefined ? coins : tokens;
    const units = token?.units ?? value;
    const isCovered = nonce === undefined || (held.get(from) ?? 0n) >= units;
    const isSuccess = isCovered && !this.frozen.has(receiver) && needed <= gas;
    if (isSuccess) {
      if (nonce !== undefined) held.set(from, (held.get(from) ?? 0n) - units);
      held.set(receiver, (held.get(receiver) ?? 0n) + units);
      this.everPaid.add(`${hash} ${token === undefined ? 0 : 1} ${receiver} ${units}`);
    }
    return { transaction, isSuccess, gasUsed, gasPrice };
  }

  #accountsAt(height: string): Accounts {
    const block = height === "latest" ? this.head : this.blocks[Number(height)];
    if (block === undefined) throw new RpcError("header not found", -32_000, undefined);
    return block.accounts;
  }

  #block(at: string, isFull: boolean): object | null {
    const block = at === "latest" ? this.head : this.blocks[Number(at)];
    if (block === undefined) return null;
    const { height, hash, parentHash, mined } = block;
    const transactions = mined.map(({ transaction }) => {
      const { hash: own, from, to, value } = transaction;
      return isFull ? { hash: own, from, to: to.toLowerCase(), value: hex(value), blockHash: hash } : own;
    });
    const head = { number: hex(height), hash, parentHash, timestamp: hex(1_700_000_000 + height * 12) };
    return { ...head, baseFeePerGas: hex(BASE_FEE), transactions };
  }

  #receipt(hash: string): object | null {
    const found = this.find(hash);
    if (found === undefined) return null;
    const { block, mined } = found;
    const place = { transactionHash: hash, blockHash: block.hash, blockNumber: hex(block.height) };
    const fee = { gasUsed: hex(mined.gasUsed), effectiveGasPrice: hex(mined.gasPrice) };
    const logs = logsOf(block).filter(({ transactionHash }) => transactionHash === hash);
    return { ...place, ...fee, status: mined.isSuccess ? "0x1" : "0x0", logs };
  }

  #view({ to, data }: { readonly to: string; readonly data: Hex }, at: string): string {
    if (getAddress(to) !== TOKEN) return "0x";
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
    if (functionName === "decimals") return word(BigInt(TOKEN_DECIMALS));
    const [owner] = args as unknown as readonly [string];
    return word(this.#accountsAt(at).tokens.get(getAddress(owner)) ?? 0n);
  }

  #estimate({ to, data }: { readonly to: string; readonly data?: Hex }): string {
    const token = data === undefined ? undefined : tokenIn(data);
    if (this.frozen.has(getAddress(token?.to ?? to))) throw new RpcError("execution reverted", 3, "0x");
    return hex(token === undefined ? PLAIN_GAS : TOKEN_GAS);
  }

  async #take(raw: Hex): Promise<string> {
    const hash = keccak256(raw);
    const { to, value = 0n, data, nonce = 0, gas = 0n, maxFeePerGas: maxFee = 0n } = parseTransaction(raw);
    const from = await recoverTransactionAddress({ serializedTransaction: raw as never });
    if ((this.head.accounts.nonces.get(from) ?? 0) > nonce) throw new RpcError("nonce too low", -32_000, undefined);
    const receiver = getAddress(to as string);
    const token = data === undefined ? undefined : tokenIn(data);
    this.waiting.set(hash, { hash, from, to: receiver, value, nonce, gas, maxFee, token });
    return hash;
  }
}

function logsOf({ height, hash, mined }: Block) {
  return mined
    .filter(({ isSuccess, transaction }) => isSuccess && transaction.token !== undefined)
    .map(({ transaction: { hash: transactionHash, from, token } }, at) => ({
      address: TOKEN.toLowerCase(),
      topics: [TRANSFER_TOPIC, wordOf(from), wordOf(token?.to ?? "")],
      data: word(token?.units ?? 0n),
      blockHash: hash,
      blockNumber: hex(height),
      transactionHash,
      logIndex: hex(at),
      removed: false,
    }));
}

function tokenIn(data: Hex): Transaction["token"] {
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
  if (functionName !== "transfer") return undefined;
  return { to: getAddress(args[0]), units: args[1] };
}

export function hex(whole: number | bigint): string {
  return `0x${whole.toString(16)}`;
}

export function word(units: bigint): string {
  return `0x${units.toString(16).padStart(64, "0")}`;
}

export function wordOf(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;
}

export function digest(text: string): string {
  return `0x${createHash("sha256").update(text).digest("hex")}`;
}
