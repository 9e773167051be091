/** The collection of funding: who holds on the dearer side pays who holds on the other. Source: domain 4.12. */

import { CELL } from "../../ledger/cell.ts";
import { POSTING } from "../../ledger/posting.ts";
import type { Market } from "../../listing/market.ts";
import { positive, smaller } from "../../money/extremes.ts";
import { feeOn } from "../../money/rate.ts";
import { divHalfAwayFromZero } from "../../money/rounding.ts";
import { emitRareEvent } from "../../rare-event.ts";
import { holds } from "../../rules-version.ts";
import type { State } from "../../state.ts";
import { budgetLeft, noteResult } from "../liquidation/fund-budget.ts";
import { accountSumsOf, atMark, cashOf, marginOf, positionsIn, positionsOf } from "../positions/account-sums.ts";
import { noteWritten } from "../positions/change-position.ts";
import type { FuturesSpec } from "../positions/contract.ts";
import { emitPosition, NO_CHANGE } from "../positions/emit-position.ts";
import { isolatedMargin } from "../positions/figures.ts";
import { LIQUIDATOR } from "../positions/futures-account.ts";
import { type Cycle, cycleOf, fundingTermsOf } from "./cycle.ts";
import { HOUR_MS, nextFundingTime, noteHour } from "./funding-rate.ts";
import { markOf, rateSince } from "./mark.ts";

const ONE_E8 = 100_000_000n;

/**
 * Collects the funding that is due at `cycle.collectsAt`. A market that nobody holds, and whose samples are spent, goes
 * on to its first collection in the future. Returns who could not pay.
 */
export function runFunding(state: State, market: Market): Capped[] {
  const cycle = cycleOf(state, market);
  const atMs = cycle.collectsAt;
  const isIdle = state.futures.live.openInterest(market.id) === 0n && cycle.samples.lastMinuteMs < cycle.collectedAt;
  const capped = isIdle ? [] : collectFunding(state, market, atMs, rateOfCycle(state, market));
  const { intervalH } = cycle.watch;
  cycle.collectedAt = isIdle ? nextFundingTime(state.timeMs, intervalH) - intervalH * HOUR_MS : atMs;
  cycle.collectsAt = nextFundingTime(isIdle ? state.timeMs : atMs, intervalH);
  return capped;
}

/** A position that could not pay all that it owed; the venue itself is none. */
export interface Capped {
  readonly slot: number;
  readonly positionId: number;
}

/** The rate of the cycle that ends now. */
function rateOfCycle(state: State, market: Market): number {
  const { collectedAt, watch } = cycleOf(state, market);
  return rateSince(state, market, collectedAt, watch.intervalH * 60);
}

/**
 * Collects funding at a rate in 10^-8: above 0 longs pay shorts, below 0 shorts pay longs. Returns who could not pay.
 */
export function collectFunding(state: State, market: Market, atMs: number, rateE8: number): Capped[] {
  const payingIsShort = rateE8 < 0;
  const held = rateE8 === 0 ? [] : byId(state, [...positionsIn(state, market.id)]);
  const { positions } = state.futures;
  const payers = held.filter((slot) => positions.isShort(slot) === payingIsShort);
  const receivers = held.filter((slot) => positions.isShort(slot) !== payingIsShort);
  const values = receivers.map((slot) => atMark(state, slot).value);
  const whole = values.reduce((sum, value) => sum + value, 0n);
  let paid = 0n;
  const capped: Capped[] = [];
  for (const slot of whole > 0n ? payers : []) {
    const due = (atMark(state, slot).value * BigInt(Math.abs(rateE8))) / ONE_E8;
    const its = pay(state, market, slot, due);
    paid += its;
    if (its < due && positions.userId(slot) !== LIQUIDATOR)
      capped.push({ slot, positionId: positions.positionId(slot) });
  }
  let received = 0n;
  if (paid > 0n) {
    receivers.forEach((slot, at) => {
      const share = (paid * (values[at] as bigint)) / whole;
      received += share;
      receive(state, slot, share);
    });
  }
  const residue = paid - received;
  const actual = whole === 0n ? 0n : divHalfAwayFromZero(paid * ONE_E8, whole);
  putResidue(state, market, residue);
  emitRareEvent(state, {
    type: "funding_collected",
    marketId: market.id,
    atMs,
    mark: markOf(state, market).toString(),
    rateE8,
    actualRateE8: payingIsShort ? -Number(actual) : Number(actual),
    paid: paid.toString(),
    receivers: paid > 0n ? receivers.length : 0,
    residue: residue.toString(),
  });
  return capped;
}

/** Sorts positions by their ids. */
export function byId({ futures: { positions } }: State, slots: number[]): number[] {
  return slots.sort((left, right) => positions.positionId(left) - positions.positionId(right));
}

