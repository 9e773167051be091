/** Markets, positions and cash of futures, what they come to at the marks, and the saying of what differs from them. */
import type { PositionEvent } from "../../../../src/engine/futures/positions/position-event.ts";
import { PlainBudget } from "./fund.ts";
import type { Sample } from "./premiums.ts";
import { least, ratio, up } from "./rational.ts";
import { feeOf, type PlainMarket, type PlainPosition, valued } from "./records.ts";

/** The user that holds what the venue takes over; its cash is the insurance fund. */
export const LIQUIDATOR = 0;

/** What a market has gone through. */
export interface Course {
  index: bigint;
  mark: bigint;
  /** Nobody says what the index is; since when somebody does again, 0 = nobody. */
  isStale: boolean;
  returnedAt: number;
  samples: Sample[];
  intervalH: number;
  /** The collection that was taken for one that nobody noticed last, and when it was. */
  skipped?: { readonly timeMs: number; readonly collectsAt: number; readonly collectedAt: number };
  collectedAt: number;
  collectsAt: number;
  /** Whether positions wait to be settled until the index is back. */
  settlesLate: boolean;
}

/** The course of a market that is listed at a time. */
export function courseFrom(timeMs: number): Course {
  const collectsAt = collectionAfter(timeMs, 8);
  const price = { index: 0n, mark: 0n, isStale: false, returnedAt: 0 };
  return { ...price, samples: [], intervalH: 8, collectedAt: timeMs, collectsAt, settlesLate: false };
}

/** The first multiple of an interval after a time. */
export function collectionAfter(timeMs: number, intervalH: number): number {
  const interval = intervalH * 3_600_000;
  return (Math.floor(timeMs / interval) + 1) * interval;
}

/** What the engine told of one change, and what follows from the rules. */
export type Expected = Partial<Record<keyof PositionEvent, unknown>>;

export class PlainAccounts {
  readonly markets = new Map<number, PlainMarket>();
  readonly courses = new Map<number, Course>();
  /** Oldest first. */
  readonly positions: PlainPosition[] = [];
  /** By "user asset"; that of the liquidator is the insurance fund. */
  readonly cash = new Map<string, bigint>();
  /** What profits of a market were paid from. */
  readonly cleared = new Map<number, bigint>();
  /** Facts of the time before the command: own rates, modes, freezes by account. */
  rates: (userId: number, marketId: number) => number = () => 0;
  isHedge: (userId: number) => boolean = () => false;
  frozen = new Map<string, bigint>();
  readonly budget = new PlainBudget();
  /** The time of the command. */
  protected timeMs = 0;
  protected differences: string[] = [];

  report(difference: string): undefined {
    this.differences.push(difference);
  }

  protected differ(what: string, told: unknown, expected: unknown): undefined {
    if (told !== expected) this.report(`${what}: ${told}, by the rules ${expected}`);
  }

  protected tell(event: PositionEvent, expected: Expected): undefined {
    const name = `position ${event.positionId} of user ${event.userId} in market ${event.marketId}, ${event.reason}`;
    for (const [field, value] of Object.entries(expected)) {
      this.differ(`${name}: ${field}`, event[field as keyof PositionEvent], value);
    }
  }

  market(marketId: number): PlainMarket {
    return this.markets.get(marketId) as PlainMarket;
  }

  markOf(marketId: number): bigint {
    return this.courses.get(marketId)?.mark ?? 0n;
  }

  cashOf(userId: number, asset: number): bigint {
    return this.cash.get(`${userId} ${asset}`) ?? 0n;
  }

  pay(userId: number, asset: number, units: bigint): undefined {
    this.cash.set(`${userId} ${asset}`, this.cashOf(userId, asset) + units);
  }

  clear(marketId: number, units: bigint): undefined {
    this.cleared.set(marketId, (this.cleared.get(marketId) ?? 0n) + units);
  }

  /** What the insurance fund may still lose in a market. */
  bearable(marketId: number): bigint {
    const { settles } = this.market(marketId);
    return this.budget.left(marketId, settles, this.cashOf(LIQUIDATOR, settles), this.timeMs);
  }

  /** Counts what the venue loses by what it has taken over, which must be bearable. */
  protected bear(marketId: number, loss: bigint): undefined {
    if (loss <= 0n) return;
    const { settles } = this.market(marketId);
    // It is in the fund's cash already.
    const before = this.cashOf(LIQUIDATOR, settles) + loss;
    const most = this.budget.left(marketId, settles, before, this.timeMs);
    if (loss > most) this.report(`The fund loses ${loss} in market ${marketId} and may lose ${most}.`);
    this.budget.lose(marketId, settles, loss, this.timeMs);
  }

  held(userId: number, marketId: number, isShort: boolean): PlainPosition | undefined {
    return this.positions.find((one) => one.userId === userId && one.marketId === marketId && one.isShort === isShort);
  }

  at(position: PlainPosition) {
    return valued(this.market(position.marketId), position, this.markOf(position.marketId));
  }

  /** Sums over the cross positions of an account, and its cash. */
  account(userId: number, asset: number) {
    const sums = { cash: this.cashOf(userId, asset), profit: 0n, initial: 0n, maintenance: 0n, value: 0n, closing: 0n };
    for (const position of this.positions) {
      if (position.userId !== userId || position.isIsolated) continue;
      if (this.market(position.marketId).settles !== asset) continue;
      const { value, profit, maintenance, initial } = this.at(position);
      sums.profit += profit;
      sums.initial += initial;
      sums.maintenance += maintenance;
      sums.value += value;
      sums.closing += feeOf(value, this.rates(userId, position.marketId));
    }
    return sums;
  }

  /** T1 and T2 of domain 4.8, before they stop at 0. */
  transferable(userId: number, asset: number, frozen: bigint): [bigint, bigint] {
    const { cash, profit, initial, maintenance, value } = this.account(userId, asset);
    const first = cash - frozen - initial + least(0n, profit);
    return [first, cash + profit - frozen - maintenance - up(ratio(15n * value, 1000n))];
  }

  /** Compares how a position stands after a change. */
  protected stands(event: PositionEvent, position: PlainPosition, change: Expected): undefined {
    this.tell(event, {
      positionId: position.id,
      isIsolated: position.isIsolated,
      leverage: position.leverage,
      amount: position.amount,
      entryCost: position.entry,
      settleCost: position.settle,
      margin: position.margin,
      realized: position.realized,
      ...change,
    });
  }
}
