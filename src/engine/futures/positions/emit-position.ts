import { EVENT } from "../../event.ts";
import type { State } from "../../state.ts";
import { backingOf, factsOf, marginOf, termsOf } from "./account-sums.ts";
import { bankruptcyPrice, liquidationPrice } from "./figures.ts";
import {
  FINISHED_TYPES,
  type FinishedType,
  POSITION_FLAG,
  POSITION_REASONS,
  POSITION_WORDS,
  type PositionReason,
} from "./position-event.ts";

/** The change of a position, beside its state after it. */
export interface PositionChange {
  readonly reason: PositionReason;
  readonly finishedType: FinishedType;
  readonly dealId: number;
  readonly orderId: number;
  readonly lots: bigint;
  readonly value: bigint;
  readonly entered: bigint;
  readonly pnl: bigint;
  readonly fee: bigint;
  readonly marginChange: bigint;
  readonly covered: bigint;
}

export const NO_CHANGE: Omit<PositionChange, "reason"> = {
  finishedType: "",
  dealId: 0,
  orderId: 0,
  lots: 0n,
  value: 0n,
  entered: 0n,
  pnl: 0n,
  fee: 0n,
  marginChange: 0n,
  covered: 0n,
};

/** Writes the position in `slot` as it stands after a change. */
export function emitPosition(state: State, slot: number, change: PositionChange): void {
  const { futures, events } = state;
  const { positions, seats } = futures;
  // Where a change is no trade, its readers want to know where the position is liquidated now.
  const isTrade = change.dealId !== 0;
  const facts = factsOf(state, slot);
  const { maxPrice } = state.markets[positions.marketId(slot)] as { maxPrice: bigint };
  const terms = termsOf(state, positions.marketId(slot));
  const liqPrice =
    isTrade || facts.amount === 0n ? 0n : liquidationPrice(terms, facts, backingOf(state, slot), maxPrice);
  const isIsolated = positions.isIsolated(slot);
  const bkrPrice =
    isTrade || !isIsolated || facts.amount === 0n ? 0n : bankruptcyPrice(terms, facts, marginOf(state, slot));

  const at = events.open(POSITION_WORDS);
  const { i32, f64, i64 } = events;
  i32[at * 2] = EVENT.position | (POSITION_WORDS << 8);
  i32[at * 2 + 1] = positions.marketId(slot);
  i32[at * 2 + 2] = positions.userId(slot);
  i32[at * 2 + 3] =
    (facts.isShort ? POSITION_FLAG.short : 0) |
    (isIsolated ? POSITION_FLAG.isolated : 0) |
    (POSITION_REASONS.indexOf(change.reason) << POSITION_FLAG.reasonShift) |
    (FINISHED_TYPES.indexOf(change.finishedType) << POSITION_FLAG.finishedShift) |
    (seats.leverage(positions.seat(slot)) << 16);
  f64[at + 2] = positions.positionId(slot);
  i64[at + 3] = facts.amount;
  i64[at + 4] = facts.entryCost;
  i64[at + 5] = facts.settleCost;
  i64[at + 6] = marginOf(state, slot);
  i64[at + 7] = positions.realized(slot);
  i64[at + 8] = positions.topAmount(slot);
  i64[at + 9] = positions.topCost(slot);
  i64[at + 10] = positions.topMargin(slot);
  f64[at + 11] = positions.createdAt(slot);
  f64[at + 12] = positions.updatedAt(slot);
  f64[at + 13] = change.dealId;
  f64[at + 14] = change.orderId;
  i64[at + 15] = change.lots;
  i64[at + 16] = change.value;
  i64[at + 17] = change.pnl;
  i64[at + 18] = change.fee;
  i64[at + 19] = change.marginChange;
  i64[at + 20] = change.covered;
  i64[at + 21] = liqPrice;
  i64[at + 22] = bkrPrice;
  i64[at + 23] = positions.firstPrice(slot);
  i64[at + 24] = positions.latestPrice(slot);
  i64[at + 25] = change.entered;
}
