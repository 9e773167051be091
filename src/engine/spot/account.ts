/**
 * Whose money an order of a spot market trades with. A user has a seat in the market for each kind of account that
 * trades there: the first is the spot account (own-account.ts), the second one brings its own part
 * (margin/order-account.ts). What an account may trade beyond having the funds is asked of it.
 */
import type { Market } from "../listing/market.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import { placeOf } from "../trading/order.ts";

export interface SpotAccount {
  /** Its limit prices are held to the index under a refusal of their own, before anything stands in for that. */
  readonly isHeldToIndex: boolean;
  /** Why the market has no accounts of this kind, a refusal number; 0 = it has. */
  refuseMarket(state: State, market: Market): number;
  /** Why the account of this user may not be traded with at all; 0 = it may. */
  refuseUser(state: State, userId: number, market: Market): number;
  /** Whether an order of these flags brings what the account owes, for something that it owes nothing of. */
  isTowardsDebt(state: State, userId: number, market: Market, flags: number): boolean;
  /** Makes the seat of a user, with its two cells. */
  openSeat(state: State, userId: number, market: Market): number;
  /** The cell that an order of these flags gives from before there is a seat; NONE while there is none. */
  givingCell(state: State, userId: number, market: Market, flags: number): number;

  /** Why the account could not bear the drafted order, filled whole at its price; 0 = it could. */
  refuseDrafted(state: State, scratch: Scratch, userId: number, market: Market, flags: number): number;
  /**
   * The worst price of a market order that could trade up to `bound`: what only reduces trades at prices that cost its
   * fee alone.
   */
  boundAtMarket(state: State, userId: number, market: Market, flags: number, bound: bigint): bigint;
  /** As `refuseDrafted`, of a market order that comes to so many lots at the worst price of its fills. */
  refuseAtMarket(state: State, userId: number, market: Market, flags: number, worst: bigint, lots: bigint): number;

  /** Whether the taker, or the maker, of the trade under way can bear it. */
  canTake(state: State, scratch: Scratch, market: Market): boolean;
  canMake(state: State, scratch: Scratch, market: Market): boolean;
  /** Whether it is certain beforehand that a resting order will be met if it is reached. */
  isSure(state: State, market: Market, slot: number): boolean;
  /**
   * Resting orders of the market, slots, that their accounts could not bear together: an auction meets none of them.
   */
  unmeetable(state: State, market: Market): number[];
  /** An order of the account has traded. */
  noteFill(state: State, market: Market, slot: number): void;
}

const accounts: SpotAccount[] = [];

/** Declares the account of a place among a user's seats in a market. */
export function declareAccount(place: number, account: SpotAccount): void {
  if (accounts[place] !== undefined) throw new Error(`Two accounts have the place ${place} in spot markets.`);
  accounts[place] = account;
}

/** The account that an order of these flags trades with. */
export function spotAccountOf(flags: number): SpotAccount {
  return accounts[placeOf(flags)] as SpotAccount;
}

/** Every account, the last place first. */
export function lastFirst(): SpotAccount[] {
  return accounts.toReversed();
}
