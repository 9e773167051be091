/**
 * A chain in the box. Its blocks are part of the engine's state, so a venue that is replayed, restored or set back
 * finds the world as it was; this is the venue's side of it, which treats it as it would any other: watches blocks,
 * signs, broadcasts, sweeps.
 */

import {
  type AddressBook,
  type Chain,
  ChainTrouble,
  type Holding,
  type PaymentOrder,
  type PaymentStatus,
  type Point,
  type Sighting,
} from "../../chains/chain.ts";
import { lastSigned, type PaymentBook, type Terms } from "../../chains/payment-book.ts";
import type { VenueLink } from "../../chains/venue-link.ts";
import type { Payment } from "../../engine/chains/chain-book.ts";
import type { Asset } from "../../engine/listing/asset.ts";
import { formatDecimal, parseDecimal } from "../../engine/money/decimal.ts";
import { feeOn } from "../../engine/simulated-chain/commands.ts";
import {
  type SimulatedChain as Blocks,
  balanceOn,
  blockHash,
  findSimulatedChain,
  heightAt,
  transactionsBetween,
} from "../../engine/simulated-chain/ledger.ts";
import { addressOf, digest, normalizedAddress, plainAddressOf } from "./addresses.ts";

export interface SimulatedChainOptions {
  readonly venue: VenueLink;
  readonly book: PaymentBook;
  /** Of all addresses; the chain keeps the seed that it was begun with. */
  readonly seed: number;
  /** ms of venue time from one block to the next. */
  readonly blockMs: number;
  /** Confirmations that a deposit needs before it is swept. */
  safeConfirmations(ccy: string): number;
}

export class SimulatedChain implements Chain {
  readonly kind = "simulated";
  readonly isAttested = true;
  readonly holdsDeposits = false;
  readonly #options: SimulatedChainOptions;
  readonly #book: PaymentBook;
  readonly #venue: VenueLink;

  constructor(options: SimulatedChainOptions) {
    this.#options = options;
    this.#book = options.book;
    this.#venue = options.venue;
  }

  get name(): string {
    return this.#book.chain;
  }

