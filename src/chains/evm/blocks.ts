/**
 * Reads an EVM chain block by block: every transaction of a block and every transfer of the listed tokens in it, two
 * calls a block and node however many addresses the venue has. All nodes must state each of them alike, and each block
 * must name the one before it as its parent, so what is acted on is one chain.
 */
import { type AddressBook, ChainTrouble, type Point, type Sighting, type Transfer } from "../chain.ts";
import { blockAt, type FullBlock, type PlacedReport, type Receipt, receiptOf, reportsIn } from "./answers.ts";
import { type Currencies, type Currency, toAmount } from "./currencies.ts";
import { hexOf, type Nodes } from "./nodes.ts";
import { TRANSFER_TOPIC, transferIn } from "./transfer-report.ts";
import type { Address, Hash } from "./viem.ts";

/**
 * Blocks that are read at a time, at most. All nodes must agree on all of them at once, so half as many are read after
 * each look that failed, down to one, and twice as many after each that did not: nodes of which one fails now and then
 * still get on.
 */
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

export class Blocks {
  readonly #options: BlocksOptions;
  #atOnce = BLOCKS_AT_ONCE;

  constructor(options: BlocksOptions) {
    this.#options = options;
  }

  async watch(from: Point | undefined, addresses: AddressBook): Promise<Sighting> {
    const { nodes, startBlock } = this.#options;
    const head = await nodes.head();
    if (from === undefined) return await this.#read(startBlock ?? head, head, undefined, addresses);
    if (head < from.height) return this.#behind(from, head);
    if (head === from.height) {
      const there = await nodes.headerAt(head);
      if (there.hash === from.hash) return { from: head + 1, to: from, more: false, transfers: [] };
      return await this.#read(this.#rewound(from), head, undefined, addresses);
    }
    return await this.#read(from.height + 1, head, from, addresses);
  }

  /** The receipt of a transaction, as all nodes have it; undefined while it stands in no block. */
  receipt(transaction: Hash): Promise<Receipt | undefined> {
    const fact = `what became of ${transaction}`;
    return this.#options.nodes.agree(fact, "eth_getTransactionReceipt", [transaction], receiptOf(transaction));
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
    const atOnce = this.#atOnce;
    this.#atOnce = Math.max(1, atOnce >> 1);
    const sighting = await this.#readSome(first, Math.min(head, first + atOnce - 1), head, before, addresses);
    this.#atOnce = Math.min(BLOCKS_AT_ONCE, 2 * atOnce);
    return sighting;
  }

  async #readSome(
    first: number,
    last: number,
    head: number,
    before: Point | undefined,
    addresses: AddressBook,
  ): Promise<Sighting> {
    const heights = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const blocks = await Promise.all(heights.map((height) => this.#blockAt(height)));
    const end = blocks.at(-1);
    if (end === undefined)
      throw new ChainTrouble(`Block ${first}, where ${this.#options.name} begins, is still to come.`);
    if (before !== undefined && blocks[0]?.parentHash !== before.hash) {
      return await this.#read(this.#rewound(before), head, undefined, addresses);
    }
    const isBroken = blocks.some((block, at) => at > 0 && block.parentHash !== blocks[at - 1]?.hash);
    if (isBroken) throw this.#changed();
    const to = { height: last, hash: end.hash };
    const currencies = await this.#options.currencies.all();
    const found = await Promise.all(blocks.map((block) => this.#transfersIn(block, currencies, addresses)));
    return { from: first, to, more: last < head, transfers: found.flat() };
  }

  #blockAt(height: number): Promise<FullBlock> {
    const { nodes } = this.#options;
    return nodes.agree(`block ${height}`, "eth_getBlockByNumber", [hexOf(height), true], blockAt(height));
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

  /**
   * Coins that transactions carry themselves. What contracts pass on leaves no trace in a block, and is found by
   * reconciliation.
   */
  async #coinsIn(block: FullBlock, coin: Currency, addresses: AddressBook): Promise<Transfer[]> {
    const paying = block.transactions.filter(({ to, value }) => to !== null && value > 0n && addresses.has(to));
    const receipts = await Promise.all(paying.map(({ hash }) => this.#receiptIn(block, hash)));
    return paying.flatMap(({ hash, to, value }, at) => {
      if (receipts[at]?.isSuccess !== true) return [];
      const toAddress = to as Address;
      return [{ ...placeIn(block), txId: hash, output: 0, toAddress, ccy: coin.ccy, amount: toAmount(coin, value) }];
    });
  }

  /**
   * Transfers that listed contracts report. Their place is the one among the transaction's own reports, which no other
   * block changes.
   */
  async #tokensIn(block: FullBlock, currencies: readonly Currency[], addresses: AddressBook): Promise<Transfer[]> {
    const byToken = new Map(
      currencies.flatMap((currency) => (currency.token === undefined ? [] : [[currency.token, currency]])),
    );
    if (byToken.size === 0) return [];
    const filter = { blockHash: block.hash, address: [...byToken.keys()], topics: [TRANSFER_TOPIC] };
    const fact = `the transfers in block ${block.height}`;
    const reports = await this.#options.nodes.agree(fact, "eth_getLogs", [filter], reportsIn(block));
    const concerning = reports.flatMap((report) => {
      const transfer = transferIn(report);
      const currency = byToken.get(report.address);
      if (transfer === undefined || currency === undefined) return [];
      return transfer.units > 0n && addresses.has(transfer.to) ? [{ report, currency, ...transfer }] : [];
    });
    const receipts = await Promise.all(concerning.map(({ report }) => this.#receiptIn(block, report.transaction)));
    return concerning.map(({ report, currency, to, units }, at) => {
      const output = 1 + placeAmong(receipts[at] as Receipt, report);
      // The receipt knows nothing of what the block is said to report.
      if (output === 0 || receipts[at]?.isSuccess !== true) throw this.#changed();
      const amount = toAmount(currency, units);
      return { ...placeIn(block), txId: report.transaction, output, toAddress: to, ccy: currency.ccy, amount };
    });
  }

  /** The receipt of a transaction in this very block. Throws ChainTrouble when it stands there no more. */
  async #receiptIn({ hash, transactions }: FullBlock, transaction: Hash): Promise<Receipt> {
    const receipt = await this.receipt(transaction);
    if (receipt?.blockHash === hash && transactions.some((one) => one.hash === transaction)) return receipt;
    throw this.#changed();
  }

  #changed(): ChainTrouble {
    return new ChainTrouble(`The blocks of ${this.#options.name} changed while they were read.`);
  }
}

/** Which of a receipt's reports this is; -1: none of them. */
function placeAmong({ reports }: Receipt, { address, topics, data, place }: PlacedReport): number {
  return reports.findIndex(
    (own) => own.place === place && own.address === address && own.data === data && `${own.topics}` === `${topics}`,
  );
}

function placeIn({ height }: FullBlock): { readonly memo: string; readonly height: number } {
  return { memo: "", height };
}
