/** A way to play the rules for money: by name, with parameters of its own each time. */
import type { Random } from "../random.ts";
import type { Action, Timed } from "./step.ts";
import type { Terms } from "./terms.ts";

/** What a strategy is given: a random source of its own, what the play is like, and accounts. */
export interface Hand {
  readonly random: Random;
  readonly terms: Terms;
  /** Makes an account with money in futures or spot, in USDT, and coins; gives its name. */
  account(money: Money): string;
  /** Lets an action happen at a time from the start of the play. */
  at(atMs: number, ...actions: Action[]): void;
}

export interface Money {
  /** USDT in futures, and BTC for inverse contracts. */
  readonly futures?: number;
  readonly futuresBtc?: number;
  readonly usdt?: number;
  readonly btc?: number;
  readonly dsc?: number;
  /** Pays its fees in the deduction currency. */
  readonly deducts?: boolean;
  readonly hedge?: boolean;
  /** The account is a sub-account of this one. */
  readonly under?: string;
}

export interface Strategy {
  /** One word. */
  readonly name: string;
  readonly play: (hand: Hand) => void;
  /** What a play must be like for it to happen at all, if not like any. */
  readonly terms?: (terms: Terms) => Terms;
}

/** A moment that may matter: early, or around something that goes wrong, ms from the start of the play. */
export function momentOf({ random, terms }: Hand): number {
  const { outage, maintenance } = terms;
  const edges = [random.whole(1, 60) * 1_000];
  if (outage !== undefined)
    edges.push(outage.fromMs - 1_000, outage.fromMs + 61_000, outage.toMs - 500, outage.toMs + 500);
  if (maintenance !== undefined)
    edges.push(maintenance.fromMs - 1, maintenance.fromMs + 500, maintenance.toMs, maintenance.toMs + 1);
  return Math.max(500, random.pick(edges));
}

/** Collects what happens in a play, no matter who does it. */
export class Script {
  readonly actions: (Timed & { readonly by: string })[] = [];

  add(by: string, atMs: number, action: Action): void {
    this.actions.push({ by, atMs: Math.max(0, Math.round(atMs)), action });
  }
}
