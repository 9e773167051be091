/** Closes all positions of a market that leaves the list, at the mark and without fee. Source: domain 4.17. */

import { CELL } from "../ledger/cell.ts";
import { POSTING } from "../ledger/posting.ts";
import type { Market } from "../listing/market.ts";
import { emitRareEvent } from "../rare-event.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { byId } from "./funding/funding.ts";
import { markOf } from "./funding/mark.ts";
import { deleverage } from "./liquidation/deleverage.ts";
import { noteResult } from "./liquidation/fund-budget.ts";
import { fundCovers, inventory, net, setLadder } from "./liquidation/inventory.ts";
import { takeOverBankrupt } from "./liquidation/liquidation.ts";
import { refreshFreeze } from "./orders/held-order.ts";
import { atMark, positionsIn } from "./positions/account-sums.ts";
import { clearingCell, reduce } from "./positions/change-position.ts";
import { type FuturesSpec, signOf, valueAtMark } from "./positions/contract.ts";
import { LIQUIDATOR } from "./positions/futures-account.ts";

/**
 * Closes every position of a market without orders, what the venue has taken over first, and now takes over of the
 * bankrupt: where the insurance fund cannot bear that, against the users on the other side. What neither takes stays
 * with the venue.
 */
export function closePositions(state: State, market: Market): void {
  const { positions } = state.futures;
  if (holds(state, "bankruptTakenOver")) takeOverBankrupt(state, market);
  net(state, market);
  for (const slot of inventory(state, market)) {
    if (!isBearable(state, market, slot)) deleverage(state, market, slot);
  }
  closeExcess(state, market);
  const users = [...positionsIn(state, market.id)].filter((slot) => positions.userId(slot) !== LIQUIDATOR);
  for (const slot of byId(state, users)) closeAtMark(state, market, slot);
  // What the excess brought may bear what could not be netted before.
  net(state, market);
  setLadder(state, market, 0);
  state.futures.silent.delete(market.id);
  if (inventory(state, market).length === 0) clear(state, market);
}

/**
 * Closes what the venue holds on one side more than on the other, which is what it holds against users. The rest lies
 * long against short: only netting can close it, since one side of it alone would leave the other without a
 * counterpart.
 */
function closeExcess(state: State, market: Market): void {
  const { positions } = state.futures;
  const [one, other] = inventory(state, market);
  if (one === undefined) return;
  const opposite = other === undefined ? 0n : positions.amount(other);
  const excess = positions.amount(one) - opposite;
  if (other !== undefined && excess < 0n) closeLots(state, market, other, -excess);
  else if (excess > 0n) closeLots(state, market, one, excess);
}

function isBearable(state: State, market: Market, slot: number): boolean {
  const { positions } = state.futures;
  return fundCovers(state, market, positions.isShort(slot), positions.amount(slot), atMark(state, slot).value);
}

function closeAtMark(state: State, market: Market, slot: number): void {
  closeLots(state, market, slot, state.futures.positions.amount(slot));
}

function closeLots(state: State, market: Market, slot: number, lots: bigint): void {
  const { positions } = state.futures;
  const row = positions.seat(slot);
  const terms = market.futures as FuturesSpec;
  const price = markOf(state, market);
  const value = valueAtMark(terms, price, lots, signOf(terms, positions.isShort(slot)));
  const isVenues = positions.userId(slot) === LIQUIDATOR;
  const result = reduce(state, market, slot, { lots, value, price, fee: 0n, dealId: 0, orderId: 0 }, "sys");
  if (isVenues) noteResult(state, market, result);
  refreshFreeze(state, row);
}

/** Inverse values at mark are rounded against who holds; what that leaves in clearing goes to the insurance fund. */
function clear(state: State, market: Market): void {
  const { ledger, events } = state;
  const cell = clearingCell(state, market);
  const residue = ledger.available(cell);
  if (residue === 0n) return;
  const { settleAssetId } = market.futures as FuturesSpec;
  ledger.post(events, cell, -residue, 0n, POSTING.pnl, 0);
  ledger.post(events, ledger.venueCell(CELL.insurance_futures, settleAssetId), residue, 0n, POSTING.pnl, 0);
  emitRareEvent(state, { type: "clearing_closed", marketId: market.id, residue: residue.toString() });
}
