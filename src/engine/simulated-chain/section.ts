import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { type Fork, index, newSimulatedChain, type SimulatedTransaction, simulatedChains } from "./ledger.ts";

type StoredTransaction = Omit<SimulatedTransaction, "amount" | "fee"> & {
  readonly amount: string;
  readonly fee: string;
};

interface Stored {
  readonly chain: string;
  readonly seed: number;
  readonly startMs: number;
  readonly blockMs: number;
  readonly extra: number;
  readonly count: number;
  readonly forks: number;
  readonly lastForks: readonly Fork[];
  readonly transactions: readonly StoredTransaction[];
  readonly balances: readonly (readonly [string, string])[];
}

/** Chains by name, transactions by height, balances by address and currency; amounts as texts of units. */
export const simulatedChainSection: Section = {
  name: "simulated_chains",
  version: 1,
  write: (state) => {
    const chains = [...simulatedChains.of(state)].sort(([one], [other]) => (one < other ? -1 : 1));
    const stored = chains.map(([chain, own]): Stored => {
      const { seed, startMs, blockMs, extra, count, forks, lastForks, transactions, balances } = own;
      return {
        chain,
        ...{ seed, startMs, blockMs, extra, count, forks, lastForks },
        transactions: transactions.map(({ amount, fee, ...rest }) => ({ ...rest, amount: `${amount}`, fee: `${fee}` })),
        balances: [...balances]
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([key, units]) => [key, `${units}`] as const),
      };
    });
    return [jsonChunk(stored)];
  },
  read: (state, [json]) => {
    for (const stored of jsonOf(json) as Stored[]) {
      const chain = newSimulatedChain(stored.seed, stored.startMs, stored.blockMs);
      chain.extra = stored.extra;
      chain.count = stored.count;
      chain.forks = stored.forks;
      chain.lastForks.push(...stored.lastForks);
      for (const { amount, fee, ...rest } of stored.transactions) {
        const transaction = { ...rest, amount: BigInt(amount), fee: BigInt(fee) };
        chain.transactions.push(transaction);
        index(chain, transaction);
      }
      for (const [key, units] of stored.balances) chain.balances.set(key, BigInt(units));
      simulatedChains.of(state).set(stored.chain, chain);
    }
  },
};
