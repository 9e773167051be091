/**
 * Reads what a node answers, field by field. An answer that is not exactly of the expected form, or not about what was
 * asked, is an OddAnswer. What is read has one form whichever node it came from, so that answers of several nodes can
 * be compared.
 */
import { type Address, getAddress, type Hash, type Hex } from "./viem.ts";

/** The node's answer is none that can be read. */
export class OddAnswer extends Error {
  readonly code = "ODD_ANSWER";
}

export type Reader<Answer> = (answer: unknown) => Answer;

/** No chain is as long; beyond it numbers of blocks would not be exact. */
const HEIGHT_MAX = 2n ** 40n;
/** No token counts more finely. */
const DECIMALS_MAX = 36n;
/** Longest text of bytes that is read: data of an event, or what a call returned. */
const DATA_CHARS_MAX = 2 ** 20;

export interface Header {
  readonly height: number;
  readonly hash: Hash;
  readonly parentHash: Hash;
  /** ms. */
  readonly timeMs: number;
  /** Wei for a unit of gas; 0 where the chain has no base fee. */
  readonly baseFee: bigint;
}

export interface PlainTransaction {
  readonly hash: Hash;
  /** Null: it makes a contract. */
  readonly to: Address | null;
  readonly value: bigint;
}

export interface FullBlock extends Header {
  readonly transactions: readonly PlainTransaction[];
}

/** A report of a contract. */
export interface Report {
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly data: Hex;
  /** Its place in the block. */
  readonly place: number;
}

export interface Receipt {
  readonly hash: Hash;
  readonly blockHash: Hash;
  readonly height: number;
  readonly isSuccess: boolean;
  readonly gasUsed: bigint;
  /** Wei for a unit of gas. */
  readonly gasPrice: bigint;
  readonly reports: readonly Report[];
}

export interface PlacedReport extends Report {
  readonly transaction: Hash;
}

/** A whole number from 0 to 2^256 - 1. */
export function quantity(answer: unknown): bigint {
  if (typeof answer === "string" && /^0x[0-9a-fA-F]{1,64}$/.test(answer)) return BigInt(answer);
  throw odd("a number", answer);
}

export function heightIn(answer: unknown): number {
  const height = quantity(answer);
  if (height <= HEIGHT_MAX) return Number(height);
  throw odd("the number of a block", answer);
}

/** The last block of a node, whichever it is. */
export function headIn(answer: unknown): Header {
  const { number, hash, parentHash, timestamp, baseFeePerGas } = recordIn(answer);
  const seconds = quantity(timestamp);
  if (seconds > HEIGHT_MAX) throw odd("a time", timestamp);
  return {
    height: heightIn(number),
    hash: hashIn(hash),
    parentHash: hashIn(parentHash),
    timeMs: Number(seconds) * 1_000,
    baseFee: baseFeePerGas === undefined || baseFeePerGas === null ? 0n : quantity(baseFeePerGas),
  };
}

export function headerAt(height: number): Reader<Header> {
  return (answer) => {
    const header = headIn(answer);
    if (header.height === height) return header;
    throw odd(`block ${height}`, header.height);
  };
}

export function blockAt(height: number): Reader<FullBlock> {
  return (answer) => {
    const header = headerAt(height)(answer);
    const transactions = listIn(recordIn(answer)["transactions"]).map((one): PlainTransaction => {
      const { hash, to, value } = recordIn(one);
      return { hash: hashIn(hash), to: to === null ? null : addressIn(to), value: quantity(value) };
    });
    return { ...header, transactions };
  };
}

/** Undefined: the transaction stands in no block. */
export function receiptOf(transaction: Hash): Reader<Receipt | undefined> {
  return (answer) => {
    if (answer === null) return undefined;
    const { transactionHash, blockHash, blockNumber, status, gasUsed, effectiveGasPrice, logs } = recordIn(answer);
    if (hashIn(transactionHash) !== transaction) throw odd(`the receipt of ${transaction}`, transactionHash);
    const outcome = quantity(status);
    if (outcome > 1n) throw odd("the status of a receipt", status);
    return {
      hash: transaction,
      blockHash: hashIn(blockHash),
      height: heightIn(blockNumber),
      isSuccess: outcome === 1n,
      gasUsed: quantity(gasUsed),
      gasPrice: quantity(effectiveGasPrice),
      reports: listIn(logs).map((log) => reportIn(recordIn(log))),
    };
  };
}

/** Reads the reports of contracts in one block; throws on one of another block, or one that was taken back. */
export function reportsIn({ hash, height }: Header): Reader<readonly PlacedReport[]> {
  return (answer) =>
    listIn(answer).map((one) => {
      const log = recordIn(one);
      const isThere = hashIn(log["blockHash"]) === hash && heightIn(log["blockNumber"]) === height;
      if (!isThere || log["removed"] === true) throw odd(`a report of block ${height}`, log["blockNumber"]);
      return { ...reportIn(log), transaction: hashIn(log["transactionHash"]) };
    });
}

/** Reads the result of a call of a contract as one number; undefined when nothing lies at the address. */
export function wordIn(answer: unknown): bigint | undefined {
  const data = dataIn(answer);
  if (data === "0x") return undefined;
  if (data.length === 66) return BigInt(data);
  throw odd("a number of a contract", data);
}

/** Undefined: the contract counts no decimals. */
export function decimalsIn(answer: unknown): number | undefined {
  const decimals = wordIn(answer);
  if (decimals === undefined || decimals <= DECIMALS_MAX) return decimals === undefined ? undefined : Number(decimals);
  throw odd("a number of decimals", decimals);
}

export function hashIn(answer: unknown): Hash {
  if (typeof answer === "string" && /^0x[0-9a-fA-F]{64}$/.test(answer)) return answer.toLowerCase() as Hash;
  throw odd("a hash", answer);
}

function addressIn(answer: unknown): Address {
  if (typeof answer === "string" && /^0x[0-9a-fA-F]{40}$/.test(answer)) return getAddress(answer.toLowerCase() as Hex);
  throw odd("an address", answer);
}

function dataIn(answer: unknown): Hex {
  const isData =
    typeof answer === "string" && answer.length <= DATA_CHARS_MAX && /^0x(?:[0-9a-fA-F]{2})*$/.test(answer);
  if (isData) return answer.toLowerCase() as Hex;
  throw odd("bytes", answer);
}

function reportIn({ address, topics, data, logIndex }: Readonly<Record<string, unknown>>): Report {
  return {
    address: addressIn(address),
    topics: listIn(topics).map(hashIn),
    data: dataIn(data),
    place: heightIn(logIndex),
  };
}

function recordIn(answer: unknown): Readonly<Record<string, unknown>> {
  if (typeof answer === "object" && answer !== null && !Array.isArray(answer)) return answer as Record<string, unknown>;
  throw odd("an object", answer);
}

function listIn(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  throw odd("a list", answer);
}

const SHOWN_CHARS = 80;

function odd(expected: string, found: unknown): OddAnswer {
  const shown = (typeof found === "string" || typeof found === "bigint" ? String(found) : JSON.stringify(found)) ?? "";
  return new OddAnswer(`It gives ${shown.slice(0, SHOWN_CHARS) || "nothing"} where ${expected} is expected.`);
}
