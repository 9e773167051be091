/**
 * Signs transactions and hands them to the network. Each is in the log before anybody else sees it, and only what is there is ever
 * sent; what takes too long is signed again with the same nonce and a higher fee, so that at most one of the two can stand.
 */
import assert from "node:assert/strict";
import type { Payment, Signed } from "../../engine/chains/chain-book.ts";
import type { Purpose } from "../../engine/chains/forms.ts";
import { ChainTrouble, PaymentRefused } from "../chain.ts";
import { lastSigned, type PaymentBook } from "../payment-book.ts";
import { type Currency, toUnits } from "./currencies.ts";
import { type Fees, presentFees, raised } from "./fees.ts";
import type { Account } from "./keys.ts";
import type { Nodes } from "./nodes.ts";
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hash,
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
} from "./viem.ts";

/** Gas of a coin's way to an account that is no contract. */
export const PLAIN_GAS = 21_000n;
/** Contracts may need more than they needed when they were asked. */
const GAS_MARGIN = { numerator: 5n, denominator: 4n };
/** What is out is handed over again after so long: networks forget. */
const AGAIN_MS = 15_000;

export interface SenderOptions {
  readonly name: string;
  readonly chainId: number;
  readonly nodes: Nodes;
  readonly book: PaymentBook;
  /** The most that is offered for a unit of gas, in wei. */
  readonly maxFeePerGas: bigint;
  /** A payment that stands in no block after so long offers more. */
  readonly stuckAfterMs: number;
  /** The venue's time, ms. */
  now(): number;
  readonly log: { warn(details: object, message: string): void };
}

/** A payment that is to be signed. */
export interface Draft {
  readonly paymentId: string;
  readonly purpose: Purpose;
  readonly account: Account;
  readonly currency: Currency;
  readonly toAddress: Address;
  /** As the ledger writes it. */
  readonly amount: string;
  /** Offered instead of what the network takes at present. */
  readonly fees?: Fees;
}

