/** A chain of EVM nodes over JSON-RPC: its coin and the tokens that listings name. */
import type { Signed } from "../../engine/chains/chain-book.ts";
import type { State } from "../../engine/state.ts";
import {
  type AddressBook,
  type Chain,
  ChainTrouble,
  type Holding,
  type PaymentOrder,
  PaymentRefused,
  type PaymentStatus,
  type Point,
  type Sighting,
} from "../chain.ts";
import type { EvmOptions } from "../chain-terms.ts";
import { lastSigned, type PaymentBook } from "../payment-book.ts";
import { Blocks } from "./blocks.ts";
import { Currencies, type Currency, toAmount, toUnits } from "./currencies.ts";
import type { RpcNode } from "./json-rpc.ts";
import { Keys, normalizedAddress } from "./keys.ts";
import { Nodes } from "./nodes.ts";
import { costMost, PLAIN_GAS, Sender } from "./sender.ts";
import { Treasury } from "./treasury.ts";
import type { Address, Hash } from "./viem.ts";

/** Gas that a token's transfer is thought to need before it is known. */
const TOKEN_GAS = 100_000n;

export interface EvmChainOptions {
  readonly terms: EvmOptions;
  readonly state: State;
  readonly book: PaymentBook;
  /** The words that all keys follow from. */
  readonly seed: string;
  now(): number;
  safeConfirmations(ccy: string): number;
  /** How many blocks a reorganisation may reach back. */
  depth(): number;
  /** Makes the way to a node; over HTTP unless given. */
  readonly connect?: (url: string) => RpcNode;
  readonly log: { warn(details: object, message: string): void };
}

export class EvmChain implements Chain {
  readonly kind = "evm";
  readonly #options: EvmChainOptions;
  readonly #book: PaymentBook;
  readonly #keys: Keys;
  readonly #nodes: Nodes;
  readonly #currencies: Currencies;
  readonly #blocks: Blocks;
  readonly #sender: Sender;
  readonly #treasury: Treasury;
  /** The last block that was read. */
  #height = 0;
  #keptAt = Number.NEGATIVE_INFINITY;

