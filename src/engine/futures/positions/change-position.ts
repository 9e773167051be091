/**
 * The two steps that every change of a position's size is made of, with all money that moves: an increase and a
 * reduction. Executions take them; takeovers, auto-deleveraging and delisting take them at a value of their own.
 * Source: domain 4.6 and 6.2.
 *
 * The caller refreshes the freeze of the seat, and cuts its orders that only reduce, once all is done.
 */

import { CELL } from "../../ledger/cell.ts";
import { POSTING } from "../../ledger/posting.ts";
import type { Market } from "../../listing/market.ts";
import { larger, smaller } from "../../money/extremes.ts";
import { int64 } from "../../money/int64.ts";
import type { State } from "../../state.ts";
import { NONE } from "../../trading/order.ts";
import { endExitsOf } from "../exits/exit-event.ts";
import { marginUseOf, settleMarginUse } from "../liquidation/margin-use.ts";
import { WAY } from "../liquidation/thresholds.ts";
import { accountSumsOf, atMark, cashOf, marginOf } from "./account-sums.ts";
import { type FuturesSpec, signOf } from "./contract.ts";
import { emitPosition, type PositionChange } from "./emit-position.ts";
import { type PositionAtMark, theoreticalTransferable } from "./figures.ts";
import type { FinishedType } from "./position-event.ts";

/** A part of a trade or of what is like one: so many lots, worth so much, and the fee on them. */
export interface Part {
  readonly lots: bigint;
  readonly value: bigint;
  /** Ticks. */
  readonly price: bigint;
  readonly fee: bigint;
  readonly dealId: number;
  readonly orderId: number;
}

/** Opens or increases the long or short position of a seat. */
export function increase(state: State, market: Market, row: number, isShort: boolean, part: Part): void {
  const { futures } = state;
  const { positions, seats, live } = futures;
  const before = marginUseOf(state, market, row, isShort);
  const slot = seats.position(row, isShort) === NONE ? open(state, market, row, isShort) : seats.position(row, isShort);
  const account = seats.account(row);
  payFee(state, market, account, part);
  const marginBefore = marginOf(state, slot);
  takeMargin(state, slot, account, part);

  if (positions.amount(slot) === 0n) positions.setFirstPrice(slot, part.price);
  positions.setLatestPrice(slot, part.price);
  positions.setAmount(slot, int64(positions.amount(slot) + part.lots));
  positions.setEntryCost(slot, int64(positions.entryCost(slot) + part.value));
  positions.setSettleCost(slot, int64(positions.settleCost(slot) + part.value));
  positions.setRealized(slot, int64(positions.realized(slot) - part.fee));
  if (!isShort) live.setOpenInterest(market.id, int64(live.openInterest(market.id) + part.lots));
  const after = crossFigures(state, slot);
  noteTops(state, slot, after);
  const marginChange = marginOf(state, slot) - marginBefore;
  emitPosition(
    state,
    slot,
    changeBy(part, { reason: "increase", finishedType: "", entered: 0n, pnl: 0n, marginChange, covered: 0n }),
  );
  settleMarginUse(state, market, row, isShort, before, after);
}

/**
 * Reduces a position and pays out what that comes to; one that is reduced to nothing is closed, by `finishedType`.
 * Returns the profit.
 */
export function reduce(state: State, market: Market, slot: number, part: Part, finishedType: FinishedType): bigint {
  const { futures } = state;
  const { positions, live } = futures;
  const amount = positions.amount(slot);
  const closes = part.lots === amount;
  const settled = closes ? positions.settleCost(slot) : (positions.settleCost(slot) * part.lots) / amount;
  const entered = closes ? positions.entryCost(slot) : (positions.entryCost(slot) * part.lots) / amount;
  const isShort = positions.isShort(slot);
  const row = positions.seat(slot);
  const before = marginUseOf(state, market, row, isShort);
  const pnl = signOf(market.futures as FuturesSpec, isShort) * (part.value - settled);
  const marginBefore = marginOf(state, slot);
  // What the venue takes over is no trade of its user's.
  const kind = finishedType === "liq" && part.dealId === 0 ? POSTING.liquidation : POSTING.pnl;
  const covered = payOut(state, market, slot, part, pnl, kind);

  positions.setLatestPrice(slot, part.price);
  positions.setAmount(slot, int64(amount - part.lots));
  positions.setSettleCost(slot, int64(positions.settleCost(slot) - settled));
  positions.setEntryCost(slot, int64(positions.entryCost(slot) - entered));
  positions.setRealized(slot, int64(positions.realized(slot) + int64(pnl - part.fee)));
  if (!isShort) live.setOpenInterest(market.id, int64(live.openInterest(market.id) - part.lots));
  if (market.delistedAt > 0 && live.openInterest(market.id) === 0n) state.mayLeave = true;
  const after = closes ? undefined : crossFigures(state, slot);
  noteTops(state, slot, after);
  const marginChange = marginOf(state, slot) - marginBefore;
  const ending = closes ? finishedType : "";
  emitPosition(
    state,
    slot,
    changeBy(part, { reason: "reduce", finishedType: ending, entered, pnl, marginChange, covered }),
  );
  if (closes) close(state, slot);
  settleMarginUse(state, market, row, isShort, before, after);
  return pnl;
}

