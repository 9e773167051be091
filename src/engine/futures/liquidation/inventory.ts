/**
 * The positions that the venue has taken over, and how it closes them: long against short first, then down a ladder of
 * prices on the book between the mark and the value at which they came in, then against the users on the other side.
 * The insurance fund pays only where the index jumped over that value, within its budget. Source: domain 4.14.
 */

import { AIMS, FLAG } from "../../command.ts";
import type { Market } from "../../listing/market.ts";
import { larger, smaller } from "../../money/extremes.ts";
import { holds } from "../../rules-version.ts";
import type { State } from "../../state.ts";
import { NONE } from "../../trading/order.ts";
import { cycleOf } from "../funding/cycle.ts";
import { markOf } from "../funding/mark.ts";
import { placeForVenue } from "../orders/venue-order.ts";
import { factsOf } from "../positions/account-sums.ts";
import { type Part, reduce } from "../positions/change-position.ts";
import { ceilToTick, type FuturesSpec, floorToTick, levelAt, signOf, tradeValue } from "../positions/contract.ts";
import { bankruptcyPrice, type PositionFacts } from "../positions/figures.ts";
import { LIQUIDATOR } from "../positions/futures-account.ts";
import { rowOf } from "../positions/futures-seat.ts";
import { deleverage } from "./deleverage.ts";
import { budgetLeft, noteResult } from "./fund-budget.ts";
import { mayLiquidate } from "./may-liquidate.ts";

export const STEP_EVERY_MS = 2_000;
export const LAST_STEP = 20;
/** A step goes a tenth of the maintenance rate further than the one before it. */
const STEPS_PER_RATE_E8 = 1_000_000_000n;

/** Nets what has been taken over, and begins to sell it unless that is under way. */
export function sellInventory(state: State, market: Market): void {
  net(state, market);
  const cycle = cycleOf(state, market);
  if (cycle.ladderAt !== 0) {
    endLadders(state, [market.id]);
    return;
  }
  cycle.ladderStep = 0;
  unwindInventory(state, market);
}

/** A step of the ladder. While nothing may be liquidated it waits. */
export function unwindInventory(state: State, market: Market): void {
  const cycle = cycleOf(state, market);
  const isOn = mayLiquidate(state, market);
  if (isOn || !holds(state, "staleIndexWaits")) net(state, market);
  if (isOn) {
    for (const slot of inventory(state, market)) takeStep(state, market, slot, cycle.ladderStep);
    cycle.ladderStep = Math.min(cycle.ladderStep + 1, LAST_STEP);
  }
  setLadder(state, market, inventory(state, market).length === 0 ? 0 : state.timeMs + STEP_EVERY_MS);
  if (cycle.ladderAt !== 0) state.nextDueMs = Math.min(state.nextDueMs, cycle.ladderAt);
}

/** Says when the next step of a ladder is due; 0: it is over. */
export function setLadder(state: State, market: Market, atMs: number): void {
  cycleOf(state, market).ladderAt = atMs;
  if (atMs === 0) state.futures.ladders.delete(market.id);
  else state.futures.ladders.add(market.id);
}

/**
 * Ends the ladders of those of these markets whose mark has reached the price at which the venue's position came in:
 * what is left is deleveraged now, since each further step of the index would cost the fund.
 */
export function endLadders(state: State, marketIds: Iterable<number>): void {
  if (!holds(state, "laddersEndAtCost")) return;
  for (const id of marketIds) {
    const market = state.markets[id];
    if (market?.futures === undefined || market.delisted) continue;
    const cycle = cycleOf(state, market);
    if (cycle.ladderAt === 0 || !mayLiquidate(state, market)) continue;
    net(state, market);
    for (const slot of inventory(state, market)) if (isAtCost(state, market, slot)) deleverage(state, market, slot);
    if (inventory(state, market).length === 0) setLadder(state, market, 0);
  }
}

/** Whether the mark has reached the price at which all of a position of the venue came in, or has gone beyond. */
function isAtCost(state: State, market: Market, slot: number): boolean {
  const lots = state.futures.positions.amount(slot);
  const value = tradeValue(market.futures as FuturesSpec, markOf(state, market), lots);
  return resultOf(state, market, slot, lots, value) <= 0n;
}

/** The venue's long and short position in a market. */
export function inventory(state: State, market: Market): number[] {
  const { seats } = state.futures;
  const row = rowOf(state, LIQUIDATOR, market.id);
  if (row === NONE) return [];
  return [seats.position(row, false), seats.position(row, true)].filter((slot) => slot !== NONE);
}

