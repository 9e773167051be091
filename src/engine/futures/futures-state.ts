import { Exits } from "./exits/exit.ts";
import type { Cycle } from "./funding/cycle.ts";
import { Thresholds } from "./liquidation/thresholds.ts";
import { HeldOrders } from "./orders/held-orders.ts";
import { FuturesAccounts } from "./positions/futures-account.ts";
import { FuturesSeats } from "./positions/futures-seats.ts";
import { LiveFigures } from "./positions/live-figures.ts";
import { Positions } from "./positions/position.ts";

/** The freeze that is covered of an account that has to be looked at. */
export const UNCOVERED = -1n;

/**
 * All that the venue is in futures trading besides what it shares with spot: markets, books, orders, seats and the
 * ledger.
 */
export class FuturesState {
  readonly accounts = new FuturesAccounts();
  readonly seats = new FuturesSeats();
  readonly positions = new Positions(this.seats);
  /** Data of resting orders that `Orders` does not hold. */
  readonly held = new HeldOrders();
  readonly live = new LiveFigures();
  readonly exits = new Exits();
  /** By market id; a spot market has none. */
  readonly cycles: (Cycle | undefined)[] = [];
  /** ms of the next settlement; 0 before the first futures market. */
  settlesAt = 0;
  /** When to look at whom. */
  readonly thresholds = new Thresholds();
  /**
   * Who has been told that its margin is near its end: isolated positions, slots by id, and accounts for their cross
   * ones.
   */
  readonly alertedPositions = new Map<number, number>();
  readonly alertedAccounts = new Set<number>();
  /** How many accounts have been looked at: what a change of a mark costs. */
  evaluations = 0;
  /** How many times a book has been read for a premium: what a tick costs. */
  samplings = 0;
  /** How far all marks have moved together: see buying-power.ts. */
  moved = 0;
  /** Ids of markets whose ladder runs: see `setLadder` of inventory.ts. */
  readonly ladders = new Set<number>();
  /** Ids of listed markets without an index to lean on. */
  readonly silent = new Set<number>();
  /** Ids of markets whose mark has changed since positions were last looked at. */
  readonly movedMarks = new Set<number>();
  /** Accounts that the present command has touched, whose health is looked at when it is done. */
  readonly noted: number[] = [];
  /** By account, isolated positions that have changed since it was looked at: what happens to one concerns no other. */
  private readonly written = new Map<number, Set<number>>();
  /** Of each account how much its orders may freeze before its thresholds come too late. */
  private coveredFreezes = new BigInt64Array(64).fill(UNCOVERED);
  /** Accounts whose cash is below 0. */
  readonly overdrawn = new Set<number>();
  /** Whether there is anything to look at: kept as it changes, since every command asks. */
  isTouched = false;

  /** Whether there is anything to look at, by all that could be. */
  get hasWork(): boolean {
    return this.noted.length > 0 || this.movedMarks.size > 0 || this.overdrawn.size > 0;
  }

  /** Remembers that the mark of a market has changed. */
  noteMark(marketId: number): void {
    this.movedMarks.add(marketId);
    this.isTouched = true;
    this.thresholds.dirty.add(marketId);
    this.exits.dirty.add(marketId);
  }

  /** Up to which freeze the thresholds of an account hold; below 0 while they do not hold at all. */
  coveredFreeze(account: number): bigint {
    return account < this.coveredFreezes.length ? (this.coveredFreezes[account] as bigint) : UNCOVERED;
  }

  coverFreeze(account: number, most: bigint): void {
    if (account >= this.coveredFreezes.length) {
      const grown = new BigInt64Array(account * 2).fill(UNCOVERED);
      grown.set(this.coveredFreezes);
      this.coveredFreezes = grown;
    }
    this.coveredFreezes[account] = most;
  }

  /** Remembers that the orders of an account freeze more than its thresholds allow for. Cheap when they do not. */
  noteFreeze(account: number): void {
    if (this.accounts.frozen(account) > this.coveredFreeze(account)) this.note(account);
  }

  /** Remembers that a position has changed. */
  noteWritten(slot: number): void {
    const account = this.positions.account(slot);
    if (this.positions.isIsolated(slot)) {
      const slots = this.written.get(account);
      if (slots === undefined) this.written.set(account, new Set([slot]));
      else slots.add(slot);
    }
    this.note(account);
  }

  /** Forgets a position that is no more. */
  forgetWritten(slot: number): void {
    this.written.get(this.positions.account(slot))?.delete(slot);
  }

  /** The isolated positions of an account that have changed, which are forgotten. */
  takeWritten(account: number): number[] {
    const slots = this.written.get(account);
    if (slots === undefined) return [];
    this.written.delete(account);
    return [...slots];
  }

  /** Remembers that the money or the positions of an account have changed. */
  note(account: number): void {
    this.accounts.forgetBuyingPower(account);
    this.coverFreeze(account, UNCOVERED);
    if (this.accounts.isNoted(account)) return;
    this.accounts.setNoted(account, true);
    this.noted.push(account);
    this.isTouched = true;
  }

  /** Remembers that the cash of an account is below 0. */
  noteOverdrawn(account: number): void {
    this.overdrawn.add(account);
    this.isTouched = true;
  }

  /** Forgets all that waits to be looked at. */
  forgetNoted(): void {
    for (const account of this.noted) this.accounts.setNoted(account, false);
    this.noted.length = 0;
    this.written.clear();
    this.isTouched = this.hasWork;
  }
}