  /** Begins the chain's first block where there is none. */
  async start(): Promise<void> {
    if (findSimulatedChain(this.#venue.state, this.name) !== undefined) return;
    const { seed, blockMs } = this.#options;
    await this.#venue.enter([{ kind: "start_simulated_chain", chain: this.name, seed, blockMs }]);
  }

  get hotAddress(): string {
    return this.#addressAt("hot");
  }

  address(userId: number, renewals: number): string {
    return userId === 0 ? this.hotAddress : this.#addressAt(`user ${userId} ${renewals}`);
  }

  normalized(address: string): string | undefined {
    return normalizedAddress(this.name, address);
  }

  watch(from: Point | undefined, addresses: AddressBook): Sighting {
    const { blocks, head } = this.#blocks();
    const first = from === undefined ? 0 : Math.min(from.height, lastCommon(blocks, from)) + 1;
    const transfers = transactionsBetween(blocks, first, head)
      .filter(({ toAddress }) => addresses.has(toAddress))
      .map(({ txId, toAddress, memo, ccy, amount, height }) => {
        const { scale } = this.#assetNamed(ccy);
        return { txId, output: 0, toAddress, memo, ccy, amount: formatDecimal(amount, scale), height };
      });
    return { from: first, to: { height: head, hash: blockHash(blocks, head) }, more: false, transfers };
  }

  lacks({ ccy, amount }: PaymentOrder): string | undefined {
    const asset = this.#assetNamed(ccy);
    const units = (parseDecimal(amount, asset.scale) ?? 0n) + feeOn(asset, this.name);
    return balanceOn(this.#blocks().blocks, this.hotAddress, ccy) >= units ? undefined : ccy;
  }

  async send(order: PaymentOrder): Promise<void> {
    const { id: paymentId, ccy, toAddress, memo, amount } = order;
    const sender = this.#senderOf(this.hotAddress);
    const terms = { paymentId, purpose: "withdrawal", ...sender, ccy, toAddress, memo, amount } as const;
    await this.#broadcast(this.#book.find(paymentId) ?? (await this.#sign(terms)));
  }

  status(paymentId: string): PaymentStatus {
    const payment = this.#book.find(paymentId);
    const { blocks, head } = this.#blocks();
    if (payment === undefined) return { state: "pending" };
    const txId = blocks.byNonce.get(`${payment.fromAddress} ${payment.nonce}`);
    const found = txId === undefined ? undefined : blocks.byId.get(txId);
    if (found === undefined || found.height > head) return { state: "pending" };
    if (!payment.signed.some((signed) => signed.txId === found.txId)) return { state: "displaced" };
    const fee = formatDecimal(found.fee, this.#assetNamed(found.ccy).scale);
    return { state: "paid", txId: found.txId, height: found.height, feeCcy: found.ccy, fee };
  }

  holdings(ccys: readonly string[]): readonly Holding[] {
    const { blocks } = this.#blocks();
    return ccys.map((ccy) => {
      const { scale } = this.#assetNamed(ccy);
      let unswept = 0n;
      for (const entry of this.#book.known?.unswept.values() ?? []) {
        if (entry.ccy === ccy) unswept += balanceOn(blocks, entry.address, ccy);
      }
      const out = this.#book.all().filter((payment) => payment.ccy === ccy).length;
      const costs = BigInt(out) * feeOn(this.#assetNamed(ccy), this.name);
      const hot = balanceOn(blocks, this.hotAddress, ccy);
      return {
        ccy,
        hot: formatDecimal(hot, scale),
        unswept: formatDecimal(unswept, scale),
        cold: formatDecimal(0n, scale),
        costs: formatDecimal(costs, scale),
      };
    });
  }

  /** Brings what came to users' addresses to the hot wallet, once no reorganisation is to be feared. */
  async keepTreasury(): Promise<void> {
    for (const payment of this.#book.all()) {
      if (payment.purpose === "sweep") await this.#broadcast(payment);
    }
    const { blocks, head } = this.#blocks();
    for (const { address, ccy, height } of [...(this.#book.known?.unswept.values() ?? [])]) {
      if (head - height + 1 < this.#options.safeConfirmations(ccy)) continue;
      if (this.#book.all().some(({ fromAddress }) => fromAddress === address)) continue;
      const asset = this.#assetNamed(ccy);
      const held = balanceOn(blocks, address, ccy);
      if (held === 0n) await this.#book.forgetUnswept(address, ccy, height);
      const amount = held - feeOn(asset, this.name);
      if (amount <= 0n) continue;
      const sender = this.#senderOf(address);
      const terms = { paymentId: `sweep ${address} ${sender.nonce}`, purpose: "sweep", ...sender } as const;
      const text = formatDecimal(amount, asset.scale);
      await this.#broadcast(await this.#sign({ ...terms, ccy, toAddress: this.hotAddress, memo: "", amount: text }));
    }
  }

  #senderOf(fromAddress: string): { readonly fromAddress: string; readonly nonce: number } {
    return { fromAddress, nonce: this.#book.nextNonce(fromAddress) };
  }

  /** Signs with a hash in the place of a signature: nobody is to be kept from forging one here. */
  #sign(terms: Terms): Promise<Payment> {
    const { paymentId: _, purpose: __, ...signed } = terms;
    const raw = JSON.stringify(signed);
    return this.#book.sign(terms, { txId: digest(`${this.name} ${raw}`), raw });
  }

  async #broadcast(payment: Payment): Promise<void> {
    const { fromAddress, nonce, ccy, toAddress, memo, amount } = payment;
    const { txId } = lastSigned(payment);
    if (this.#blocks().blocks.byId.has(txId)) return;
    const terms = { fromAddress, nonce, ccy, toAddress, memo, amount };
    const [answered] = await this.#venue.enter([{ kind: "broadcast_simulated", chain: this.name, txId, ...terms }]);
    if (answered?.refusal !== undefined) {
      throw new ChainTrouble(`${this.name} does not take ${payment.id}: ${answered.detail}`);
    }
  }

  #addressAt(path: string): string {
    const seed = findSimulatedChain(this.#venue.state, this.name)?.seed ?? this.#options.seed;
    return this.#isPlain(seed) ? plainAddressOf(this.name, seed, path) : addressOf(this.name, seed, path);
  }

  /**
   * Whether its funds lie at a hot address of the form that all chains had once: what was paid there must stay in
   * reach.
   */
  #isPlain(seed: number): boolean {
    const balances = findSimulatedChain(this.#venue.state, this.name)?.balances;
    if (balances === undefined || balances.size === 0) return false;
    const plain = plainAddressOf(this.name, seed, "hot");
    return this.#venue.state.assets.some(({ ccy }) => balances.has(`${plain} ${ccy}`));
  }

  #blocks(): { readonly blocks: Blocks; readonly head: number } {
    const { state } = this.#venue;
    const blocks = findSimulatedChain(state, this.name);
    if (blocks === undefined) throw new ChainTrouble(`${this.name} has no block yet.`);
    return { blocks, head: heightAt(blocks, state.timeMs) };
  }

  #assetNamed(ccy: string): Asset {
    const asset = this.#venue.state.assetByCcy.get(ccy);
    if (asset === undefined) throw new ChainTrouble(`The asset ${ccy} is not listed.`);
    return asset;
  }
}

/** The highest block that was there when `point` was read, and still is. */
function lastCommon(blocks: Blocks, { height, hash }: Point): number {
  let replaced = Number.POSITIVE_INFINITY;
  const forks = [...blocks.lastForks];
  while (blockHash({ ...blocks, lastForks: forks }, height) !== hash) {
    const last = forks.pop();
    // None of the forks that are remembered explains it: everything is looked at again.
    if (last === undefined) return 0;
    replaced = Math.min(replaced, last.from);
  }
  return replaced - 1;
}
