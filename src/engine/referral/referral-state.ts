/** The state of referral. Source: domain 6.7. */
import { Slot } from "../slot.ts";
import type { State } from "../state.ts";

export const DAY_MS = 86_400_000;

export interface ReferCode {
  readonly code: string;
  readonly userId: number;
  /** Shares of the fees of whom it invites, in 10^-8. */
  readonly referrerRateE8: number;
  readonly refereeRateE8: number;
}

export interface Referee {
  readonly code: string;
  readonly boundAt: number;
  firstDealAt: number;
  firstDepositAt: number;
  /** In USD, 10^-8. */
  firstDepositValue: bigint;
  depositValue: bigint;
}

export interface Agent {
  readonly ofUserId: number;
  readonly rateE8: number;
  readonly remark: string;
}

/**
 * The trading of an invited user since the last midnight, units by asset and kind. Fees for which no rebate is paid yet
 * stay.
 */
export interface Traded {
  readonly units: Map<number, bigint>;
  /** In units of the asset, when it is the user's first ever. */
  firstDeal: { readonly atMs: number; readonly assetId: number; readonly units: bigint } | undefined;
}

/** `due`: fees for which rebates are still to be paid. */
export const KIND = { spotValue: 0, spotFee: 1, spotDue: 2, futuresValue: 3, futuresFee: 4, futuresDue: 5 } as const;
const KINDS = 8;

export function keyOf(assetId: number, kind: number): number {
  return assetId * KINDS + kind;
}
export function assetOf(key: number): number {
  return Math.floor(key / KINDS);
}
export function kindOf(key: number): number {
  return key % KINDS;
}

export class Referral {
  readonly codes = new Map<string, ReferCode>();
  /** By user id. */
  readonly referees = new Map<number, Referee>();
  /** Whom a user invited, in the order in which they came. */
  readonly invited = new Map<number, number[]>();
  readonly agents = new Map<number, Agent>();
  /** The last midnight that has begun to be paid, in days since the epoch. */
  day = 0;
  /** By invited user, in the order of their first deal of the day. */
  today = new Map<number, Traded>();
  /** Those of that day before who are still to be paid, and when the next are. */
  closing: [userId: number, traded: Traded][] = [];
  closingDay = 0;
  nextAt = 0;

  invite(userId: number, code: string, boundAt: number): void {
    this.bind(userId, { code, boundAt, firstDealAt: 0, firstDepositAt: 0, firstDepositValue: 0n, depositValue: 0n });
  }

  bind(userId: number, referee: Referee): void {
    this.referees.set(userId, referee);
    const inviter = (this.codes.get(referee.code) as ReferCode).userId;
    const others = this.invited.get(inviter);
    if (others === undefined) this.invited.set(inviter, [userId]);
    else others.push(userId);
  }

  codeOf(userId: number): ReferCode | undefined {
    const referee = this.referees.get(userId);
    return referee === undefined ? undefined : this.codes.get(referee.code);
  }
}

const slot = new Slot(() => new Referral());

export function referralOf(state: State): Referral {
  return slot.of(state);
}
