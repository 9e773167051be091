/**
 * Bounds of the positions that an order may open and of the loss that it may make: levels of position size and margin.
 * Source: domain 4.3 and 4.5.
 *
 * Nearly every order of a maker comes through here, so figures go from typed memory to typed memory: see
 * trading/draft.ts.
 */
import { FLAG } from "../../command.ts";
import type { Market } from "../../listing/market.ts";
import * as money from "../../money/int64.ts";
import * as rates from "../../money/rate.ts";
import { type Refusal, refusalNumber } from "../../refusal.ts";
import type { Scratch } from "../../scratch.ts";
import type { State } from "../../state.ts";
import * as checks from "../../trading/check.ts";
import { NONE } from "../../trading/order.ts";
import { backingOfClose, isEquityUnknown } from "../positions/account-sums.ts";
import * as contracts from "../positions/contract.ts";
import * as figures from "../positions/figures.ts";
import * as settings from "../positions/futures-seat.ts";
import { isFarFromMark, lossAt } from "../positions/loss.ts";
import * as power from "./buying-power.ts";
import * as exposures from "./exposure.ts";
import * as holding from "./held-order.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { feeOn } = rates;
const { CHECK } = checks;
const { levelAt, positionBound, tradeValue } = contracts;
const { shareOf } = figures;
const { defaultLeverage } = settings;
const { canLose, covers, surelyCovers } = power;
const { noteGrowth, openOn, opposedIn } = holding;
const { familyExposure } = exposures;
const SELL = FLAG.sell;
const SIDED = FLAG.sided;

const number = (refusal: Refusal) => refusalNumber(refusal);
const POSITION_LIMIT = number("position_limit");
const LEVERAGE_LIMIT = number("leverage_above_level");
const INDEX_STALE = number("index_stale");

/**
 * 4.3 and 4.5 for the drafted order, with the order in `slot` out of the way if it changes one; 0 = nothing to object.
 * Notes by how much the freeze of the seat in `row` grows.
 */
export function refuseOpening(
  state: State,
  scratch: Scratch,
  row: number,
  market: Market,
  flags: number,
  takerRateE8: number,
  slot: number,
): number {
  const { contract } = scratch;
  const { live } = state.futures;
  const side = flags & SELL;
  noteOpening(state, scratch, row, flags, slot);
  noteGrowth(state, scratch, market, row, side, slot, takerRateE8);
  noteLosses(state, scratch, market, side === 1);
  if (contract.closing > int64(0n)) {
    const refusal = refuseClosing(state, scratch, row, market, side === 0);
    if (refusal !== 0) return refusal;
  }
  if (contract.opening > int64(0n)) {
    // L4. What rests is not counted: every trade has a taker, who is asked when it comes.
    const interest = int64(live.openInterest(market.id) + contract.opening);
    if (interest > state.terms.openMost(market.id)) return POSITION_LIMIT;
    const refusal = contract.opens > contract.opened ? refuseSize(state, scratch, row, market, side) : 0;
    if (refusal !== 0) return refusal;
  }
  // An order that freezes no more than before needs no more margin, unless its new price makes it lose at once what the
  // old one did not.
  if (contract.moreFrozen <= int64(0n) && (contract.loss === int64(0n) || isMilder(state, scratch, slot, side)))
    return 0;
  return refuseMargin(state, scratch, row, market, side === 1);
}

/**
 * Notes how many lots of its side can open with the drafted order and how many could before, and what of it opens and
 * what closes.
 */
function noteOpening(state: State, { contract, draft }: Scratch, row: number, flags: number, slot: number): void {
  const { seats } = state.futures;
  const side = flags & SELL;
  contract.freed = 0n;
  if (slot !== NONE) contract.freed = state.orders.left(slot);
  // Orders name the side of a position in hedge mode, and there only.
  contract.opposed = opposedIn(seats, row, side, (flags & SIDED) !== 0);
  const lots = seats.lots(row, side);
  const others = int64(int64(lots - contract.freed) - contract.opposed);
  contract.opened = int64(lots - contract.opposed);
  contract.opens = int64(others + draft.left);
  if (contract.opened < int64(0n)) contract.opened = 0n;
  if (contract.opens < int64(0n)) contract.opens = 0n;
  contract.opening = contract.opens;
  if (others > int64(0n)) contract.opening = int64(contract.opens - others);
  contract.closing = int64(draft.left - contract.opening);
}

/**
 * Notes what the drafted order loses at once at its worst price, by what it opens and by what it closes: who closes a
 * short position buys, and loses what a new long one would.
 */
export function noteLosses(state: State, { contract }: Scratch, market: Market, sells: boolean): void {
  const unit = state.terms.unitsPerLotTick(market.id);
  contract.loss = 0n;
  contract.closesLoss = 0n;
  if (unit === int64(0n)) {
    contract.loss = lossAt(state, market, sells, contract.worst, contract.opening);
    contract.closesLoss = lossAt(state, market, sells, contract.worst, contract.closing);
    return;
  }
  const way = BigInt((sells ? -1 : 1) | 0);
  const perLot = int64(int64(int64(contract.worst - state.futures.live.mark(market.id)) * way) * unit);
  if (perLot <= int64(0n)) return;
  contract.loss = int64(perLot * contract.opening);
  contract.closesLoss = int64(perLot * contract.closing);
}

/** Whether the draft changes an order to a price at which it loses no more than at its own. */
function isMilder({ orders }: State, { draft }: Scratch, slot: number, side: number): boolean {
  if (slot === NONE) return false;
  return side === 1 ? draft.price >= orders.price(slot) : draft.price <= orders.price(slot);
}

