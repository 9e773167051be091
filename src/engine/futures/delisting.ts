/** What becomes of positions when their market leaves: all are closed at the mark, without fee. Source: domain 4.17. */
import { emitHappening } from "../happening.ts";
import { CELL } from "../ledger/cell.ts";
import { POSTING } from "../ledger/ledger.ts";
import type { Market } from "../listing/market.ts";
import type { State } from "../state.ts";
import { LIQUIDATOR } from "./account.ts";
import { CHANGE_WORDS, clearingCell, reduce } from "./change-position.ts";
import type { FuturesTerms } from "./contract.ts";
import { cycleOf } from "./cycle.ts";
import { deleverage } from "./deleverage.ts";
import { byId } from "./funding.ts";
import { refreshFreeze } from "./held-order.ts";
import { canBear, inventory, net } from "./inventory.ts";
import { atMark, positionsIn } from "./standing.ts";

/**
 * Closes every position of a market without orders, what the venue has taken over first: where the insurance fund cannot
 * bear that, against the users on the other side. What neither takes stays with the venue.
 */
export function closePositions(state: State, market: Market): void {
  const { positions } = state.futures;
  net(state, market);
  for (const slot of inventory(state, market)) {
    if (!isBearable(state, market, slot)) deleverage(state, market, slot);
  }
  for (const slot of inventory(state, market)) if (isBearable(state, market, slot)) closeAtMark(state, market, slot);
  const users = [...positionsIn(state, market.id)].filter((slot) => positions.userId(slot) !== LIQUIDATOR);
  for (const slot of byId(state, users)) closeAtMark(state, market, slot);
  cycleOf(state, market).ladderAt = 0;
  if (inventory(state, market).length === 0) clear(state, market);
}

function isBearable(state: State, market: Market, slot: number): boolean {
  const { positions } = state.futures;
  return canBear(state, market, positions.isShort(slot), positions.amount(slot), atMark(state, slot).value);
}

function closeAtMark(state: State, market: Market, slot: number): void {
  const { positions } = state.futures;
  const row = positions.seat(slot);
  const part = { lots: positions.amount(slot), value: atMark(state, slot).value, fee: 0n, dealId: 0, orderId: 0 };
  reduce(state, market, slot, part, "sys");
  refreshFreeze(state, row);
}

/** Inverse values at mark are rounded against who holds; what that leaves in clearing goes to the insurance fund. */
function clear(state: State, market: Market): void {
  const { ledger, events } = state;
  const cell = clearingCell(state, market);
  const residue = ledger.available(cell);
  if (residue === 0n) return;
  const { settleAssetId } = market.futures as FuturesTerms;
  events.reserve(CHANGE_WORDS);
  ledger.post(events, cell, -residue, 0n, POSTING.pnl, 0);
  ledger.post(events, ledger.venueCell(CELL.insuranceFutures, settleAssetId), residue, 0n, POSTING.pnl, 0);
  emitHappening(state, { type: "clearing_closed", marketId: market.id, residue: residue.toString() });
}
