import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { TRANSACTIONS_MAX } from "./commands.ts";
import { simulatedChains } from "./ledger.ts";

/**
 * Checks the invariants of simulated chains: blocks in order, each transaction and each nonce once, and every address
 * but the outside with money of its own.
 */
export function checkSimulatedChains(state: State, { expect }: Census): void {
  for (const [name, { transactions, byId, byNonce, balances }] of simulatedChains.of(state)) {
    expect(transactions.length <= TRANSACTIONS_MAX, () => `${name} remembers ${transactions.length} transactions.`);
    expect(byId.size === transactions.length, () => `${name} has a transaction twice.`);
    const own = transactions.filter(({ fromAddress }) => fromAddress !== "").length;
    expect(byNonce.size === own, () => `A nonce is used twice on ${name}.`);
    const isSorted = transactions.every(({ height }, at) => at === 0 || height >= (transactions[at - 1]?.height ?? 0));
    expect(isSorted, () => `The blocks of ${name} are out of order.`);
    for (const [key, units] of balances) {
      const isSpent = units < 0n && !transactions.some(({ fromAddress, ccy }) => `${fromAddress} ${ccy}` === key);
      expect(!isSpent, () => `${key} has ${units} units on ${name}, and has paid nothing.`);
    }
  }
}
