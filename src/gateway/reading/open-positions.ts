/** A user's open positions, as slots of the engine's table. */
import { positionsOf } from "../../engine/futures/positions/account-sums.ts";
import { rowOf } from "../../engine/futures/positions/futures-seat.ts";
import type { Market } from "../../engine/listing/market.ts";
import type { State } from "../../engine/state.ts";
import { NONE } from "../../engine/trading/order.ts";

/** The slot of an open position of a user; NONE when it is open no more. */
export function openSlot(state: State, userId: number, marketId: number, positionId: number): number {
  const { seats, positions } = state.futures;
  const row = rowOf(state, userId, marketId);
  if (row === NONE) return NONE;
  const slots = [seats.position(row, false), seats.position(row, true)];
  return slots.find((slot) => slot !== NONE && positions.positionId(slot) === positionId) ?? NONE;
}

/** The user's open positions, newest first: those of one market, or of all. */
export function openSlots(state: State, userId: number, market: Market | undefined): number[] {
  const { accounts, positions } = state.futures;
  const slots: number[] = [];
  for (const { id: assetId } of state.assets) {
    const account = accounts.find(userId, assetId);
    if (account !== NONE) slots.push(...positionsOf(state, account));
  }
  return slots
    .filter((slot) => market === undefined || positions.marketId(slot) === market.id)
    .sort((left, right) => positions.positionId(right) - positions.positionId(left));
}