/** Takes of a position what it owes and can spare. Returns how much. */
function pay(state: State, market: Market, slot: number, due: bigint): bigint {
  const { positions } = state.futures;
  if (positions.userId(slot) === LIQUIDATOR) return payOfFund(state, market, slot, due);
  const { value, unrealized, maintenance } = atMark(state, slot);
  if (!positions.isIsolated(slot)) {
    const paid = smaller(due, crossCap(state, positions.account(slot)));
    book(state, slot, -paid, -paid, 0n);
    return paid;
  }
  const free = positive(isolatedMargin(accountSumsOf(state, positions.account(slot))));
  const fromCash = smaller(due, smaller(positive(positions.realized(slot)), free));
  const closing = closingFee(state, market, positions.userId(slot), value);
  const margin = marginOf(state, slot);
  // A profit on paper backs the position, but cannot be paid with.
  const spare = smaller(margin, positive(margin + unrealized - maintenance - closing));
  const fromMargin = smaller(due - fromCash, spare);
  book(state, slot, -(fromCash + fromMargin), -fromCash, -fromMargin);
  return fromCash + fromMargin;
}

/**
 * Takes of the insurance fund what a position of the venue owes: within the budget of its market. Without
 * the bound an owner who lets one leg go before a collection would receive with the other what the fund pays. Before
 * rules version 5 all that it has.
 */
function payOfFund(state: State, market: Market, slot: number, due: bigint): bigint {
  const cash = positive(cashOf(state, state.futures.positions.account(slot)));
  const isBound = holds(state, "fundingWithinBudget");
  const paid = smaller(due, isBound ? smaller(cash, budgetLeft(state, market)) : cash);
  if (isBound) noteResult(state, market, -paid);
  book(state, slot, -paid, -paid, 0n);
  return paid;
}

/** Returns the units that a cross account can pay without coming near its liquidation. */
function crossCap(state: State, account: number): bigint {
  const { accounts, positions } = state.futures;
  const { cash, unrealized, maintenance } = accountSumsOf(state, account);
  let closing = 0n;
  for (const slot of positionsOf(state, account)) {
    if (positions.isIsolated(slot)) continue;
    const market = state.markets[positions.marketId(slot)] as Market;
    closing += closingFee(state, market, accounts.userId(account), atMark(state, slot).value);
  }
  return positive(cash + unrealized - maintenance - closing);
}

/** The taker fee on closing a value. */
function closingFee({ users }: State, market: Market, userId: number, value: bigint): bigint {
  const own = users.futuresTakerFeeRateE8(userId);
  return feeOn(value, BigInt(own < 0 ? market.takerFeeRateE8 : own));
}

function receive(state: State, slot: number, amount: bigint): void {
  book(state, slot, amount, amount, 0n);
}

/** Books a change of realized profit with its money: so much of cash, so much of isolated margin. */
function book(state: State, slot: number, amount: bigint, cash: bigint, margin: bigint): void {
  if (amount === 0n) return;
  const { ledger, events, futures } = state;
  const { positions, accounts } = futures;
  const id = positions.positionId(slot);
  if (cash !== 0n) ledger.post(events, accounts.cell(positions.account(slot)), cash, 0n, POSTING.funding, id);
  if (margin !== 0n) ledger.post(events, positions.marginCell(slot), margin, 0n, POSTING.funding, id);
  positions.setRealized(slot, positions.realized(slot) + amount);
  noteWritten(state, slot);
  emitPosition(state, slot, { ...NO_CHANGE, reason: "funding", pnl: amount, marginChange: margin });
}

/** Pays the rest that rounding leaves of the receivers' shares to the insurance fund. */
function putResidue({ ledger, events }: State, market: Market, residue: bigint): void {
  if (residue === 0n) return;
  const { settleAssetId } = market.futures as FuturesSpec;
  ledger.post(events, ledger.venueCell(CELL.insurance_futures, settleAssetId), residue, 0n, POSTING.funding, 0);
}

/**
 * Looks at the premiums of the hour that ended at `cycle.hourEndsAt` and lets the interval get shorter or longer by
 * them.
 */
export function checkInterval(state: State, market: Market): void {
  const cycle: Cycle = cycleOf(state, market);
  const atMs = cycle.hourEndsAt;
  const since = cycle.samples.premiumsSince(atMs - HOUR_MS);
  const after = cycle.samples.premiumsSince(atMs);
  cycle.hourEndsAt = after.count === 0 ? 0 : atMs + HOUR_MS;
  const { capE8 } = fundingTermsOf(market.futures as FuturesSpec);
  if (!noteHour(cycle.watch, since.sumE8 - after.sumE8, since.count - after.count, capE8, atMs)) return;
  const { intervalH } = cycle.watch;
  cycle.collectsAt = nextFundingTime(atMs, intervalH);
  emitRareEvent(state, { type: "funding_interval", marketId: market.id, intervalH, collectsAt: cycle.collectsAt });
}
