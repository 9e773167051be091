/** The fees that a transaction offers for its place in a block (EIP-1559), per unit of gas, in wei. */
import { ChainTrouble } from "../chain.ts";
import { quantity } from "./answers.ts";
import type { Nodes } from "./nodes.ts";

export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Nodes take a replacement that offers a tenth more; an eighth is safely beyond. */
const BUMP = { numerator: 9n, denominator: 8n };

/**
 * Twice the base fee of the block `at`, so that a payment outlives six full blocks; never more than `most`. Of what
 * nodes offer for a place the lowest counts: too little makes a payment wait and offer more later. Throws ChainTrouble
 * when the settings do not allow enough.
 */
export async function presentFees(nodes: Nodes, name: string, at: number, most: bigint): Promise<Fees> {
  const [{ baseFee: base }, offers] = await Promise.all([
    nodes.headerAt(at),
    nodes.askAll("eth_maxPriorityFeePerGas", [], quantity),
  ]);
  const offered = offers.map((one) => ("answer" in one ? one.answer : USUAL_PRIORITY));
  const priority = [most, ...offered].reduce((least, one) => (one < least ? one : least));
  if (base + priority > most) {
    throw new ChainTrouble(`${name} takes ${base + priority} wei for a unit of gas, more than the settings allow.`);
  }
  const twice = 2n * base + priority;
  return { maxFeePerGas: twice < most ? twice : most, maxPriorityFeePerGas: priority };
}

/** 1 gwei, where a node does not know the call. */
const USUAL_PRIORITY = 1_000_000_000n;

/**
 * Returns the fees of a transaction that takes the place of one that offered `before`; undefined when that would be
 * more than `most`.
 */
export function raised(before: Fees, present: Fees, most: bigint): Fees | undefined {
  const more = (fee: bigint) => (fee * BUMP.numerator) / BUMP.denominator + 1n;
  const larger = (one: bigint, other: bigint) => (one > other ? one : other);
  const maxFeePerGas = larger(more(before.maxFeePerGas), present.maxFeePerGas);
  const maxPriorityFeePerGas = larger(more(before.maxPriorityFeePerGas), present.maxPriorityFeePerGas);
  if (maxFeePerGas > most || maxPriorityFeePerGas > maxFeePerGas) return undefined;
  return { maxFeePerGas, maxPriorityFeePerGas };
}