export class Sender {
  readonly #options: SenderOptions;
  /** When each payment was handed over last, by the process's own clock. */
  readonly #handedAt = new Map<string, number>();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  fees(): Promise<Fees> {
    const { nodes, name, maxFeePerGas } = this.#options;
    return presentFees(nodes, name, maxFeePerGas);
  }

  /** How many transactions of a sender stand in the chain: payments with lower nonces have been decided on. */
  stood(address: Address): Promise<number> {
    return this.#options.nodes.ask((node) => node.getTransactionCount({ address, blockTag: "latest" }));
  }

  /** Signs a payment and hands it over. Throws PaymentRefused where the network says that it could never be carried out. */
  async pay(draft: Draft): Promise<void> {
    const { book, chainId } = this.#options;
    const { paymentId, purpose, account, currency, toAddress, amount } = draft;
    const call = callOf(currency, toAddress, toUnits(currency, amount));
    const gas = await this.#gasOf(account.address, call);
    const fees = draft.fees ?? (await this.fees());
    // What somebody else may have sent with the key counts, too.
    const nonce = Math.max(book.nextNonce(account.address), await this.stood(account.address));
    const raw = await account.signTransaction({ type: "eip1559", chainId, nonce, gas, ...fees, ...call });
    const terms = {
      paymentId,
      purpose,
      fromAddress: account.address,
      nonce,
      ccy: currency.ccy,
      toAddress,
      memo: "",
      amount,
    };
    await this.handOver(await book.sign(terms, { txId: keccak256(raw), raw }));
  }

  /** Sends what is signed, unless that was done a moment ago. What the network says of it is not believed: blocks decide. */
  async handOver(payment: Payment): Promise<void> {
    const { txId, raw } = lastSigned(payment);
    const now = performance.now();
    if (now - (this.#handedAt.get(txId) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
    await this.#broadcast(payment, raw as Hex);
    if (this.#handedAt.size > HANDED_KEPT) this.#handedAt.clear();
    this.#handedAt.set(txId, now);
  }

  /** Offers more for what has waited too long. Only the first of a sender's: the others wait for it. */
  async replaceStuck(payment: Payment, account: Account): Promise<void> {
    const { book, stuckAfterMs, maxFeePerGas, name, log, now } = this.#options;
    if (now() - payment.signedAt < stuckAfterMs) return;
    const before = parseTransaction(lastSigned(payment).raw as Hex);
    if (before.type !== "eip1559") return;
    const { maxFeePerGas: fee = 0n, maxPriorityFeePerGas: priority = 0n } = before;
    const fees = raised({ maxFeePerGas: fee, maxPriorityFeePerGas: priority }, await this.fees(), maxFeePerGas);
    if (fees === undefined) {
      log.warn({ chain: name, payment: payment.id }, "a payment waits, and the settings allow no higher fee");
      return;
    }
    // The signature of before is left behind: it would be taken for a part of what is signed.
    const { type, chainId, nonce: place, gas, to, value, data } = before;
    const same = { type, chainId, nonce: place ?? 0, gas, to, value, data } as const;
    const raw = await account.signTransaction({ ...same, ...fees });
    const { id: paymentId, purpose, fromAddress, nonce, ccy, toAddress, memo, amount } = payment;
    const signer = await recoverTransactionAddress({ serializedTransaction: raw as never });
    assert(signer === fromAddress, `${paymentId} would be signed by ${signer}`);
    const terms = { paymentId, purpose, fromAddress, nonce, ccy, toAddress, memo, amount };
    await this.handOver(await book.sign(terms, { txId: keccak256(raw), raw }));
  }

  async #broadcast({ id }: Payment, raw: Hex): Promise<Hash | undefined> {
    const { nodes, log, name } = this.#options;
    try {
      return await nodes.ask((node) => node.sendRawTransaction({ serializedTransaction: raw }));
    } catch (error) {
      if (!(error instanceof ChainTrouble) || !isAnswer(error.cause)) throw error;
      // Known already, mined already, or not to be had at present: what becomes of it is seen in blocks.
      log.warn(
        { chain: name, payment: id, err: error.message },
        "the network did not take a payment, which is sent again",
      );
      return undefined;
    }
  }

  async #gasOf(account: Address, call: Call): Promise<bigint> {
    try {
      const gas = await this.#options.nodes.ask((node) => node.estimateGas({ account, ...call }));
      return gas === PLAIN_GAS ? gas : (gas * GAS_MARGIN.numerator) / GAS_MARGIN.denominator;
    } catch (error) {
      if (error instanceof ChainTrouble && isRevert(error.cause)) {
        throw new PaymentRefused(`${this.#options.name} would not carry the payment out: ${error.message}`, {
          cause: error,
        });
      }
      throw error;
    }
  }
}

const HANDED_KEPT = 100_000;

/** What a signed transaction takes at most besides what it moves, in wei. */
export function costMost({ raw }: Signed): bigint {
  const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(raw as Hex) as { gas?: bigint; maxFeePerGas?: bigint };
  return gas * maxFeePerGas;
}

interface Call {
  readonly to: Address;
  readonly value: bigint;
  readonly data?: Hex;
}

function callOf({ token }: Currency, to: Address, units: bigint): Call {
  if (token === undefined) return { to, value: units };
  return {
    to: token,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, units] }),
  };
}

type Walkable = { walk?(fits: (error: unknown) => boolean): unknown };

/** Whether the node has answered, with an error, instead of being out of reach. */
function isAnswer(cause: unknown): boolean {
  return (cause as Walkable).walk?.((error) => (error as { name?: string }).name === "RpcRequestError") != null;
}

/** Whether a contract said no. */
function isRevert(cause: unknown): boolean {
  return (cause as Walkable).walk?.((error) => (error as { name?: string }).name === "ExecutionRevertedError") != null;
}
