/**
 * Auto-deleveraging: what the venue can neither sell nor bear is closed against the users on the other side, those who
 * gain most with the least margin first: at the mark as far as the venue gains by it or the budget of the insurance
 * fund bears the loss. Source: domain 4.14 and 4.15.
 */

import type { Market } from "../../listing/market.ts";
import { emitRareEvent } from "../../rare-event.ts";
import { holds } from "../../rules-version.ts";
import type { State } from "../../state.ts";
import { endWhere } from "../../trading/cancel.ts";
import { markOf } from "../funding/mark.ts";
import { refreshFreeze } from "../orders/held-order.ts";
import { cutReducing } from "../orders/reduce-only.ts";
import { atMark, marginOf, positionsIn } from "../positions/account-sums.ts";
import { type Part, reduce } from "../positions/change-position.ts";
import { type FuturesSpec, signOf, tradeValue } from "../positions/contract.ts";
import { shownPrice } from "../positions/figures.ts";
import { LIQUIDATOR } from "../positions/futures-account.ts";
import { adlLevel, adlPriority, byAdlPriority } from "./adl-rank.ts";
import { budgetLeft, noteResult } from "./fund-budget.ts";

interface Ranked {
  readonly slot: number;
  readonly positionId: number;
  readonly priority: bigint;
}

/** Closes a position of the venue against the queue of the other side, as far as that reaches. */
export function deleverage(state: State, market: Market, slot: number): void {
  const { positions } = state.futures;
  for (const { slot: other } of queueOf(state, market, !positions.isShort(slot))) {
    const amount = positions.amount(slot);
    const row = positions.seat(other);
    endWhere(state, state.futures.seats.seat(row), () => true);
    const lots = amount < positions.amount(other) ? amount : positions.amount(other);
    const value = closingValue(state, market, slot, lots);
    const price = shownPrice(market.futures as FuturesSpec, lots, value);
    const part: Part = { lots, value, price, fee: 0n, dealId: state.nextDealId++, orderId: 0 };
    emitRareEvent(state, {
      type: "deleveraged",
      marketId: market.id,
      dealId: part.dealId,
      userId: positions.userId(other),
      positionId: positions.positionId(other),
      isShort: positions.isShort(other),
      lots: lots.toString(),
      value: value.toString(),
      price: price.toString(),
    });
    reduce(state, market, other, part, "adl");
    noteResult(state, market, reduce(state, market, slot, part, "adl"));
    refreshFreeze(state, row);
    cutReducing(state, market, row);
    if (lots === amount) return;
  }
}

/**
 * At what value so many lots of the venue's position are closed: that at the mark, or as far from it towards their cost
 * that the venue loses no more than their share of the budget; in rules version 1 their cost.
 */
function closingValue(state: State, market: Market, slot: number, lots: bigint): bigint {
  const { positions } = state.futures;
  const terms = market.futures as FuturesSpec;
  const amount = positions.amount(slot);
  const share = (whole: bigint) => (lots === amount ? whole : (whole * lots) / amount);
  const cost = share(positions.settleCost(slot));
  if (!holds(state, "guardedFund")) return cost;
  const sign = signOf(terms, positions.isShort(slot));
  const value = tradeValue(terms, closingPrice(state, market, slot), lots);
  const most = share(budgetLeft(state, market));
  return sign * (cost - value) <= most ? value : cost - sign * most;
}

/** The mark, or the index where that costs the fund less; before rules version 5 the mark. */
function closingPrice(state: State, market: Market, slot: number): bigint {
  const mark = markOf(state, market);
  const { price: index } = market.index;
  if (!holds(state, "laddersEndAtCost") || index === 0n) return mark;
  return state.futures.positions.isShort(slot) === index < mark ? index : mark;
}

/** The positions of users on one side of a market, first to be closed first. */
function queueOf(state: State, market: Market, isShort: boolean): Ranked[] {
  const { positions } = state.futures;
  const queue: Ranked[] = [];
  for (const slot of positionsIn(state, market.id)) {
    if (positions.isShort(slot) !== isShort || positions.userId(slot) === LIQUIDATOR) continue;
    const { value, initial } = atMark(state, slot);
    const positionId = positions.positionId(slot);
    const priority = adlPriority({
      positionId,
      entryCost: positions.entryCost(slot),
      valueAtMark: value,
      margin: positions.isIsolated(slot) ? marginOf(state, slot) : initial,
      gainsWithValue: signOf(market.futures as FuturesSpec, isShort) > 0n,
    });
    queue.push({ slot, positionId, priority });
  }
  return queue.sort(byAdlPriority);
}

/** The levels that positions of one side of a market show, by position id: 5 is closed first. Costs by their number. */
export function adlLevels(state: State, market: Market, isShort: boolean): ReadonlyMap<number, number> {
  const queue = queueOf(state, market, isShort);
  return new Map(queue.map(({ positionId }, at) => [positionId, adlLevel(at + 1, queue.length)]));
}
