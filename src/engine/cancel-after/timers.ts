/** The state of cancelling by the clock. Source: domain 2.16. */
import type { Market } from "../listing/market.ts";
import { Slot } from "../slot.ts";
import type { State } from "../state.ts";
import { TimerHeap } from "./timer-heap.ts";

/** Accounts whose orders a timer cancels. Their places are part of keys and never change. */
export const SCOPES = ["SPOT", "MARGIN", "FUTURES", "ALL"] as const;
export type Scope = (typeof SCOPES)[number];

/** A timer that runs. */
export interface Timer {
  readonly userId: number;
  readonly scope: Scope;
  readonly timeoutMs: number;
  readonly atMs: number;
}

/** A timer that has run out, or a connection that is over, and whose orders are being cancelled. */
export interface Firing {
  readonly userId: number;
  readonly scope: Scope;
  /** Only in these markets, where it names any. */
  readonly marketIds?: readonly number[];
  readonly atMs: number;
  /** Orders with lower ids are cancelled: those that were there when it ran out. */
  readonly beforeOrderId: number;
}

/** Orders that the second phase of an auction holds, to be cancelled when it ends. */
export interface Held {
  readonly userId: number;
  readonly isMargin: boolean;
  readonly beforeOrderId: number;
}

export class CancelTimers {
  /** By `keyOf`. */
  readonly running = new Map<number, Timer>();
  readonly heap = new TimerHeap((key) => this.running.get(key)?.atMs);
  /** In the order in which they ran out. */
  readonly firing: Firing[] = [];
  /** By market id, then by user id and account. */
  readonly held = new Map<number, Map<number, Held>>();
  /** Before then nothing more is cancelled, ms: so much was just now. */
  notBeforeMs = 0;
  /** Orders that the command of this seq has cancelled, and what it has let run out; of no interest to any other. */
  spentSeq = 0;
  spent = 0;
  runOut = 0;

  set(timer: Timer): void {
    const key = keyOf(timer.userId, timer.scope);
    this.running.set(key, timer);
    this.heap.set(key, timer.atMs);
  }

  of(userId: number, scope: Scope): Timer | undefined {
    return this.running.get(keyOf(userId, scope));
  }

  end(userId: number, scope: Scope): void {
    this.running.delete(keyOf(userId, scope));
  }

  /** Takes out the timer that ran out first by then. */
  takeDue(timeMs: number): Timer | undefined {
    const key = this.heap.takeDue(timeMs);
    if (key === undefined) return undefined;
    const timer = this.running.get(key) as Timer;
    this.running.delete(key);
    return timer;
  }

  hold(marketId: number, held: Held): void {
    let ofMarket = this.held.get(marketId);
    if (ofMarket === undefined) {
      ofMarket = new Map();
      this.held.set(marketId, ofMarket);
    }
    ofMarket.set(held.userId * 2 + (held.isMargin ? 1 : 0), held);
  }
}

export const cancelTimers = new Slot(() => new CancelTimers());

/** The timers of a user, in the order of SCOPES. */
export function timersOf(state: State, userId: number): Timer[] {
  const own = cancelTimers.of(state);
  return SCOPES.flatMap((scope) => own.of(userId, scope) ?? []);
}

/** Whether a scope has the orders of an account in a market. */
export function isIn(scope: Scope, market: Market, isMargin: boolean): boolean {
  if (scope === "ALL") return true;
  if (market.futures !== undefined) return scope === "FUTURES";
  return scope === (isMargin ? "MARGIN" : "SPOT");
}

function keyOf(userId: number, scope: Scope): number {
  return userId * SCOPES.length + SCOPES.indexOf(scope);
}