  constructor(options: EvmChainOptions) {
    const { terms, state, book, seed, now, log, depth, safeConfirmations, connect } = options;
    const { chainId, rpc: urls, staleAfterMs, startBlock, stuckAfterMs } = terms;
    const name = book.chain;
    this.#options = options;
    this.#book = book;
    this.#keys = new Keys(seed);
    const nodes = new Nodes({ name, urls, chainId, staleAfterMs, connect });
    this.#nodes = nodes;
    const { coin, decimals, oneNode } = terms;
    const at = () => this.#at();
    const trustsOneNode = oneNode === "trust";
    this.#currencies = new Currencies({ state, nodes, chain: name, coin, decimals, trustsOneNode, at });
    this.#blocks = new Blocks({ name, nodes, currencies: this.#currencies, startBlock, depth });
    const maxFeePerGas = BigInt(terms.maxFeeGwei) * 1_000_000_000n;
    this.#sender = new Sender({ name, chainId, nodes, book, maxFeePerGas, stuckAfterMs, now, at, log });
    this.#treasury = new Treasury({
      book,
      keys: this.#keys,
      sender: this.#sender,
      currencies: this.#currencies,
      hot: terms.hot,
      coldAddress: terms.coldAddress === "" ? "" : this.#coldAddress(terms.coldAddress),
      sweepMin: terms.sweepMin,
      safeConfirmations,
      height: () => this.#height,
    });
  }

  get name(): string {
    return this.#book.chain;
  }

  get isAttested(): boolean {
    return this.#nodes.isAttested;
  }

  get holdsDeposits(): boolean {
    return !this.isAttested && this.#options.terms.oneNode === "hold";
  }

  get hotAddress(): string {
    return this.#keys.hot.address;
  }

  address(userId: number, renewals: number): string {
    return userId === 0 ? this.hotAddress : this.#keys.ofUser(userId, renewals).address;
  }

  normalized(address: string): string | undefined {
    return normalizedAddress(address);
  }

  async watch(from: Point | undefined, addresses: AddressBook): Promise<Sighting> {
    const sighting = await this.#blocks.watch(from, addresses);
    this.#height = sighting.to.height;
    return sighting;
  }

  async lacks({ ccy, amount }: PaymentOrder): Promise<string | undefined> {
    const currency = await this.#currencies.named(ccy);
    const coin = currency.token === undefined ? currency : await this.#coin();
    const { maxFeePerGas } = await this.#sender.fees();
    const { address } = this.#keys.hot;
    const stood = await this.#sender.stood(address);
    const waiting = this.#book.all().filter(({ fromAddress, nonce }) => fromAddress === address && nonce >= stood);
    const promised = (own: Currency) =>
      waiting.reduce((sum, payment) => (payment.ccy === own.ccy ? sum + toUnits(own, payment.amount) : sum), 0n);
    const least = this.#options.terms.hot.get(ccy)?.least ?? "0";
    const gas =
      (waiting.length === 0 ? 0n : TOKEN_GAS * BigInt(waiting.length)) + (currency === coin ? PLAIN_GAS : TOKEN_GAS);
    const coins = (await this.#currencies.balance(coin, address)) - promised(coin) - gas * maxFeePerGas;
    const needed = toUnits(currency, amount) + toUnits(currency, least);
    if (currency === coin) return coins >= needed ? undefined : coin.ccy;
    // The gas of a token is paid in coins.
    if (coins < 0n) return coin.ccy;
    const tokens = (await this.#currencies.balance(currency, address)) - promised(currency);
    return tokens >= needed ? undefined : currency.ccy;
  }

  async send({ id: paymentId, ccy, toAddress: given, memo, amount }: PaymentOrder): Promise<void> {
    const known = this.#book.find(paymentId);
    if (known !== undefined) {
      await this.#sender.handOver(known);
      return;
    }
    const toAddress = normalizedAddress(given) as Address | undefined;
    if (toAddress === undefined || toAddress !== given)
      throw new PaymentRefused(`${given} is no address of ${this.name}.`);
    if (memo !== "") throw new PaymentRefused(`Payments on ${this.name} carry no memo.`);
    const currency = await this.#currencies.named(ccy);
    await this.#sender.pay({ paymentId, purpose: "withdrawal", account: this.#keys.hot, currency, toAddress, amount });
  }

  async status(paymentId: string): Promise<PaymentStatus> {
    const payment = this.#book.find(paymentId);
    if (payment === undefined) return { state: "pending" };
    const { fromAddress, nonce, signed } = payment;
    // Asked before the receipts: what has come to stand by then has one.
    const stood = await this.#sender.stood(fromAddress as Address);
    if (stood <= nonce) return { state: "pending" };
    for (const one of signed.toReversed()) {
      const found = await this.#found(one);
      if (found !== undefined) return found;
    }
    // Nodes may count a nonce a moment before they have the receipt; it counts for what is deep.
    return (await this.#isDeep(fromAddress as Address, nonce)) ? { state: "displaced" } : { state: "pending" };
  }

  async holdings(ccys: readonly string[]): Promise<readonly Holding[]> {
    const currencies = (await this.#currencies.all()).filter(({ ccy }) => ccys.includes(ccy));
    return await Promise.all(currencies.map((currency) => this.#held(currency)));
  }

  async keepTreasury(): Promise<void> {
    const now = performance.now();
    if (now - this.#keptAt < this.#options.terms.treasuryMs) return;
    await this.#treasury.keep();
    this.#keptAt = now;
  }

  async #held(currency: Currency): Promise<Holding> {
    const { ccy } = currency;
    const entries = [...(this.#book.known?.unswept.values() ?? [])].filter((entry) => entry.ccy === ccy);
    const unswept = await Promise.all(
      entries.map(({ address }) => this.#currencies.balance(currency, address as Address)),
    );
    const hot = await this.#currencies.balance(currency, this.#keys.hot.address);
    const { coldAddress } = this.#options.terms;
    const cold = coldAddress === "" ? 0n : await this.#currencies.balance(currency, this.#coldAddress(coldAddress));
    const sum = unswept.reduce((total, units) => total + units, 0n);
    const costs = currency.token === undefined ? this.#costs() : 0n;
    return {
      ccy,
      hot: toAmount(currency, hot),
      unswept: toAmount(currency, sum),
      cold: toAmount(currency, cold),
      costs: toAmount(currency, costs),
    };
  }

  /** The most that all signed payments may cost, in wei. */
  #costs(): bigint {
    return this.#book.all().reduce((sum, payment) => sum + costMost(lastSigned(payment)), 0n);
  }

  /** The status of a transaction, by a block that was read; undefined while it stands in none of them. */
  async #found(signed: Signed): Promise<PaymentStatus | undefined> {
    const receipt = await this.#blocks.receipt(signed.txId as Hash);
    if (receipt === undefined || receipt.height > (await this.#at())) return undefined;
    const { hash } = await this.#nodes.headerAt(receipt.height);
    if (hash !== receipt.blockHash) {
      throw new ChainTrouble(`${this.name} has ${signed.txId} in a block that is not the one of that height.`);
    }
    const fee = receipt.gasUsed * receipt.gasPrice;
    if (fee > costMost(signed)) {
      throw new ChainTrouble(`${this.name} would have taken ${fee} wei for ${signed.txId}, more than was signed for.`);
    }
    const coin = await this.#coin();
    return {
      state: receipt.isSuccess ? "paid" : "failed",
      txId: receipt.hash,
      height: receipt.height,
      feeCcy: coin.ccy,
      fee: toAmount(coin, fee),
    };
  }

  async #isDeep(address: Address, nonce: number): Promise<boolean> {
    const height = this.#height - this.#options.depth();
    return height >= 0 && (await this.#sender.stood(address, height)) > nonce;
  }

  /** The block at which the chain is looked at: the last one read; before the first, the last one of all nodes. */
  async #at(): Promise<number> {
    return this.#height > 0 ? this.#height : await this.#nodes.head();
  }

  #coin(): Promise<Currency> {
    return this.#currencies.named(this.#currencies.coin);
  }

  #coldAddress(given: string): Address {
    const address = normalizedAddress(given);
    if (address !== undefined) return address as Address;
    throw new ChainTrouble(`The cold address ${given} of ${this.name} is none, or its checksum is wrong.`);
  }
}
