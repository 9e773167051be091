/**
 * Watching over margin accounts: each has the index at which it has to be looked at, so that an index costs by the
 * accounts that it endangers and not by all that owe something. Source: domain 3.4.
 */

import { isIndexFresh } from "../listing/index-freshness.ts";
import type { Market } from "../listing/market.ts";
import { emitRareEvent } from "../rare-event.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { payDebts, releaseIfPaid } from "./debt.ts";
import { payFromAvailable } from "./lending.ts";
import { beginLiquidation, endPaid } from "./liquidate.ts";
import type { MarginSpec } from "./margin-state.ts";
import { canLiquidate, figuresOf, isAtRisk, type MarginFigures, priceOfRate, riskRateE8 } from "./risk.ts";

/**
 * Looks after the accounts that the command has touched or that an index has reached, by market and user, until nothing
 * more follows; with `everywhere` also those that were reached before. Then the insurance fund pays debts as far as it
 * can.
 */
export function settleMargin(state: State, everywhere: boolean): void {
  const { margin } = state;
  if (everywhere) {
    for (const marketId of margin.thresholds.dirty) noteReached(state, marketId);
    if (margin.moved.size > 0) forgetWarnings(state);
    margin.moved.clear();
  }
  while (margin.noted.size > 0) {
    const rows = [...margin.noted].sort((left, right) => byMarketAndUser(state, left, right));
    margin.noted.clear();
    for (const row of rows) lookAfter(state, row);
  }
  if (margin.debts.size === 0) {
    margin.debtsDueAt = 0;
    return;
  }
  payDebts(state);
  for (const row of margin.noted) {
    // What was paid needs no look: a debt sets no threshold.
    if (margin.accounts.owes(row)) arm(state, row);
    else releaseIfPaid(state, row);
  }
  margin.noted.clear();
}

/**
 * Sets the index at which an account is looked at again: that of its warning, and once it is warned that of its
 * liquidation.
 */
export function arm(state: State, row: number, figures: MarginFigures = figuresOf(state, row)): void {
  const { margin, markets } = state;
  const { accounts, thresholds } = margin;
  const market = markets[accounts.marketId(row)] as Market;
  margin.unwatch(row);
  if (accounts.loans(row) === accounts.debts(row) || margin.liquidations.has(row)) return;
  const { liqRateE8, warnRateE8 } = margin.terms.get(market.id) as MarginSpec;
  const found = priceOfRate(market, figures, margin.warned.has(row) ? liqRateE8 : warnRateE8);
  if (found !== undefined) thresholds.arm(market.id, row, found.way, ticksOf(found.ticks));
}

/** Exact as far as indexes go, which stay below 2^53. */
function ticksOf(ticks: bigint): number {
  return Number(ticks < 0n ? -1n : ticks);
}

function noteReached({ margin, markets }: State, marketId: number): void {
  const market = markets[marketId] as Market;
  if (market.delisted) return;
  for (const { row } of margin.thresholds.reached(marketId, Number(market.index.price))) margin.noted.add(row);
}

/** Who has recovered will be warned again. Looks only at those who have been warned. */
function forgetWarnings({ margin }: State): void {
  for (const row of margin.warned) if (margin.moved.has(margin.accounts.marketId(row))) margin.noted.add(row);
}

function byMarketAndUser({ margin: { accounts } }: State, left: number, right: number): number {
  return accounts.marketId(left) - accounts.marketId(right) || accounts.userId(left) - accounts.userId(right);
}

/** Warns an account, or liquidates it, and sets when to look at it again. */
function lookAfter(state: State, row: number): void {
  const { margin, markets } = state;
  const { accounts } = margin;
  margin.evaluations++;
  if (accounts.debts(row) > 0) for (const isQuote of [false, true]) payFromAvailable(state, row, isQuote, "finish");
  const market = markets[accounts.marketId(row)] as Market;
  if (accounts.loans(row) === accounts.debts(row)) {
    if (holds(state, "soldAtIndex")) endPaid(state, row);
    margin.warned.delete(row);
    arm(state, row);
    releaseIfPaid(state, row);
    return;
  }
  if (margin.liquidations.has(row)) {
    arm(state, row);
    return;
  }
  const figures = figuresOf(state, row);
  const { liqRateE8, warnRateE8 } = margin.terms.get(market.id) as MarginSpec;
  const { price } = market.index;
  if (isIndexFresh(market)) {
    if (!isAtRisk(market, price, figures, warnRateE8)) margin.warned.delete(row);
    else if (!margin.warned.has(row)) warn(state, market, row, figures);
  }
  if (canLiquidate(state, market) && isAtRisk(market, price, figures, liqRateE8)) {
    beginLiquidation(state, row, 0);
    // What became of it is looked at next.
    margin.noted.add(row);
    return;
  }
  arm(state, row, figures);
}

function warn(state: State, market: Market, row: number, figures: MarginFigures): void {
  const { margin } = state;
  margin.warned.add(row);
  emitRareEvent(state, {
    type: "margin_alert",
    userId: margin.accounts.userId(row),
    marketId: market.id,
    riskRateE8: (riskRateE8(market, market.index.price, figures) ?? 0n).toString(),
  });
}
