/**
 * Liquidation of a margin account: its orders are cancelled, what it has pays what it owes, and what then is missing of
 * one currency is bought with the other, in steps, until all is paid or nothing is left. Source: domain 3.5.
 */
import { AIMS, FLAG, STP, TYPE } from "../command.ts";
import type { Market } from "../listing/market.ts";
import { smaller } from "../money/extremes.ts";
import { divCeil } from "../money/rounding.ts";
import { emitRareEvent } from "../rare-event.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { endWhere } from "../trading/cancel.ts";
import { NONE } from "../trading/order.ts";
import { enterAccepted } from "../trading/place.ts";
import { settleByFund } from "./debt.ts";
import { takeOverAccount, worthOf } from "./fund.ts";
import { owedIn, payFromAvailable, takeForFund } from "./lending.ts";
import type { MarginLiquidation, MarginSpec } from "./margin-state.ts";
import { canLiquidate, figuresOf, isAtRisk, worth } from "./risk.ts";
import { wantedTrade } from "./sale.ts";

/** ms between two steps of a liquidation. */
export const STEP_MS = 2_000;
/** The share of what was owed that a liquidation costs, per currency. */
const FEE_PERCENT = 2n;
/** ms for which the book is offered the index before the insurance fund takes over. */
export const AT_INDEX_MS = 60_000;
/** Orders of one step: each meets what the one before it left. */
const ORDERS_MAX = 8;
const LIQUIDATION_FLAGS =
  FLAG.margin |
  (TYPE.ioc << FLAG.typeShift) |
  (STP.cm << FLAG.stpShift) |
  (AIMS.indexOf("liquidation") << FLAG.aimShift);

/**
 * Cancels the orders of an account and takes the first step; `expiredLoan` is the loan that has to be repaid, 0 = none.
 */
export function beginLiquidation(state: State, row: number, expiredLoan: number): void {
  const { margin, seats } = state;
  const { accounts, liquidations } = margin;
  const fee = (isQuote: boolean) => divCeil(owedIn(state, row, isQuote) * FEE_PERCENT, 100n);
  liquidations.set(row, {
    stepAt: state.timeMs,
    baseFee: fee(false),
    quoteFee: fee(true),
    expiredLoan,
    hasTraded: false,
    insolventAt: 0,
  });
  tell(state, row, "begun");
  const seat = seats.find(accounts.userId(row), accounts.marketId(row), 1);
  if (seat !== NONE) endWhere(state, seat, () => true);
  stepLiquidation(state, row);
}

/** Takes a step of a liquidation. Where the market does not allow it now, the next is tried like any other. */
export function stepLiquidation(state: State, row: number): void {
  const { margin, markets } = state;
  const { accounts } = margin;
  const market = markets[accounts.marketId(row)] as Market;
  const liquidation = margin.liquidations.get(row) as MarginLiquidation;
  if (canLiquidate(state, market)) {
    payFromBoth(state, row);
    if (isSpared(state, market, row, liquidation)) {
      // Where nothing was paid in this step, nothing else says that it is to be watched again.
      if (holds(state, "sparedIsWatched")) margin.noted.add(row);
      end(state, row, "spared");
      return;
    }
    if (market.status === "online") sell(state, market, row, liquidation);
    // What an interruption has held up is not sold any more; one that this sale has called holds it up once more at
    // most.
    if (holds(state, "soldAtIndex") && canLiquidate(state, market)) takeOverLate(state, market, row, liquidation);
    if (!accounts.owes(row) || wantedTrade(state, market, row, liquidation) === undefined) {
      finish(state, market, row, liquidation);
      return;
    }
  }
  // Its next step comes by time, wherever the index goes.
  margin.unwatch(row);
  // Those that come next stand first.
  margin.liquidations.delete(row);
  margin.liquidations.set(row, { ...liquidation, stepAt: state.timeMs + STEP_MS });
  state.nextDueMs = Math.min(state.nextDueMs, state.timeMs + STEP_MS);
}

/** Whether what the account had has made it safe before anything was sold: it is left alone, without fee. */
function isSpared(state: State, market: Market, row: number, liquidation: MarginLiquidation): boolean {
  const { margin } = state;
  if (liquidation.hasTraded) return false;
  if (!margin.accounts.owes(row)) return true;
  if (liquidation.expiredLoan !== 0 && margin.loans.find(liquidation.expiredLoan) !== NONE) return false;
  const { warnRateE8 } = margin.terms.get(market.id) as MarginSpec;
  return !isAtRisk(market, market.index.price, figuresOf(state, row), warnRateE8);
}