/** Of a user without a seat in the market: settings are the market's own, and there is nothing to reduce. */
export function refuseFirst(
  state: State,
  scratch: Scratch,
  userId: number,
  market: Market,
  flags: number,
  takerRateE8: number,
): number {
  const { contract, draft } = scratch;
  const terms = market.futures as contracts.FuturesSpec;
  const account = state.futures.accounts.find(userId, terms.settleAssetId);
  if (account === NONE) return CHECK.insufficient;
  const leverage = defaultLeverage(terms);
  contract.opening = draft.left;
  contract.closing = 0n;
  if (state.futures.live.openInterest(market.id) + contract.opening > state.terms.openMost(market.id)) {
    return POSITION_LIMIT;
  }
  const exposure = state.users.hasFamily(userId)
    ? familyExposure(state, userId, market, flags & SELL, draft.left)
    : draft.left;
  const refusal = refuseExposure(terms, exposure, leverage);
  if (refusal !== 0) return refusal;
  const value = tradeValue(terms, contract.freezePrice, draft.left);
  contract.moreFrozen = shareOf(value, leverage) + feeOn(value, BigInt(takerRateE8));
  noteLosses(state, scratch, market, (flags & SELL) !== 0);
  draft.needs = contract.moreFrozen + contract.loss;
  return surelyCovers(state, draft, account, false) || covers(state, account, false, draft.needs)
    ? 0
    : CHECK.insufficient;
}

/**
 * Whether the larger side of what a seat, with those of its relatives, holds or may come to hold is within the market's
 * levels.
 */
function refuseSize(state: State, { contract }: Scratch, row: number, market: Market, side: number): number {
  const { seats } = state.futures;
  const own = int64(seats.closable(row, side ^ 1) + contract.opens);
  const other = int64(seats.closable(row, side) + openOn(state, row, side ^ 1, seats.lots(row, side ^ 1)));
  const terms = market.futures as contracts.FuturesSpec;
  const userId = state.seats.userId(seats.seat(row));
  if (state.users.hasFamily(userId)) {
    return refuseExposure(terms, familyExposure(state, userId, market, side, own, other), seats.leverage(row));
  }
  return refuseExposure(terms, own > other ? own : other, seats.leverage(row));
}

/** Whether a position of so many lots is within the market's levels. */
function refuseExposure(terms: contracts.FuturesSpec, exposure: bigint, leverage: number): number {
  if (exposure > int64(positionBound(terms))) return POSITION_LIMIT;
  return leverage > levelAt(terms, exposure).leverage ? LEVERAGE_LIMIT : 0;
}

/** 4.5: margin for what the order opens, which freezes what is drafted, and for what it loses at once. */
function refuseMargin(state: State, { contract, draft }: Scratch, row: number, market: Market, sells: boolean): number {
  const { seats, live } = state.futures;
  const account = seats.account(row);
  const isIsolated = seats.isIsolated(row);
  draft.needs = contract.moreFrozen;
  if (!isIsolated) draft.needs = int64(draft.needs + contract.loss);
  if (!surelyCovers(state, draft, account, isIsolated) && !covers(state, account, isIsolated, draft.needs)) {
    return CHECK.insufficient;
  }
  if (!isIsolated || contract.loss === int64(0n)) return 0;
  const terms = market.futures as contracts.FuturesSpec;
  const held = int64(seats.closable(row, sells ? 0 : 1) + contract.opening);
  const initial = shareOf(tradeValue(terms, contract.freezePrice, contract.opening), seats.leverage(row));
  const atMark = tradeValue(terms, live.mark(market.id), contract.opening);
  const maintenance = feeOn(atMark, BigInt(levelAt(terms, held).maintenanceRateE8 | 0));
  return contract.loss >= int64(initial - maintenance) ? CHECK.insufficient : 0;
}

/**
 * Refuses to close at a price that would leave less than nothing of what stands behind the position: the insurance fund
 * pays for markets that move, not for users who sell cheaply to themselves. The drafted loss of what the order opens on
 * cross margin comes out of the same money; on isolated margin it brings its own.
 */
export function refuseClosing(state: State, scratch: Scratch, row: number, market: Market, isShort: boolean): number {
  const { contract } = scratch;
  const { seats } = state.futures;
  const slot = seats.position(row, isShort);
  if (slot === NONE) return 0;
  if (contract.closesLoss === int64(0n)) return 0;
  if (!seats.isIsolated(row)) {
    const isHeld = isEquityUnknown(state, seats.account(row), market.id);
    if (isHeld && isFarFromMark(state, market, !isShort, contract.worst)) return INDEX_STALE;
    return canLose(state, seats.account(row), int64(contract.closesLoss + contract.loss)) ? 0 : CHECK.insufficient;
  }
  if (surelyBacks(state, scratch, market, slot)) return 0;
  return backingOfClose(state, slot, contract.closing) < contract.closesLoss ? CHECK.insufficient : 0;
}

/**
 * Whether the margin of a linear isolated position, less all that it loses on paper, is enough for the loss of the
 * drafted close.
 */
function surelyBacks(state: State, { contract }: Scratch, market: Market, slot: number): boolean {
  const { positions, live } = state.futures;
  const unit = state.terms.unitsPerLotTick(market.id);
  if (unit === int64(0n)) return false;
  const worth = int64(int64(live.mark(market.id) * positions.amount(slot)) * unit);
  const gain = int64(int64(worth - positions.settleCost(slot)) * BigInt((positions.isShort(slot) ? -1 : 1) | 0));
  const left = int64(state.ledger.available(positions.marginCell(slot)) - contract.closesLoss);
  return left >= int64(0n) && int64(left + gain) >= int64(0n);
}
