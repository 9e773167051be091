/**
 * The acceptance checks of an order, in their stated order: the first that fails gives the answer, and none of them
 * writes. Placing and modifying share them. Source: domain 2.1.
 */
import { flagsWithMain, isTradeBarred } from "../accounts/freeze.ts";
import { USER_FLAG } from "../accounts/user.ts";
import { FLAG } from "../command.ts";
import { hooks } from "../hooks.ts";
import type { Market, MarketType } from "../listing/market.ts";
import { isLocked } from "../listing/status.ts";
import { PHASE, phaseFor } from "../maintenance/maintenance.ts";
import * as money from "../money/int64.ts";
import { type Refusal, refusalNumber } from "../refusal.ts";
import { holds } from "../rules-version.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import { crossesQuotes } from "./against.ts";
import type { Book } from "./book.ts";
import { areQuotesHeld, isQuote } from "./protections.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const SELL = FLAG.sell;
/** Each of them has to be looked into before a user trades. */
const BARS = USER_FLAG.tradeBarred | USER_FLAG.indebted | USER_FLAG.quotesHeld;
const PHASE_OPEN = PHASE.open;
const PROTECTION = PHASE.protection;
const MAINTENANCE = PHASE.maintenance;

/** Actions that a user asks of a market: not every action is allowed at every time. Source: domain 2.12 and 2.13. */
export const ACTION = { limit: 0, makerOnly: 1, otherOrder: 2, modify: 3, stop: 4, modifyStop: 5 } as const;

const MAKER_ONLY = ACTION.makerOnly;

/** The action of placing an order, by the position of its type. */
export const PLACING: readonly number[] = [
  ACTION.limit,
  ACTION.otherOrder,
  ACTION.makerOnly,
  ACTION.otherOrder,
  ACTION.otherOrder,
];

/** Resting orders that one account may have in one market, so that lists and cancel-all stay bounded. */
export const OPEN_ORDERS_MAX = 1000;

const number = (refusal: Refusal) => refusalNumber(refusal);
const R = {
  tradeBarred: number("trade_barred"),
  cancelOnly: number("venue_cancel_only"),
  maintenance: number("maintenance"),
  protection: number("protection_period"),
  notOpen: number("market_not_open"),
  suspended: number("market_suspended"),
  apiOff: number("api_trading_off"),
  amountOffGrid: number("amount_off_grid"),
  amountTooSmall: number("amount_too_small"),
  amountTooLarge: number("amount_too_large"),
  priceOffGrid: number("price_off_grid"),
  priceTooHigh: number("price_too_high"),
  noCounterOrders: number("no_counter_orders"),
  insufficient: number("insufficient_balance"),
  wouldTake: number("would_take"),
  notFillable: number("not_fillable"),
  auctionLocked: number("auction_locked"),
  quotesHeld: number("quotes_held"),
};

/**
 * Rows 3 and 4: may this user trade by an order of these flags, and does this market take such an ACTION now? 0 = yes.
 */
export function refuseTrading(state: State, userId: number, market: Market, action: number, flags: number): number {
  if (isHeld(state, userId)) {
    const refusal = refuseOwner(state, userId, market, action, flags);
    if (refusal !== 0) return refusal;
  }
  return refuseAction(state, market, action);
}

/**
 * Whether an operator or a debt may hold the user back from trading: then `refuseTrading` and the account of an order
 * look closer.
 */
export function isHeld(state: State, userId: number): boolean {
  return state.users.mayBeHeld(userId) && (flagsWithMain(state, userId) & BARS) !== 0;
}

/** Row 4: does this market take such an ACTION now? 0 = yes. */
export function refuseAction(state: State, market: Market, action: number): number {
  if (state.cancelOnly) return R.cancelOnly;
  if ((state.spotPhase | state.futuresPhase) !== PHASE_OPEN) {
    const phase = phaseFor(state, market.settlement.marketType);
    if (phase !== PHASE_OPEN && !(action === MAKER_ONLY && phase === PROTECTION)) return refusePhase(phase);
  }
  if (market.status !== "online") {
    const refusal = refuseBeforeOpening(state, market, action);
    if (refusal !== 0) return refusal;
  }
  if (market.suspended) return R.suspended;
  if (!market.apiTradingAvailable) return R.apiOff;
  return 0;
}

/**
 * Row 3: barred by an operator, kept from quoting until its protection is reset (2.18), or barred by what it owes,
 * which does not keep it from reducing what it has at risk. Source: domain 6.6.
 */
function refuseOwner(state: State, userId: number, market: Market, action: number, flags: number): number {
  if (isTradeBarred(state, userId)) return R.tradeBarred;
  // What waits is asked when it fires.
  const waits = action === ACTION.stop || action === ACTION.modifyStop;
  if (!waits && isQuote(flags) && areQuotesHeld(state, userId, market.id)) return R.quotesHeld;
  const refusal = refuseOwing(state, userId);
  if (refusal === undefined) return 0;
  if (holds(state, "reducingGoesOn")) {
    if (waits) return 0;
    if (market.settlement.onlyReduces(state, userId, market, flags)) return 0;
  }
  return refusalNumber(refusal);
}

/** Why a user may trade no more because of what he owes. */
export function refuseOwing(state: State, userId: number): Refusal | undefined {
  for (const part of hooks()) {
    const refusal = part.refuseTrading?.(state, userId);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Row 4 for anything but a cancel or a new maker_only order. */
export function refusePhase(phase: number): number {
  return phase === PHASE_OPEN ? 0 : phase === PROTECTION ? R.protection : R.maintenance;
}

/**
 * Row 4 for a market that is not online: an auction takes limit orders, stop orders, and changes until it is locked.
 */
function refuseBeforeOpening(state: State, market: Market, action: number): number {
  if (market.status !== "bidding") return R.notOpen;
  if (action === ACTION.modify || action === ACTION.modifyStop) return refuseLocked(state, market);
  return action === ACTION.limit || action === ACTION.stop ? 0 : R.notOpen;
}

/** Row 4 for a cancel in whatever market: only maintenance itself stops it. */
export function refuseCancelling(state: State, marketType: MarketType): number {
  return phaseFor(state, marketType) === MAINTENANCE ? R.maintenance : 0;
}

/** Row 4 for taking back or changing what a market has: in the second phase of an auction it stands. */
export function refuseLocked(state: State, market: Market): number {
  return isLocked(state, market) ? R.auctionLocked : 0;
}

/** Row 5 for the drafted amount, in lots. */
export function refuseLots({ draft }: Scratch, market: Market): number {
  const lots = draft.left;
  if (lots < int64(market.minAmount)) return lots < int64(0n) ? R.amountOffGrid : R.amountTooSmall;
  if (lots > int64(market.maxAmount)) return R.amountTooLarge;
  return 0;
}

/** Whether an order of these flags would trade at the drafted price. */
export function crosses(state: State, scratch: Scratch, market: Market, flags: number): boolean {
  const { draft } = scratch;
  const { bestPrice } = state.books[market.id] as Book;
  if (market.quotes !== undefined && crossesQuotes(state, scratch, market, flags)) return true;
  return (flags & SELL) === 0 ? (bestPrice[1] as bigint) <= draft.price : (bestPrice[0] as bigint) >= draft.price;
}

export { R as CHECK };