/** Trades for what is owed, as far as the book goes within the bound, and pays with it. */
function sell(state: State, market: Market, row: number, liquidation: MarginLiquidation): void {
  const { draft, trade } = state.scratch;
  const { margin } = state;
  const { accounts } = margin;
  const userId = accounts.userId(row);
  for (let count = 0; count < ORDERS_MAX; count++) {
    const wanted = wantedTrade(state, market, row, liquidation);
    if (wanted === undefined || wanted.lots === 0n) return;
    const dealsBefore = state.nextDealId;
    draft.left = wanted.lots;
    draft.price = wanted.limit;
    trade.bound = wanted.limit;
    const seat = state.seats.find(userId, market.id, 1);
    enterAccepted(state, state.scratch, userId, market, seat, LIQUIDATION_FLAGS | (wanted.sells ? FLAG.sell : 0), "");
    if (state.nextDealId === dealsBefore) return;
    liquidation.hasTraded = true;
    payFromBoth(state, row);
    if (market.status !== "online") return;
  }
}

/**
 * Moves to the fund, within its budget, what could not be sold at the index for a minute while the account is
 * insolvent, and what an interruption of the market has held up for long enough.
 */
function takeOverLate(state: State, market: Market, row: number, liquidation: MarginLiquidation): void {
  if (!state.margin.accounts.owes(row)) return;
  const isHeldUp = market.status !== "online";
  if (isInsolvent(state, market, row, liquidation)) {
    if (liquidation.insolventAt === 0) liquidation.insolventAt = state.timeMs;
    if (!isHeldUp && state.timeMs - liquidation.insolventAt < AT_INDEX_MS) return;
  } else if (!isHeldUp) return;
  if (takeOverAccount(state, market, row)) liquidation.hasTraded = true;
}

/** Whether what an account has does not pay, at the index, what it owes with the fees of the liquidation. */
function isInsolvent(state: State, market: Market, row: number, { baseFee, quoteFee }: MarginLiquidation): boolean {
  const { baseHave, quoteHave, basePrincipal, quotePrincipal } = figuresOf(state, row);
  const assets = worth(market, market.index.price, baseHave, quoteHave);
  return assets < worth(market, market.index.price, basePrincipal + baseFee, quotePrincipal + quoteFee);
}

/**
 * Ends a liquidation: what is owed still, and could not be traded for, is the fund's to pay; then the fee is taken, as
 * far as there is something left.
 */
function finish(state: State, market: Market, row: number, liquidation: MarginLiquidation): void {
  settleByFund(state, market, row);
  takeFee(state, market, row, false, liquidation.baseFee);
  takeFee(state, market, row, true, liquidation.quoteFee);
  state.margin.noted.add(row);
  end(state, row, "done");
}

/** Ends the liquidation of an account whose user has paid what it owed, between two steps. */
export function endPaid(state: State, row: number): void {
  const { margin, markets } = state;
  const liquidation = margin.liquidations.get(row);
  if (liquidation === undefined || margin.accounts.owes(row)) return;
  if (liquidation.hasTraded) finish(state, markets[margin.accounts.marketId(row)] as Market, row, liquidation);
  else end(state, row, "spared");
}

function takeFee(state: State, market: Market, row: number, isQuote: boolean, fee: bigint): void {
  const { ledger, margin } = state;
  const paid = smaller(fee, ledger.available(margin.accounts.cell(row, isQuote)));
  takeForFund(state, market, row, isQuote, paid, "fee");
  if (!holds(state, "soldAtIndex")) return;
  // What the fund took over brought nothing of this currency: the rest of the fee comes of the other, by the index.
  const rest = worthOf(market, !isQuote, fee - paid);
  takeForFund(
    state,
    market,
    row,
    !isQuote,
    smaller(rest, ledger.available(margin.accounts.cell(row, !isQuote))),
    "fee",
  );
}

function payFromBoth(state: State, row: number): void {
  for (const isQuote of [false, true]) payFromAvailable(state, row, isQuote, "liquidated");
}

function end(state: State, row: number, stage: "spared" | "done"): void {
  state.margin.liquidations.delete(row);
  tell(state, row, stage);
}

function tell(state: State, row: number, stage: "begun" | "spared" | "done"): void {
  const { accounts } = state.margin;
  emitRareEvent(state, {
    type: "margin_liquidation",
    userId: accounts.userId(row),
    marketId: accounts.marketId(row),
    stage,
  });
}