/**
 * Returns the change that a part of a trade makes to its position; the fields one by one, since spreading them costs as
 * much as the rest.
 */
function changeBy(
  part: Part,
  change: Pick<PositionChange, "reason" | "finishedType" | "entered" | "pnl" | "marginChange" | "covered">,
): PositionChange {
  return {
    reason: change.reason,
    finishedType: change.finishedType,
    dealId: part.dealId,
    orderId: part.orderId,
    lots: part.lots,
    value: part.value,
    fee: part.fee,
    entered: change.entered,
    pnl: change.pnl,
    marginChange: change.marginChange,
    covered: change.covered,
  };
}

/** The fee goes from the account's cash to the venue. */
function payFee(state: State, market: Market, account: number, { fee, dealId }: Part): void {
  if (fee === 0n) return;
  const { ledger, events, futures } = state;
  const { settleAssetId } = market.futures as FuturesSpec;
  ledger.post(events, futures.accounts.cell(account), -fee, 0n, POSTING.fee, dealId);
  ledger.post(events, ledger.feeCell(settleAssetId), fee, 0n, POSTING.fee, dealId);
}

/** Takes the margin of an increase for an isolated position: never more than the cash that is there. */
function takeMargin(state: State, slot: number, account: number, { value, dealId }: Part): void {
  const { positions, seats } = state.futures;
  if (!positions.isIsolated(slot)) return;
  const wanted = value / BigInt(seats.leverage(positions.seat(slot)));
  const cash = cashOf(state, account);
  const margin = wanted < cash ? wanted : cash;
  if (margin > 0n) moveMargin(state, slot, margin, dealId);
}

/** Moves cash of the account into the margin of an isolated position, or back when negative. */
export function moveMargin(state: State, slot: number, amount: bigint, ref: number): void {
  const { ledger, events, futures } = state;
  if (amount === 0n) return;
  ledger.post(events, futures.accounts.cell(futures.positions.account(slot)), -amount, 0n, POSTING.margin, ref);
  ledger.post(events, futures.positions.marginCell(slot), amount, 0n, POSTING.margin, ref);
}

/**
 * Pays the profit and the fee of a reduction and releases its share of isolated margin. What an isolated position then
 * lacks comes from its remaining margin, then from cash that is free, then from the insurance fund; what that cannot
 * pay either stays as cash below 0. Returns what the fund paid.
 */
function payOut(state: State, market: Market, slot: number, part: Part, pnl: bigint, kind: number): bigint {
  const { ledger, events, futures } = state;
  const { positions, accounts } = futures;
  const account = positions.account(slot);
  const cell = accounts.cell(account);
  const isIsolated = positions.isIsolated(slot);
  let short = 0n;
  // The margin comes back before a loss is paid from it, so that no cash below 0 is told of on the way.
  if (isIsolated) {
    const margin = marginOf(state, slot);
    const released = part.lots === positions.amount(slot) ? margin : (margin * part.lots) / positions.amount(slot);
    const gained = released + pnl - part.fee;
    const fromMargin = gained < 0n ? smaller(-gained, margin - released) : 0n;
    short = -gained - fromMargin;
    if (short > 0n) {
      const free = theoreticalTransferable(accountSumsOf(state, account));
      if (free > 0n) short -= free;
    }
    moveMargin(state, slot, -(released + fromMargin), part.dealId);
  }
  if (pnl !== 0n) {
    ledger.post(events, clearingCell(state, market), -pnl, 0n, kind, part.dealId);
    ledger.post(events, cell, pnl, 0n, kind, part.dealId);
  }
  payFee(state, market, account, part);
  return short > 0n ? cover(state, account, short, part.dealId) : 0n;
}

/** Pays from the insurance fund into an account, as far as it can. Returns how much. */
export function cover(state: State, account: number, wanted: bigint, ref: number): bigint {
  const { ledger, events, futures } = state;
  const fund = ledger.venueCell(CELL.insurance_futures, futures.accounts.assetId(account));
  const amount = smaller(wanted, ledger.available(fund));
  if (amount <= 0n) return 0n;
  ledger.post(events, fund, -amount, 0n, POSTING.insurance, ref);
  ledger.post(events, futures.accounts.cell(account), amount, 0n, POSTING.insurance, ref);
  return amount;
}

