import * as tables from "../store/table.ts";
import { TextIndex } from "../store/text-index.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { SLOT } = tables;
/**
 * `frozen`: by an operator, `frozenByMain`: a sub-account by its main account; `hedge`: a long and a short position per
 * futures market; `settleOff`: no automatic settlement.
 */
export const USER_FLAG = {
  frozen: 1,
  tradeBarred: 2,
  feeDeduction: 4,
  hedge: 8,
  settleOff: 16,
  frozenByMain: 32,
  /** The user owes something, or could: some part has to be asked before it trades. */
  indebted: 1024,
  /** Somebody invited the user: parts hear of the deals. */
  referred: 2048,
  /** Fills of the user's resting orders are counted in some market, and in some market new quotes are refused. */
  quotesProtected: 4096,
  quotesHeld: 8192,
} as const;
/**
 * The user that the venue itself trades as, with what it has taken over: nobody can log in as it, and its fee rates are
 * 0.
 */
export const VENUE_USER = 0;

/** Either of them keeps an account from making signed calls. */
export const ANY_FREEZE = USER_FLAG.frozen | USER_FLAG.frozenByMain;

/** Flags that may hold a user back; freeze.ts and check.ts say from what. */
const HOLDING = ANY_FREEZE | USER_FLAG.tradeBarred | USER_FLAG.indebted | USER_FLAG.quotesHeld;

const NO_SUBS: readonly number[] = [];

/** Where a user's fee rates come from: its level, and the rates of its own, -1 where it has none. */
export interface FeeSpec {
  readonly level: string | undefined;
  readonly makerFeeRateE8: number;
  readonly takerFeeRateE8: number;
}

/** A user as a reader sees it. Fee rates, its own or those of its level, are undefined where the market's apply. */
export interface User {
  readonly userId: number;
  readonly name: string;
  /** The main account, when this is a sub-account. */
  readonly mainUserId: number | undefined;
  /** By an operator, or a sub-account by its main account; see freeze.ts for what a main account's own freeze holds. */
  readonly frozen: boolean;
  /** By its main account, whatever operators say. */
  readonly frozenByMain: boolean;
  readonly tradeBarred: boolean;
  /** Whether it pays fees in the deduction currency where that is possible. */
  readonly feeDeduction: boolean;
  readonly makerFeeRateE8: number | undefined;
  readonly takerFeeRateE8: number | undefined;
  readonly createdAt: number;
}

/** Everybody who has an account; the user id is the row. Ids start at 1: row 0 stays empty, so that no id is falsy. */
export class Users extends tables.Table {
  count = 1;
  /** How many pay fees in the deduction currency: while it is nobody, executions need not ask. */
  deducting = 0;
  /** How many owe something: while it is nobody, executions need not ask what a maker can bear. */
  owing = 0;
  readonly names: string[] = [""];
  readonly createdAt: number[] = [0];
  readonly byName = new TextIndex(this.names);
  /** Terms of those who are on a level. The rows of all others hold their own rates. */
  readonly onFeeLevel = new Map<number, FeeSpec>();
  /** Sub-accounts by their main account, oldest first; who has none is not in it. */
  private readonly subsByMain = new Map<number, number[]>();

  constructor() {
    super(2);
    this.makeRoom(0);
  }

  has(userId: number): boolean {
    return userId > 0 && userId < this.count;
  }

  /** `mainUserId` 0 makes a main account. */
  add(name: string, mainUserId: number, createdAt: number): number {
    const userId = this.count++;
    this.makeRoom(userId);
    this.setMainUserId(userId, mainUserId);
    this.setMakerFeeRateE8(userId, -1);
    this.setTakerFeeRateE8(userId, -1);
    this.names.push(name);
    this.createdAt.push(createdAt);
    this.byName.insert(userId);
    this.noteSub(userId);
    return userId;
  }

  /** Takes over the users of a snapshot: their rows, names and times. */
  load(bytes: Uint8Array, names: readonly string[], createdAt: readonly number[]): void {
    this.count = this.loadRows(bytes);
    this.byName.reserve(this.count);
    for (let userId = 1; userId < this.count; userId++) {
      this.names.push(names[userId] as string);
      this.createdAt.push(createdAt[userId] as number);
      this.byName.insert(userId);
      this.noteSub(userId);
      if ((this.flags(userId) & USER_FLAG.feeDeduction) !== 0) this.deducting++;
      if ((this.flags(userId) & USER_FLAG.indebted) !== 0) this.owing++;
    }
  }

