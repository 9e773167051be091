import { Thresholds, WAY } from "../futures/liquidation/thresholds.ts";
import { TriggerHeap } from "../stops/trigger-heap.ts";
import { Loans } from "./loan.ts";
import { MarginAccounts } from "./margin-account.ts";

/** Loans that one account may have, so that its lists stay short. */
export const LOANS_MAX = 100;

/** How a market lends. Rates are in 10^-8; amounts units of the asset. */
export interface LoanSpec {
  readonly minAmount: bigint;
  /** Of the principal that an account owes, all loans of the asset together. */
  readonly maxAmount: bigint;
  readonly dailyRateE8: number;
}

export interface MarginSpec {
  /** Numbers margin markets from 1 in the order in which they came; 0 is spot. */
  readonly accountId: number;
  readonly leverage: number;
  /** Risk rates: at the first an account is liquidated, at the second warned, below the third nothing may leave it. */
  readonly liqRateE8: bigint;
  readonly warnRateE8: bigint;
  readonly transferRateE8: bigint;
  readonly base: LoanSpec | undefined;
  readonly quote: LoanSpec | undefined;
}

/** A liquidation under way. */
export interface MarginLiquidation {
  /** ms of its next step. */
  stepAt: number;
  /** Fee that each currency owes once, units. */
  readonly baseFee: bigint;
  readonly quoteFee: bigint;
  /** Because a loan was due and could not be paid: it is not spared before that is. Its id, or 0. */
  expiredLoan: number;
  /** Something has been sold, bought or taken over: it runs to its end. */
  hasTraded: boolean;
  /** ms of the first step that found the account insolvent at the index; 0 = none has. */
  insolventAt: number;
}

/**
 * Units of one asset that the fund took over in a market and has not sold yet, and what it paid for them, units of the
 * other.
 */
export interface Holding {
  units: bigint;
  cost: bigint;
}

/** The figures with which the debts of an asset were last looked at. */
export interface DebtsSeen {
  readonly held: bigint;
  readonly minute: number;
  /** The shares that budgets had; compared by identity. */
  readonly shares: object;
  readonly count: number;
}

/** All that the venue is in margin trading besides what it shares with spot: books, orders, seats and the ledger. */
export class MarginState {
  /** By market id; other markets are no margin markets. */
  readonly terms = new Map<number, MarginSpec>();
  readonly accounts = new MarginAccounts();
  readonly loans = new Loans();
  nextBorrowId = 1;
  /** By account row, in the order of their next steps. */
  readonly liquidations = new Map<number, MarginLiquidation>();
  /** Slots of loans whose term ends at the time that is being worked through; empty between two commands. */
  readonly ending = new Set<number>();
  /** By market id, slots of loans that are to be repaid by force as soon as the market allows it. */
  readonly expired = new Map<number, Set<number>>();
  /** Debts of each asset, slots, the oldest first: the insurance fund pays them in this order. */
  readonly debts = new Map<number, Set<number>>();
  /** When the insurance fund next looks at them without anything else having happened; 0 = never. */
  debtsDueAt = 0;
  /** By asset, what they were last looked at with; a note to save time, not part of the state. */
  readonly debtsSeen = new Map<number, DebtsSeen>();
  /**
   * By market and asset (fund.ts), what the insurance fund took over and sells, and when it tries to next; 0 = never.
   */
  readonly holdings = new Map<number, Holding>();
  sellsAt = 0;
  /** Principal that is lent out, by asset id. */
  readonly lent = new Map<number, bigint>();
  /** How many loans of a market run, debts apart, by market id. */
  readonly running = new Map<number, number>();
  /** Rows of accounts that have been warned, and have not recovered since. */
  readonly warned = new Set<number>();
  /** The indexes at which each account has to be looked at. */
  readonly thresholds = new Thresholds();
  /** Loans by the time of their next interest. */
  readonly interestDue: TriggerHeap;
  /** Rows of accounts that the present command has touched. */
  readonly noted = new Set<number>();
  /** Ids of markets whose index has moved since accounts were last looked at. */
  readonly moved = new Set<number>();
  /** How many accounts have been looked at: what a change of an index costs. */
  evaluations = 0;

  constructor() {
    const { loans } = this;
    this.interestDue = new TriggerHeap(
      {
        trigger: (slot) => loans.interestAt(slot),
        keyOf: (slot) => loans.borrowId(slot),
        place: (slot) => loans.place(slot),
        setPlace: (slot, place) => loans.setPlace(slot, place),
      },
      true,
    );
  }

  /** Queues a loan for its forced repayment. */
  awaitRepayment(slot: number): void {
    const marketId = this.accounts.marketId(this.loans.account(slot));
    const waiting = this.expired.get(marketId) ?? new Set();
    this.expired.set(marketId, waiting.add(slot));
  }

  /** Forgets that a loan waits for its repayment by force. */
  forgetExpiry(slot: number): void {
    const marketId = this.accounts.marketId(this.loans.account(slot));
    const waiting = this.expired.get(marketId);
    if (waiting?.delete(slot) && waiting.size === 0) this.expired.delete(marketId);
  }

  /** No index calls for a look at an account any more. */
  unwatch(row: number): void {
    for (const way of [WAY.falls, WAY.rises]) this.thresholds.disarm(this.accounts.marketId(row), row, way);
  }

  /** Whether an account has to be looked at. */
  get isTouched(): boolean {
    return this.noted.size > 0;
  }

  /** Remembers to look at the account of a user in a market, if there is one that owes something. */
  note(userId: number, marketId: number): void {
    const row = this.accounts.find(userId, marketId);
    if (row >= 0 && this.accounts.owes(row)) this.noted.add(row);
  }
}