/** The cell that the profits of a market are paid from. */
export function clearingCell({ ledger }: State, market: Market): number {
  return ledger.clearingCell(market.id, (market.futures as FuturesSpec).settleAssetId);
}

function open(state: State, market: Market, row: number, isShort: boolean): number {
  const { futures, ledger, seats: allSeats } = state;
  const { positions, seats, accounts } = futures;
  const slot = positions.allocate();
  const userId = allSeats.userId(seats.seat(row));
  const kind = isShort ? CELL.isolated_short : CELL.isolated_long;
  const settles = accounts.assetId(seats.account(row));
  positions.setPositionId(slot, state.nextPositionId++);
  positions.setMarginCell(
    slot,
    seats.isIsolated(row) ? ledger.cell(kind, userId, market.id, settles, market.id) : NONE,
  );
  positions.setCreatedAt(slot, state.timeMs);
  enlist(state, slot, row, isShort);
  return slot;
}

/**
 * Makes a position, whose margin cell is set, that of a seat's side, before all others of its account and of its
 * market.
 */
export function enlist(state: State, slot: number, row: number, isShort: boolean): void {
  const { positions, seats, accounts, live } = state.futures;
  const account = seats.account(row);
  const marketId = state.seats.marketId(seats.seat(row));
  positions.setUserId(slot, state.seats.userId(seats.seat(row)));
  positions.setMarketId(slot, marketId);
  positions.setAccount(slot, account);
  positions.setSeat(slot, row);
  positions.setShort(slot, isShort);
  seats.setPosition(row, isShort, slot);
  const [ofAccount, ofMarket] = [accounts.head(account), live.head(marketId)];
  positions.setNextOfAccount(slot, ofAccount);
  positions.setPrevOfAccount(slot, NONE);
  positions.setNextOfMarket(slot, ofMarket);
  positions.setPrevOfMarket(slot, NONE);
  if (ofAccount !== NONE) positions.setPrevOfAccount(ofAccount, slot);
  if (ofMarket !== NONE) positions.setPrevOfMarket(ofMarket, slot);
  accounts.setHead(account, slot);
  if (!positions.isIsolated(slot)) accounts.countCross(account, 1);
  live.setHead(marketId, slot);
}

function close(state: State, slot: number): void {
  endExitsOf(state, slot);
  const { futures } = state;
  const { positions, seats, accounts, live, thresholds } = futures;
  const row = positions.seat(slot);
  const marketId = positions.marketId(slot);
  seats.setPosition(row, positions.isShort(slot), NONE);
  const isLast = seats.position(row, false) === NONE && seats.position(row, true) === NONE;
  // A cross seat that still holds the other side sets its thresholds anew when its account is looked at.
  for (const way of [WAY.falls, WAY.rises]) {
    const isOwn = way === (positions.isShort(slot) ? WAY.rises : WAY.falls);
    if (isLast || isOwn) thresholds.disarm(marketId, row, way);
  }
  const [next, prev] = [positions.nextOfAccount(slot), positions.prevOfAccount(slot)];
  if (prev === NONE) accounts.setHead(positions.account(slot), next);
  else positions.setNextOfAccount(prev, next);
  if (next !== NONE) positions.setPrevOfAccount(next, prev);
  if (!positions.isIsolated(slot)) accounts.countCross(positions.account(slot), -1);
  const [nextIn, prevIn] = [positions.nextOfMarket(slot), positions.prevOfMarket(slot)];
  if (prevIn === NONE) live.setHead(positions.marketId(slot), nextIn);
  else positions.setNextOfMarket(prevIn, nextIn);
  if (nextIn !== NONE) positions.setPrevOfMarket(nextIn, prevIn);
  futures.alertedPositions.delete(positions.positionId(slot));
  futures.forgetWritten(slot);
  positions.free(slot);
}

/** Notes that a position has changed other than by a trade: its account is looked at. */
export function noteWritten(state: State, slot: number): void {
  noteTops(state, slot, crossFigures(state, slot));
  state.futures.noteWritten(slot);
}

function crossFigures(state: State, slot: number): PositionAtMark | undefined {
  return state.futures.positions.isIsolated(slot) ? undefined : atMark(state, slot);
}

/** Notes the time of a change of a position, and what it has never been larger than. */
function noteTops(state: State, slot: number, figures: PositionAtMark | undefined): void {
  const { positions } = state.futures;
  positions.setUpdatedAt(slot, state.timeMs);
  positions.setTopAmount(slot, larger(positions.topAmount(slot), positions.amount(slot)));
  positions.setTopCost(slot, larger(positions.topCost(slot), positions.entryCost(slot)));
  const margin = figures === undefined ? marginOf(state, slot) : figures.initial;
  positions.setTopMargin(slot, larger(positions.topMargin(slot), margin));
}