  get(userId: number): User | undefined {
    if (!this.has(userId)) return undefined;
    const flags = this.flags(userId);
    const main = this.mainUserId(userId);
    const maker = this.makerFeeRateE8(userId);
    const taker = this.takerFeeRateE8(userId);
    return {
      userId,
      name: this.names[userId] as string,
      mainUserId: main === 0 ? undefined : main,
      frozen: (flags & ANY_FREEZE) !== 0,
      frozenByMain: (flags & USER_FLAG.frozenByMain) !== 0,
      tradeBarred: (flags & USER_FLAG.tradeBarred) !== 0,
      feeDeduction: (flags & USER_FLAG.feeDeduction) !== 0,
      makerFeeRateE8: maker < 0 ? undefined : maker,
      takerFeeRateE8: taker < 0 ? undefined : taker,
      createdAt: this.createdAt[userId] as number,
    };
  }

  /** The sub-accounts of a main account, oldest first. */
  subsOf(mainUserId: number): readonly number[] {
    return this.subsByMain.get(mainUserId) ?? NO_SUBS;
  }

  /** The main account of a user, which may be the user itself. */
  mainOf(userId: number): number {
    return this.mainUserId(userId) || userId;
  }

  /** Whether a user is a sub-account or has some. */
  hasFamily(userId: number): boolean {
    return this.subsByMain.size > 0 && (this.mainUserId(userId) !== 0 || this.subsByMain.has(userId));
  }

  /** The other accounts of the owner of a user: its main account and that one's sub-accounts, at most 20. */
  *relativesOf(userId: number): Generator<number> {
    const main = this.mainOf(userId);
    if (main !== userId) yield main;
    for (const subId of this.subsOf(main)) if (subId !== userId) yield subId;
  }

  private noteSub(userId: number): void {
    const main = this.mainUserId(userId);
    if (main === 0) return;
    const subs = this.subsByMain.get(main);
    if (subs === undefined) this.subsByMain.set(main, [userId]);
    else subs.push(userId);
  }

  /** Returns the terms behind the rates in the user's row: those of its fee level, or its own rates without a level. */
  feeTermsOf(userId: number): FeeSpec {
    const onLevel = this.onFeeLevel.get(userId);
    if (onLevel !== undefined) return onLevel;
    return {
      level: undefined,
      makerFeeRateE8: this.makerFeeRateE8(userId),
      takerFeeRateE8: this.takerFeeRateE8(userId),
    };
  }

  /**
   * The fee rate for new orders of futures, 10^-8: the user's own rate, for levels are of spot markets; -1 = the
   * market's.
   */
  futuresMakerFeeRateE8(userId: number): number {
    const onLevel = this.onFeeLevel.size === 0 ? undefined : this.onFeeLevel.get(userId);
    return onLevel === undefined ? this.makerFeeRateE8(userId) : onLevel.makerFeeRateE8;
  }
  futuresTakerFeeRateE8(userId: number): number {
    const onLevel = this.onFeeLevel.size === 0 ? undefined : this.onFeeLevel.get(userId);
    return onLevel === undefined ? this.takerFeeRateE8(userId) : onLevel.takerFeeRateE8;
  }

  // Fields of a row.

  flags(userId: number): number {
    return this.i32[(userId & SLOT) * 4] as number;
  }
  setFlags(userId: number, flags: number): void {
    const changed = this.flags(userId) ^ flags;
    if ((changed & USER_FLAG.feeDeduction) !== 0) this.deducting += (flags & USER_FLAG.feeDeduction) === 0 ? -1 : 1;
    if ((changed & USER_FLAG.indebted) !== 0) this.owing += (flags & USER_FLAG.indebted) === 0 ? -1 : 1;
    this.i32[(userId & SLOT) * 4] = flags;
  }
  /**
   * Whether something may hold the user back: a flag of its own, or its main account. Asked for each order, before the
   * flags of both are put together.
   */
  mayBeHeld(userId: number): boolean {
    const at = (userId & SLOT) * 4;
    return ((this.i32[at] as number) & HOLDING) !== 0 || this.i32[at + 1] !== 0;
  }
  /** 0 for a main account. */
  mainUserId(userId: number): number {
    return this.i32[(userId & SLOT) * 4 + 1] as number;
  }
  setMainUserId(userId: number, mainUserId: number): void {
    this.i32[(userId & SLOT) * 4 + 1] = mainUserId;
  }
  /**
   * The fee rate for new orders in spot markets, units of 10^-8: the user's own rate or that of its level; -1 = the
   * market's.
   */
  makerFeeRateE8(userId: number): number {
    return this.i32[(userId & SLOT) * 4 + 2] as number;
  }
  setMakerFeeRateE8(userId: number, rateE8: number): void {
    this.i32[(userId & SLOT) * 4 + 2] = rateE8;
  }
  takerFeeRateE8(userId: number): number {
    return this.i32[(userId & SLOT) * 4 + 3] as number;
  }
  setTakerFeeRateE8(userId: number, rateE8: number): void {
    this.i32[(userId & SLOT) * 4 + 3] = rateE8;
  }
}
