/** What a transaction offers for its place in a block (EIP-1559), per unit of gas, in wei. */
import { ChainTrouble } from "../chain.ts";
import type { Nodes } from "./nodes.ts";
import type { PublicClient } from "./viem.ts";

export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Nodes take a replacement that offers a tenth more; an eighth is safely beyond. */
const BUMP = { numerator: 9n, denominator: 8n };

/** Twice the present base fee, so that a payment outlives six full blocks; never more than `most`. Throws ChainTrouble when less will not do. */
export async function presentFees(nodes: Nodes, name: string, most: bigint): Promise<Fees> {
  const [head, offered] = await nodes.ask((node: PublicClient) =>
    Promise.all([node.getBlock(), node.estimateMaxPriorityFeePerGas()]),
  );
  const base = head.baseFeePerGas ?? 0n;
  const priority = offered < most ? offered : most;
  if (base + priority > most) {
    throw new ChainTrouble(`${name} takes ${base + priority} wei for a unit of gas, more than the settings allow.`);
  }
  const twice = 2n * base + priority;
  return { maxFeePerGas: twice < most ? twice : most, maxPriorityFeePerGas: priority };
}

/** What takes the place of a transaction that offered `before`; undefined when that would be more than `most`. */
export function raised(before: Fees, present: Fees, most: bigint): Fees | undefined {
  const more = (fee: bigint) => (fee * BUMP.numerator) / BUMP.denominator + 1n;
  const larger = (one: bigint, other: bigint) => (one > other ? one : other);
  const maxFeePerGas = larger(more(before.maxFeePerGas), present.maxFeePerGas);
  const maxPriorityFeePerGas = larger(more(before.maxPriorityFeePerGas), present.maxPriorityFeePerGas);
  if (maxFeePerGas > most || maxPriorityFeePerGas > maxFeePerGas) return undefined;
  return { maxFeePerGas, maxPriorityFeePerGas };
}