/**
 * Closes long against short at the mark. What that loses on the whole must be within the budget of the insurance fund.
 */
export function net(state: State, market: Market): void {
  const [long, short] = inventory(state, market);
  if (long === undefined || short === undefined) return;
  const { positions } = state.futures;
  const lots = smaller(positions.amount(long), positions.amount(short));
  const price = markOf(state, market);
  const value = tradeValue(market.futures as FuturesSpec, price, lots);
  const results = [long, short].map((slot) => ({ slot, result: resultOf(state, market, slot, lots, value) }));
  const whole = results.reduce((sum, { result }) => sum + result, 0n);
  if (-whole > budgetLeft(state, market)) return;
  noteResult(state, market, whole);
  // The gain first, so that the fund can bear the loss.
  results.sort((left, right) => (left.result > right.result ? -1 : 1));
  const part: Part = { lots, value, price, fee: 0n, dealId: 0, orderId: 0 };
  for (const { slot } of results) reduce(state, market, slot, part, "liq");
}

/** Returns the profit, or below 0 the loss, of closing so many lots at a value. */
function resultOf(state: State, market: Market, slot: number, lots: bigint, value: bigint): bigint {
  const { positions } = state.futures;
  const amount = positions.amount(slot);
  const settled = lots === amount ? positions.settleCost(slot) : (positions.settleCost(slot) * lots) / amount;
  return signOf(market.futures as FuturesSpec, positions.isShort(slot)) * (value - settled);
}

/** Whether the insurance fund may bear what the venue's position loses by trading so many lots at a value. */
export function fundCovers(state: State, market: Market, isShort: boolean, lots: bigint, value: bigint): boolean {
  const row = rowOf(state, LIQUIDATOR, market.id);
  const slot = state.futures.seats.position(row, isShort);
  return -resultOf(state, market, slot, lots, value) <= budgetLeft(state, market);
}

function takeStep(state: State, market: Market, slot: number, stepNumber: number): void {
  const { positions } = state.futures;
  const terms = market.futures as FuturesSpec;
  const facts = factsOf(state, slot);
  const mark = markOf(state, market);
  const rate = BigInt(levelAt(terms, facts.amount).maintenanceRateE8) * BigInt(stepNumber);
  const aim = AIMS.indexOf("liquidation") << FLAG.aimShift;
  // Beyond this price the loss of all of it would be more than the fund may bear; 0 = nowhere.
  const most = bankruptcyPrice(terms, facts, budgetLeft(state, market));
  const worst = holds(state, "guardedFund") ? worstPrice(terms, facts, mark) : undefined;
  let isBound: boolean;
  if (facts.isShort) {
    const step = floorToTick({ num: mark * (STEPS_PER_RATE_E8 + rate), den: STEPS_PER_RATE_E8 }, terms.tickSize);
    const price = smaller(step, worst ?? step);
    isBound = most !== 0n && most < price;
    placeForVenue(state, market, LIQUIDATOR, aim, facts.amount, smaller(isBound ? most : price, market.maxPrice));
  } else {
    const step = ceilToTick({ num: mark * (STEPS_PER_RATE_E8 - rate), den: STEPS_PER_RATE_E8 }, terms.tickSize);
    const price = larger(step, worst ?? step);
    isBound = most > price;
    const bound = isBound ? most : price > 0n ? price : terms.tickSize;
    placeForVenue(state, market, LIQUIDATOR, aim | FLAG.sell, facts.amount, bound);
  }
  const isLeft = inventory(state, market).includes(slot) && positions.isShort(slot) === facts.isShort;
  if (!isLeft) return;
  const endsHere = holds(state, "laddersEndAtCost") && isAtCost(state, market, slot);
  if (isBound || endsHere || stepNumber >= LAST_STEP) deleverage(state, market, slot);
}

/**
 * The worst price of any step: a sale goes no lower than the lower of the mark and the price at which all of it came
 * in, a purchase no higher than the higher of the two. In between lies the margin of the one who was let go.
 */
function worstPrice(terms: FuturesSpec, facts: PositionFacts, mark: bigint): bigint {
  const cameIn = bankruptcyPrice(terms, facts, 0n);
  if (facts.isShort) return larger(cameIn, floorToTick({ num: mark, den: 1n }, terms.tickSize));
  return smaller(cameIn, ceilToTick({ num: mark, den: 1n }, terms.tickSize));
}
