import type { SocketLimits } from "./limits.ts";

export type BudgetLimits = Pick<SocketLimits, "budgetSubscriptions" | "budgetUnlisted">;

/**
 * The bounds on the names that the venue remembers for all connections together. When they are used up, the connections
 * that follow most are refused: a connection may still come up to its even share, so that a few that take all they can
 * get leave the others what they need.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  connections = 0;
  /** Names that are followed, over all channels and connections, */
  subscriptions = 0;
  /** and those of them that were not listed when they were named. */
  unlisted = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** Whether a connection that follows `own` names may follow so many more. */
  allows(own: number, added: number): boolean {
    return this.#fits(this.subscriptions, own, added, this.#limits.budgetSubscriptions);
  }

  /** The same of names that are not listed. */
  allowsUnlisted(own: number, added: number): boolean {
    return this.#fits(this.unlisted, own, added, this.#limits.budgetUnlisted);
  }

  #fits(total: number, own: number, added: number, max: number): boolean {
    return total + added <= max || own + added <= max / Math.max(1, this.connections);
  }
}
