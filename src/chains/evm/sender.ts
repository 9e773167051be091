/**
 * Signs transactions and hands them to the network. Each is in the log before anybody else sees it, and only what is
 * there is ever sent; what takes too long is signed again with the same nonce and a higher fee, so that at most one of
 * the two can stand.
 */
import assert from "node:assert/strict";
import type { Payment, Signed } from "../../engine/chains/chain-book.ts";
import type { Purpose } from "../../engine/chains/command-schemas.ts";
import { ChainTrouble, PaymentHeld, PaymentRefused } from "../chain.ts";
import { lastSigned, type PaymentBook } from "../payment-book.ts";
import { quantity } from "./answers.ts";
import { type Currency, toUnits } from "./currencies.ts";
import { type Fees, presentFees, raised } from "./fees.ts";
import type { Account } from "./keys.ts";
import { hexOf, type Nodes } from "./nodes.ts";
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
} from "./viem.ts";

/** Gas of a coin's way to an account that is no contract. */
export const PLAIN_GAS = 21_000n;
/**
 * No transfer of a token needs as much; a node that wants more is wrong, or the receiver's contract does what the venue
 * does not pay for.
 */
const GAS_MAX = 500_000n;
/** Nobody sends as many transactions. */
const NONCE_MAX = 2n ** 40n;
/** Contracts may need more than they needed when they were asked. */
const GAS_MARGIN = { numerator: 5n, denominator: 4n };
/** A payment that is out is handed over again after so many ms: networks forget. */
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
  /** The last block that was read: what stands by then counts. */
  at(): Promise<number>;
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

  async fees(): Promise<Fees> {
    const { nodes, name, maxFeePerGas, at } = this.#options;
    return await presentFees(nodes, name, await at(), maxFeePerGas);
  }

  /**
   * How many transactions of a sender stand in the chain up to a block, the last one read unless given: payments with
   * lower nonces have been decided on.
   */
  async stood(address: Address, height?: number): Promise<number> {
    const { nodes, at } = this.#options;
    const params = [address, hexOf(height ?? (await at()))];
    return await nodes.agree(`how many transactions ${address} has sent`, "eth_getTransactionCount", params, countIn);
  }

  /**
   * Signs a payment and hands it over. Throws PaymentRefused where the network says that it could never be carried out.
   */
  async pay(draft: Draft): Promise<void> {
    const { book, chainId } = this.#options;
    const { paymentId, purpose, account, currency, toAddress, amount } = draft;
    const call = callOf(currency, toAddress, toUnits(currency, amount));
    const gas = await this.#gasOf(account.address, call);
    const fees = draft.fees ?? (await this.fees());
    const nonce = await this.#nextNonce(account.address);
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

  /**
   * Sends what is signed, unless that was done a moment ago. What the network says of it is not believed: blocks
   * decide.
   */
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

  async #broadcast({ id }: Payment, raw: Hex): Promise<void> {
    const { nodes, log, name } = this.#options;
    const faults = await nodes.tell("eth_sendRawTransaction", [raw]);
    if (faults.length === 0) return;
    // Known already, mined already, or not to be had at present: what becomes of it is seen in blocks.
    log.warn({ chain: name, payment: id, faults }, "a node did not take a payment, which is sent again");
  }

  /**
   * Returns the nonce of an address's next payment. Transactions that somebody else may have sent with the key count,
   * too. A single node could make up any number, and no payment after it would ever stand: its higher count throws
   * ChainTrouble.
   */
  async #nextNonce(address: Address): Promise<number> {
    const { nodes, book, name } = this.#options;
    const next = book.nextNonce(address);
    const stood = await this.stood(address);
    if (stood <= next || nodes.isAttested) return Math.max(next, stood);
    throw new ChainTrouble(
      `The single node of ${name} says that ${address} has sent ${stood} transactions, and this venue has ` +
        `signed ${next}: nothing is ` +
        "signed until a second node in the term rpc says the same.",
    );
  }

  /** Gas by the node that wants most. Only when all of them say that a contract refuses is the payment refused. */
  async #gasOf(account: Address, call: Call): Promise<bigint> {
    const { nodes, name } = this.#options;
    const { to, value, data } = call;
    const params = [{ from: account, to, value: hexOf(value), ...(data === undefined ? {} : { data }) }];
    const answers = await nodes.askAll("eth_estimateGas", params, quantity);
    const errors = answers.flatMap((one) => ("error" in one ? [one.error] : []));
    const [error] = errors;
    if (error !== undefined) {
      const text = `${name} would not carry the payment out: ${error.message}`;
      if (errors.length === answers.length && errors.every(({ isRevert }) => isRevert) && nodes.isAttested) {
        throw new PaymentRefused(text, { cause: error });
      }
      throw new PaymentHeld(text, { cause: error });
    }
    const gas = answers.reduce((most, one) => ("answer" in one && one.answer > most ? one.answer : most), 0n);
    if (gas === PLAIN_GAS) return gas;
    const ample = (gas * GAS_MARGIN.numerator) / GAS_MARGIN.denominator;
    if (gas >= PLAIN_GAS && ample <= GAS_MAX) return ample;
    throw new PaymentHeld(`${name} would take ${gas} units of gas; the venue pays for ${PLAIN_GAS} to ${GAS_MAX}.`);
  }
}

function countIn(answer: unknown): number {
  const count = quantity(answer);
  if (count > NONCE_MAX) throw new ChainTrouble(`A node says that an account has sent ${count} transactions.`);
  return Number(count);
}

const HANDED_KEPT = 100_000;

/** The most that a signed transaction takes besides what it moves, in wei. */
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
