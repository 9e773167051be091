/**
 * Reads an EVM chain block by block: every transaction of a block and every transfer of the listed tokens in it, two calls a block
 * however many addresses the venue has. Each block must name the one before it as its parent, so what is acted on is one chain.
 */
import { type AddressBook, ChainTrouble, type Point, type Sighting, type Transfer } from "../chain.ts";
import { type Currencies, type Currency, toAmount } from "./currencies.ts";
import type { Nodes } from "./nodes.ts";
import { type Address, type Block, erc20Abi, getAddress, type Hash, type Transaction } from "./viem.ts";

/** Blocks that are read at a time. */
const BLOCKS_AT_ONCE = 32;

export interface BlocksOptions {
  readonly name: string;
  readonly nodes: Nodes;
  readonly currencies: Currencies;
  /** Where a chain of which nothing was read begins to matter; undefined: at its head of then. */
  readonly startBlock: number | undefined;
  /** How many blocks a reorganisation may reach back: whatever is deeper counts as standing for good. */
  depth(): number;
}

type FullBlock = Block<bigint, true, "latest"> & { readonly hash: Hash };

export class Blocks {
  readonly #options: BlocksOptions;

  constructor(options: BlocksOptions) {
    this.#options = options;
  }

  async watch(from: Point | undefined, addresses: AddressBook): Promise<Sighting> {
    const { nodes, startBlock } = this.#options;
    const head = Number((await nodes.head()).number);
    if (from === undefined) return await this.#read(startBlock ?? head, head, undefined, addresses);
    if (head < from.height) return this.#behind(from, head);
    if (head === from.height) {
      const there = await this.#blockAt(head);
      if (there.hash === from.hash) return { from: head + 1, to: from, more: false, transfers: [] };
      return await this.#read(this.#rewound(from), head, undefined, addresses);
    }
    return await this.#read(from.height + 1, head, from, addresses);
  }

  /** A node among several may be a block or two behind; one that is further behind is none to go by. */
  #behind(from: Point, head: number): Sighting {
    const { name, depth } = this.#options;
    if (from.height - head > depth()) {
      throw new ChainTrouble(`The node of ${name} knows ${head} blocks, and block ${from.height} was read before.`);
    }
    return { from: from.height + 1, to: from, more: false, transfers: [] };
  }

  #rewound({ height }: Point): number {
    return Math.max(height - this.#options.depth(), 0);
  }

  async #read(first: number, head: number, before: Point | undefined, addresses: AddressBook): Promise<Sighting> {
    const last = Math.min(head, first + BLOCKS_AT_ONCE - 1);
    const heights = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const blocks = await Promise.all(heights.map((height) => this.#blockAt(height)));
    if (before !== undefined && blocks[0]?.parentHash !== before.hash) {
      return await this.#read(this.#rewound(before), head, undefined, addresses);
    }
    const isBroken = blocks.some((block, at) => at > 0 && block.parentHash !== blocks[at - 1]?.hash);
    if (isBroken) throw new ChainTrouble(`The blocks of ${this.#options.name} changed while they were read.`);
    const end = blocks.at(-1) as FullBlock;
    const to = { height: last, hash: end.hash };
    await this.#options.nodes.agreeOn(to);
    const currencies = await this.#options.currencies.all();
    const found = await Promise.all(blocks.map((block) => this.#transfersIn(block, currencies, addresses)));
    return { from: first, to, more: last < head, transfers: found.flat() };
  }

  async #blockAt(height: number): Promise<FullBlock> {
    const block = await this.#options.nodes.ask((node) =>
      node.getBlock({ blockNumber: BigInt(height), includeTransactions: true }),
    );
    return block as unknown as FullBlock;
  }

  async #transfersIn(
    block: FullBlock,
    currencies: readonly Currency[],
    addresses: AddressBook,
  ): Promise<readonly Transfer[]> {
    const coin = currencies.find(({ token }) => token === undefined);
    const coins = coin === undefined ? [] : await this.#coinsIn(block, coin, addresses);
    return [...coins, ...(await this.#tokensIn(block, currencies, addresses))];
  }

  /** Coins that transactions carry themselves. What contracts pass on leaves no trace in a block, and is found by reconciliation. */
  async #coinsIn(block: FullBlock, coin: Currency, addresses: AddressBook): Promise<Transfer[]> {
    const paying = (block.transactions as readonly Transaction[]).filter(
      ({ to, value }) => to !== null && value > 0n && addresses.has(getAddress(to)),
    );
    const statuses = await Promise.all(paying.map(({ hash }) => this.#receipt(hash, block)));
    return paying.flatMap(({ hash, to, value }, at) => {
      if (statuses[at]?.status !== "success") return [];
      const toAddress = getAddress(to as Address);
      return [{ ...placeIn(block), txId: hash, output: 0, toAddress, ccy: coin.ccy, amount: toAmount(coin, value) }];
    });
  }

  /** Transfers that listed contracts report. Their place is the one among the transaction's own reports, which no other block changes. */
  async #tokensIn(block: FullBlock, currencies: readonly Currency[], addresses: AddressBook): Promise<Transfer[]> {
    const byToken = new Map(
      currencies.flatMap((currency) => (currency.token === undefined ? [] : [[currency.token, currency]])),
    );
    if (byToken.size === 0) return [];
    const logs = await this.#options.nodes.ask((node) =>
      node.getLogs({ blockHash: block.hash, address: [...byToken.keys()], event: TRANSFER, strict: true }),
    );
    const concerning = logs.filter(
      ({ args, removed }) => !removed && args.value > 0n && addresses.has(getAddress(args.to)),
    );
    const receipts = await Promise.all(concerning.map(({ transactionHash }) => this.#receipt(transactionHash, block)));
    return concerning.map(({ address, args, transactionHash: txId, logIndex }, at) => {
      const currency = byToken.get(getAddress(address)) as Currency;
      const own = receipts[at]?.logs ?? [];
      const output = 1 + own.findIndex((log) => log.logIndex === logIndex);
      const amount = toAmount(currency, args.value);
      return { ...placeIn(block), txId, output, toAddress: getAddress(args.to), ccy: currency.ccy, amount };
    });
  }

  /** What a transaction did in this very block. */
  async #receipt(hash: Hash, block: FullBlock) {
    const receipt = await this.#options.nodes.ask((node) => node.getTransactionReceipt({ hash }));
    if (receipt.blockHash === block.hash) return receipt;
    throw new ChainTrouble(`The blocks of ${this.#options.name} changed while they were read.`);
  }
}

const TRANSFER = erc20Abi.find((item) => item.type === "event" && item.name === "Transfer") as Extract<
  (typeof erc20Abi)[number],
  { readonly type: "event"; readonly name: "Transfer" }
>;

function placeIn({ number }: FullBlock): { readonly memo: string; readonly height: number } {
  return { memo: "", height: Number(number) };
}
