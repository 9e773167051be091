import { payments } from "../engine/payments/payments.ts";
import { isOpen } from "../engine/payments/withdrawal.ts";
import type { State } from "../engine/state.ts";

/** The withdrawals over one chain that are not over. */
interface Waiting {
  count: number;
  /** When the oldest one was asked for that may be paid and is not signed yet, in ms; undefined: there is none. */
  unpaidSince: number | undefined;
}

/** By the name of the chain. */
export type WaitingByChain = ReadonlyMap<string, Readonly<Waiting>>;

/** Walks through all withdrawals. */
export function waitingByChain(state: State): WaitingByChain {
  const byChain = new Map<string, Waiting>();
  for (const one of payments.of(state).withdrawals.values()) {
    if (one.method !== "on_chain" || !isOpen(one)) continue;
    const { chain, status, createdAt } = one;
    const waiting = byChain.get(chain) ?? { count: 0, unpaidSince: undefined };
    byChain.set(chain, waiting);
    waiting.count++;
    if (status !== "audited" && status !== "processing") continue;
    waiting.unpaidSince = Math.min(waiting.unpaidSince ?? createdAt, createdAt);
  }
  return byChain;
}
